import { type FileToWrite, type GraphRows, graphRows, type TermsOf } from './graph-rows';
import type { SourceParser } from './parser';
import { readSource } from './read-source';
import type { SkipReason, SourceFile } from './source-files';

export interface SourceTask extends SourceFile {
  /** The hash of the content when the file was read before. */
  readonly known: string | undefined;
}

/** What became of some files. */
export interface ReadBatch {
  /** Of those that were taken apart. */
  readonly rows: GraphRows;
  /** Their bytes are those that were known. */
  readonly same: readonly SourceFile[];
  readonly skipped: readonly { readonly path: string; readonly reason: SkipReason }[];
}

export interface ReadWith {
  readonly parser: SourceParser;
  readonly root: string;
  readonly termsOf: TermsOf;
}

export async function readBatch({ parser, root, termsOf }: ReadWith, tasks: readonly SourceTask[]): Promise<ReadBatch> {
  const read: FileToWrite[] = [];
  const same: SourceFile[] = [];
  const skipped: { path: string; reason: SkipReason }[] = [];
  for (const { known, ...file } of tasks) {
    const source = await readSource(parser, root, file.path, known);
    if (source.outcome === 'read') read.push({ ...file, ...source });
    else if (source.outcome === 'same') same.push(file);
    else skipped.push({ path: file.path, reason: source.reason });
  }
  return { rows: graphRows(read, termsOf), same, skipped };
}
