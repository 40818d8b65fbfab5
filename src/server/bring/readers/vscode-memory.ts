/** The files of the memory tool in VS Code's chat, for this folder. Its form is not documented. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fitContent, hashOfFiles } from '../fit';
import { pathsIn, readFiles } from '../look';
import { pageOf } from '../markdown';
import type { SourceReader } from '../source-reader';
import { statementDrafts } from '../statements';

/** Below the home directory. */
const USER_DATA = ['Code', 'Code - Insiders', 'VSCodium'].flatMap((product) => [
  `.config/${product}/User`,
  `Library/Application Support/${product}/User`,
  `AppData/Roaming/${product}/User`,
]);
const SERVERS = ['.vscode-server/data/User', '.vscode-server-insiders/data/User'];
const MEMORIES = 'memory-tool/memories';
/** Windows of the editor that somebody has opened in all these years. */
const MAX_WORKSPACES = 2_000;

export const vscodeMemory: SourceReader = {
  name: 'vscode-memory',
  detect: ({ home, root }) => foldersOf(home, root).map(({ name }) => name),
  read: ({ home, root }, name) => {
    const place = foldersOf(home, root).find((one) => one.name === name);
    if (!place) return { name, hash: '', drafts: [], unread: [] };
    const { files, unread } = readFiles(place.folder, pathsIn(place.folder, '', /\.md$/i));
    const drafts = files.flatMap(({ text }) =>
      statementDrafts(pageOf(text).body, { kindOf: () => (place.ofUser ? 'preference' : 'fact') }),
    );
    return {
      ...{ name, hash: hashOfFiles(files), unread },
      drafts: drafts.map((draft) => ({ ...draft, content: fitContent(draft.content) })),
    };
  },
};

interface MemoryFolder {
  readonly name: string;
  readonly folder: string;
  readonly ofUser: boolean;
}

function foldersOf(home: string, root: string): MemoryFolder[] {
  const all = [...USER_DATA, ...SERVERS].flatMap((data): MemoryFolder[] => [
    {
      ...{ name: `~/${data} (chat, repository)`, ofUser: false },
      folder: join(workspaceOf(join(home, data, 'workspaceStorage'), root), 'GitHub.copilot-chat', MEMORIES, 'repo'),
    },
    {
      ...{ name: `~/${data} (chat, user)`, ofUser: true },
      folder: join(home, data, 'globalStorage/github.copilot-chat', MEMORIES),
    },
  ]);
  return all.filter(({ folder }) => pathsIn(folder, '', /\.md$/i).length > 0);
}

/** `workspace.json` in each folder says whose it is. */
function workspaceOf(storage: string, root: string): string {
  const url = pathToFileURL(root).href;
  const folders = foldersIn(storage);
  const { files } = readFiles(
    storage,
    folders.map((name) => `${name}/workspace.json`),
  );
  const found = files.find(({ text }) => folderNamedIn(text) === url);
  return join(storage, found?.path.split('/')[0] ?? 'none');
}

function foldersIn(storage: string): string[] {
  try {
    return readdirSync(storage).slice(0, MAX_WORKSPACES);
  } catch {
    return [];
  }
}

function folderNamedIn(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const folder = typeof value === 'object' && value !== null && 'folder' in value ? value.folder : undefined;
    return typeof folder === 'string' ? folder : undefined;
  } catch {
    return undefined;
  }
}
