/** The view of the timeline. */
import { live } from 'lit/directives/live.js';
import { ref } from 'lit/directives/ref.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Chronicle, ChronicleEntry } from '../../protocol/explorer';
import type { App, ViewPart } from '../app';
import { debounced, latest } from '../connection';
import { INITIAL_STATE, type TimelineState, type TimeRange } from '../state';
import { day, fill, stateName } from '../texts';
import { moved, wholeRange, zoomed } from '../time-axis';
import { agentText } from './agent-text';
import { kindChoice } from './kind-choice';
import { memoryRow } from './memory-row';
import { drawing, stretches } from './timeline-drawing';

/** Up to this many memories are drawn one by one; more are drawn as heights. */
const MAX_MARKS = 300;
const PAGE = 50;
const PAUSE_MS = 120;
const ZOOM_STEP = 0.6;
const MOVE_STEP = 0.25;

interface Shown {
  readonly chronicle: Chronicle;
  /** The range that is drawn until the user moves or zooms. */
  readonly range: TimeRange;
  /** What the stretches were counted between, and how many there are. */
  readonly counted: { readonly range: TimeRange; readonly stretches: number };
  readonly entries: readonly ChronicleEntry[];
  readonly more: boolean;
}

/** Memories on an axis of time that one can look into, and the same as a list. */
export function timelineView(app: App): ViewPart {
  const once = latest();
  const afterPause = debounced(PAUSE_MS);
  let shown: Shown | undefined;
  let problem = '';
  let listed = PAGE;
  let width = 800;
  const sizes = new ResizeObserver(([entry]) => {
    const now = Math.round(entry?.contentRect.width ?? width);
    if (now === width || now === 0) return;
    width = now;
    app.redraw();
    afterPause(load);
  });

  const asked = (): Record<string, unknown> => {
    const { topic, kinds } = app.state.timeline;
    return { kinds, ...(topic.trim() === '' ? {} : { topic }) };
  };
  const load = (): void => {
    const { range } = app.state.timeline;
    const count = stretches(width);
    const bounds = range ? { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() } : {};
    void once(async (isLatest) => {
      const answer = await app.ask('chronicle', { ...asked(), ...bounds, buckets: count, limit: MAX_MARKS });
      if (!isLatest()) return;
      problem = answer.ok ? '' : answer.message;
      shown = answer.ok ? shownOf(answer.value, range, count) : undefined;
      app.redraw();
    });
  };
  const showMore = async (): Promise<void> => {
    const before = shown;
    if (!before) return;
    if (listed + PAGE <= before.entries.length || !before.more) {
      listed += PAGE;
      app.redraw();
      return;
    }
    const { from, to } = before.counted.range;
    const answer = await app.ask('chronicle', {
      ...asked(),
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      limit: PAGE,
      before: before.entries.at(-1)?.id,
    });
    // Asked for again meanwhile.
    if (shown !== before) return;
    if (!answer.ok) return app.announce(answer.message);
    shown = { ...before, entries: [...before.entries, ...answer.value.entries], more: answer.value.more };
    listed += PAGE;
    app.redraw();
  };
  const change = (timeline: Partial<TimelineState>): void => {
    listed = PAGE;
    app.change({ timeline: { ...app.state.timeline, ...timeline } });
    afterPause(load);
  };
  const range = (): TimeRange => app.state.timeline.range ?? shown?.range ?? EMPTY;
  const look = (to: TimeRange | null): void => change({ range: to });
  const mount = (element: Element | undefined): void => {
    sizes.disconnect();
    if (element) sizes.observe(element);
  };

  return {
    load,
    render: () => html`
      <h1 tabindex="-1">${app.texts.timeline}</h1>
      ${controls(app, change)} ${problem === '' ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
      ${shown ? (shown.chronicle.total === 0 ? nothingFound(app, shown.chronicle) : nothing) : nothing}
      <div class="drawing-place" ${ref(mount)}>
        ${
          shown && shown.chronicle.total > 0
            ? html`${zoomButtons(app, range, look)}
              ${drawing({ app, width, range: range(), look, marks: marksOf(shown), counted: shown.counted, buckets: shown.chronicle.buckets })}`
            : nothing
        }
      </div>
      ${shown && shown.chronicle.total > 0 ? list(app, shown, listed, () => void showMore()) : nothing}`,
  };
}

const EMPTY: TimeRange = { from: 0, to: 1 };

function shownOf(chronicle: Chronicle, range: TimeRange | null, count: number): Shown {
  const { first, last, entries, more } = chronicle;
  const from = first === null ? 0 : Date.parse(first);
  const to = last === null ? from : Date.parse(last);
  const counted = { range: range ?? { from, to: Math.max(to, from + 1) }, stretches: count };
  return { chronicle, range: range ?? wholeRange(from, to), counted, entries, more };
}

/** All memories of the range, oldest first, where they are few enough to be drawn one by one. */
function marksOf({ chronicle }: Shown): readonly ChronicleEntry[] | undefined {
  return chronicle.more ? undefined : chronicle.entries.toReversed();
}

function controls(app: App, change: (timeline: Partial<TimelineState>) => void): TemplateResult {
  const { texts } = app;
  const { topic, kinds } = app.state.timeline;
  return html`<form class="controls" role="search" @submit=${(event: Event) => event.preventDefault()}>
    <label class="wide">${texts.topic}
      <input type="search" id="topic" .value=${live(topic)} placeholder=${texts.everything} spellcheck="false"
        @input=${({ target }: Event) => change({ topic: (target as HTMLInputElement).value, range: INITIAL_STATE.timeline.range })}>
    </label>
    ${kindChoice(app, kinds, (chosen) => change({ kinds: chosen }))}
  </form>`;
}

function zoomButtons(app: App, range: () => TimeRange, look: (range: TimeRange | null) => void): TemplateResult {
  const { texts } = app;
  const button = (sign: string, name: string, act: () => void): TemplateResult =>
    html`<button class="icon" aria-label=${name} title=${name} @click=${act}><span aria-hidden="true">${sign}</span></button>`;
  return html`<div class="zoom" role="toolbar" aria-label=${texts.zoom}>
    ${button('←', texts.earlier, () => look(moved(range(), -MOVE_STEP)))}
    ${button('→', texts.later, () => look(moved(range(), MOVE_STEP)))}
    ${button('+', texts.zoomIn, () => look(zoomed(range(), ZOOM_STEP)))}
    ${button('−', texts.zoomOut, () => look(zoomed(range(), 1 / ZOOM_STEP)))}
    <button class="secondary" ?disabled=${app.state.timeline.range === null} @click=${() => look(null)}>${texts.showAll}</button>
  </div>`;
}

function nothingFound({ texts }: App, { nearest }: Chronicle): TemplateResult {
  return html`<p>${texts.nothingFound} ${nearest.length > 0 ? fill(texts.nearest, nearest.join(', ')) : nothing}</p>`;
}

function list(app: App, shown: Shown, listed: number, showMore: () => void): TemplateResult {
  const { texts } = app;
  const { within, total } = shown.chronicle;
  const entries = shown.entries.slice(0, listed);
  const topic = app.state.timeline.topic.trim();
  return html`<section aria-labelledby="entries">
    <div class="titled">
      <h2 id="entries">${texts.newestFirst}</h2>
      ${topic === '' ? nothing : agentText(app, 'memory_timeline', { topic })}
    </div>
    <div role="status" class="summary">
      ${within !== total ? fill(texts.memoriesWithin, within, total) : total === 1 ? texts.oneMemory : fill(texts.memories, total)}
    </div>
    <ul class="rows">
      ${entries.map((entry) =>
        memoryRow(app, {
          id: entry.id,
          kind: entry.kind,
          content: entry.content,
          date: day(entry.valid_from),
          confidence: entry.confidence,
          marks: entry.marks,
          state: stateName(texts, entry),
        }),
      )}
    </ul>
    ${
      entries.length < shown.entries.length || shown.more
        ? html`<button class="secondary more" @click=${showMore}>${texts.showMore}</button>`
        : nothing
    }
  </section>`;
}
