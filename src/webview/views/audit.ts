/** The view of who stored what. */
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Audit, AuditedMemory, Origin } from '../../protocol/explorer';
import type { App, ViewPart } from '../app';
import { latest } from '../connection';
import { day, fill, moment, originName } from '../texts';
import { memoryRow } from './memory-row';

/** Sources, many memories at once, what reads like an instruction to an agent, and decisions that nobody has looked at. */
export function auditView(app: App): ViewPart {
  const once = latest();
  let found: Audit | undefined;
  let problem = '';
  return {
    load: () =>
      void once(async (isLatest) => {
        const answer = await app.ask('audit', {});
        if (!isLatest()) return;
        problem = answer.ok ? '' : answer.message;
        found = answer.ok ? answer.value : undefined;
        app.redraw();
      }),
    render: () => html`
      <h1 tabindex="-1">${app.texts.audit}</h1>
      ${problem === '' ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
      ${found ? sections(app, found) : nothing}`,
  };
}

function sections(app: App, audit: Audit): TemplateResult {
  const { texts } = app;
  const { sources, bursts, suspicious, unseen_decisions, unseen_count, more } = audit;
  if (sources.length === 0) return html`<p>${texts.nothingStored}</p>`;
  return html`<article class="page">
    <section><h2>${texts.sources}</h2>${sourceTable(app, audit)}</section>
    ${
      bursts.length === 0
        ? nothing
        : html`<section><h2>${texts.bursts}</h2><ul>${bursts.map(
            ({ origin, from, memories }) =>
              html`<li>${moment(from)} · ${named(app, origin)} · ${fill(texts.memories, memories)}</li>`,
          )}</ul></section>`
    }
    ${
      suspicious.length === 0
        ? nothing
        : html`<section><h2>${texts.suspicious}</h2><p class="meta">${texts.suspiciousHint}</p>
            <ul class="rows">${suspicious.map(({ node, why }) =>
              row(
                app,
                node,
                why.map((one) => texts.suspicionNames[one]),
              ),
            )}</ul></section>`
    }
    ${
      unseen_count === 0
        ? nothing
        : html`<section><h2>${fill(texts.unseen, unseen_count)}</h2>
            <ul class="rows">${unseen_decisions.map((node) => row(app, node, []))}</ul></section>`
    }
    ${more ? html`<p class="meta">${texts.auditMore}</p>` : nothing}
  </article>`;
}

function sourceTable(app: App, { sources }: Audit): TemplateResult {
  const { texts } = app;
  return html`<div class="sources" role="region" tabindex="0" aria-label=${texts.sources}><table>
    <thead><tr><th scope="col">${texts.from}</th><th scope="col">${texts.stored}</th><th scope="col">${texts.open}</th>
      <th scope="col">${texts.standingNames.confirmed}</th><th scope="col">${texts.proposed}</th>
      <th scope="col">${texts.recorded}</th></tr></thead>
    <tbody>${sources.map(
      ({ origin, memories, open, confirmed, proposed, first, last }) =>
        html`<tr><th scope="row">${named(app, origin)}</th><td>${memories}</td><td>${open}</td><td>${confirmed}</td>
          <td>${proposed}</td><td>${days(first, last)}</td></tr>`,
    )}</tbody>
  </table></div>`;
}

function days(first: string, last: string): string {
  return day(first) === day(last) ? day(first) : `${day(first)} – ${day(last)}`;
}

function named({ texts }: App, origin: Origin | null): string {
  return origin ? originName(texts, origin) : texts.unknownSource;
}

function row(app: App, node: AuditedMemory, notes: readonly string[]): TemplateResult {
  return memoryRow(app, {
    ...{ id: node.id, kind: node.kind, content: node.content, confidence: node.confidence, marks: node.marks },
    date: fill(app.texts.recordedOn, day(node.recorded_at)),
    notes: [...notes, named(app, node.origin)],
  });
}
