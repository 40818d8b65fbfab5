/** A memory in a list. */
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { isStructural, type NodeKind } from '../../kinds/kinds';
import type { ExplorerTexts } from '../../protocol/explorer';
import type { Reason } from '../../protocol/tool-values';
import type { App } from '../app';
import { fill, markName, reasonName } from '../texts';

export interface RowData {
  readonly id: string;
  readonly kind: NodeKind;
  readonly content: string;
  /** YYYY-MM-DD, or what is said of such a day */
  readonly date: string;
  readonly confidence: number;
  /** As agents see them; that its store is foreign need not be among them. */
  readonly marks?: readonly string[] | undefined;
  /** Why it was found. */
  readonly reasons?: readonly Reason[];
  /** Such as "superseded"; empty for an open one. */
  readonly state?: string;
  /** What else is to be said of it there. */
  readonly notes?: readonly string[];
}

/** A memory in a list; one opens its page. */
export function memoryRow(app: App, row: RowData): TemplateResult {
  const { texts } = app;
  const marks = marksOf(app, row.marks);
  const reasons = (row.reasons ?? []).map((reason) => reasonName(texts, reason));
  const said = [...(row.state ? [row.state] : []), ...(row.notes ?? [])].join(' · ');
  return html`<li class="row">
    <button class="row ${row.state ? 'closed' : ''}" data-node=${row.id}
      @click=${() => app.go({ view: 'memory', id: row.id })}>
      <span class="first">${kindMark(texts, row.kind)} <span class="content">${row.content}</span></span>
      <span class="meta">
        ${marks ? html`${marks} · ` : nothing}${said ? html`<span class="state">${said}</span> · ` : nothing}${row.date}
        ${isStructural(row.kind) ? nothing : html` · ${confidenceOf(texts, row.confidence)}`} · ${row.id}
      </span>
      ${reasons.length > 0 ? html`<span class="meta reasons">${reasons.join(' · ')}</span>` : nothing}
    </button>
  </li>`;
}

/** What is known of the memory, and of the store that it stands in; undefined where there is nothing to say. */
export function marksOf({ texts, folder }: App, marks: readonly string[] = []): TemplateResult | undefined {
  const all = new Set([...(folder?.access === 'foreign' ? ['foreign'] : []), ...marks]);
  if (all.size === 0) return undefined;
  return html`<span class="mark">${[...all].map((mark) => markName(texts, mark)).join(' · ')}</span>`;
}

/** The kind, told by a colour and by its name. */
export function kindMark(texts: ExplorerTexts, kind: NodeKind): TemplateResult {
  return html`<span class="kind kind-${kind}">${texts.kindNames[kind]}</span>`;
}

function confidenceOf(texts: ExplorerTexts, confidence: number): string {
  return fill(texts.confidenceOf, confidence.toFixed(2));
}
