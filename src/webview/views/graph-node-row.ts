/** A node in the list beside the graph. */
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { NodeKind } from '../../kinds/kinds';
import type { GraphNode } from '../../protocol/explorer';
import type { App } from '../app';
import { fill, isDoubtful, stateName, verdictName } from '../texts';
import { kindMark, marksOf } from './memory-row';

interface RowOptions {
  readonly selected: boolean;
  /** Neighbours that are not drawn yet. */
  readonly hidden: number;
  select(key: string): void;
  expand(node: GraphNode): void;
  open(node: GraphNode): void;
}

/** A node of the graph in the list beside the drawing: everything that the drawing offers, for the keyboard. */
export function graphNodeRow(app: App, node: GraphNode, { selected, hidden, ...actions }: RowOptions): TemplateResult {
  const { texts } = app;
  const state = node.state ? stateName(texts, { ...node.state, kind: node.kind }) : '';
  const doubt = node.code && isDoubtful(node.code.verdict) ? verdictName(texts, node.code.verdict) : '';
  const marks = node.type === 'symbol' ? undefined : marksOf(app, node.marks);
  const canOpen = node.type !== 'symbol' || (node.code?.start_line ?? null) !== null;
  return html`<li class="graph-row ${selected ? 'selected' : ''}" @focusin=${() => actions.select(node.key)}>
    <button class="row" data-node=${node.key} ?disabled=${!canOpen} @click=${() => actions.open(node)}>
      <span class="first">
        ${node.type === 'symbol' ? html`<span class="kind kind-symbol">${node.kind}</span>` : kindMark(texts, node.kind as NodeKind)}
        <span class="content">${node.label}</span>
      </span>
      ${node.code ? html`<span class="meta">${node.code.file_path}${doubt === '' ? '' : ` · ${doubt}`}</span>` : nothing}
      ${marks ? html`<span class="meta">${marks}</span>` : nothing}
      ${state === '' ? nothing : html`<span class="meta">${state}</span>`}
    </button>
    ${
      hidden > 0
        ? html`<button class="icon" title=${fill(texts.expand, hidden)} aria-label=${fill(texts.expandOf, node.label, hidden)}
            @click=${() => actions.expand(node)}>+${hidden}</button>`
        : nothing
    }
  </li>`;
}
