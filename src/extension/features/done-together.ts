/** Remembers which changes were one step for the person: those of several rows at once. */
import type { Done } from './tell-done';

/** As many steps as somebody takes back one after the other. */
const MOST = 100;

export interface DoneTogether {
  note(done: readonly Done[]): void;
  /** What was done in the same step, the last first, without the change itself. */
  others(place: Done['place'], operation: number): readonly Done[];
}

export function doneTogether(): DoneTogether {
  const steps: (readonly Done[])[] = [];
  return {
    note(done) {
      if (done.length < 2) return;
      steps.push(done);
      if (steps.length > MOST) steps.shift();
    },
    others(place, operation) {
      const isIt = (one: Done): boolean => one.operation === operation && isSame(one.place, place);
      const step = steps.find((done) => done.some(isIt)) ?? [];
      return step.filter((one) => !isIt(one)).toReversed();
    },
  };
}

function isSame(one: Done['place'], other: Done['place']): boolean {
  return one.folder.toString() === other.folder.toString() && one.namespace === other.namespace;
}
