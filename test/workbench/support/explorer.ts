import type { FrameLocator, Locator } from 'playwright-core';
import { webview } from './editors';
import { inHost } from './host';
import { runProgram, storeElsewhere } from './memory';
import { openWorkbench, type Workbench } from './workbench';

/** An editor whose store has something in it, with the Memory explorer open. */
export interface OpenExplorer {
  readonly workbench: Workbench;
  /** The inside of the webview: another one after each reload of the window. */
  page(): FrameLocator;
  readonly ids: { readonly files: string; readonly sqlite: string; readonly close: string };
  /** What its policy refused, so far. */
  readonly refused: readonly string[];
  heading(): Locator;
  row(text: string): Locator;
  goTo(view: string): Promise<void>;
  openMemory(nodeId: string): Promise<void>;
}

const FILES = {
  'src/store.ts': [
    'export function openStore(path: string): string {',
    '  return path;',
    '}',
    '',
    'export function closeStore(): number {',
    '  return 0;',
    '}',
    '',
  ].join('\n'),
};

const REFUSED_BY_POLICY = /Content Security Policy/;
/** Of a page in a webview, and of what it loads. */
const IN_WEBVIEW = /fake\.html|vscode-resource|vscode-remote-resource/;

export async function openExplorer(): Promise<OpenExplorer> {
  const settings = { 'workbench.colorTheme': 'Default Dark Modern' };
  const workbench = await openWorkbench({ files: FILES, settings, size: { width: 1280, height: 1000 } });
  // What moves has come to rest in pictures.
  await workbench.page.emulateMedia({ reducedMotion: 'reduce' });
  const refused: string[] = [];
  workbench.page.on('console', (message) => {
    const { url } = message.location();
    if (REFUSED_BY_POLICY.test(message.text()) && IN_WEBVIEW.test(url)) refused.push(message.text());
  });
  const ids = await storeSome(workbench);
  await inHost(workbench, (vscode) => vscode.commands.executeCommand('agentMemory.openExplorer'));
  const page = () => webview(workbench);
  const heading = () => page().locator('h1');
  await heading().waitFor();
  return {
    workbench,
    page,
    ids,
    refused,
    heading,
    row: (text) => page().locator('button.row', { hasText: text }).first(),
    goTo: (view) => page().locator('button.tab', { hasText: view }).click(),
    async openMemory(nodeId) {
      await inHost(
        workbench,
        (vscode, id: string) => {
          const folder = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
          return vscode.commands.executeCommand('agentMemory.openMemory', { folder, nodeId: id });
        },
        nodeId,
      );
      await heading().filter({ hasText: nodeId }).waitFor();
    },
  };
}

async function storeSome(workbench: Workbench): Promise<OpenExplorer['ids']> {
  await runProgram(workbench, 'svc-memory', 'init');
  await runProgram(workbench, 'svc', 'build');
  await runProgram(workbench, 'svc-memory', 'start-session', 'Move the store to SQLite');
  const about = ['--entities', 'storage', '--entities', 'openStore'];
  const files = await storeElsewhere(workbench, 'Memories lie in JSON files', 'decision', ...about, ...since(21));
  await storeElsewhere(workbench, 'Run the migrations before a release', 'procedure', ...since(16));
  const sqlite = await storeElsewhere(
    workbench,
    'Memories lie in one SQLite file',
    'decision',
    ...[...about, ...since(9)],
    ...['--supersedes', files, '--rationale', 'Many processes write at once', '--confidence', '0.8'],
    ...['--alternatives-rejected', 'Postgres: a server to run'],
  );
  const close = await storeElsewhere(
    workbench,
    'Closing the store never fails',
    'fact',
    ...['--entities', 'closeStore', '--rationale', 'Nothing is left to be written', ...since(6)],
  );
  await storeElsewhere(workbench, 'Names of files are in lower case', 'preference', ...since(3));
  return { files, sqlite, close };
}

function since(days: number): string[] {
  return ['--valid-from', new Date(Date.now() - days * 86_400_000).toISOString()];
}
