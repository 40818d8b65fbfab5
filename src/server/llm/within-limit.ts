/** Ends a question that takes too long. */
import { NoAnswer } from './provider';

/**
 * All the time that one question may take, with everything that is tried for it.
 * @throws NoAnswer when it is over; the signal's reason when that is aborted
 */
export async function withinLimit<Value>(
  signal: AbortSignal,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const limit = AbortSignal.timeout(milliseconds);
  const either = AbortSignal.any([signal, limit]);
  try {
    return await untilAborted(work(either), either);
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) throw new NoAnswer(`the model took longer than ${Math.round(milliseconds / 1000)} seconds`);
    throw error;
  }
}

export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
