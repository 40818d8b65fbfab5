import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { ExplorerTexts, NodeKind } from '../../protocol/explorer';
import type { App } from '../app';
import { fill, kindName } from '../texts';

export interface RowData {
  readonly id: string;
  readonly kind: NodeKind;
  readonly content: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly confidence: number;
  /** Such as "superseded"; empty for an open one. */
  readonly state?: string;
}

/** A memory in a list; one opens its page. */
export function memoryRow(app: App, row: RowData): TemplateResult {
  const { texts } = app;
  return html`<li class="row">
    <button class="row ${row.state ? 'closed' : ''}" data-node=${row.id}
      @click=${() => app.go({ view: 'memory', id: row.id })}>
      <span class="first">${kindMark(texts, row.kind)} <span class="content">${row.content}</span></span>
      <span class="meta">
        ${row.state ? html`<span class="state">${row.state}</span> · ` : nothing}${row.date}
        ${isThing(row.kind) ? nothing : html` · ${confidenceOf(texts, row.confidence)}`} · ${row.id}
      </span>
    </button>
  </li>`;
}

/** Confidence says nothing of these. */
export function isThing(kind: NodeKind): boolean {
  return kind === 'entity' || kind === 'session';
}

/** The kind, told by a colour and by its name. */
export function kindMark(texts: ExplorerTexts, kind: NodeKind): TemplateResult {
  return html`<span class="kind kind-${kind}">${kindName(texts, kind)}</span>`;
}

function confidenceOf(texts: ExplorerTexts, confidence: number): string {
  return fill(texts.confidenceOf, confidence.toFixed(2));
}
