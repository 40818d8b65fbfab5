/** Extracts single texts in a thread of its own. */
import type { Extract } from './extract';
import { LeftOut } from './parse-limit';
import { EndedAt } from './reading-thread';
import { openSourceThread } from './source-thread';

/** Takes single texts apart beside the work of a process, which no source holds up. */
export interface Extractor {
  readonly extract: Extract;
  close(): Promise<void>;
}

/** What a thread keeps for the next text is worth its memory for so long. */
const IDLE_MS = 5_000;

/** @param assets the folder of the built programs. The thread starts with the first text. */
export function openExtractor(assets: string): Extractor {
  const thread = openSourceThread({ assets, busy: () => 1, idleMs: IDLE_MS });
  return {
    async extract(text, language, options) {
      const answer = await thread.ask({ text, language, options }).catch((error: unknown) => {
        if (error instanceof EndedAt) throw new LeftOut(error.reason);
        throw error;
      });
      const extracted = 'extracted' in answer ? answer.extracted : 'cannot be parsed';
      if (typeof extracted === 'string') throw new LeftOut(extracted);
      return extracted;
    },
    close: () => thread.close(),
  };
}
