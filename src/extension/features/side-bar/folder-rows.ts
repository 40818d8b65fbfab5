/** The rows of a view, folder by folder. */
import * as vscode from 'vscode';
import type { Editor } from '../../editor';
import { type MemoryFolder, memoryFolders } from '../../folders';
import type { ForeignStores } from '../../foreign-stores';
import type { Memories, Place } from '../../memories';
import { placeIn } from '../../place';
import { plainLine } from '../../stored-text';
import { lostRow, newRow, noteRow, type Row } from './row';

/** What a view shows of one folder. */
export type RowsOfFolder = (parent: Row | undefined, place: Place) => Promise<readonly Row[]>;

/** A view's rows: of the only folder, or below a row for each of several. A folder without a store has none. */
export async function folderRows(
  editor: Editor,
  memories: Memories,
  foreign: ForeignStores,
  rows: RowsOfFolder,
): Promise<readonly Row[]> {
  const folders = memoryFolders();
  const [only] = folders;
  if (only && folders.length === 1) return rowsOf(editor, memories, undefined, only, rows);
  return folders.map((folder) => {
    const { uri, name, path, store } = folder;
    const row = newRow(
      undefined,
      {
        key: uri.toString(),
        label: name,
        description: [plainLine(editor.namespaces.of(uri)), ...storeNotes(store, foreign.has(uri))].join(' · '),
        icon: new vscode.ThemeIcon('root-folder'),
        expanded: true,
      },
      { children: (above) => rowsOf(editor, memories, above, folder, rows) },
    );
    row.item.tooltip = store.file ?? path;
    return row;
  });
}

async function rowsOf(
  editor: Editor,
  memories: Memories,
  parent: Row | undefined,
  { uri, store }: MemoryFolder,
  rows: RowsOfFolder,
): Promise<readonly Row[]> {
  const place = placeIn(editor, uri);
  // The whole state of a folder takes the judging of its code, which the first page must not wait for.
  if (store.exists) {
    return rows(parent, place).catch(async (error: unknown) => {
      const { lost } = await memories.state(place);
      if (lost === null) throw error;
      return [lostRow(parent, place, vscode.l10n.t('The store is damaged'), lost)];
    });
  }
  const state = await memories.state(place);
  if (state.store.exists) return rows(parent, place);
  if (state.lost !== null) return [lostRow(parent, place, vscode.l10n.t('The store was lost'), state.lost)];
  // What a team remembers is there before anything of one's own is.
  if (await memories.team(place).catch(() => null)) return rows(parent, place);
  return parent ? [noteRow(parent, vscode.l10n.t('No memory has been stored yet.'))] : [];
}

/** What people should know of where a folder's memory is. */
export function storeNotes(
  { kind, exists }: { readonly kind: string; readonly exists: boolean },
  isForeign: boolean,
): string[] {
  return [
    ...(isForeign ? [vscode.l10n.t('foreign')] : []),
    ...(kind === 'home' ? [vscode.l10n.t('home store')] : []),
    ...(exists ? [] : [vscode.l10n.t('empty')]),
  ];
}
