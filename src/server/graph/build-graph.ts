/** Builds the code graph of a folder. */
import { type Clock, timestamp } from '../base/clock';
import type { Database } from '../db/sql';
import { EXTRACTION } from './extraction';
import type { GraphRows } from './graph-rows';
import type { UnreadRules } from './ignore-rules';
import { languageOf } from './language-of';
import { forgetLeftOut, type KnownContent, keepLeftOut, leftOutFiles, noteLeftOut } from './left-out';
import { isParseFailure } from './parse-limit';
import type { ReadBatch, SkippedSource, SourceTask } from './read-batch';
import { countSkipped, type SkippedFile, type SourceFile, sourceFiles } from './source-files';
import type { SourceReaders } from './source-readers';
import {
  type GraphChanges,
  knownFiles,
  noteTimes,
  readAnewUnless,
  removeFiles,
  writeFact,
  writeRows,
} from './write-graph';

export interface BuildOptions {
  readonly root: string;
  /** A folder relative to the root: what lies outside it stays as it is. */
  readonly below?: string | undefined;
  /** What reads and takes apart this many files; it is closed when they are done. */
  readonly openReaders: (files: number) => SourceReaders;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** @param share of the work, from 0 to 1: a large file takes longer than a small one */
  readonly onProgress: (done: number, total: number, share: number) => void;
  /** Where to note what is new, if somebody asks. */
  readonly changes: GraphChanges | undefined;
}

export interface BuildReport {
  readonly files: number;
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly symbols: number;
  readonly references: number;
  /** How many files are left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** The first of them, by path. */
  readonly skipped_files: readonly SkippedFile[];
  /** The first of the left-out files that a user would miss, such as those that take too long. */
  readonly not_parsed: readonly SkippedFile[];
  /** The first files whose rules do not count, because they could not be read. */
  readonly unread_rules: readonly UnreadRules[];
  /** Stopped before its end: what was done is kept, and the next build goes on from there. */
  readonly interrupted: boolean;
}

/** One transaction for this many rows at most, or files: what Ctrl-C can lose, and what is written when all is read. */
const BATCH_ROWS = 6_000;
const BATCH_FILES = 500;
/** What was read and not yet written stays below this: readers wait for it. */
const MOST_WAITING_ROWS = 60_000;
/** What one thread takes at a time: this many bytes, or files. */
const TASK_BYTES = 128_000;
const TASK_FILES = 60;
/** A file that was changed this shortly before it was read may have changed again within one tick of its clock. */
const RACY_MS = 2_000;
/** Nobody reads a list with more names than this. */
const MOST_NAMED = 200;

/** Brings the graph to what lies below the root: only files whose content changed are read again. */
export async function buildGraph(graph: Database, options: BuildOptions): Promise<BuildReport> {
  const { root, below = '', clock, signal } = options;
  const { files, skipped: found, unread_rules } = sourceFiles(root, below);
  await readAnewUnless(graph, EXTRACTION);
  const known = new Map((await knownFiles(graph)).map((file) => [file.path, file]));
  const leftBefore = new Map((await leftOutFiles(graph)).map((file) => [file.path, file]));
  const present = new Set(files.map((file) => file.path));
  const isBelow = (path: string): boolean => below === '' || path.startsWith(`${below}/`);
  const gone = [...known.keys()].filter((path) => isBelow(path) && !present.has(path));
  const left: SkippedFile[] = [...found];
  const toRead = files.filter((file) => {
    const before = leftBefore.get(file.path);
    const isLeft = before !== undefined && isUntouched(file, before, before.looked_ms);
    if (isLeft) left.push({ path: file.path, reason: before.reason });
    const read = known.get(file.path);
    return !isLeft && !(read && isUntouched(file, read, read.indexed_ms));
  });
  if (gone.length > 0) await removeFiles(graph, gone);
  for (const path of gone) options.changes?.paths.add(path);

  const writer = openWriter(graph, clock, (path) => leftBefore.has(path), options.changes);
  const excluded: string[] = [];
  const bytes = toRead.reduce((sum, file) => sum + file.size, 0);
  let indexed = 0;
  let done = files.length - toRead.length;
  let bytesDone = 0;
  const queue = tasksOf(toRead, (path) => known.get(path) ?? leftBefore.get(path)).values();
  const readers = options.openReaders(toRead.length);
  const lane = async (): Promise<void> => {
    for (const batch of queue) {
      if (signal.aborted) return;
      const read = await readers.read(batch);
      indexed += read.rows.paths.length;
      for (const { path, reason } of read.skipped) {
        left.push({ path, reason });
        if (known.has(path)) excluded.push(path);
      }
      done += batch.length;
      bytesDone += batch.reduce((sum, file) => sum + file.size, 0);
      options.onProgress(done, files.length, bytes === 0 ? 1 : bytesDone / bytes);
      await writer.add(read);
    }
  };
  try {
    await Promise.all(Array.from({ length: readers.parallel }, lane));
  } finally {
    await readers.close();
  }
  await writer.end();
  if (excluded.length > 0) await removeFiles(graph, excluded);
  for (const path of excluded) options.changes?.paths.add(path);
  const report = await totals(graph);
  const interrupted = signal.aborted;
  if (!interrupted) await keepLeftOut(graph, below, left, found, clock());
  if (!interrupted) await writeFact(graph, 'built_at', timestamp(clock()));
  const byPath = left.sort((a, b) => (a.path < b.path ? -1 : 1));
  return {
    ...report,
    indexed,
    removed: gone.length + excluded.length,
    unchanged: report.files - indexed,
    skipped: Object.fromEntries(countSkipped(left)),
    skipped_files: byPath.slice(0, MOST_NAMED),
    not_parsed: byPath.filter(({ reason }) => isParseFailure(reason)).slice(0, MOST_NAMED),
    unread_rules: unread_rules.slice(0, MOST_NAMED),
    interrupted,
  };
}

/** @param looked_ms when it was looked at before */
function isUntouched({ size, modified_ms }: SourceFile, before: SourceFile, looked_ms: number): boolean {
  return before.size === size && before.modified_ms === modified_ms && modified_ms + RACY_MS < looked_ms;
}

/**
 * One language after another, that with most text first, because each takes much memory in each thread. Large files first,
 * so that at the end no thread is left alone with one.
 */
function tasksOf(files: readonly SourceFile[], known: (path: string) => KnownContent | undefined): SourceTask[][] {
  const byGrammar = new Map<string, SourceFile[]>();
  for (const file of files) {
    const grammar = languageOf(file.path)?.grammar ?? '';
    const those = byGrammar.get(grammar);
    if (those) those.push(file);
    else byGrammar.set(grammar, [file]);
  }
  const size = (those: readonly SourceFile[]): number => those.reduce((sum, file) => sum + file.size, 0);
  const tasks: SourceTask[][] = [];
  for (const those of [...byGrammar.values()].sort((a, b) => size(b) - size(a))) {
    let batch: SourceTask[] = [];
    let bytes = 0;
    for (const file of those.sort((a, b) => b.size - a.size)) {
      if (bytes + file.size > TASK_BYTES || batch.length === TASK_FILES) {
        batch = [];
        bytes = 0;
      }
      if (batch.length === 0) tasks.push(batch);
      batch.push({ ...file, known: known(file.path) });
      bytes += file.size;
    }
  }
  return tasks;
}

/**
 * Collects rows for transactions of a good size, and writes them while others are read.
 * @param wasLeft whether a file was left out before
 */
function openWriter(
  graph: Database,
  clock: Clock,
  wasLeft: (path: string) => boolean,
  changes: GraphChanges | undefined,
) {
  let batches: GraphRows[] = [];
  let timed: SourceFile[] = [];
  let left: SkippedSource[] = [];
  let rows = 0;
  let files = 0;
  let waiting = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = (): void => {
    const [toWrite, times, skipped, count, now] = [batches, timed, left, rows, clock()];
    batches = [];
    timed = [];
    left = [];
    rows = 0;
    files = 0;
    waiting += count;
    writing = writing.then(async () => {
      if (toWrite.length > 0) await writeRows(graph, toWrite, now, changes);
      if (times.length > 0) await noteTimes(graph, times, now);
      if (skipped.length > 0) await noteLeftOut(graph, skipped, now);
      const noLonger = toWrite.flatMap((read) => read.paths.filter(wasLeft));
      if (noLonger.length > 0) await forgetLeftOut(graph, noLonger);
      waiting -= count;
    });
    // The caller that waits for this handles the failure; until then it must not count as unhandled.
    writing.catch(() => undefined);
  };
  return {
    /** @throws what a write threw that it waited for */
    async add({ rows: read, same, skipped }: ReadBatch): Promise<void> {
      if (read.paths.length > 0) batches.push(read);
      timed.push(...same);
      left.push(...skipped);
      rows += read.count;
      files += read.paths.length;
      if (rows >= BATCH_ROWS || files + timed.length + left.length >= BATCH_FILES) flush();
      if (waiting >= MOST_WAITING_ROWS) await writing;
    },
    async end(): Promise<void> {
      flush();
      await writing;
    },
  };
}

async function totals(graph: Database): Promise<Pick<BuildReport, 'files' | 'symbols' | 'references'>> {
  const row = await graph.get<{ files: number; symbols: number; refs: number }>(
    `SELECT (SELECT count(*) FROM graph_files) AS files, (SELECT count(*) FROM graph_symbols) AS symbols,
            (SELECT count(*) FROM graph_references) AS refs`,
  );
  return { files: row?.files ?? 0, symbols: row?.symbols ?? 0, references: row?.refs ?? 0 };
}
