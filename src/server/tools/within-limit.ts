/** Ends what reads for too long. Apart from the tools, because hooks read without them. */
import { type SvcError, unavailable } from '../base/errors';
import type { Memory } from '../memory/memory';
import type { Project } from '../project/open';

/** However much there is, an answer takes a second or so. */
export const READ_LIMIT_MS = 30_000;
const INTERRUPT_EVERY_MS = 100;
const tookTooLong = (limitMs: number): SvcError =>
  unavailable(
    `The call took longer than ${limitMs / 1_000} seconds and was ended`,
    'Nothing was changed. Ask for less, or check the store with "svc-memory doctor"',
  );

/**
 * Reading ends, whatever a damaged or hostile file does to a statement, and no other call with it.
 * @throws SvcError unavailable
 */
export async function withinLimit<Answer>(
  store: Project['store'],
  limitMs: number,
  cancelled: AbortSignal,
  read: (sql: Memory['sql'], signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const owner = {};
  const over = new AbortController();
  const end = (): void => over.abort();
  cancelled.addEventListener('abort', end, { once: true });
  let timer: NodeJS.Timeout | undefined;
  let ending: NodeJS.Timeout | undefined;
  const reading = read(store.readingFor(owner, over.signal), over.signal);
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // Even a statement that cannot be ended keeps nobody waiting.
      reject(tookTooLong(limitMs));
      end();
      // It may stand behind that of another call.
      ending = setInterval(() => store.interrupt(owner), INTERRUPT_EVERY_MS).unref();
      store.interrupt(owner);
    }, limitMs);
  });
  const tidyUp = (): void => {
    clearInterval(ending);
    cancelled.removeEventListener('abort', end);
  };
  reading.then(tidyUp, tidyUp);
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}
