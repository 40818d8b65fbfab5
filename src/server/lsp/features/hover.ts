/** Hovers with memories and documents on a symbol. */
import * as l10n from '@vscode/l10n';
import { type Hover, MarkupKind, type Position } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { MemoryArgument, Uri } from '../../../protocol/requests';
import { shownDay, shownShare } from '../../base/shown';
import { boundSections } from '../../code/bound-sections';
import { boundSymbols } from '../../code/bound-symbols';
import { type FileLens, type MemoryCard, memoryCards } from '../../memory/code/lenses';
import type { CodeSymbol } from '../../memory/code/touches';
import { isDoubtful } from '../../memory/code/touches';
import { describeDocuments } from '../bound-documents';
import type { Editor } from '../editor';
import { commandLink, inert } from '../escape-markdown';
import { kindName, markName, originName, sinceRemembered, standingName } from '../phrases';
import type { Settings } from '../settings';
import {
  type DocumentLenses,
  idsOfKinds,
  SHOW_SYMBOL_MEMORIES,
  type SymbolLenses,
  symbolMemories,
} from '../symbol-lenses';
import { pathOf } from '../uris';

/** Memories of a symbol that a hover shows in full; a link shows all. */
const MOST_SHOWN = 4;
const MAX_CONTENT = 600;
const MAX_REASON = 400;
const MAX_REJECTED = 6;
const MAX_NAME = 120;
const RULE = '\n\n---\n\n';

/** What is remembered, and what documents say, about the symbol whose name is under the pointer. */
export function hover(editor: Editor, lenses: SymbolLenses): void {
  editor.connection.onHover(async ({ textDocument: { uri }, position }, token): Promise<Hover | null> => {
    const document = editor.documents.get(uri);
    if (!editor.settings().hover || !document) return null;
    const found = await lenses.of(uri);
    if (!found || token.isCancellationRequested) return null;
    const documented = await symbolsInDocuments(found, document);
    const name = nameAt(document, position, [...found.symbols, ...documented]);
    if (!name) return null;
    const line = position.line + 1;
    const symbol = symbolNamed(found.symbols, name.text, line);
    const spokenOf = symbolNamed(documented, name.text, line);
    const parts = [
      ...(symbol ? await describe(found, uri, symbol, editor.settings()) : []),
      ...(spokenOf ? await describeSections(found, spokenOf) : []),
    ];
    if (parts.length === 0) return null;
    return {
      contents: { kind: MarkupKind.Markdown, value: parts.join(RULE) },
      range: {
        start: { line: position.line, character: name.start },
        end: { line: position.line, character: name.start + name.text.length },
      },
    };
  });
}

type NamedSymbol = Pick<FileLens, 'code_type' | 'name' | 'start_line' | 'end_line'>;

const LETTER = /[\p{L}\p{N}_$#]/u;
/** What names have in them, or at their end, by the editor's name of the language; in others these are operators. */
const ALSO_IN_NAMES: Readonly<Record<string, string>> = { shellscript: '-' };
const ALSO_AT_THE_END: Readonly<Record<string, string>> = { ruby: '?!' };

/** The longest of the symbols' names that stands at the position, as a whole word. */
function nameAt(
  document: TextDocument,
  { line, character }: Position,
  symbols: readonly NamedSymbol[],
): { text: string; start: number } | undefined {
  const text = document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
  const inside = ALSO_IN_NAMES[document.languageId] ?? '';
  const atTheEnd = inside + (ALSO_AT_THE_END[document.languageId] ?? '');
  const goesOn = (beside: string | undefined, also: string): boolean =>
    beside !== undefined && (LETTER.test(beside) || also.includes(beside));
  let longest: { text: string; start: number } | undefined;
  for (const name of new Set(symbols.map(ownName))) {
    if (name === undefined || name.length <= (longest?.text.length ?? 0)) continue;
    let start = text.indexOf(name, Math.max(0, character - name.length));
    while (start !== -1 && start <= character) {
      if (!goesOn(text[start - 1], inside) && !goesOn(text[start + name.length], atTheEnd))
        longest = { text: name, start };
      start = text.indexOf(name, start + 1);
    }
  }
  return longest;
}

/** What a symbol is called where it is used: `get` of `Store.get`. A file is called nothing inside itself. */
function ownName({ code_type, name }: NamedSymbol): string | undefined {
  return code_type === 'file' ? undefined : name.slice(name.lastIndexOf('.') + 1);
}

/** The symbol that the name stands for: the innermost one around it, else the only one of that name. */
function symbolNamed<Found extends NamedSymbol>(
  symbols: readonly Found[],
  name: string,
  line: number,
): Found | undefined {
  const named = symbols.filter((one) => ownName(one) === name);
  const around = named
    .filter((one) => one.start_line <= line && line <= one.end_line)
    .sort((a, b) => b.start_line - a.start_line);
  return around[0] ?? (named.length === 1 ? named[0] : undefined);
}

/** What is remembered of a symbol; nothing where its memories are of kinds that are not shown. */
async function describe(
  found: DocumentLenses,
  uri: Uri,
  symbol: FileLens,
  { hoverKinds, trusted }: Settings,
): Promise<string[]> {
  const { folder, namespace } = found;
  const ids = idsOfKinds(symbol, hoverKinds);
  if (ids.length === 0) return [];
  const project = await folder.project(namespace, false);
  const shown = ids.slice(0, MOST_SHOWN);
  const parts = (await memoryCards(project.memory, shown)).map((card) =>
    describeMemory(card, { folder: folder.uri, namespace }, trusted && project.access === 'own'),
  );
  const { verdict } = symbol;
  if (isDoubtful(verdict)) {
    parts.unshift(`_${sinceRemembered(inert(symbol.name, MAX_REASON), verdict, ids.length)}_`);
  }
  const more = ids.length - shown.length;
  if (more > 0) {
    const text = more === 1 ? l10n.t('…and 1 more memory') : l10n.t('…and {0} more memories', more);
    parts.push(commandLink(text, SHOW_SYMBOL_MEMORIES, symbolMemories(found, uri, symbol, ids)));
  }
  return [parts.join(RULE)];
}

/** The symbols of the document that documents speak of. */
async function symbolsInDocuments(
  { folder, namespace }: DocumentLenses,
  document: TextDocument,
): Promise<readonly CodeSymbol[]> {
  const path = pathOf(document.uri);
  return path === undefined ? [] : boundSymbols(await folder.project(namespace, false), path, document.getText());
}

/** What documents say of a symbol. */
async function describeSections({ folder, namespace }: DocumentLenses, symbol: CodeSymbol): Promise<string[]> {
  const project = await folder.project(namespace, false);
  const [sections = []] = await boundSections(project, [symbol]);
  return project.graph && sections.length > 0 ? [describeDocuments(project.graph.root, sections)] : [];
}

/** What a reader has to know of it: ` · foreign`, in the language of the editor. */
function marksInWords({ marks = [] }: MemoryCard): string {
  return marks.map((mark) => ` · ${markName(mark)}`).join('');
}

/** @param writes otherwise nothing is offered that does */
function describeMemory(memory: MemoryCard, where: Omit<MemoryArgument, 'nodeId'>, writes: boolean): string {
  const argument: MemoryArgument = { ...where, nodeId: memory.id };
  const confidence = l10n.t('confidence {0}', shownShare(memory.confidence));
  const lines = [
    `**${kindName(memory.kind)}** · ${shownDay(memory.valid_from)} · ${confidence}${marksInWords(memory)}`,
    inert(memory.content, MAX_CONTENT),
  ];
  if (memory.rationale) lines.push(`**${l10n.t('Rationale:')}** ${inert(memory.rationale, MAX_REASON)}`);
  const rejected = memory.alternatives_rejected.slice(0, MAX_REJECTED).map((one) => inert(one, MAX_REASON));
  if (rejected.length > 0) lines.push(`**${l10n.t('Rejected:')}** ${rejected.join(', ')}`);
  lines.push(
    `${l10n.t('From:')} ${originName(memory.origin, inert(memory.origin?.name ?? '', MAX_NAME))} · ${standingName(memory.standing)}`,
  );
  const writing = [
    commandLink(l10n.t('Confirm'), 'agentMemory.confirm', argument),
    commandLink(l10n.t('Refute'), 'agentMemory.refute', argument),
    commandLink(l10n.t('Supersede'), 'agentMemory.supersede', argument),
  ];
  const open = commandLink(l10n.t('Open'), 'agentMemory.openMemory', argument);
  lines.push((writes ? [...writing, open] : [open]).join(' · '));
  return lines.join('\n\n');
}
