/** Reads the symbols that sections can be bound to. */
import { createHash } from 'node:crypto';
import type { Reader } from '../db/sql';
import type { BoundSymbol } from '../graph/bindings';
import { EXTRACTION } from '../graph/extraction';
import { VALUE_KINDS } from '../graph/parsed';
import { readExtraction } from '../graph/write-graph';
import { findSecret } from '../secrets/find-secret';

/** A symbol that sections can be bound to: a definition, or a file as a whole. */
export interface CodeBaseSymbol extends BoundSymbol {
  /** Without what it stands in. */
  readonly bare: string;
  readonly signature: string;
  readonly doc: string;
  /** Terms as the index holds them. */
  readonly nameTerms: string;
  readonly docTerms: string;
  readonly pathTerms: string;
  /** Counted from 1; 0 for a file. */
  readonly start_line: number;
  readonly end_line: number;
  /** Other files that name it, or another one of its name. */
  readonly used_by: number;
  /** Of what a provider is told about it. */
  readonly summaryHash: string;
}

export interface CodeBase {
  /** By the place of a symbol in `symbols`: the places of what it calls or builds on, as far as names tell; and the other way round. */
  readonly calls: ReadonlyMap<number, readonly number[]>;
  readonly calledBy: ReadonlyMap<number, readonly number[]>;
  readonly symbols: readonly CodeBaseSymbol[];
  /** By bare and by qualified name. */
  readonly byName: ReadonlyMap<string, readonly CodeBaseSymbol[]>;
  /** The places of the symbols of each file that has some. */
  readonly byPath: ReadonlyMap<string, readonly number[]>;
  /** The files, by path. */
  readonly files: ReadonlyMap<string, CodeBaseSymbol>;
  /** Paths by the name of the file alone. */
  readonly byFileName: ReadonlyMap<string, readonly string[]>;
}

const FILE_TYPE = 'file';

/** A called name with more definitions than this is ambiguous. */
const MOST_CALLED = 3;

/** Documents speak of functions and types: there are so many constants that they would crowd these out. */
const VALUE_KINDS_SQL = VALUE_KINDS.map((kind) => `'${kind}'`).join();

type Row = Omit<CodeBaseSymbol, 'summaryHash'> & { readonly id: number };

/** All symbols and files of the graph, as binding needs them. */
export async function readCodeBase(sql: Reader): Promise<CodeBase> {
  const rows = await sql.all<Row>(
    `WITH users AS MATERIALIZED (SELECT name, count(DISTINCT file) AS files FROM graph_references GROUP BY name)
     SELECT s.id, f.path AS file_path, s.code_type, s.name AS bare, s.qualified AS name, s.hash, s.signature, s.doc,
            t.names AS nameTerms, t.doc AS docTerms, t.path AS pathTerms, s.start_line, s.end_line,
            coalesce(u.files, 0)
              - EXISTS (SELECT 1 FROM graph_references AS r WHERE r.name = s.name AND r.file = s.file) AS used_by
     FROM graph_symbols AS s JOIN graph_files AS f ON f.id = s.file JOIN graph_fts AS t ON t.rowid = s.id
     LEFT JOIN users AS u ON u.name = s.name
     WHERE s.code_type NOT IN (${VALUE_KINDS_SQL})
     ORDER BY f.path, s.start_line, s.id`,
  );
  // What another version took for a signature may hold more than one.
  const isOurs = (await readExtraction(sql)) === EXTRACTION;
  const symbols = rows.map((row): CodeBaseSymbol => {
    const { id: _, ...symbol } = row;
    const signature = isOurs ? withoutSecret(row.signature) : '';
    const doc = withoutSecret(row.doc);
    return { ...symbol, signature, doc, summaryHash: hashOf([row.file_path, row.code_type, row.name, signature, doc]) };
  });
  const byName = new Map<string, CodeBaseSymbol[]>();
  const byPath = new Map<string, number[]>();
  const placesByName = new Map<string, number[]>();
  for (const [place, one] of symbols.entries()) {
    push(placesByName, one.bare, place);
    push(byPath, one.file_path, place);
    for (const name of new Set([one.bare, one.name])) push(byName, name, one);
  }
  const files = new Map<string, CodeBaseSymbol>();
  const byFileName = new Map<string, string[]>();
  const stored = await sql.all<{ path: string; text_hash: string }>(
    'SELECT path, text_hash FROM graph_files ORDER BY path',
  );
  for (const { path, text_hash } of stored) {
    const bare = path.slice(path.lastIndexOf('/') + 1);
    files.set(path, {
      ...{ file_path: path, code_type: FILE_TYPE, name: bare, bare, hash: text_hash, signature: '', doc: '' },
      ...{ nameTerms: '', docTerms: '', pathTerms: '', start_line: 0, end_line: 0, used_by: 0 },
      summaryHash: hashOf([path, FILE_TYPE]),
    });
    push(byFileName, bare, path);
  }
  return { ...(await callsBetween(sql, rows, placesByName)), symbols, byName, byPath, files, byFileName };
}

/** What a provider is told. */
function withoutSecret(text: string): string {
  return findSecret(text) ? '' : text;
}

/** A name means its definitions in the same file, else all of its few definitions. */
async function callsBetween(
  sql: Reader,
  rows: readonly Row[],
  byName: ReadonlyMap<string, readonly number[]>,
): Promise<Pick<CodeBase, 'calls' | 'calledBy'>> {
  const places = new Map(rows.map(({ id }, place) => [id, place]));
  const calls = new Map<number, number[]>();
  const calledBy = new Map<number, number[]>();
  const named = await sql.all<{ symbol: number; names: string }>(
    `SELECT symbol, json_group_array(DISTINCT name) AS names FROM graph_references
     WHERE symbol <> 0 AND kind IN ('call', 'inherit') GROUP BY symbol`,
  );
  for (const { symbol, names } of named) {
    const from = places.get(symbol);
    if (from === undefined) continue;
    for (const name of JSON.parse(names) as string[]) {
      const all = (byName.get(name) ?? []).filter((place) => place !== from);
      const own = all.filter((place) => rows[place]?.file_path === rows[from]?.file_path);
      const meant = own.length > 0 ? own : all;
      if (meant.length > MOST_CALLED) continue;
      for (const place of meant) {
        push(calls, from, place);
        push(calledBy, place, from);
      }
    }
  }
  return { calls, calledBy };
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 12);
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
