import { type Hover, MarkupKind } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { MemoryArgument } from '../../../protocol/requests';
import { counted } from '../../base/counted';
import type { NodeDetails } from '../../memory/browse';
import { boundSections } from '../../project/bound-sections';
import { boundSymbols } from '../../project/bound-symbols';
import type { FileLens } from '../../project/file-lenses';
import { callTool } from '../../tools/call-tool';
import { node } from '../../tools/node';
import { describeDocuments } from '../bound-documents';
import type { Editor } from '../editor';
import { commandLink, inert } from '../inert';
import type { DocumentLenses, SymbolLenses } from '../symbol-lenses';
import { pathOf } from '../uris';
import { VERDICT_WORDS } from '../words';

/** Memories of a symbol that a hover shows in full; the lens shows all. */
const MOST_SHOWN = 4;
const MAX_CONTENT = 600;
const MAX_REASON = 400;
const MAX_REJECTED = 6;
const RULE = '\n\n---\n\n';
const ACTIONS = [
  ['Confirm', 'agentMemory.confirm'],
  ['Refute', 'agentMemory.refute'],
  ['Supersede', 'agentMemory.supersede'],
  ['Open', 'agentMemory.openMemory'],
] as const;

/** What is remembered, and what documents say, about the symbol whose name is under the pointer. */
export function hover(editor: Editor, lenses: SymbolLenses): void {
  editor.connection.onHover(async ({ textDocument: { uri }, position }, token): Promise<Hover | null> => {
    const document = editor.documents.get(uri);
    if (!editor.settings().hover || !document) return null;
    const found = await lenses.of(uri);
    if (!found || token.isCancellationRequested) return null;
    const word = wordAt(document, position.line, position.character);
    if (!word) return null;
    const symbol = symbolNamed(found.symbols, word.text, position.line + 1);
    const parts = [
      ...(symbol ? [await describe(found, symbol)] : []),
      ...(await documentsOn(found, document, word.text, position.line + 1)),
    ];
    if (parts.length === 0) return null;
    return {
      contents: { kind: MarkupKind.Markdown, value: parts.join(RULE) },
      range: {
        start: { line: position.line, character: word.start },
        end: { line: position.line, character: word.start + word.text.length },
      },
    };
  });
}

function wordAt(document: TextDocument, line: number, character: number): { text: string; start: number } | undefined {
  const text = document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } });
  for (const match of text.matchAll(/[\p{L}\p{N}_$#?!]+/gu)) {
    if (match.index <= character && character <= match.index + match[0].length) {
      return { text: match[0], start: match.index };
    }
  }
  return undefined;
}

/** The symbol that the word stands for: the innermost one around it, else the only one of that name. */
function symbolNamed<Found extends Pick<FileLens, 'name' | 'start_line' | 'end_line'>>(
  symbols: readonly Found[],
  word: string,
  line: number,
): Found | undefined {
  const named = symbols.filter(({ name }) => name.slice(name.lastIndexOf('.') + 1) === word);
  const around = named
    .filter((one) => one.start_line <= line && line <= one.end_line)
    .sort((a, b) => b.start_line - a.start_line);
  return around[0] ?? (named.length === 1 ? named[0] : undefined);
}

async function describe({ folder, namespace }: DocumentLenses, symbol: FileLens): Promise<string> {
  const project = await folder.project(namespace, false);
  const shown = symbol.node_ids.slice(0, MOST_SHOWN);
  const answers = await Promise.all(shown.map((id) => callTool([node], project, node.name, { id })));
  const parts = answers.flatMap((answer) =>
    // The value of the tool `node`; one that was purged meanwhile is left out.
    answer.ok ? [memoryCard(answer.value as NodeDetails, { folder: folder.uri, namespace })] : [],
  );
  const verdict =
    symbol.verdict === 'unchanged'
      ? []
      : [`_${inert(symbol.name, MAX_REASON)} **${VERDICT_WORDS[symbol.verdict]}** since ${since(symbol)}._`];
  const more = symbol.node_ids.length - shown.length;
  return [
    ...verdict,
    ...parts,
    ...(more > 0 ? [`_…and ${counted(more, 'more memory')}: see the lens above._`] : []),
  ].join(RULE);
}

/** What documents say of the symbol that the word stands for. */
async function documentsOn(
  { folder, namespace }: DocumentLenses,
  document: TextDocument,
  word: string,
  line: number,
): Promise<string[]> {
  const project = await folder.project(namespace, false);
  const path = pathOf(document.uri);
  if (!project.graph || path === undefined) return [];
  const symbol = symbolNamed(await boundSymbols(project, path, document.getText()), word, line);
  const [sections = []] = symbol ? await boundSections(project, [symbol]) : [];
  return sections.length === 0 ? [] : [describeDocuments(project.graph.root, sections)];
}

function since({ node_ids }: FileLens): string {
  return node_ids.length === 1 ? 'this was remembered' : 'some of this was remembered';
}

function memoryCard(memory: NodeDetails, where: Omit<MemoryArgument, 'nodeId'>): string {
  const argument: MemoryArgument = { ...where, nodeId: memory.id };
  const lines = [
    `**${title(memory.kind)}** · ${memory.valid_from.slice(0, 10)} · confidence ${memory.confidence.toFixed(2)}`,
    inert(memory.content, MAX_CONTENT),
  ];
  if (memory.rationale) lines.push(`**Rationale:** ${inert(memory.rationale, MAX_REASON)}`);
  const rejected = memory.alternatives_rejected.slice(0, MAX_REJECTED).map((one) => inert(one, MAX_REASON));
  if (rejected.length > 0) lines.push(`**Rejected:** ${rejected.join(', ')}`);
  lines.push(ACTIONS.map(([label, command]) => commandLink(label, command, argument)).join(' · '));
  return lines.join('\n\n');
}

function title(kind: string): string {
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}
