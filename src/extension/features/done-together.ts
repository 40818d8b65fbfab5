/** Remembers which changes were one step for the person: those of several rows at once. */
import type { Done } from '../memories';
import { isSamePlace } from '../own-changes';

/** As many steps as somebody takes back one after the other. */
const MOST = 100;

export interface DoneTogether {
  /** Waits with what is to be taken back until this is done. */
  during<T>(step: Promise<T>): Promise<T>;
  /** Resolves when no step is under way. */
  idle(): Promise<unknown>;
  note(done: readonly Done[]): void;
  /** What was done in the same step, the last first, without the change itself. */
  others(place: Done['place'], operation: number): readonly Done[];
}

export function doneTogether(): DoneTogether {
  const steps: (readonly Done[])[] = [];
  const running = new Set<Promise<unknown>>();
  return {
    during(step) {
      running.add(step);
      return step.finally(() => running.delete(step));
    },
    idle: () => Promise.allSettled(running),
    note(done) {
      if (done.length < 2) return;
      steps.push(done);
      if (steps.length > MOST) steps.shift();
    },
    others(place, operation) {
      const isIt = (one: Done): boolean => one.operation === operation && isSamePlace(one.place, place);
      const step = steps.find((done) => done.some(isIt)) ?? [];
      return step.filter((one) => !isIt(one)).toReversed();
    },
  };
}
