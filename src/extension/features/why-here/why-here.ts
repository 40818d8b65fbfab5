/** Shows why a line is there, in a peek at that line. */
import * as vscode from 'vscode';
import type { WhyHere } from '../../../protocol/code-values';
import type { Editor } from '../../editor';
import type { ForeignStores } from '../../foreign-stores';
import type { Memories, Place } from '../../memories';
import { meantPosition } from '../meant-position';
import { type Doing, registerPalette } from '../palette/command';
import { codePath } from '../palette/symbol-at';
import { requireTrust } from '../require-trust';
import { type Leads, type PageLine, whyPage } from './why-page';

const SCHEME = 'agent-memory-why';
/** As the answers of the palette have it: Markdown in which nothing that is stored is a link. */
const LANGUAGE = 'agent-memory';
const MOST_KEPT = 20;
/** A longer text is asked about as it was saved. */
const MAX_UNSAVED = 1_000_000;

interface Page {
  readonly place: Place;
  readonly file: vscode.Uri;
  /** From 0. */
  readonly line: number;
  /** Empty lines above the first of the page. */
  readonly above: number;
  readonly lines: readonly PageLine[];
}

/** `agentMemory.whyHere`. */
export function whyHere(editor: Editor, memories: Memories, foreign: ForeignStores): vscode.Disposable {
  /** By the query of their addresses, which the editor hands to a command as it is. */
  const pages = new Map<string, Page>();
  let count = 0;
  const keep = (page: Page): vscode.Uri => {
    count += 1;
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: `/${vscode.l10n.t('Why is this line here')}`,
      query: String(count),
    });
    pages.set(uri.query, page);
    const [oldest] = pages.keys();
    if (pages.size > MOST_KEPT && oldest !== undefined) pages.delete(oldest);
    return uri;
  };
  const explain = async ({ place }: Doing): Promise<void> => {
    const active = vscode.window.activeTextEditor;
    // Git tells where it comes from.
    if (!requireTrust()) return;
    if (active?.document.uri.scheme !== 'file' || codePath(place, active.document.uri) === undefined) {
      vscode.window.showInformationMessage(vscode.l10n.t('Put the cursor on a line of code in this folder first.'));
      return;
    }
    const { document } = active;
    const { line } = meantPosition(active);
    const text = document.isDirty ? document.getText() : '';
    const unsaved = text !== '' && text.length <= MAX_UNSAVED ? { text } : {};
    const input = { file_path: document.uri.fsPath, line: line + 1, ...unsaved };
    const asking = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Asking Git about this line') };
    const lines = whyPage(
      await vscode.window.withProgress(asking, () => memories.call<WhyHere>(place, 'why_here', input)),
    );
    const above = linesAbove(lines, line);
    const uri = keep({ place, file: document.uri, line, above, lines });
    await vscode.languages.setTextDocumentLanguage(await vscode.workspace.openTextDocument(uri), LANGUAGE);
    const at = new vscode.Position(line, 0);
    const parts = lines.flatMap(({ begins, text: words }, i) =>
      begins ? [new vscode.Location(uri, new vscode.Range(above + i, 0, above + i, words.length))] : [],
    );
    await vscode.commands.executeCommand('editor.action.peekLocations', document.uri, at, parts, 'peek');
  };
  const rememberLine = async (page: Page): Promise<void> => {
    await vscode.commands.executeCommand('closeReferenceSearch');
    const selection = new vscode.Range(page.line, 0, page.line, 0);
    await vscode.window.showTextDocument(page.file, { selection });
    await vscode.commands.executeCommand('agentMemory.remember');
  };
  return vscode.Disposable.from(
    registerPalette(editor, memories, foreign, [
      { command: 'agentMemory.whyHere', writes: false, needsStore: true, here: true, run: explain },
    ]),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent(uri) {
        const page = pages.get(uri.query);
        if (!page) return vscode.l10n.t('This answer is no longer available. Ask again.');
        return '\n'.repeat(page.above) + page.lines.map(({ text }) => text).join('\n');
      },
    }),
    vscode.languages.registerDocumentLinkProvider(
      { scheme: SCHEME },
      {
        provideDocumentLinks({ uri }) {
          const page = pages.get(uri.query);
          return (page?.lines ?? []).flatMap(({ text, leads }, i) => {
            if (!page || !leads) return [];
            const at = page.above + i;
            return [new vscode.DocumentLink(new vscode.Range(at, 0, at, text.length), target(page, leads, uri))];
          });
        },
      },
    ),
    vscode.commands.registerCommand('agentMemory.rememberLine', async (query: unknown) => {
      const page = pages.get(String(query));
      if (page) await rememberLine(page);
    }),
  );
}

/**
 * Of several places a peek shows the one whose line is nearest to the line that it stands below, which is the last one
 * as a rule. As many empty lines above make it the first memory.
 */
function linesAbove(lines: readonly PageLine[], line: number): number {
  const [, first] = lines.flatMap(({ begins }, i) => (begins ? [i] : []));
  return first === undefined ? 0 : Math.max(0, line - first);
}

/** A command of ours, by the line that the page has: nothing of it comes from what is stored but an id. */
function target({ place }: Page, leads: Leads, uri: vscode.Uri): vscode.Uri {
  const { folder, namespace } = place;
  const command = { memory: 'openMemory', change: 'showChange', remember: 'rememberLine' }[leads.to];
  const argument = leads.to === 'remember' ? uri.query : { folder: folder.toString(), namespace, nodeId: leads.nodeId };
  return vscode.Uri.from({
    scheme: 'command',
    path: `agentMemory.${command}`,
    query: JSON.stringify([argument]),
  });
}
