/** Shows code then and now in the editor's own diff. */
import * as vscode from 'vscode';
import type { ComparedSymbol, Comparison } from '../../../protocol/tool-values';
import { plainLine } from '../../stored-text';
import { commentOf, type Header, type Progress, reviewHeader, thenLabel } from './review-header';
import { withoutSameEnds } from './same-ends';

/** The scheme of both sides: nothing of them is on the disk. */
export const CODE_SCHEME = 'agent-memory-code';

/**
 * A piece of a file is seldom a whole program. By this folder package.json gives JavaScript and TypeScript languages of
 * our own, with the same colours, so that nobody reports the piece as a program with faults.
 */
const FOLDER = '/.agent-memory';

export interface CodeDocuments extends vscode.Disposable {
  /** Shows a symbol of the memory, in place of what was shown before. */
  show(compared: Comparison, symbol: ComparedSymbol | undefined, progress: Progress | undefined): Promise<void>;
  /** The same page with other texts, where it is: whoever works elsewhere goes on there. */
  renew(compared: Comparison, symbol: ComparedSymbol | undefined, progress: Progress | undefined): void;
  /**
   * While one takes the place of another: whether the new one can be seen already.
   * @param page that a key was pressed on, where that is known
   */
  isSeen(page: Page | undefined): boolean;
  /** That of what is shown. */
  page(): Page;
  /** Closes what is shown. */
  close(): Promise<void>;
  readonly onDidClose: vscode.Event<void>;
}

/**
 * Pages take turns: a key says by its condition in package.json on which one it was pressed, which the editor knows before
 * the extension hears what is seen.
 */
export type Page = 'even' | 'odd';

interface Shown {
  readonly then: vscode.Uri;
  readonly now: vscode.Uri;
  readonly texts: ReadonlyMap<string, string>;
  readonly header: Header;
  readonly label: string;
}

/** Two documents that nobody can write, one beside the other. */
export function codeDocuments(): CodeDocuments {
  const closed = new vscode.EventEmitter<void>();
  const renewed = new vscode.EventEmitter<vscode.Uri>();
  // The colours of comments are for what nobody has to read.
  const inColor = (color: string): vscode.TextEditorDecorationType =>
    vscode.window.createTextEditorDecorationType({ color: new vscode.ThemeColor(color) });
  const words = inColor('editor.foreground');
  const rest = inColor('descriptionForeground');
  const block = vscode.window.createTextEditorDecorationType({
    ...{ isWholeLine: true, backgroundColor: new vscode.ThemeColor('textBlockQuote.background') },
  });
  // Both sides begin alike, so that nothing of it is a difference; the words stand on one of them.
  const hidden = vscode.window.createTextEditorDecorationType({ opacity: '0' });
  let shown: Shown | undefined;
  let count = 0;
  const page = (): Page => (count % 2 === 0 ? 'even' : 'odd');
  /** One takes the place of another meanwhile, so that there may be none. */
  let opening = false;

  const decorate = (): void => {
    for (const editor of shown ? vscode.window.visibleTextEditors : []) {
      if (!shown || editor.document.uri.scheme !== CODE_SCHEME) continue;
      const { lines, words: own } = shown.header;
      const lineRange = (from: number, to: number): vscode.Range =>
        new vscode.Range(from, 0, to, lines[to]?.length ?? 0);
      const last = lines.length - 2;
      const isThen = editor.document.uri.path.startsWith(`${FOLDER}/then/`);
      const first = { contentText: shown.label, color: new vscode.ThemeColor('descriptionForeground') };
      const label = { range: new vscode.Range(0, 0, 0, 0), renderOptions: { before: first } };
      editor.setDecorations(block, [lineRange(0, last)]);
      editor.setDecorations(hidden, isThen ? [label, { range: lineRange(0, last) }] : []);
      editor.setDecorations(words, isThen ? [] : [lineRange(own.from, own.to)]);
      editor.setDecorations(rest, isThen ? [] : [lineRange(0, own.from - 1), lineRange(own.to + 1, last)]);
    }
  };
  const tabs = (): vscode.Tab[] =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === CODE_SCHEME);
  const isOld = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputTextDiff && input.modified.toString() !== shown?.now.toString();

  const all = vscode.Disposable.from(
    ...[closed, renewed, words, rest, block, hidden],
    vscode.workspace.registerTextDocumentContentProvider(CODE_SCHEME, {
      onDidChange: renewed.event,
      provideTextDocumentContent: (uri) => shown?.texts.get(uri.toString()) ?? '',
    }),
    vscode.window.onDidChangeVisibleTextEditors(decorate),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      // Other lines stand above the code then.
      if (document.uri.scheme === CODE_SCHEME) decorate();
    }),
    vscode.window.tabGroups.onDidChangeTabs(({ closed: gone }) => {
      if (!shown || opening || gone.length === 0 || tabs().length > 0) return;
      shown = undefined;
      closed.fire();
    }),
  );
  return {
    onDidClose: closed.event,
    async show(compared, symbol, progress) {
      count += 1;
      const path = pathOf(symbol);
      const uri = (side: 'then' | 'now'): vscode.Uri =>
        vscode.Uri.from({ scheme: CODE_SCHEME, path: `${FOLDER}/${side}/${page()}/${path}`, query: String(count) });
      const [then, now] = [uri('then'), uri('now')];
      shown = pageOf([then, now], compared, symbol, progress);
      const name = plainLine((symbol?.now ?? symbol?.was)?.name ?? compared.node.content, MAX_TITLE);
      const title = progress
        ? vscode.l10n.t('{0}: then and now ({1} of {2})', name, progress.position, progress.count)
        : vscode.l10n.t('{0}: then and now', name);
      opening = true;
      try {
        await vscode.commands.executeCommand('vscode.diff', then, now, title, {
          preview: true,
          // The memory stands above the code, and is read first.
          selection: new vscode.Range(0, 0, 0, 0),
        } satisfies vscode.TextDocumentShowOptions);
        decorate();
        const old = tabs().filter(isOld);
        if (old.length > 0) await vscode.window.tabGroups.close(old);
      } finally {
        opening = false;
      }
    },
    renew(compared, symbol, progress) {
      if (!shown || opening) return;
      const { then, now } = shown;
      shown = pageOf([then, now], compared, symbol, progress);
      renewed.fire(then);
      renewed.fire(now);
    },
    isSeen: (on) =>
      opening &&
      (on === undefined
        ? vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === shown?.now.toString())
        : on === page()),
    page,
    async close() {
      const open = tabs();
      // The focus stays where it is.
      if (open.length > 0) await vscode.window.tabGroups.close(open, true);
    },
    dispose: () => all.dispose(),
  };
}

const MAX_TITLE = 40;

function pathOf(symbol: ComparedSymbol | undefined): string {
  return plainLine(symbol?.now?.file_path ?? symbol?.was.file_path ?? 'memory.txt');
}

function pageOf(
  [then, now]: readonly [vscode.Uri, vscode.Uri],
  compared: Comparison,
  symbol: ComparedSymbol | undefined,
  progress: Progress | undefined,
): Shown {
  const header = reviewHeader(compared, symbol, progress);
  const text = (code: string): string => [...header.lines, ...(code === '' ? [] : [code])].join('\n');
  // Without the code of then, all of now would look new.
  const before = symbol?.text_then ?? (symbol?.verdict === 'gone' ? null : symbol?.text_now);
  const comment = commentOf(pathOf(symbol));
  const [codeThen, codeNow] = withoutSameEnds(before ?? '', symbol?.text_now ?? '', (count) =>
    comment(`⋯ ${vscode.l10n.t('{0} lines are the same', count)}`),
  );
  const texts = new Map([
    [then.toString(), text(codeThen)],
    [now.toString(), text(codeNow)],
  ]);
  return { then, now, texts, header, label: symbol ? thenLabel(symbol) : '' };
}
