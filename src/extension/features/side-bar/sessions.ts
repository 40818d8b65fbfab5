/** The rows of the view Sessions. */
import * as vscode from 'vscode';
import type { HeldSession, MemoryGroup } from '../../../protocol/tool-values';
import { shownId } from '../../../server/base/shown';
import { counted, kindIcon, originName, sessionName, shownTime } from '../../kinds';
import type { Memories, Place } from '../../memories';
import { inMarkdown, plainLine } from '../../stored-text';
import type { Doubts } from '../doubts';
import { holderName } from '../holder-name';
import type { RowsOfFolder } from './folder-rows';
import { longList } from './long-list';
import { memoryList } from './memory-list';
import { MAX_TOOLTIP_TEXT } from './memory-row';
import { matches } from './review-groups';
import { newRow, noteRow, type Row } from './row';
import type { Pages } from './row-tree';
import type { ViewState } from './view-state';

const MAX_HOLDER_LENGTH = 20;

/**
 * The sessions of a namespace, newest first; the open ones are marked with who holds them. What was stored in none, as what
 * comes from a file, stands below them.
 */
export function sessionRows(memories: Memories, doubts: Doubts, pages: Pages, view: ViewState): RowsOfFolder {
  return async (parent, place) => {
    const sessions = longList(
      parent,
      pages,
      (limit) => memories.call<HeldSession[]>(place, 'sessions', { ...view.asked(), closed: view.closed(), limit }),
      (found) =>
        found
          .filter((session) => view.closed() || isShown(session, view))
          .map((session) => sessionRow(parent, session, place, memories, doubts, pages, view)),
    );
    const others = sessionlessRows(parent, place, memories, doubts, pages, view);
    return (await Promise.all([sessions, others])).flat();
  };
}

/** One that a filter finds for a memory alone that is no longer valid has nothing to show. */
function isShown(session: HeldSession, view: ViewState): boolean {
  return session.tombstoned === 0 && (session.matching !== 0 || isByName(session, view));
}

/** Whether a filter finds the session by its name alone. Then it has all of its memories below it, as without a filter. */
function isByName({ matching, content, id }: HeldSession, view: ViewState): boolean {
  const { letters, kinds, file, symbol } = view.asked();
  const isWords = letters !== '' && kinds.length === 0 && file === '' && symbol === '';
  return matching === 0 && isWords && matches(letters, content, id);
}

async function sessionlessRows(
  parent: Row | undefined,
  place: Place,
  memories: Memories,
  doubts: Doubts,
  pages: Pages,
  view: ViewState,
): Promise<Row[]> {
  const asked = { ...view.asked(), closed: view.closed(), sessionless: true as const };
  const kinds = await memories.call<MemoryGroup[]>(place, 'groups', { by: 'kind', ...asked });
  const count = kinds.reduce((sum, each) => sum + each.memories, 0);
  if (count === 0) return [];
  const label = vscode.l10n.t('In no session');
  return [
    newRow(
      parent,
      {
        ...{ key: 'sessionless', label, description: String(count), expanded: view.filter() !== '' },
        spoken: [label, counted.memories(count)].join(', '),
        icon: new vscode.ThemeIcon('circle-slash'),
      },
      { children: (above) => memoryList(above, memories, pages, place, asked, doubts.known(place)) },
    ),
  ];
}

function sessionRow(
  parent: Row | undefined,
  session: HeldSession,
  place: Place,
  memories: Memories,
  doubts: Doubts,
  pages: Pages,
  view: ViewState,
): Row {
  const { tombstoned, current, matching } = session;
  const open = session.valid_until === null && tombstoned === 0;
  const byName = isByName(session, view);
  const label = plainLine(sessionName(session));
  const notes = (holder: typeof holderName): string[] => [
    ...(open ? [openNote(session, holder)] : []),
    ...(tombstoned === 1 ? [vscode.l10n.t('cleared')] : []),
    shownTime(session.recorded_at),
    counted.memories(shownOf(session, view)),
    ...(session.origin === null ? [] : [vscode.l10n.t('written by {0}', plainLine(originName(session.origin)))]),
    ...(matching === null ? [] : [byName ? nameMatches() : vscode.l10n.t('{0} match', matching)]),
  ];
  // Beside the name there is room for a word or two; the tooltip and the screen reader tell the rest.
  const short = [open ? shortHolder(session) : shownTime(session.recorded_at), share(session, view)];
  const row = newRow(
    parent,
    {
      key: session.id,
      label,
      description: short.join(' · '),
      spoken: [session.topic === null ? label : vscode.l10n.t('Session about {0}', label), ...notes(spokenHolder)].join(
        ', ',
      ),
      icon: open ? openIcon(session) : kindIcon('session'),
      context: 'session',
      expanded: current || view.filter() !== '',
    },
    {
      subject: { place, type: 'session', nodeId: session.id },
      children: async (above) => {
        if (session.node_count === 0) return [noteRow(above, vscode.l10n.t('This session has no memories here.'))];
        const asked = view.asked();
        const letters = byName ? '' : asked.letters;
        const filter = { ...asked, session_id: session.id, closed: view.closed(), letters };
        return memoryList(above, memories, pages, place, filter, doubts.known(place));
      },
    },
  );
  row.item.tooltip = sessionTooltip(session, notes(holderName));
  return row;
}

/** Green is what goes on; a session whose program has ended only waits. */
function openIcon({ current, holder }: HeldSession): vscode.ThemeIcon {
  if (current || holder?.alive) return new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('charts.green'));
  return new vscode.ThemeIcon('circle-outline');
}

/** How many rows it has below it; with a filter, how many of them pass it. */
function share(session: HeldSession, view: ViewState): string {
  if (isByName(session, view)) return nameMatches();
  const shown = shownOf(session, view);
  return session.matching === null ? String(shown) : vscode.l10n.t('{0} of {1}', session.matching, shown);
}

const nameMatches = () => vscode.l10n.t('its name matches');

function shownOf({ node_count, valid }: HeldSession, view: ViewState): number {
  return view.closed() ? node_count : valid;
}

function shortHolder({ current, holder }: HeldSession): string {
  if (current) return vscode.l10n.t('this editor');
  return holder ? plainLine(holder.client, MAX_HOLDER_LENGTH) : vscode.l10n.t('open');
}

/** The number of a process is nothing to listen to. */
const spokenHolder: typeof holderName = ({ client }) => plainLine(client, MAX_HOLDER_LENGTH);

function openNote({ current, holder }: HeldSession, nameOf: typeof holderName): string {
  if (current) return vscode.l10n.t('open in this editor');
  if (!holder) return vscode.l10n.t('open');
  const name = nameOf(holder);
  return holder.alive ? vscode.l10n.t('open, held by {0}', name) : vscode.l10n.t('open, left by {0}', name);
}

function sessionTooltip(session: HeldSession, notes: readonly string[]): vscode.MarkdownString {
  const tip = new vscode.MarkdownString();
  tip.appendMarkdown(inMarkdown(session.content, MAX_TOOLTIP_TEXT));
  tip.appendMarkdown(`\n\n${inMarkdown([shownId(session.id), ...notes].join(' · '), MAX_TOOLTIP_TEXT)}`);
  if (session.last_write_at !== null) {
    const written = vscode.l10n.t('Last written to: {0}', shownTime(session.last_write_at));
    tip.appendMarkdown(`\n\n${inMarkdown(written, MAX_TOOLTIP_TEXT)}`);
  }
  return tip;
}
