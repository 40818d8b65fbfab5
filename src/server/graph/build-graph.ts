import { type Clock, timestamp } from '../base/clock';
import type { Database } from '../db/sql';
import { type SkipReason, type SourceFile, sourceFiles } from './source-files';
import type { SourceReaders } from './source-readers';
import {
  type FileToWrite,
  knownFiles,
  noteTimes,
  removeFiles,
  type TermsOf,
  writeFact,
  writeFiles,
} from './write-graph';

export interface BuildOptions {
  readonly root: string;
  /** What reads and takes apart this many files; it is closed when they are done. */
  readonly openReaders: (files: number) => SourceReaders;
  readonly termsOf: TermsOf;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

export interface BuildReport {
  readonly files: number;
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly symbols: number;
  readonly references: number;
  readonly skipped: Readonly<Record<string, number>>;
  /** Stopped before its end: what was done is kept, and the next build goes on from there. */
  readonly interrupted: boolean;
}

/** One transaction for this many rows at most, or files: what Ctrl-C can lose. */
const BATCH_ROWS = 20_000;
const BATCH_FILES = 500;
/** A file that was changed this shortly before it was read may have changed again within one tick of its clock. */
const RACY_MS = 2_000;

/** Brings the graph to what lies below the root: only files whose content changed are read again. */
export async function buildGraph(graph: Database, options: BuildOptions): Promise<BuildReport> {
  const { root, clock, signal } = options;
  const { files, skipped } = sourceFiles(root);
  const known = new Map((await knownFiles(graph)).map((file) => [file.path, file]));
  const counts = new Map<SkipReason, number>(skipped);
  const present = new Set(files.map((file) => file.path));
  const gone = [...known.keys()].filter((path) => !present.has(path));
  const toRead = files.filter(({ path, size, modified_ms }) => {
    const before = known.get(path);
    const same = before?.size === size && before.modified_ms === modified_ms;
    return !(same && modified_ms + RACY_MS < before.indexed_ms);
  });
  let removed = gone.length;
  if (gone.length > 0) await removeFiles(graph, gone);

  let indexed = 0;
  let done = files.length - toRead.length;
  let batch: FileToWrite[] = [];
  let rows = 0;
  let timed: SourceFile[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  const flush = (): Promise<unknown> => {
    const now = clock();
    const [files, times] = [batch, timed];
    batch = [];
    timed = [];
    rows = 0;
    writing = writing.then(async () => {
      if (files.length > 0) await writeFiles(graph, files, now, options.termsOf);
      if (times.length > 0) await noteTimes(graph, times, now);
    });
    return writing;
  };
  const excluded: string[] = [];
  const queue = toRead.values();
  const readers = options.openReaders(toRead.length);
  const lane = async (): Promise<void> => {
    for (const file of queue) {
      if (signal.aborted) return;
      const source = await readers.read(file.path, known.get(file.path)?.content_hash);
      if (source.outcome === 'read') {
        const { content_hash, language, extracted } = source;
        batch.push({ ...file, content_hash, language, extracted });
        rows += extracted.definitions.length + extracted.references.length;
        indexed += 1;
      } else if (source.outcome === 'same') {
        timed.push(file);
      } else {
        counts.set(source.reason, (counts.get(source.reason) ?? 0) + 1);
        if (known.has(file.path)) excluded.push(file.path);
      }
      options.onProgress(++done, files.length);
      // Waiting here keeps what was read and not yet written small.
      if (rows >= BATCH_ROWS || batch.length >= BATCH_FILES) await flush();
    }
  };
  try {
    await Promise.all(Array.from({ length: readers.parallel }, lane));
  } finally {
    await readers.close();
  }
  await flush();
  if (excluded.length > 0) await removeFiles(graph, excluded);
  removed += excluded.length;
  const report = await totals(graph);
  const interrupted = signal.aborted;
  if (!interrupted) await writeFact(graph, 'built_at', timestamp(clock()));
  return {
    ...report,
    indexed,
    removed,
    unchanged: report.files - indexed,
    skipped: Object.fromEntries(counts),
    interrupted,
  };
}

async function totals(graph: Database): Promise<Pick<BuildReport, 'files' | 'symbols' | 'references'>> {
  const row = await graph.get<{ files: number; symbols: number; refs: number }>(
    `SELECT (SELECT count(*) FROM graph_files) AS files, (SELECT count(*) FROM graph_symbols) AS symbols,
            (SELECT count(*) FROM graph_references) AS refs`,
  );
  return { files: row?.files ?? 0, symbols: row?.symbols ?? 0, references: row?.refs ?? 0 };
}
