/** The history on the page of a memory. */
import { html, nothing } from 'lit/html.js';
import type { ExplorerTexts, HistoryEvent } from '../../protocol/explorer';
import type { App } from '../app';
import { mayUndo } from '../may-undo';
import { fill, moment, whyReadOnly } from '../texts';

/** What was done to a memory, by whom, with a way to take it back. */
export function historyOf(app: App, events: readonly HistoryEvent[], undo: (operation: number) => void): unknown {
  const { texts } = app;
  if (events.length === 0) return nothing;
  return html`<section>
    <h2>${texts.history}</h2>
    <ol class="history">
      ${events.map(
        (event) => html`<li class=${event.undone_by === null ? '' : 'undone'}>
          <span>${actionName(texts, event)}</span>
          ${changeOf(event)}
          <span class="meta">${[moment(event.at), event.client, event.undone_by === null ? null : texts.undone]
            .filter((each) => each !== null)
            .join(' · ')}</span>
          ${
            mayUndo(events, event) && whyReadOnly(texts, app.folder) === ''
              ? html`<button class="link" aria-label=${fill(texts.undoOf, actionName(texts, event))}
                  @click=${() => event.operation !== null && undo(event.operation)}>${texts.undo}</button>`
              : nothing
          }
        </li>`,
      )}
    </ol>
  </section>`;
}

export function actionName(texts: ExplorerTexts, { action }: HistoryEvent): string {
  return {
    store: texts.didStore,
    confirm: texts.didConfirm,
    refute: texts.didRefute,
    forget: texts.didForget,
    supersede: texts.didSupersede,
    end: texts.didEnd,
    dismiss: texts.didDismiss,
    keep: texts.didKeep,
    accept: texts.didAccept,
    fill: texts.didFill,
    link: texts.didLink,
    restore: texts.didRestore,
    undo: texts.didUndo,
    redo: texts.didRedo,
    anchor: texts.didAnchor,
  }[action];
}

function changeOf({ before, after, moved }: HistoryEvent): unknown {
  if (moved) return html`<span class="meta">${moved.from} → ${moved.to}</span>`;
  if (!before || !after || before.confidence === after.confidence) return nothing;
  return html`<span class="meta">${before.confidence.toFixed(2)} → ${after.confidence.toFixed(2)}</span>`;
}
