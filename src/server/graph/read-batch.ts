/** Reads a batch of sources, in a worker thread. */
import type { Extract } from './extract';
import { type FileToWrite, type GraphRows, graphRows, type TermsOf } from './graph-rows';
import type { KnownContent } from './left-out';
import { readSource } from './read-source';
import type { SkipReason, SourceFile } from './source-files';

export interface SourceTask extends SourceFile {
  /** What is known of the file from when it was read before. */
  readonly known: KnownContent | undefined;
}

/** A source that was found but is left out, because of its content or because it could not be read. */
export interface SkippedSource extends SourceFile {
  readonly reason: SkipReason;
  /** Empty where it could not be read. */
  readonly content_hash: string;
}

/** What became of some files. */
export interface ReadBatch {
  /** Of those that were taken apart. */
  readonly rows: GraphRows;
  /** Their bytes are those that were known. */
  readonly same: readonly SourceFile[];
  readonly skipped: readonly SkippedSource[];
}

export interface ReadWith {
  readonly extract: Extract;
  readonly root: string;
  readonly termsOf: TermsOf;
  /** Told before each file which of them it is. */
  readonly begin: (file: number) => void;
}

export async function readBatch(
  { extract, root, termsOf, begin }: ReadWith,
  tasks: readonly SourceTask[],
): Promise<ReadBatch> {
  const read: FileToWrite[] = [];
  const same: SourceFile[] = [];
  const skipped: SkippedSource[] = [];
  for (const [i, { known, ...file }] of tasks.entries()) {
    begin(i);
    const source = await readSource(extract, root, file.path, known);
    if (source.outcome === 'read') read.push({ ...file, ...source });
    else if (source.outcome === 'same') same.push(file);
    else skipped.push({ ...file, reason: source.reason, content_hash: source.content_hash });
  }
  return { rows: graphRows(read, termsOf), same, skipped };
}
