import { html, type TemplateResult } from 'lit/html.js';
import type { MemoryKind } from '../../protocol/explorer';
import type { App } from '../app';
import { MEMORY_KINDS, toggleKind } from '../state';
import { kindName } from '../texts';

/** Chooses kinds; none pressed stands for all. */
export function kindChoice(
  { texts }: App,
  kinds: readonly MemoryKind[],
  choose: (kinds: readonly MemoryKind[]) => void,
): TemplateResult {
  return html`<div class="kinds" role="group" aria-label=${texts.kinds}>
    ${MEMORY_KINDS.map(
      (kind) => html`<button type="button" class="chip kind-${kind}" aria-pressed=${kinds.includes(kind)}
        @click=${() => choose(toggleKind(kinds, kind))}>${kindName(texts, kind)}</button>`,
    )}
  </div>`;
}
