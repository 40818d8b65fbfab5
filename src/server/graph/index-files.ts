/** Reads changed files and writes them into the code graph. */
import { posix } from 'node:path';
import type { Clock } from '../base/clock';
import type { Database } from '../db/sql';
import type { Extract } from './extract';
import type { FileToWrite, TermsOf } from './graph-rows';
import { forgetLeftOut, leftOutAt, noteLeftOut, unread } from './left-out';
import type { SkippedSource } from './read-batch';
import { readSource } from './read-source';
import { type SourceFile, sourceFilesAt } from './source-files';
import { type GraphChanges, noChanges, noteTimes, removeFiles, writeFiles } from './write-graph';

export interface IndexFiles {
  readonly root: string;
  readonly extract: Extract;
  readonly termsOf: TermsOf;
  readonly clock: Clock;
  /** Awaited before each file: who has time lets others have the processor. */
  readonly pace?: (() => Promise<void>) | undefined;
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
  { root, extract, termsOf, clock, pace }: IndexFiles,
): Promise<IndexedFiles> {
  const paths = [...new Set(asked.map(insideRoot))].filter((path) => path !== undefined);
  const found = paths.map((path) => sourceFilesAt(root, path));
  const files = new Map(found.flatMap((one) => one.files).map((file) => [file.path, file]));
  const known = new Map((await knownAt(graph, paths)).map((file) => [file.path, file]));
  const leftBefore = new Map((await leftOutAt(graph, paths)).map((file) => [file.path, file]));
  const gone = [...known.keys()].filter((path) => !files.has(path));
  const same: SourceFile[] = [];
  const left: SkippedSource[] = found.flatMap((one) => one.skipped).map(unread);
  const changes = noChanges();
  let indexed = 0;
  let batch: FileToWrite[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await writeFiles(graph, batch, clock(), termsOf, changes);
    indexed += batch.length;
    batch = [];
  };
  for (const file of files.values()) {
    await pace?.();
    const source = await readSource(extract, root, file.path, known.get(file.path) ?? leftBefore.get(file.path));
    if (source.outcome === 'read') batch.push({ ...file, ...source });
    else if (source.outcome === 'same') same.push(file);
    else {
      left.push({ ...file, reason: source.reason, content_hash: source.content_hash });
      if (known.has(file.path)) gone.push(file.path);
    }
    if (batch.length >= BATCH_FILES) await flush();
  }
  await flush();
  if (same.length > 0) await noteTimes(graph, same, clock());
  if (gone.length > 0) await removeFiles(graph, gone);
  if (left.length > 0) await noteLeftOut(graph, left, clock());
  const noLonger = [...leftBefore.keys()].filter((path) => !left.some((file) => file.path === path));
  if (noLonger.length > 0) await forgetLeftOut(graph, noLonger);
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
