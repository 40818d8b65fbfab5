/** Pages through a long list. */
import * as vscode from 'vscode';
import { moreRow, noteRow, type Row } from './row';
import type { Pages } from './row-tree';

/** The longest list that one call gives; the filter finds the others. */
const LONGEST_LIST = 1_000;

/** A page of a list of which one call gives the beginning. */
export async function longList<Entry>(
  above: Row | undefined,
  pages: Pages,
  ask: (limit: number) => Promise<readonly Entry[]>,
  rowsOf: (entries: readonly Entry[]) => readonly Row[],
): Promise<readonly Row[]> {
  const list = above?.item.id ?? '';
  const wanted = pages.shown(list);
  // Ask for one more than is shown, to know whether there are more.
  const found = await ask(Math.min(wanted + 1, LONGEST_LIST));
  const rows = rowsOf(found.slice(0, wanted));
  if (found.length > wanted) return [...rows, moreRow(above, () => pages.showMore(list))];
  if (found.length < LONGEST_LIST) return rows;
  return [
    ...rows,
    noteRow(above, vscode.l10n.t('Only {0} are listed. Use the filter to find the others.', LONGEST_LIST)),
  ];
}
