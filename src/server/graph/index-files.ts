import { posix } from 'node:path';
import type { Clock } from '../base/clock';
import type { Database } from '../db/sql';
import type { FileToWrite, TermsOf } from './graph-rows';
import type { SourceParser } from './parser';
import { readSource } from './read-source';
import { type SourceFile, sourceFilesAt } from './source-files';
import { type GraphChanges, noChanges, noteTimes, removeFiles, writeFiles } from './write-graph';

export interface IndexFiles {
  readonly root: string;
  readonly parser: SourceParser;
  readonly termsOf: TermsOf;
  readonly clock: Clock;
}

export interface IndexedFiles {
  readonly indexed: number;
  readonly removed: number;
  readonly changes: GraphChanges;
}

/** One transaction for this many files at most. */
const BATCH_FILES = 200;

/**
 * Brings the graph to what lies at these paths now (files, or folders with all below them), by the rules of a build.
 * @param asked relative to the root, with forward slashes
 */
export async function indexFiles(
  graph: Database,
  asked: readonly string[],
  { root, parser, termsOf, clock }: IndexFiles,
): Promise<IndexedFiles> {
  const paths = [...new Set(asked.map(insideRoot))].filter((path) => path !== undefined);
  const files = new Map(paths.flatMap((path) => sourceFilesAt(root, path)).map((file) => [file.path, file]));
  const known = new Map((await knownAt(graph, paths)).map((file) => [file.path, file.content_hash]));
  const gone = [...known.keys()].filter((path) => !files.has(path));
  const same: SourceFile[] = [];
  const changes = noChanges();
  let indexed = 0;
  let batch: FileToWrite[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await writeFiles(graph, batch, clock(), termsOf, changes);
    indexed += batch.length;
    batch = [];
  };
  for (const file of files.values()) {
    const source = await readSource(parser, root, file.path, known.get(file.path));
    if (source.outcome === 'read') batch.push({ ...file, ...source });
    else if (source.outcome === 'same') same.push(file);
    else if (known.has(file.path)) gone.push(file.path);
    if (batch.length >= BATCH_FILES) await flush();
  }
  await flush();
  if (same.length > 0) await noteTimes(graph, same, clock());
  if (gone.length > 0) await removeFiles(graph, gone);
  for (const path of gone) changes.paths.add(path);
  return { indexed, removed: gone.length, changes };
}

/** @returns undefined for the root itself, and for what lies outside it */
function insideRoot(path: string): string | undefined {
  const plain = posix.normalize(path).replace(/\/$/, '');
  return plain === '.' || plain === '..' || plain.startsWith('../') || plain.startsWith('/') ? undefined : plain;
}

/** The known files at these paths and below them. */
function knownAt(graph: Database, paths: readonly string[]): Promise<{ path: string; content_hash: string }[]> {
  return graph.all(
    `SELECT DISTINCT f.path, f.content_hash FROM json_each($paths) AS asked
     CROSS JOIN graph_files AS f ON f.path = asked.value
     UNION
     SELECT f.path, f.content_hash FROM json_each($paths) AS asked
     CROSS JOIN graph_files AS f ON f.path > asked.value || '/' AND f.path < asked.value || '0'`,
    { paths: JSON.stringify(paths) },
  );
}
