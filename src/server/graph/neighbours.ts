/** Finds the callers and callees of a symbol. */
import { posix } from 'node:path';
import type { Reader } from '../db/sql';
import { type StoredSymbol, symbolsNamed } from './find-symbols';
import { type Handed, know, type Meant } from './known-code';
import { familyOf } from './language-of';
import { openManifests } from './manifests';
import { DEFAULT } from './parsed';
import { resolve, type Use } from './resolve';

/** A place that calls a symbol or inherits from it, or what a symbol calls or inherits from. */
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
  /** What it inherits from. */
  readonly bases: readonly Neighbour[];
  /** What inherits from it. */
  readonly heirs: readonly Neighbour[];
}

interface ReferenceRow extends Use {
  readonly kind: 'call' | 'inherit';
  readonly line: number;
  readonly symbol: number;
}

/** More references than this say no more; a name used everywhere must not be read in full. */
const MOST_REFERENCES = 4_000;
const MOST_IMPORTS = 20_000;
/** Names by which files hand on names by which other files hand them on. */
const MOST_RENAMES = 3;

/** What calls or inherits from each symbol, and what each calls itself, each resolved by imports and scope. */
export async function neighbours(
  sql: Reader,
  root: string,
  symbols: readonly StoredSymbol[],
): Promise<ReadonlyMap<number, Neighbours>> {
  const outgoing = await references(sql, 'r.symbol IN (SELECT value FROM json_each($values))', {
    values: symbols.map((one) => one.id),
  });
  const renamed = await outerNames(sql, symbols);
  const incoming = await references(sql, 'r.name IN (SELECT value FROM json_each($values))', {
    values: [...renamed.names],
  });
  const ofDefaults = renamed.stems.size === 0 ? [] : await referencesToDefault(sql, [...renamed.stems]);
  const uses = [...outgoing, ...incoming, ...ofDefaults];
  const inner = await innerNames(
    sql,
    new Set([...symbols.map((one) => one.name), ...uses.map((one) => one.name)]),
    uses,
  );
  const { names } = inner;
  const definitions = groupBy(
    (await symbolsNamed(sql, [...names])).filter((one) => names.has(one.name)),
    (one) => one.name,
  );
  const files = new Set([...uses, ...[...definitions.values()].flat()].map((one) => one.file_path));
  const known = know(definitions, await handedBy(sql, inner, IS_HANDED, { namespaces: namespacesAmong(uses) }), {
    namespaces: await namespacesOf(sql, [...files]),
    manifests: openManifests(root),
  });
  const meant = (use: ReferenceRow): Meant => resolve(use, known);
  const found = new Map(
    symbols.map((one) => [
      one.id,
      { callers: [], callees: [], bases: [], heirs: [] } as Record<keyof Neighbours, Neighbour[]>,
    ]),
  );
  for (const use of [...incoming, ...ofDefaults]) {
    const { symbols: targets, certain } = meant(use);
    // Overload signatures of a script are one function. Elsewhere any of several functions may be the one that is called.
    const isOne = targets.length === 1 || (isOneName(targets) && familyOf(use.file_path).wholeClasses);
    for (const target of targets) {
      if (use.symbol === target.id) continue;
      add(found.get(target.id)?.[use.kind === 'inherit' ? 'heirs' : 'callers'], {
        name: use.within ?? posix.basename(use.file_path),
        file_path: use.file_path,
        line: use.line,
        ambiguous: !certain || !isOne,
        id: use.symbol === 0 ? undefined : use.symbol,
      });
    }
  }
  for (const use of outgoing) {
    const { symbols: targets, certain } = meant(use);
    const [target] = targets;
    if (!target || target.id === use.symbol) continue;
    const isOne = isOneName(targets);
    add(found.get(use.symbol)?.[use.kind === 'inherit' ? 'bases' : 'callees'], {
      name: isOne ? target.qualified : target.name,
      file_path: target.file_path,
      line: target.start_line,
      ambiguous: !certain || !isOne,
      id: target.id,
    });
  }
  return found;
}

/** One definition, or overloads of one: all have its qualified name, in its file. */
function isOneName([first, ...others]: readonly StoredSymbol[]): boolean {
  return others.every((one) => one.file_path === first?.file_path && one.qualified === first.qualified);
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
  condition: string,
  lists: Readonly<Record<string, readonly (string | number)[]>>,
): Promise<ReferenceRow[]> {
  return sql.all<ReferenceRow>(
    `SELECT r.kind, r.name, r.module, r.qualifier, f.path AS file_path, r.line, r.symbol, s.qualified AS within
     FROM graph_references AS r JOIN graph_files AS f ON f.id = r.file LEFT JOIN graph_symbols AS s ON s.id = r.symbol
     WHERE ${condition} AND r.kind IN ('call', 'inherit')
     LIMIT ${MOST_REFERENCES}`,
    Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, JSON.stringify(list)])),
  );
}

/** Half of all modules may have one: only those whose name could be that of the file. */
function referencesToDefault(sql: Reader, stems: readonly string[]): Promise<ReferenceRow[]> {
  return references(
    sql,
    `r.name = '${DEFAULT}' AND EXISTS (SELECT 1 FROM json_each($stems) WHERE instr(r.module, value))`,
    {
      stems,
    },
  );
}

interface Renamed {
  readonly names: ReadonlySet<string>;
  /** Where a default export is meant: parts of the modules' names. */
  readonly stems: ReadonlySet<string>;
}

/** What other files may call the symbols. */
async function outerNames(sql: Reader, symbols: readonly StoredSymbol[]): Promise<Renamed> {
  const names = new Set(symbols.map((one) => one.name));
  const stems = new Set<string>();
  let asked = [...names];
  let known = -1;
  for (let i = 0; i < MOST_RENAMES && (asked.length > 0 || stems.size > known); i++) {
    known = stems.size;
    const rows = await sql.all<{ outer: string; path: string }>(
      `SELECT r.qualifier AS outer, f.path FROM graph_references AS r JOIN graph_files AS f ON f.id = r.file
       WHERE r.kind = 'exported' AND (r.name IN (SELECT value FROM json_each($asked))
         OR r.name = '${DEFAULT}' AND EXISTS (SELECT 1 FROM json_each($stems) WHERE instr(r.module, value)))
       LIMIT ${MOST_REFERENCES}`,
      { asked: JSON.stringify(asked), stems: JSON.stringify([...stems]) },
    );
    for (const { outer, path } of rows) if (outer === DEFAULT) for (const stem of stemsOf(path)) stems.add(stem);
    asked = [...new Set(rows.map((row) => row.outer))].filter((name) => name !== DEFAULT && !names.has(name));
    for (const name of asked) names.add(name);
  }
  return { names, stems };
}

/** What modules call a file: by its own name, or by that of its folder. */
function stemsOf(path: string): string[] {
  const stem = posix.basename(path).replace(/\.[^.]+$/, '');
  return stem === 'index' ? [posix.basename(posix.dirname(path)), '.'] : [stem];
}

/** The names, and the original names of those that files export under another name. */
async function innerNames(sql: Reader, outer: ReadonlySet<string>, uses: readonly Use[]): Promise<Renamed> {
  const names = new Set(outer);
  const ofDefaults = uses.filter((use) => use.name === DEFAULT || use.qualifier.split(/[.!]/, 1)[0] === DEFAULT);
  if (ofDefaults.length > 0) names.add(DEFAULT);
  const stems = new Set(ofDefaults.flatMap((use) => stemsOf(use.module)));
  let asked = [...names];
  for (let i = 0; i < MOST_RENAMES && asked.length > 0; i++) {
    const handed = await handedBy(sql, { names: new Set(asked), stems }, "r.kind = 'export'");
    for (const { module, qualifier } of handed)
      if (qualifier === DEFAULT) for (const stem of stemsOf(module)) stems.add(stem);
    asked = handed.map((one) => one.qualifier).filter((name) => !names.has(name));
    for (const name of asked) names.add(name);
  }
  return { names, stems };
}

/** With the namespaces that a file makes of whole modules. */
const IS_HANDED = `(r.kind = 'export' OR r.qualifier = ''
  OR r.name = '*' AND r.qualifier IN (SELECT value FROM json_each($namespaces)))`;

/** What files import and hand out of these names and of whole modules; defaults where the file's path fits. */
function handedBy(
  sql: Reader,
  { names, stems }: Renamed,
  condition: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Handed[]> {
  return sql.all<Handed>(
    `SELECT f.path AS file_path, r.kind, r.name, r.module, r.qualifier
     FROM graph_references AS r JOIN graph_files AS f ON f.id = r.file
     WHERE r.kind IN ('import', 'export') AND r.name IN (SELECT value FROM json_each($names) UNION ALL SELECT '*')
       AND ${condition}
       AND (r.name <> '${DEFAULT}' OR EXISTS (SELECT 1 FROM json_each($stems) WHERE instr(f.path, value)))
     LIMIT ${MOST_IMPORTS}`,
    {
      names: JSON.stringify([...names]),
      stems: JSON.stringify([...stems]),
      ...more,
    },
  );
}

/** What `export * as …` may have called a whole module. */
function namespacesAmong(uses: readonly Use[]): string {
  const among = uses.flatMap(({ module, qualifier }) => (module === '' || qualifier === '' ? [] : [qualifier]));
  return JSON.stringify([...new Set(among)]);
}

async function namespacesOf(sql: Reader, files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.all<{ path: string; module: string }>(
    `SELECT f.path, r.module FROM json_each($files) AS asked CROSS JOIN graph_files AS f ON f.path = asked.value
     CROSS JOIN graph_references AS r ON r.file = f.id AND r.kind = 'namespace'`,
    { files: JSON.stringify(files) },
  );
  return new Map(rows.map((row) => [row.path, row.module]));
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
