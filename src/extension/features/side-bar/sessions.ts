import * as vscode from 'vscode';
import type { HeldSession } from '../../../protocol/tool-values';
import { counted, kindIcon, shownTime } from '../../kinds';
import type { Memories, Place } from '../../memories';
import { plainLine } from '../../stored-text';
import type { Doubts } from '../doubts';
import { holderName } from '../holder-name';
import type { RowsOfFolder } from './folder-rows';
import { memoryList } from './memory-list';
import { MAX_TOOLTIP_TEXT } from './memory-row';
import { matches } from './review-groups';
import { moreRow, newRow, noteRow, type Row } from './row';
import type { Pages } from './row-tree';
import type { ViewState } from './view-state';

/** The longest list of sessions; the filter finds older ones. */
const LONGEST_LIST = 1_000;
const MAX_HOLDER_LENGTH = 20;

/** The sessions of a namespace, newest first; the open ones are marked with who holds them. */
export function sessionRows(memories: Memories, doubts: Doubts, pages: Pages, view: ViewState): RowsOfFolder {
  return async (parent, place) => {
    const list = parent?.item.id ?? '';
    const wanted = Math.min(pages.shown(list), LONGEST_LIST);
    const limit = Math.min(wanted + 1, LONGEST_LIST);
    const found = await memories.call<HeldSession[]>(place, 'sessions', { letters: view.filter(), limit });
    const rows = found
      .slice(0, wanted)
      .filter(({ tombstoned }) => tombstoned === 0 || view.closed())
      .map((session) => sessionRow(parent, session, place, memories, doubts, pages, view));
    if (found.length > wanted) return [...rows, moreRow(parent, () => pages.showMore(list))];
    if (wanted < LONGEST_LIST) return rows;
    return [...rows, noteRow(parent, vscode.l10n.t('Only {0} are listed. The filter finds the others.', wanted))];
  };
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
  const { tombstoned, current } = session;
  const open = session.valid_until === null && tombstoned === 0;
  const label = plainLine(session.content);
  const notes = [
    ...(open ? [openNote(session)] : []),
    ...(tombstoned === 1 ? [vscode.l10n.t('cleared')] : []),
    shownTime(session.recorded_at),
    counted.memories(session.node_count),
  ];
  // Beside the name there is room for a word or two; the tooltip and the screen reader tell the rest.
  const short = [open ? shortHolder(session) : shownTime(session.recorded_at), String(session.node_count)];
  // A session that a filter finds by its name shows all of its memories, else those that have the words.
  const letters = matches(view.filter(), session.content, session.id) ? '' : view.filter();
  const row: Row = newRow(
    parent,
    {
      key: session.id,
      label,
      description: short.join(' · '),
      spoken: [label, ...notes].join(', '),
      icon: open ? new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('charts.green')) : kindIcon('session'),
      context: current ? 'session.current' : open ? 'session.open' : 'session',
      expanded: current || view.filter() !== '',
    },
    {
      subject: { place, type: 'session', nodeId: session.id },
      children: async () => {
        const filter = { session_id: session.id, closed: view.closed(), letters };
        const below = await memoryList(row, memories, pages, place, filter, doubts.known(place));
        return below.length > 0 ? below : [noteRow(row, vscode.l10n.t('Nothing that is true now.'))];
      },
    },
  );
  row.item.tooltip = sessionTooltip(session, notes);
  return row;
}

function shortHolder({ current, holder }: HeldSession): string {
  if (current) return vscode.l10n.t('this editor');
  return holder ? plainLine(holder.client, MAX_HOLDER_LENGTH) : vscode.l10n.t('open');
}

function openNote({ current, holder }: HeldSession): string {
  if (current) return vscode.l10n.t('open in this editor');
  return holder ? vscode.l10n.t('open, held by {0}', holderName(holder)) : vscode.l10n.t('open');
}

function sessionTooltip(session: HeldSession, notes: readonly string[]): vscode.MarkdownString {
  const tip = new vscode.MarkdownString();
  tip.appendText(plainLine(session.content, MAX_TOOLTIP_TEXT));
  tip.appendMarkdown('\n\n');
  tip.appendText([plainLine(session.id), ...notes].join(' · '));
  if (session.last_write_at !== null) {
    tip.appendMarkdown('\n\n');
    tip.appendText(vscode.l10n.t('Last written to: {0}', shownTime(session.last_write_at)));
  }
  return tip;
}
