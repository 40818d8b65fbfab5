import { type Clock, timestamp } from '../base/clock';
import type { Database } from '../db/sql';
import type { GraphRows } from './graph-rows';
import type { SourceTask } from './read-batch';
import { countSkipped, type SkippedFile, type SourceFile, sourceFiles } from './source-files';
import type { SourceReaders } from './source-readers';
import {
  type GraphChanges,
  type KnownFile,
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
  /** Stopped before its end: what was done is kept, and the next build goes on from there. */
  readonly interrupted: boolean;
}

/** One transaction for this many rows at most, or files: what Ctrl-C can lose, and what is written when all is read. */
const BATCH_ROWS = 6_000;
const BATCH_FILES = 500;
/** What was read and not yet written stays below this: readers wait for it. */
const MOST_WAITING_ROWS = 60_000;
/** What one thread takes at a time: so many bytes, or files. */
const TASK_BYTES = 128_000;
const TASK_FILES = 60;
/** A file that was changed this shortly before it was read may have changed again within one tick of its clock. */
const RACY_MS = 2_000;
/** More names than this are no list that somebody reads. */
const MOST_NAMED = 200;
/** Goes up when grammars, queries or what is taken from a source change: then every file is read again. */
const EXTRACTION = '4';

/** Brings the graph to what lies below the root: only files whose content changed are read again. */
export async function buildGraph(graph: Database, options: BuildOptions): Promise<BuildReport> {
  const { root, below = '', clock, signal } = options;
  const { files, skipped: found } = sourceFiles(root, below);
  await readAnewUnless(graph, EXTRACTION);
  const known = new Map((await knownFiles(graph)).map((file) => [file.path, file]));
  const left: SkippedFile[] = [...found];
  const present = new Set(files.map((file) => file.path));
  const isBelow = (path: string): boolean => below === '' || path.startsWith(`${below}/`);
  const gone = [...known.keys()].filter((path) => isBelow(path) && !present.has(path));
  const toRead = files.filter((file) => !isUntouched(file, known.get(file.path)));
  if (gone.length > 0) await removeFiles(graph, gone);
  for (const path of gone) options.changes?.paths.add(path);

  const writer = openWriter(graph, clock, options.changes);
  const excluded: string[] = [];
  const bytes = toRead.reduce((sum, file) => sum + file.size, 0);
  let indexed = 0;
  let done = files.length - toRead.length;
  let bytesDone = 0;
  const queue = tasksOf(toRead, (path) => known.get(path)?.content_hash).values();
  const readers = options.openReaders(toRead.length);
  const lane = async (): Promise<void> => {
    for (const batch of queue) {
      if (signal.aborted) return;
      const { rows, same, skipped } = await readers.read(batch);
      indexed += rows.paths.length;
      left.push(...skipped);
      for (const { path } of skipped) if (known.has(path)) excluded.push(path);
      done += batch.length;
      bytesDone += batch.reduce((sum, file) => sum + file.size, 0);
      options.onProgress(done, files.length, bytes === 0 ? 1 : bytesDone / bytes);
      await writer.add(rows, same);
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
  if (!interrupted) await writeFact(graph, 'built_at', timestamp(clock()));
  return {
    ...report,
    indexed,
    removed: gone.length + excluded.length,
    unchanged: report.files - indexed,
    skipped: Object.fromEntries(countSkipped(left)),
    skipped_files: [...left].sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MOST_NAMED),
    interrupted,
  };
}

function isUntouched({ size, modified_ms }: SourceFile, before: KnownFile | undefined): boolean {
  return before?.size === size && before.modified_ms === modified_ms && modified_ms + RACY_MS < before.indexed_ms;
}

/** Large files first, so that at the end no thread is left alone with one. */
function tasksOf(files: readonly SourceFile[], knownHash: (path: string) => string | undefined): SourceTask[][] {
  const tasks: SourceTask[][] = [];
  let batch: SourceTask[] = [];
  let bytes = 0;
  for (const file of [...files].sort((a, b) => b.size - a.size)) {
    if (bytes + file.size > TASK_BYTES || batch.length === TASK_FILES) {
      batch = [];
      bytes = 0;
    }
    if (batch.length === 0) tasks.push(batch);
    batch.push({ ...file, known: knownHash(file.path) });
    bytes += file.size;
  }
  return tasks;
}

/** Collects rows for transactions of a good size, and writes them while others are read. */
function openWriter(graph: Database, clock: Clock, changes: GraphChanges | undefined) {
  let batches: GraphRows[] = [];
  let timed: SourceFile[] = [];
  let rows = 0;
  let files = 0;
  let waiting = 0;
  let writing: Promise<void> = Promise.resolve();
  const flush = (): void => {
    const [toWrite, times, count, now] = [batches, timed, rows, clock()];
    batches = [];
    timed = [];
    rows = 0;
    files = 0;
    waiting += count;
    writing = writing.then(async () => {
      if (toWrite.length > 0) await writeRows(graph, toWrite, now, changes);
      if (times.length > 0) await noteTimes(graph, times, now);
      waiting -= count;
    });
    // Whoever waits for it is told; until then a failure must not count as one that nobody handles.
    writing.catch(() => undefined);
  };
  return {
    /** @throws what a write threw that it waited for */
    async add(read: GraphRows, same: readonly SourceFile[]): Promise<void> {
      if (read.paths.length > 0) batches.push(read);
      timed.push(...same);
      rows += read.count;
      files += read.paths.length;
      if (rows >= BATCH_ROWS || files + timed.length >= BATCH_FILES) flush();
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
