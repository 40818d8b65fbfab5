/** Opens the Memory explorer. */
import * as vscode from 'vscode';
import type { FromExplorer, ToExplorer } from '../../protocol/explorer';
import type { Editor } from '../editor';
import { memoryFolders } from '../folders';
import { onGitFiles } from '../git-files';
import type { LanguageServer } from '../language-client';
import { described } from '../output';
import { answer, placeAsked } from './explorer/answer';
import { explorerPage } from './explorer/page';
import { showCode } from './explorer/show-code';
import { explorerTexts } from './explorer/texts';
import { requireRow, targetOf } from './memory-targets';
import { isOpenedByKey } from './side-bar/row-keys';
import { tellRefusal } from './tell-done';

/** What Git writes when something is committed. */
const COMMITS = '.git/logs/HEAD';

/** As in the activation events of package.json. */
const VIEW_TYPE = 'agentMemory.explorer';

type Opening = Extract<ToExplorer, { type: 'open' }>;
type Coming = Opening | Extract<ToExplorer, { type: 'focus' }>;

/** The Memory explorer: one tab of a window, which comes back where it was after a reload. */
export function explorer(editor: Editor, server: LanguageServer): vscode.Disposable {
  let shown: ShownExplorer | undefined;
  /** The memory that it was opened with last. */
  let opened: string | undefined;
  const attach = (panel: vscode.WebviewPanel): ShownExplorer => {
    const attached = attachExplorer(editor, server, panel);
    panel.onDidDispose(() => {
      attached.dispose();
      if (shown === attached) shown = undefined;
    });
    shown = attached;
    return attached;
  };
  const open = (opening?: Opening): void => {
    const keepFocus = opening?.keepFocus === true;
    // After a reload a tab that was not looked at is a name without a page, which no command can bring to the front.
    if (!shown) void vscode.window.tabGroups.close(leftTabs(), true);
    const explorer = shown ?? attach(newPanel(keepFocus));
    explorer.panel.reveal(undefined, keepFocus);
    explorer.open(opening ?? { type: 'focus' });
    if (opening) opened = opening.place.view === 'memory' ? opening.place.id : undefined;
  };
  return vscode.Disposable.from(
    { dispose: () => shown?.panel.dispose() },
    vscode.commands.registerCommand('agentMemory.openExplorer', (given: unknown) => open(openingOf(given))),
    vscode.commands.registerCommand('agentMemory.openMemory', (...given: readonly unknown[]) => {
      if (!requireRow(given)) return;
      const target = targetOf(editor, given[0]);
      if (!target) return open();
      const { folder, namespace } = target.place;
      const { keepFocus } = given[0] as { readonly keepFocus?: boolean };
      // A key on a row changes the page that is there, and puts none over the code.
      if (keepFocus === true && !shown?.panel.visible && isOpenedByKey()) return;
      open({
        type: 'open',
        folder: folder.toString(),
        namespace: namespace === editor.namespaces.of(folder) ? '' : namespace,
        place: { view: 'memory', id: target.nodeId },
        keepFocus: keepFocus === true,
      });
    }),
    // For keys of a list: the page beside it goes on as they do.
    vscode.commands.registerCommand('agentMemory.openMemoryInstead', async (nodeId: string, next: unknown) => {
      if (shown?.panel.visible && opened === nodeId)
        await vscode.commands.executeCommand('agentMemory.openMemory', next);
    }),
    vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
      // The page keeps its state itself; the editor has given it back before it runs.
      async deserializeWebviewPanel(panel) {
        if (shown) panel.dispose();
        else attach(panel);
      },
    }),
  );
}

/** Called with `{folder, view, asked}` it shows that view of the folder. The title of a view hands in a row, or nothing. */
function openingOf(given: unknown): Opening | undefined {
  const { folder, view, asked } = (given ?? {}) as Record<string, unknown>;
  if (typeof folder !== 'string' || (view !== 'timeline' && view !== 'search')) return undefined;
  const question = typeof asked === 'string' ? { asked } : {};
  return { type: 'open', folder, namespace: '', place: { view }, ...question };
}

function leftTabs(): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  // The editor puts a name of its own before the type.
  return tabs.filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(VIEW_TYPE));
}

function newPanel(preserveFocus: boolean): vscode.WebviewPanel {
  const where = { viewColumn: vscode.ViewColumn.Active, preserveFocus };
  return vscode.window.createWebviewPanel(VIEW_TYPE, vscode.l10n.t('Memory Explorer'), where, {
    enableFindWidget: true,
  });
}

interface ShownExplorer extends vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  /** At once, or as soon as the page runs. */
  open(coming: Coming): void;
}

function attachExplorer(editor: Editor, server: LanguageServer, panel: vscode.WebviewPanel): ShownExplorer {
  const root = vscode.Uri.joinPath(editor.context.extensionUri, 'dist', 'webview');
  const { webview } = panel;
  let runs = false;
  let waiting: Coming | undefined;
  const send = (message: ToExplorer): void => void webview.postMessage(message);
  const folders = () => memoryFolders().map(({ uri, name }) => ({ uri: uri.toString(), name }));
  const changed = (): void => {
    for (const { uri } of folders()) send({ type: 'changed', folder: uri });
  };

  const receive = async (message: FromExplorer): Promise<void> => {
    switch (message.type) {
      case 'ready':
        runs = true;
        send({ type: 'start', texts: explorerTexts(), language: vscode.env.language, folders: folders() });
        if (waiting) send(waiting);
        waiting = undefined;
        return;
      case 'ask':
        send({ type: 'answer', number: message.number, answer: await answer(editor, server, message) });
        return;
      case 'accept':
        await vscode.commands.executeCommand('agentMemory.trustStore', { folder: message.folder });
        return;
      case 'restore':
        await vscode.commands.executeCommand('agentMemory.restoreBackup', { folder: message.folder });
        return;
      case 'openCode':
        return showCode(server, placeAsked(editor, message), message.place, panel.viewColumn);
      case 'agentText':
        await vscode.commands.executeCommand('agentMemory.showAgentText', message);
        return;
      case 'take': {
        const { folder, namespace } = placeAsked(editor, message);
        const command = message.where === 'link' ? 'agentMemory.copyLink' : 'agentMemory.insertIntoChat';
        await vscode.commands.executeCommand(command, { folder: `${folder}`, namespace, nodeId: message.id });
        return;
      }
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
    }
  };
  const listeners = vscode.Disposable.from(
    webview.onDidReceiveMessage((message: FromExplorer) =>
      receive(message).catch((error: unknown) => {
        editor.log.error(`explorer: ${described(error)}`);
        tellRefusal(error);
      }),
    ),
    // The page of a tab in the background is taken down, and starts again when it comes to the front.
    panel.onDidChangeViewState(() => {
      if (!panel.visible) runs = false;
    }),
    server.onDidChange(({ folder }) => send({ type: 'changed', folder })),
    // Who has committed the file of a memory.
    onGitFiles(COMMITS, changed),
    editor.namespaces.onDidChange(changed),
    // A deleted store reports no change itself.
    editor.folders.onDidChange(changed),
    vscode.workspace.onDidGrantWorkspaceTrust(changed),
    vscode.workspace.onDidChangeWorkspaceFolders(() => send({ type: 'folders', folders: folders() })),
  );
  panel.iconPath = new vscode.ThemeIcon('type-hierarchy');
  webview.options = { enableScripts: true, localResourceRoots: [root] };
  webview.html = explorerPage(webview, root);
  return {
    panel,
    open(coming) {
      if (runs) send(coming);
      // Who only comes to the page comes to what was opened there.
      else if (coming.type === 'open' || !waiting) waiting = coming;
    },
    dispose: () => listeners.dispose(),
  };
}
