/** Extracts single texts in a thread of its own. */
import type { Extract } from './extract';
import { forgetLostTime, LeftOut, loseTime, noTimeLost } from './parse-limit';
import { EndedAt } from './reading-thread';
import { openSourceThread, STUCK_PROCESSOR_MS } from './source-thread';

/** Takes single texts apart beside the work of a process, which no source holds up. */
export interface Extractor {
  readonly extract: Extract;
  close(): Promise<void>;
}

/** What a thread keeps for the next text is worth its memory for so long. */
const IDLE_MS = 5_000;

/** @param assets the folder of the built programs. The thread starts with the first text. */
export function openExtractor(assets: string): Extractor {
  // A checkout may bring a folder full of sources that take too long; what is asked for much later is not its fault.
  const lost = noTimeLost();
  const thread = openSourceThread({ assets, busy: () => 1, idleMs: IDLE_MS, lost });
  let answeredAt = Number.NEGATIVE_INFINITY;
  return {
    async extract(text, language, options) {
      if (thread.waiting() === 0 && performance.now() - answeredAt > IDLE_MS) forgetLostTime(lost);
      const answer = await thread
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
    close: () => thread.close(),
  };
}
