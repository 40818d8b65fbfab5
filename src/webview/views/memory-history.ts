/** The history on the page of a memory. */
import { html, nothing } from 'lit/html.js';
import type { ExplorerTexts, HistoryEvent } from '../../protocol/explorer';
import type { App } from '../app';
import { mayUndo } from '../may-undo';
import { fill, moment, shortCommit, whyReadOnly } from '../texts';

/** What was done to a memory, by whom, with a way to take it back. */
export function historyOf(app: App, events: readonly HistoryEvent[], undo: (operation: number) => void): unknown {
  const { texts } = app;
  if (events.length === 0) return nothing;
  return html`<section>
    <h2>${texts.history}</h2>
    <ol class="history">
      ${events.map(
        (event) => html`<li class=${event.undone_by === null ? '' : 'undone'}>
          <span>${nameOf(texts, event)}</span>
          ${changeOf(event)}
          <span class="meta">${[
            moment(event.at),
            event.client,
            committerOf(event),
            event.undone_by === null ? null : texts.undone,
          ]
            .filter((each) => each !== null)
            .join(' · ')}</span>
          ${
            mayUndo(events, event) && whyReadOnly(texts, app.folder) === ''
              ? html`<button class="link" aria-label=${fill(texts.undoOf, nameOf(texts, event))}
                  @click=${() => event.operation !== null && undo(event.operation)}>${texts.undo}</button>`
              : nothing
          }
        </li>`,
      )}
    </ol>
  </section>`;
}

function nameOf({ actionNames, undoneWas, redoneWas }: ExplorerTexts, { action, of }: HistoryEvent): string {
  return of === null ? actionNames[action] : fill(action === 'undo' ? undoneWas : redoneWas, actionNames[of]);
}

function committerOf({ commit }: HistoryEvent): string | null {
  return commit ? `${commit.author}, ${shortCommit(commit.id)}` : null;
}

function changeOf({ before, after, moved }: HistoryEvent): unknown {
  if (moved) return html`<span class="meta">${moved.from} → ${moved.to}</span>`;
  if (!before || !after || before.confidence === after.confidence) return nothing;
  return html`<span class="meta">${before.confidence.toFixed(2)} → ${after.confidence.toFixed(2)}</span>`;
}
