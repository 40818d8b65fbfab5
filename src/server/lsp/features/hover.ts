/** Hovers with memories and documents on a symbol. */
import * as l10n from '@vscode/l10n';
import { type Hover, HoverRequest, MarkupKind, type Position } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { MemoryArgument, SymbolMemoriesArguments } from '../../../protocol/requests';
import { shownDay, shownShare } from '../../base/shown';
import { boundSections } from '../../code/bound-sections';
import { boundSymbols } from '../../code/bound-symbols';
import { inDoubtElsewhere } from '../../code/lenses-of-file';
import { type FileLens, type MemoryCard, memoryCards } from '../../memory/code/lenses';
import type { CodeSymbol } from '../../memory/code/touches';
import { isDoubtful } from '../../memory/code/touches';
import type { Project } from '../../project/open';
import { describeDocuments } from '../bound-documents';
import { type Editor, inBackground } from '../editor';
import { commandLink, inert } from '../escape-markdown';
import { kindName, markName, originName, sinceRemembered, standingName } from '../phrases';
import type { Settings } from '../settings';
import {
  type DocumentLenses,
  idsOfKinds,
  inShownOrder,
  SHOW_SYMBOL_MEMORIES,
  type SymbolLenses,
  symbolMemories,
} from '../symbol-lenses';
import { pathOf } from '../uris';

/** Of the one memory that a hover shows; links lead to all of it, and to the others. */
const MAX_CONTENT = 240;
const MAX_REASON = 160;
const MAX_REJECTED = 3;
const MAX_NAME = 120;
const RULE = '\n\n---\n\n';

/** Weaker than any language of its own, so that what is remembered stands behind what the language says. */
const ANY_LANGUAGE = [{ language: '*' }];

/** Offers hovers where the client wants them to stand behind all others; else they are told of at the start. */
export function hoverBehindOthers(editor: Editor): void {
  editor.onReady(() => {
    if (!editor.can.hoverLast) return;
    const { client } = editor.connection;
    inBackground(editor, client.register(HoverRequest.type, { documentSelector: ANY_LANGUAGE }));
  });
}

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
      ...(symbol ? await describe(found, document, symbol, editor.settings()) : []),
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
  document: TextDocument,
  symbol: FileLens,
  { hoverKinds, trusted }: Settings,
): Promise<string[]> {
  const { folder, namespace } = found;
  const all = inShownOrder(symbol, idsOfKinds(symbol, hoverKinds));
  const project = await folder.project(namespace, false);
  const [card] = await memoryCards(project.memory, all.slice(0, 1));
  if (!card) return [];
  const argument: MemoryArgument = { folder: folder.uri, namespace, nodeId: card.id };
  const { verdict, doubtful_ids, other_version_ids, proposed_in_doubt } = symbol;
  const doubt = isDoubtful(verdict) && [...doubtful_ids, ...proposed_in_doubt].includes(card.id) ? verdict : undefined;
  const writes = trusted && project.access === 'own';
  const isElsewhere = doubt !== undefined && (await isDoubtedElsewhere(project, card.id, document, symbol));
  const links = [
    // A proposal is kept or dropped, with a page of its own.
    ...(doubt && writes && doubtful_ids.includes(card.id) ? judging(argument, isElsewhere) : []),
    commandLink(l10n.t('Open'), 'agentMemory.openMemory', argument),
    ...(all.length > 1 ? [moreLink(symbolMemories(found, document.uri, symbol, all))] : []),
  ];
  const elsewhere = other_version_ids.includes(card.id)
    ? [`_${l10n.t('This branch has another version of this code.')}_`]
    : [];
  const too = isElsewhere ? [`_${l10n.t('Other code of it is in doubt, too.')}_`] : [];
  const doubted = doubt ? [`_${sinceRemembered(inert(symbol.name, MAX_NAME), doubt)}_`, ...too] : elsewhere;
  // Who is to judge has to know them, too.
  const why = [...doubted, reasons(card)].filter((part) => part !== '').join(' · ');
  const lines = [statement(card), why, [source(card), ...links].join(' · ')];
  return [lines.filter((line) => line !== '').join('\n\n')];
}

async function isDoubtedElsewhere(
  project: Project,
  id: string,
  document: TextDocument,
  { code_type, name }: FileLens,
): Promise<boolean> {
  const file = pathOf(document.uri);
  if (file === undefined) return false;
  return (await inDoubtElsewhere(project, [id], { code_type, name, file }, document.getText())).has(id);
}

/** @param isElsewhere whether other code of the memory is in doubt, too, which is to be seen before it is confirmed */
function judging(argument: MemoryArgument, isElsewhere: boolean): string[] {
  return [
    isElsewhere
      ? commandLink(l10n.t('Show Change'), 'agentMemory.showChange', argument)
      : commandLink(l10n.t('Still True'), 'agentMemory.confirm', argument),
    commandLink(l10n.t('No Longer True'), 'agentMemory.refute', argument),
    commandLink(l10n.t('Rewrite…'), 'agentMemory.supersede', argument),
  ];
}

function moreLink(argument: SymbolMemoriesArguments): string {
  const more = argument.nodeIds.length - 1;
  const text = more === 1 ? l10n.t('1 more memory') : l10n.t('{0} more memories', more);
  return commandLink(text, SHOW_SYMBOL_MEMORIES, argument);
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

/** `**Decision:** One file`, with what a reader has to know of it. */
function statement(card: MemoryCard): string {
  const notes = [
    ...(card.confidence === 1 ? [] : [l10n.t('confidence {0}', shownShare(card.confidence))]),
    ...(card.marks ?? []).map(markName),
  ];
  return [`**${kindName(card.kind)}:** ${inert(card.content, MAX_CONTENT)}`, ...notes].join(' · ');
}

/** Why it is so, and what was rejected, on one line; empty where nobody said it. */
function reasons({ rationale, alternatives_rejected }: MemoryCard): string {
  const rejected = alternatives_rejected.slice(0, MAX_REJECTED).map((one) => inert(one, MAX_NAME));
  return [
    ...(rationale ? [`**${l10n.t('Rationale:')}** ${inert(rationale, MAX_REASON)}`] : []),
    ...(rejected.length > 0 ? [`**${l10n.t('Rejected:')}** ${rejected.join('; ')}`] : []),
  ].join(' · ');
}

function source({ origin, standing, valid_from }: MemoryCard): string {
  const from = originName(origin, inert(origin?.name ?? '', MAX_NAME));
  return [`${l10n.t('From:')} ${from}`, standingName(standing), shownDay(valid_from)].join(' · ');
}
