/** The status of the code graph, for `graph_status`. */
import { setImmediate } from 'node:timers/promises';
import type { Reader } from '../db/sql';
import { leftOutFiles } from './left-out';
import { isParseFailure } from './parse-limit';
import { contentHashOf } from './read-source';
import { countSkipped, openStates, type SkippedFile } from './source-files';
import { type KnownFile, knownFiles } from './write-graph';

export interface GraphStatus {
  /** Of the last build that came to its end; null when none has. */
  readonly built_at: string | null;
  readonly root: string;
  readonly files: number;
  readonly nodes: number;
  readonly edges: number;
  readonly by_kind: Readonly<Record<string, number>>;
  readonly by_language: Readonly<Record<string, number>>;
  /** Files that were changed or removed since they were indexed. */
  readonly stale_files: number;
  /** How many sources are not in the graph, by reason. */
  readonly left_out: Readonly<Record<string, number>>;
  /** The first of them: those that could not be taken apart before the others. */
  readonly left_out_files: readonly SkippedFile[];
}

export async function graphStatus(sql: Reader, root: string): Promise<GraphStatus> {
  const built = await sql.get<{ value: string }>("SELECT value FROM graph_facts WHERE name = 'built_at'");
  const edges = await sql.get<{ count: number }>('SELECT count(*) AS count FROM graph_references');
  const kinds = await counts(sql, 'SELECT code_type AS name, count(*) AS count FROM graph_symbols GROUP BY code_type');
  const languages = await counts(sql, 'SELECT language AS name, count(*) AS count FROM graph_files GROUP BY language');
  const files = await knownFiles(sql);
  return {
    built_at: built?.value ?? null,
    root,
    files: files.length,
    nodes: Object.values(kinds).reduce((sum, count) => sum + count, 0),
    edges: edges?.count ?? 0,
    by_kind: kinds,
    by_language: languages,
    stale_files: await countStale(root, files),
    ...(await leftOut(sql)),
  };
}

/** Files that are read in one go; then others may go on. */
const AT_ONCE = 50;

/** A checkout or a touch gives files another time, so those of the same size are read. */
async function countStale(root: string, files: readonly KnownFile[]): Promise<number> {
  const stateOf = openStates(root);
  let stale = 0;
  let read = 0;
  for (const { path, size, modified_ms, content_hash } of files) {
    const now = stateOf(path);
    if (now?.size !== size) stale += 1;
    else if (now.modified_ms !== modified_ms) {
      if (contentHashOf(root, path) !== content_hash) stale += 1;
      read += 1;
      if (read % AT_ONCE === 0) await setImmediate();
    }
  }
  return stale;
}

/** More names than this are for `svc build --verbose`. */
const MOST_NAMED = 20;

async function leftOut(sql: Reader): Promise<Pick<GraphStatus, 'left_out' | 'left_out_files'>> {
  const files = await leftOutFiles(sql);
  const rank = ({ reason }: SkippedFile): number => (isParseFailure(reason) ? 0 : 1);
  return {
    left_out: Object.fromEntries(countSkipped(files)),
    left_out_files: files
      .sort((a, b) => rank(a) - rank(b))
      .slice(0, MOST_NAMED)
      .map(({ path, reason }) => ({ path, reason })),
  };
}

async function counts(sql: Reader, statement: string): Promise<Record<string, number>> {
  const rows = await sql.all<{ name: string; count: number }>(`${statement} ORDER BY count DESC, name`);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
