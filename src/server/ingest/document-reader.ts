/** Cuts documents into sections, in a thread of its own. */
import type { UnparsedDocument } from '../graph/left-out-documents';
import { isHasty, loseTime, noTimeLost } from '../graph/parse-limit';
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

/** After much time was lost. A document that people write takes less than half of this, too. */
const HASTY_MS = 200;
const HASTY_CHARACTER_MS = 2 / 1_000;

/** @param assets the folder of the built programs. The thread starts with the first document. */
export function openDocumentReader(assets: string): DocumentReader {
  const lost = noTimeLost();
  const most = ({ text }: Pick<DocumentTask, 'text'>): number =>
    isHasty(lost) ? Math.min(DOCUMENT_MS, HASTY_MS + text.length * HASTY_CHARACTER_MS) : DOCUMENT_MS;
  const thread = openThread<DocumentTask, DocumentAnswer>({
    ...{ assets, program: PROGRAM, lookMs: LOOK_MS, limits: LIMITS, busy: () => 1, most },
  });
  return {
    sectionsOf: ({ text, path }) =>
      thread.ask({ text, name: path.slice(path.lastIndexOf('/') + 1) }).catch((error: unknown) => {
        if (!(error instanceof EndedAt)) throw error;
        const hasty = isHasty(lost);
        loseTime(lost, most({ text }));
        return hasty && error.reason === 'takes too long' ? 'takes too long after others' : error.reason;
      }),
    close: () => thread.close(),
  };
}
