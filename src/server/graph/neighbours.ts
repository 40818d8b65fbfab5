import { posix } from 'node:path';
import type { Reader } from '../db/sql';
import { type StoredSymbol, symbolsNamed } from './find-symbols';

/** A place that calls a symbol, or what a symbol calls. */
export interface Neighbour {
  readonly name: string;
  readonly file_path: string;
  readonly line: number;
  /** Several definitions have the name, and neither the file nor its imports tell which one is meant. */
  readonly ambiguous: boolean;
  /** The definition; undefined for a call outside of all definitions. */
  readonly id: number | undefined;
}

export interface Neighbours {
  readonly callers: readonly Neighbour[];
  readonly callees: readonly Neighbour[];
}

interface ReferenceRow {
  readonly name: string;
  readonly file_path: string;
  readonly line: number;
  readonly symbol: number;
  readonly within: string | null;
  readonly within_line: number | null;
}

/** More references than this say no more; a name used everywhere must not be read in full. */
const MOST_REFERENCES = 4_000;

/** What calls or inherits from each symbol, and what each calls itself, resolved by file, then imports, then name. */
export async function neighbours(
  sql: Reader,
  symbols: readonly StoredSymbol[],
): Promise<ReadonlyMap<number, Neighbours>> {
  const callees = await references(
    sql,
    'r.symbol',
    symbols.map((one) => one.id),
  );
  const callers = await references(sql, 'r.name', [...new Set(symbols.map((one) => one.name))]);
  const names = [...new Set([...symbols.map((one) => one.name), ...callees.map((one) => one.name)])];
  const definitions = groupBy(
    (await symbolsNamed(sql, names)).filter((one) => names.includes(one.name)),
    (one) => one.name,
  );
  const imports = await importsOf(sql, [...callers, ...callees], names);
  const meant = ({ name, file_path }: ReferenceRow): readonly StoredSymbol[] =>
    resolve(definitions.get(name) ?? [], file_path, imports.get(`${file_path} ${name}`) ?? []);
  const found = new Map<number, { callers: Neighbour[]; callees: Neighbour[] }>(
    symbols.map((one) => [one.id, { callers: [], callees: [] }]),
  );
  for (const call of callers) {
    const targets = meant(call);
    for (const target of targets) {
      if (call.symbol === target.id) continue;
      add(found.get(target.id)?.callers, {
        name: call.within ?? posix.basename(call.file_path),
        file_path: call.file_path,
        line: call.line,
        ambiguous: targets.length > 1,
        id: call.symbol === 0 ? undefined : call.symbol,
      });
    }
  }
  for (const call of callees) {
    const [target, another] = meant(call);
    if (!target || target.id === call.symbol) continue;
    add(found.get(call.symbol)?.callees, {
      name: another ? target.name : target.qualified,
      file_path: target.file_path,
      line: target.start_line,
      ambiguous: another !== undefined,
      id: target.id,
    });
  }
  return found;
}

/** The definitions that a name in a file can mean: those of the file itself, else those it imports, else all. */
function resolve(
  definitions: readonly StoredSymbol[],
  file: string,
  modules: readonly string[],
): readonly StoredSymbol[] {
  if (definitions.length < 2) return definitions;
  const own = definitions.filter((one) => one.file_path === file);
  if (own.length > 0) return own;
  const imported = definitions.filter((one) => modules.some((module) => isFileOf(module, file, one.file_path)));
  return imported.length > 0 ? imported : definitions;
}

/** Files that stand for the folder they lie in. */
const FOLDER_FILES = new Set(['index', '__init__', 'mod', 'lib']);

const EXTENSION = /\.(?:[cm]?[jt]sx?|php|rb|sh|bash|hh?|hpp)$/;

/** `./store` by its path; `..db.store`, `crate::db::store`, `com.acme.Store`, `lib/store` by their last names. */
function isFileOf(module: string, from: string, file: string): boolean {
  const plain = module.replace(EXTENSION, '');
  const stem = posix.basename(file).replace(/\.[^.]+$/, '');
  const folder = posix.dirname(file);
  if (/^\.\.?(?:\/|$)/.test(plain)) {
    const meant = posix.join(posix.dirname(from), plain);
    return meant === posix.join(folder, stem) || (meant === folder && FOLDER_FILES.has(stem));
  }
  const last = plain
    .split(/[\\/.:]+/)
    .filter((part) => part !== '')
    .at(-1);
  return last !== undefined && (last === stem || (last === posix.basename(folder) && FOLDER_FILES.has(stem)));
}

/** The same place once, however often it calls. */
function add(list: Neighbour[] | undefined, one: Neighbour): void {
  const known = list?.some(
    (other) => other.name === one.name && other.file_path === one.file_path && (other.id === one.id || one.ambiguous),
  );
  if (!known) list?.push(one);
}

function references(
  sql: Reader,
  column: 'r.symbol' | 'r.name',
  values: readonly (string | number)[],
): Promise<ReferenceRow[]> {
  return sql.all<ReferenceRow>(
    `SELECT r.name, f.path AS file_path, r.line, r.symbol, s.qualified AS within, s.start_line AS within_line
     FROM graph_references AS r JOIN graph_files AS f ON f.id = r.file LEFT JOIN graph_symbols AS s ON s.id = r.symbol
     WHERE ${column} IN (SELECT value FROM json_each($values)) AND r.kind IN ('call', 'inherit')
     LIMIT ${MOST_REFERENCES}`,
    { values: JSON.stringify(values) },
  );
}

/** By file and name: the modules that the file imports the name from. */
async function importsOf(
  sql: Reader,
  calls: readonly ReferenceRow[],
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await sql.all<{ file_path: string; name: string; module: string }>(
    `SELECT f.path AS file_path, r.name, r.module
     FROM graph_files AS f JOIN graph_references AS r ON r.file = f.id
     WHERE f.path IN (SELECT value FROM json_each($files)) AND r.kind = 'import'
       AND r.name IN (SELECT value FROM json_each($names))`,
    { files: JSON.stringify([...new Set(calls.map((one) => one.file_path))]), names: JSON.stringify(names) },
  );
  const found = new Map<string, string[]>();
  for (const { file_path, name, module } of rows) {
    const key = `${file_path} ${name}`;
    found.set(key, [...(found.get(key) ?? []), module]);
  }
  return found;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
