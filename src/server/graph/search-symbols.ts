/** Searches for symbols by the words of a question. */
import type { Reader } from '../db/sql';
import { type StoredSymbol, SYMBOL_COLUMNS, symbolsNamed } from './find-symbols';

export interface SymbolQuery {
  /** The question as an identifier, qualified or not. */
  readonly identifier: string;
  /** Where the question says exactly which symbol it means: that one comes first. */
  readonly place?: { readonly path: string; readonly name: string } | undefined;
  /** Ends of the paths of files that the question names. */
  readonly paths: readonly string[];
  /** Terms as the index holds them. */
  readonly terms: readonly string[];
}

export interface FoundSymbol extends StoredSymbol {
  readonly score: number;
}

/** Candidates that the full-text index ranks. */
const MOST_CANDIDATES = 80;
const EXACT = 2;
const EXACT_ANY_CASE = 1;
/** For a symbol in a file that the question names. */
const IN_NAMED_FILE = 2;
/** What a doubling of the number of references adds: enough to decide between like matches, not to bury a better one. */
const PER_DOUBLING = 0.12;

/** The symbols that fit best: by how well their text matches, and by how much of the code refers to them. */
export async function searchSymbols(
  sql: Reader,
  { identifier, place, paths, terms }: SymbolQuery,
  limit: number,
): Promise<FoundSymbol[]> {
  const exact = await symbolsNamed(sql, [identifier]);
  const match = terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ');
  const found =
    match === ''
      ? []
      : await sql.all<StoredSymbol & { rank: number }>(
          `SELECT ${SYMBOL_COLUMNS}, hit.rank
           FROM (SELECT rowid, rank FROM graph_fts WHERE graph_fts MATCH $match ORDER BY rank LIMIT $limit) AS hit
           JOIN graph_symbols AS s ON s.id = hit.rowid JOIN graph_files AS f ON f.id = s.file`,
          { match, limit: MOST_CANDIDATES },
        );
  const best = Math.min(...found.map((one) => one.rank), 0);
  const candidates = new Map<number, StoredSymbol & { text: number }>();
  for (const one of found) candidates.set(one.id, { ...one, text: best === 0 ? 1 : one.rank / best });
  for (const one of exact) candidates.set(one.id, { ...one, text: candidates.get(one.id)?.text ?? 1 });
  const all = [...candidates.values()];
  const references = await countReferences(
    sql,
    all.map((one) => one.name),
  );
  return all
    .map(({ text, ...one }) => ({
      ...one,
      score:
        (text + nameBonus(one, identifier) + (isIn(paths, one) ? IN_NAMED_FILE : 0)) *
        (1 + PER_DOUBLING * Math.log2(1 + (references.get(one.name) ?? 0))),
    }))
    .sort(
      (a, b) =>
        isAt(place, b) - isAt(place, a) ||
        b.score - a.score ||
        a.file_path.localeCompare(b.file_path) ||
        a.start_line - b.start_line,
    )
    .slice(0, limit);
}

function isAt(place: SymbolQuery['place'], { file_path, qualified }: StoredSymbol): number {
  return Number(file_path === place?.path && qualified === place.name);
}

function isIn(paths: readonly string[], { file_path }: StoredSymbol): boolean {
  const file = `/${file_path.toLowerCase()}`;
  return paths.some((path) => {
    const named = `/${path.toLowerCase()}`;
    return file.endsWith(named) || file.replace(/\.[^.]+$/, '').endsWith(named) || file.includes(`${named}/`);
  });
}

function nameBonus({ name, qualified }: StoredSymbol, identifier: string): number {
  if (name === identifier || qualified === identifier) return EXACT;
  const folded = identifier.toLowerCase();
  return name.toLowerCase() === folded || qualified.toLowerCase() === folded ? EXACT_ANY_CASE : 0;
}

/** By name: how often it is called or inherited from, shared among all definitions that have it. */
async function countReferences(sql: Reader, names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await sql.all<{ name: string; count: number }>(
    `SELECT asked.value AS name,
            (SELECT count(*) FROM graph_references AS r WHERE r.name = asked.value AND r.kind IN ('call', 'inherit')) * 1.0 /
            max(1, (SELECT count(*) FROM graph_symbols AS s WHERE s.name = asked.value)) AS count
     FROM json_each($names) AS asked`,
    { names: JSON.stringify([...new Set(names)]) },
  );
  return new Map(rows.map((row) => [row.name, row.count]));
}
