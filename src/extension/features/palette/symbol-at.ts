/** Finds the symbol at a position. */
import { isAbsolute, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import type { Place } from '../../memories';
import type { Doing } from './command';
import { memoryFolder } from './memory-folder';

/**
 * The innermost named piece of code that holds a position, as the language's own extension sees it, else our code graph.
 * @returns its qualified name; undefined outside of all symbols, or for an unknown language
 */
export async function symbolAt(
  { memories, place }: Doing,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<string | undefined> {
  const found = await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    document.uri,
  );
  const nested = (found ?? []).filter((one): one is vscode.DocumentSymbol => 'children' in one);
  const names = pathTo(nested, position);
  if (names.length > 0) return names.join('.');
  return nested.length > 0 ? undefined : symbolInGraph({ memories, place }, document, position);
}

interface Entity {
  readonly name: string;
  readonly code_type: string;
  readonly start_line: number;
  readonly end_line: number;
}

/** Where no extension knows the language, or it is still starting: what the code graph says of the saved file. */
async function symbolInGraph(
  { memories, place }: Pick<Doing, 'memories' | 'place'>,
  { uri }: vscode.TextDocument,
  { line }: vscode.Position,
): Promise<string | undefined> {
  const file_path = codePath(place, uri);
  if (file_path === undefined) return undefined;
  const input = { file_path, limit: MOST_SYMBOLS };
  const { entities } = await memories
    .call<{ entities: readonly Entity[] }>(place, 'list_entities', input)
    // There may be no graph yet.
    .catch(() => ({ entities: [] }));
  const around = entities.filter(
    (one) => one.code_type !== 'file' && one.start_line <= line + 1 && line + 1 <= one.end_line,
  );
  return around.sort((a, b) => a.end_line - a.start_line - (b.end_line - b.start_line))[0]?.name;
}

/** As the code graph and memories name a file; undefined for one that lies outside of the memory's code. */
export function codePath(place: Place, file: vscode.Uri): string | undefined {
  const folder = memoryFolder(place);
  const path = relative(folder.store.root ?? folder.path, file.fsPath);
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? undefined : path.replaceAll('\\', '/');
}

/** As many as one file has, and a page of the tool holds. */
const MOST_SYMBOLS = 1_000;

const FUNCTIONS = new Set([vscode.SymbolKind.Constructor, vscode.SymbolKind.Function, vscode.SymbolKind.Method]);
const VARIABLES = new Set([
  vscode.SymbolKind.Constant,
  vscode.SymbolKind.Field,
  vscode.SymbolKind.Property,
  vscode.SymbolKind.Variable,
]);
const CONTAINERS = new Set([
  ...FUNCTIONS,
  vscode.SymbolKind.Class,
  vscode.SymbolKind.Enum,
  vscode.SymbolKind.Interface,
  vscode.SymbolKind.Module,
  vscode.SymbolKind.Namespace,
  vscode.SymbolKind.Struct,
]);

function pathTo(symbols: readonly vscode.DocumentSymbol[], position: vscode.Position): string[] {
  for (const symbol of symbols) {
    if (!symbol.range.contains(position)) continue;
    // A variable may hold a function; inside of one it is a detail.
    if (!CONTAINERS.has(symbol.kind) && !VARIABLES.has(symbol.kind)) continue;
    // Some languages' extensions put parameters behind the name.
    const name = symbol.name.replace(/\(.*$/s, '');
    return [name, ...pathTo(FUNCTIONS.has(symbol.kind) ? functionsIn(symbol) : symbol.children, position)];
  }
  return [];
}

function functionsIn({ children }: vscode.DocumentSymbol): vscode.DocumentSymbol[] {
  return children.filter(({ kind }) => CONTAINERS.has(kind));
}
