/** Extracts single texts in threads of their own. */
import { availableParallelism } from 'node:os';
import type { Extract } from './extract';
import { forgetLostTime, LeftOut, loseTime } from './parse-limit';
import { EndedAt } from './reading-thread';
import {
  leastWaiting,
  openSourceThreads,
  type SourceThread,
  type SourceThreads,
  STUCK_PROCESSOR_MS,
} from './source-thread';

/** Takes single texts apart beside the work of a process, which no source holds up. */
export interface Extractor {
  readonly extract: Extract;
  close(): Promise<void>;
}

/** What a thread keeps for the next text is worth its memory for so long. */
const IDLE_MS = 5_000;

/** A second thread takes part of the memory and of a start; one text is done before it would be there. */
const TEXTS_WORTH_A_THREAD = 8;
const MOST_THREADS = 4;

/**
 * @param assets the folder of the built programs. Threads start with the first texts.
 * @param shared threads that outlive it; without them it has its own
 */
export function openExtractor(assets: string, shared?: SourceThreads): Extractor {
  // A checkout may bring a folder full of sources that take too long; what is asked for much later is not its fault.
  const { threads, lost, busy, close } =
    shared ?? openSourceThreads(Math.min(availableParallelism(), MOST_THREADS), { assets, idleMs: IDLE_MS });
  const next = (): SourceThread =>
    threads.find((thread) => thread.waiting() < TEXTS_WORTH_A_THREAD) ?? leastWaiting(threads);
  let answeredAt = Number.NEGATIVE_INFINITY;
  return {
    async extract(text, language, options) {
      if (busy() === 0 && performance.now() - answeredAt > IDLE_MS) forgetLostTime(lost);
      const answer = await next()
        .ask({ text, language, options })
        .catch((error: unknown) => {
          if (!(error instanceof EndedAt)) throw error;
          // Whatever else ends a thread is counted there.
          if (error.reason === 'takes too long') loseTime(lost, STUCK_PROCESSOR_MS);
          throw new LeftOut(error.reason);
        })
        .finally(() => {
          answeredAt = performance.now();
        });
      const extracted = 'extracted' in answer ? answer.extracted : 'cannot be parsed';
      if (typeof extracted === 'string') throw new LeftOut(extracted);
      return extracted;
    },
    close: async () => {
      if (!shared) await close();
    },
  };
}
