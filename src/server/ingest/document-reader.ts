/** Cuts documents into sections, in a thread of its own. */
import type { UnparsedDocument } from '../graph/left-out-documents';
import { EndedAt, openThread } from '../graph/reading-thread';
import type { DocumentFile } from './documents';
import type { Section } from './sections';

/** Cuts documents into sections in a thread of its own, because nobody knows what a document does to a parser. */
export interface DocumentReader {
  /** @returns why not, for a document that cannot be taken apart */
  sectionsOf(file: DocumentFile): Promise<DocumentAnswer>;
  close(): Promise<void>;
}

/** What the thread is asked. */
export interface DocumentTask {
  readonly text: string;
  /** The name of the file. */
  readonly name: string;
}

export type DocumentAnswer = readonly Section[] | UnparsedDocument;

const PROGRAM = 'svc-document-worker.bundle.js';
/** Of a processor, for one document. A megabyte that people write takes less than half of this. */
const DOCUMENT_MS = 1_500;
const LOOK_MS = 100;
/** What a parser leaves behind is garbage. A megabyte that people write needs less than half of this. */
const LIMITS = { maxYoungGenerationSizeMb: 96, maxOldGenerationSizeMb: 400 };

/** @param assets the folder of the built programs. The thread starts with the first document. */
export function openDocumentReader(assets: string): DocumentReader {
  const thread = openThread<DocumentTask, DocumentAnswer>({
    ...{ assets, program: PROGRAM, lookMs: LOOK_MS, limits: LIMITS, busy: () => 1 },
    most: () => DOCUMENT_MS,
  });
  return {
    sectionsOf: ({ text, path }) =>
      thread.ask({ text, name: path.slice(path.lastIndexOf('/') + 1) }).catch((error: unknown) => {
        if (error instanceof EndedAt) return error.reason;
        throw error;
      }),
    close: () => thread.close(),
  };
}
