/** Finds the symbol at a position. */
import { isAbsolute, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import type { Place } from '../../memories';
import type { Doing } from './command';
import { memoryFolder } from './memory-folder';

/**
 * The innermost named piece of code that holds a position: as memories on code call it, else as the language's own
 * extension does.
 * @returns its qualified name; undefined outside of all symbols, or for an unknown language
 * @throws Error for a tab whose file is not there any more: no memory can be on it
 */
export async function symbolAt(
  { memories }: Pick<Doing, 'memories'>,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<string | undefined> {
  if (await isGone(document.uri)) throw new Error(vscode.l10n.t('This file is not there any more.'));
  const ours = await memories.symbolAt(document, position.line + 1);
  if (ours.read) return ours.symbol ?? undefined;
  const found = await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
    'vscode.executeDocumentSymbolProvider',
    document.uri,
  );
  const nested = (found ?? []).filter((one): one is vscode.DocumentSymbol => 'children' in one);
  return pathTo(nested, position).join('.') || undefined;
}

async function isGone(file: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(file);
    return false;
  } catch (error) {
    // What cannot be looked at may be there.
    return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
  }
}

/** As the code graph and memories name a file; undefined for one that lies outside of the memory's code. */
export function codePath(place: Place, file: vscode.Uri): string | undefined {
  const folder = memoryFolder(place);
  const path = relative(folder.store.root ?? folder.path, file.fsPath);
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? undefined : path.replaceAll('\\', '/');
}

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
