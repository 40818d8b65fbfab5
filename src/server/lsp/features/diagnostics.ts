/** Diagnostics on symbols whose memories are in doubt. */
import * as l10n from '@vscode/l10n';
import { type Diagnostic, DiagnosticSeverity, type Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { MemoriesArgument, MemoryArgument, Uri } from '../../../protocol/requests';
import { shownId } from '../../base/shown';
import { cut, oneLine } from '../../base/text';
import { type FileLens, type MemoryCard, memoryCards } from '../../memory/code/lenses';
import { type Doubtful, isDoubtful } from '../../memory/code/touches';
import { type Editor, inBackground } from '../editor';
import { commandUri } from '../escape-markdown';
import { doubtSentence, markName } from '../phrases';
import { rangeOf, rangeOfName } from '../ranges';
import { type DocumentLenses, doubted, type SymbolLenses } from '../symbol-lenses';

export const DIAGNOSTIC_SOURCE = 'Agent Memory';
/** What the quick fixes have to know. */
export interface DoubtData extends MemoriesArgument {
  readonly symbol: Pick<FileLens, 'code_type' | 'name'>;
}

/** While somebody types, in milliseconds. */
const SETTLE_MS = 400;
/** Of a memory, in one line of a list. */
const MAX_CONTENT = 70;

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
    const looking = editor.settings().diagnostics ? doubtsIn(lenses, uri) : Promise.resolve([]);
    inBackground(editor, looking);
    // A store that went away, or cannot be read, says nothing of the code any more.
    const doubts = await looking.catch((): Doubt[] => []);
    // A newer text has its own turn, and so have other settings.
    if (documents.get(uri)?.version !== version || newest.get(uri) !== look) return;
    const list = doubts.map((doubt) => diagnosticOf(document, doubt));
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

interface Doubt extends Pick<DocumentLenses, 'folder' | 'namespace'> {
  readonly symbol: FileLens;
  readonly verdict: Doubtful;
  readonly first: MemoryCard;
}

/** The symbols in doubt, each with the first of its memories that are. */
async function doubtsIn(lenses: SymbolLenses, uri: Uri): Promise<Doubt[]> {
  const found = await lenses.of(uri);
  const symbols = found?.symbols.filter((symbol) => doubted(symbol) > 0) ?? [];
  if (!found || symbols.length === 0) return [];
  const { folder, namespace } = found;
  const { memory } = await folder.project(namespace, false);
  const cards = await memoryCards(
    memory,
    symbols.flatMap(({ doubtful_ids }) => doubtful_ids.slice(0, 1)),
  );
  const byId = new Map(cards.map((card) => [card.id, card]));
  return symbols.flatMap((symbol) => {
    const { verdict, doubtful_ids } = symbol;
    const first = byId.get(doubtful_ids[0] ?? '');
    return first && isDoubtful(verdict) ? [{ folder, namespace, symbol, verdict, first }] : [];
  });
}

function diagnosticOf(document: TextDocument, { folder, namespace, symbol, verdict, first }: Doubt): Diagnostic {
  const argument: MemoryArgument = { folder: folder.uri, namespace, nodeId: first.id };
  const what = doubtSentence(symbol, verdict);
  // What it is marked with, such as that a stranger wrote it, belongs to what it says.
  const marks = (first.marks ?? []).map((mark) => ` · ${markName(mark)}`).join('');
  const said = `"${cut(oneLine(first.content).replaceAll('"', "'"), MAX_CONTENT)}"${marks}`;
  const more = symbol.doubtful_ids.length - 1;
  return {
    range: verdict === 'gone' ? AT_THE_TOP : nameIn(document, symbol),
    severity: DiagnosticSeverity.Information,
    source: DIAGNOSTIC_SOURCE,
    code: shownId(first.id),
    codeDescription: { href: commandUri('agentMemory.openMemory', argument) },
    message:
      more === 0
        ? l10n.t('{0}. Does this still hold? {1}', what, said)
        : l10n.t('{0}. Do these still hold? {1} · {2} more', what, said, more),
    data: {
      ...{ folder: folder.uri, namespace, nodeIds: symbol.doubtful_ids },
      symbol: { code_type: symbol.code_type, name: symbol.name },
    } satisfies DoubtData,
  };
}
