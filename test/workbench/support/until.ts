/** Until something comes that is sure to come: for a busy machine with several editors, and no statement on speed. */
export const PATIENCE_MS = 120_000;
/** Between two looks. Nothing waits for a fixed time. */
const LOOK_EVERY_MS = 50;

/**
 * Looks again and again until there is something.
 * @param what for people, when it does not come: "the memory is in the tree"
 * @returns the first answer that is neither undefined, null nor false
 */
export async function until<Result>(
  what: string,
  milliseconds: number,
  look: () => Promise<Result> | Result,
): Promise<NonNullable<Exclude<Result, false>>> {
  const start = performance.now();
  for (;;) {
    const result = await look();
    if (result !== undefined && result !== null && result !== false) {
      return result as NonNullable<Exclude<Result, false>>;
    }
    if (performance.now() - start > milliseconds) throw new Error(`Waited ${milliseconds} ms, but not so: ${what}`);
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
  }
}

/** Whether a step came to its end, for those that are tried again otherwise. */
export function happens(step: Promise<unknown>): Promise<boolean> {
  return step.then(
    () => true,
    () => false,
  );
}
