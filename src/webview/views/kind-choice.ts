/** Buttons to choose kinds of memories. */
import { html, type TemplateResult } from 'lit/html.js';
import { CHOICE_ORDER, type MemoryKind } from '../../kinds/kinds';
import type { App } from '../app';
import { toggleKind } from '../state';

/** Chooses kinds; none pressed stands for all. */
export function kindChoice(
  { texts }: App,
  kinds: readonly MemoryKind[],
  choose: (kinds: readonly MemoryKind[]) => void,
): TemplateResult {
  return html`<div class="kinds" role="group" aria-label=${texts.kinds}>
    ${CHOICE_ORDER.map(
      (kind) => html`<button type="button" class="chip kind-${kind}" aria-pressed=${kinds.includes(kind)}
        @click=${() => choose(toggleKind(kinds, kind))}>${texts.kindNames[kind]}</button>`,
    )}
  </div>`;
}
