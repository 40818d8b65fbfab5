/** Marks files and rows whose memories are stale. */
import * as vscode from 'vscode';
import type { FileDecoration } from '../../protocol/requests';
import { afterPause } from '../after-pause';
import type { Editor } from '../editor';
import { memoryFolders } from '../folders';
import type { Memories } from '../memories';
import { described } from '../output';
import { placeIn } from '../place';
import { onSettingChange, setting } from '../settings';
import { plainLine } from '../stored-text';
import { ROW_SCHEME } from './row-uri';

/** Of a row: Git has the letters, and `!` and `?` mean other things beside them. */
const DOT = '●';
/** Of a file: the badge has room for two characters. */
const FILE_IN_DOUBT = '◆';

/**
 * Marks the rows of the side bar whose memories no longer fit their code and, where a setting says so, the files of that
 * code. A file without memories costs one look into a map.
 */
export function stalenessDecorations(editor: Editor, memories: Memories): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri[]>();
  let files: ReadonlyMap<string, FileDecoration> = new Map();

  const refresh = afterPause(async () => {
    // A folder that nothing was ever stored for needs no language server.
    const folders = setting('fileMarks.enabled') ? memoryFolders().filter(({ store }) => store.exists) : [];
    const lists = await Promise.all(
      folders.map(async ({ uri, name }) => {
        return memories.decorations(placeIn(editor, uri)).catch((error: unknown) => {
          editor.log.warn(`No decorations for ${name}: ${described(error)}`);
          return [];
        });
      }),
    );
    const found = new Map(lists.flat().map((file) => [vscode.Uri.parse(file.uri).toString(), file]));
    const before = files;
    files = found;
    const touched = [...new Set([...before.keys(), ...found.keys()])].filter(
      (uri) => JSON.stringify(before.get(uri)) !== JSON.stringify(found.get(uri)),
    );
    if (touched.length > 0) changed.fire(touched.map((uri) => vscode.Uri.parse(uri)));
  });
  refresh();

  const provider = vscode.window.registerFileDecorationProvider({
    onDidChangeFileDecorations: changed.event,
    provideFileDecoration(uri) {
      if (uri.scheme === ROW_SCHEME) return rowDecoration(uri.query);
      const file = files.get(uri.toString());
      return file && fileDecoration(file);
    },
  });
  return vscode.Disposable.from(
    changed,
    provider,
    refresh,
    memories.onDidChange(refresh),
    editor.namespaces.onDidChange(refresh),
    editor.folders.onDidChange(refresh),
    onSettingChange(['fileMarks.enabled'], refresh),
  );
}

function fileDecoration(file: FileDecoration): vscode.FileDecoration {
  const { changed, gone, changes } = file;
  const counts = [
    ...(changed > 0 ? [vscode.l10n.t('Memories whose code was changed: {0}', changed)] : []),
    ...(gone > 0 ? [vscode.l10n.t('Memories whose code was removed: {0}', gone)] : []),
  ].join(', ');
  const tooltip = [counts, ...changes.map((change) => plainLine(change))].join('\n');
  const color = new vscode.ThemeColor(gone > 0 ? 'agentMemory.missingForeground' : 'agentMemory.staleForeground');
  return new vscode.FileDecoration(FILE_IN_DOUBT, tooltip, color);
}

/** @param state of the row, see row-uri */
function rowDecoration(state: string): vscode.FileDecoration | undefined {
  switch (state) {
    case 'gone':
      return new vscode.FileDecoration(
        DOT,
        vscode.l10n.t('The code of this memory was removed'),
        new vscode.ThemeColor('agentMemory.missingForeground'),
      );
    case 'changed':
      return new vscode.FileDecoration(
        DOT,
        vscode.l10n.t('The code of this memory was changed'),
        new vscode.ThemeColor('agentMemory.staleForeground'),
      );
    case 'closed':
    case 'forgotten':
      return new vscode.FileDecoration(undefined, undefined, new vscode.ThemeColor('agentMemory.closedForeground'));
    default:
      return undefined;
  }
}
