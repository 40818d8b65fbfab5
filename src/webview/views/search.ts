/** The view of the search. */
import { live } from 'lit/directives/live.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Recalled } from '../../protocol/explorer';
import type { App, ViewPart } from '../app';
import { debounced, latest } from '../connection';
import { foundRows } from '../found-rows';
import { INITIAL_STATE, MAX_BUDGET, MIN_BUDGET, type SearchState, usableBudget, usableConfidence } from '../state';
import { fill } from '../texts';
import { kindChoice } from './kind-choice';
import { memoryRow } from './memory-row';

const TYPING_PAUSE_MS = 200;
/** What the search of the palette reads as a kind, a file or a symbol. */
const SIGNED_WORD = /(?:^|\s)(?:[:@#]|(?:kind|file|symbol):)[\p{L}_./]/iu;
/** The slider's end; larger budgets can be typed. */
const SLIDER_BUDGET = 4_000;

/** Asks as an agent would, and shows what it would get: as rows to click and byte for byte. */
export function searchView(app: App): ViewPart {
  const once = latest();
  const afterTyping = debounced(TYPING_PAUSE_MS);
  let found: Recalled | undefined;
  let problem = '';

  const load = (): void => {
    const { query, budget, hops, kinds, asOf, minConfidence } = app.state.search;
    void once(async (isLatest) => {
      if (query.trim() === '') {
        found = undefined;
        problem = '';
        return app.redraw();
      }
      const options = { hops, kinds, min_confidence: minConfidence, ...(asOf === '' ? {} : { as_of: asOf }) };
      const answer = await app.ask('recall', { query, budget_tokens: budget, ...options });
      if (!isLatest()) return;
      problem = answer.ok ? '' : answer.message;
      found = answer.ok ? answer.value : undefined;
      app.redraw();
    });
  };
  const change = (search: Partial<SearchState>): void => {
    app.change({ search: { ...app.state.search, ...search } });
    afterTyping(load);
  };
  return {
    load,
    render: () => html`
      <h1 tabindex="-1">${app.texts.search}</h1>
      ${form(app, change, load)}
      <div role="status" class="summary">${problem === '' ? summary(app, found) : nothing}</div>
      ${problem === '' ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
      ${found ? results(app, found) : nothing}`,
  };
}

type Change = (search: Partial<SearchState>) => void;

const textOf = ({ target }: Event): string => (target as HTMLInputElement).value;

/** The number that was typed, as it can be used. While it is typed the field is left alone, whatever is redrawn. */
function corrected({ target }: Event, usable: (typed: number) => number): number {
  const field = target as HTMLInputElement;
  const number = usable(Number(field.value));
  field.value = String(number);
  return number;
}

function form(app: App, change: Change, load: () => void): TemplateResult {
  const { texts } = app;
  const { query, budget, hops, kinds, asOf, minConfidence } = app.state.search;
  const special = hops !== 1 || asOf !== '' || minConfidence > 0;
  return html`<form class="controls" role="search" @submit=${(event: Event) => {
    event.preventDefault();
    load();
  }}>
    <label class="wide">${texts.query}
      <input type="search" id="query" .value=${live(query)} placeholder=${INITIAL_STATE.search.query} spellcheck="false"
        @input=${(event: Event) => change({ query: textOf(event) })}></label>
    ${SIGNED_WORD.test(query) ? html`<p class="meta wide">${texts.signsHint}</p>` : nothing}
    <div class="budget">
      <label for="budget">${texts.budget}</label>
      <input type="range" id="budget-slider" aria-label=${texts.budget} min=${MIN_BUDGET} max=${SLIDER_BUDGET} step="10"
        .value=${live(String(Math.min(budget, SLIDER_BUDGET)))} aria-valuetext=${fill(texts.tokens, budget)}
        @input=${(event: Event) => change({ budget: usableBudget(Number(textOf(event))) })}>
      <input type="number" id="budget" min=${MIN_BUDGET} max=${MAX_BUDGET} .value=${String(budget)}
        @change=${(event: Event) => change({ budget: corrected(event, usableBudget) })}>
    </div>
    ${kindChoice(app, kinds, (chosen) => change({ kinds: chosen }))}
    <details class="wide" ?open=${special}>
      <summary>${texts.moreOptions}</summary>
      <div class="options">
        <label>${texts.hops}
          <select @change=${(event: Event) => change({ hops: Number(textOf(event)) })}>
            ${[0, 1, 2].map((each) => html`<option value=${each} .selected=${live(each === hops)}>${each}</option>`)}
          </select></label>
        <label>${texts.asOf}
          <input type="date" .value=${live(asOf)} @change=${(event: Event) => change({ asOf: textOf(event) })}></label>
        <label>${texts.minConfidence}
          <input type="number" min="0" max="1" step="0.1" .value=${String(minConfidence)}
            @change=${(event: Event) => change({ minConfidence: corrected(event, usableConfidence) })}></label>
      </div>
    </details>
  </form>`;
}

function summary({ texts }: App, found: Recalled | undefined): unknown {
  if (!found) return nothing;
  const { items, used, budget } = found.value;
  return [
    // Entities and sessions are among them.
    fill(texts.itemsFound, items.length),
    fill(texts.tokensUsed, used, budget),
    fill(texts.milliseconds, Math.max(1, Math.round(found.milliseconds))),
  ].join(' · ');
}

function results(app: App, { text, value }: Recalled): TemplateResult {
  const { texts } = app;
  const { budget, used, items, note } = value;
  return html`
    <progress class="used" max=${budget} .value=${Math.min(used, budget)} aria-label=${texts.budget}></progress>
    <div class="columns">
      <section aria-labelledby="found">
        <h2 id="found">${texts.found}</h2>
        ${items.length === 0 ? html`<p>${note}</p>` : nothing}
        <ul class="rows">
          ${foundRows(value).map((row) => memoryRow(app, row))}
        </ul>
      </section>
      <section aria-labelledby="exact">
        <div class="titled">
          <h2 id="exact">${texts.agentGets}</h2>
          <button class="secondary" @click=${() => {
            app.send({ type: 'copy', text });
            app.announce(texts.copied);
          }}>${texts.copy}</button>
        </div>
        <pre id="markdown">${text}</pre>
      </section>
    </div>`;
}
