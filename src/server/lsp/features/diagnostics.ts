/** Diagnostics on symbols whose memories are in doubt. */
import * as l10n from '@vscode/l10n';
import { type Diagnostic, DiagnosticSeverity, type Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { MemoriesArgument, MemoryArgument, Uri } from '../../../protocol/requests';
import { shownId } from '../../base/shown';
import type { FileLens } from '../../memory/code/lenses';
import { isDoubtful } from '../../memory/code/touches';
import { type Editor, inBackground } from '../editor';
import { commandUri } from '../escape-markdown';
import { doubtSentence } from '../phrases';
import { rangeOf, rangeOfName } from '../ranges';
import { type DocumentLenses, doubted, type SymbolLenses } from '../symbol-lenses';

export const DIAGNOSTIC_SOURCE = 'Agent Memory';
/** While somebody types, in milliseconds. */
const SETTLE_MS = 400;

/** Information on symbols of open documents whose text is not what it was when something was remembered about it. */
export function diagnostics(editor: Editor, lenses: SymbolLenses): void {
  const { connection, documents } = editor;
  const timers = new Map<Uri, NodeJS.Timeout>();
  /** Documents that have some now: the others are told nothing. */
  const marked = new Set<Uri>();
  /** The newest look at each document: one may take longer than the next. */
  const newest = new Map<Uri, number>();
  let looks = 0;

  const publish = async (uri: Uri): Promise<void> => {
    const document = documents.get(uri);
    if (!document) return;
    const { version } = document;
    const look = ++looks;
    newest.set(uri, look);
    const looking = editor.settings().diagnostics ? lenses.of(uri) : Promise.resolve(undefined);
    inBackground(editor, looking);
    // A store that went away, or cannot be read, says nothing of the code any more.
    const found = await looking.catch(() => undefined);
    // A newer text has its own turn, and so have other settings.
    if (documents.get(uri)?.version !== version || newest.get(uri) !== look) return;
    const list = found ? found.symbols.flatMap((symbol) => diagnosticsOf(document, found, symbol)) : [];
    if (list.length === 0 && !marked.has(uri)) return;
    if (list.length > 0) marked.add(uri);
    else marked.delete(uri);
    await connection.sendDiagnostics({ uri, version, diagnostics: list });
  };
  const schedule = (uri: Uri, ms: number): void => {
    clearTimeout(timers.get(uri));
    timers.set(
      uri,
      setTimeout(() => {
        timers.delete(uri);
        inBackground(editor, publish(uri));
      }, ms),
    );
  };
  documents.onDidChangeContent(({ document }) => schedule(document.uri, SETTLE_MS));
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(timers.get(uri));
    timers.delete(uri);
    newest.delete(uri);
    if (marked.delete(uri)) inBackground(editor, connection.sendDiagnostics({ uri, diagnostics: [] }));
  });
  const all = (): void => {
    for (const uri of documents.keys()) schedule(uri, 0);
  };
  editor.onChanged((folder) => {
    for (const uri of documents.keys()) if (editor.folders.of(uri)?.folder === folder) schedule(uri, 0);
  });
  editor.onSettings(all);
}

/** For what is not in the text any more. */
const AT_THE_TOP = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** What stands above the head of a symbol, and belongs to it: `@cached`, `#[test]`, `[Fact]`. */
const ABOVE_HEAD = /^\s*(?:@|#?\[.*\]$)/;

/** A line that is underlined as a whole looks like wrong code. */
function nameIn(document: TextDocument, { start_line, end_line, name }: FileLens): Range {
  const textOf = (line: number): string => document.getText(rangeOf(line)).trimEnd();
  const own = name.slice(name.lastIndexOf('.') + 1);
  // The head may stand on the same line.
  const isAbove = (text: string): boolean => ABOVE_HEAD.test(text) && !text.includes(own);
  let head = start_line;
  while (head < end_line && isAbove(textOf(head))) head += 1;
  return rangeOfName(textOf(head), head, name);
}

function diagnosticsOf(document: TextDocument, { folder, namespace }: DocumentLenses, symbol: FileLens): Diagnostic[] {
  const { verdict } = symbol;
  if (!isDoubtful(verdict) || doubted(symbol) === 0) return [];
  const [nodeId] = symbol.doubtful_ids;
  const argument: MemoryArgument | undefined =
    nodeId === undefined ? undefined : { folder: folder.uri, namespace, nodeId };
  const what = doubtSentence(symbol, verdict);
  const count = symbol.doubtful_ids.length;
  const diagnostic: Diagnostic = {
    range: verdict === 'gone' ? AT_THE_TOP : nameIn(document, symbol),
    severity: DiagnosticSeverity.Information,
    source: DIAGNOSTIC_SOURCE,
    ...(argument
      ? { code: shownId(argument.nodeId), codeDescription: { href: commandUri('agentMemory.openMemory', argument) } }
      : {}),
    message:
      count === 1
        ? l10n.t('{0}. Does the memory about it still hold?', what)
        : l10n.t('{0}. Do the {1} memories about it still hold?', what, count),
    data: { folder: folder.uri, namespace, nodeIds: symbol.doubtful_ids } satisfies MemoriesArgument,
  };
  return [diagnostic];
}
