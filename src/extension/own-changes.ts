/** What was changed from this window: the newest change that still stands is what is undone first. */
import type { OperationOf } from '../protocol/requests';
import type { Done, Place } from './memories';

/** As many steps as somebody takes back one after the other. */
const MOST = 500;

export class OwnChanges {
  private readonly standing: Done[] = [];
  /** What was done by undoing, and is no change to take back; undoing one of these does its change again. */
  private readonly undoings: Done[] = [];

  /** @param value what the tool answered */
  note(place: Place, tool: string, operation: number, value: unknown): void {
    const done = { place, operation };
    if (tool !== 'undo') {
      push(this.standing, done);
      return;
    }
    const { undone } = value as { readonly undone: number };
    const isUndone = (one: Done): boolean => one.operation === undone && isSamePlace(one.place, place);
    this.drop(place, undone);
    push(this.undoings.some(isUndone) ? this.standing : this.undoings, done);
  }

  /** What a program did is one step for the person, in each namespace. @param operations in their order */
  noteProgram({ folder }: Place, operations: readonly OperationOf[]): readonly Done[] {
    const steps = [...new Set(operations.map(({ namespace }) => namespace))].flatMap((namespace): Done[] => {
      const own = operations.filter((one) => one.namespace === namespace);
      const [last, ...before] = own.toReversed().map(({ operation }) => ({ place: { folder, namespace }, operation }));
      return last ? [{ ...last, before }] : [];
    });
    for (const step of steps) push(this.standing, step);
    return steps;
  }

  /** What can no longer be undone: somebody else did it, or has changed the memory since. */
  drop(place: Place, operation: unknown): void {
    const at = this.standing.findIndex((one) => one.operation === operation && isSamePlace(one.place, place));
    if (at >= 0) this.standing.splice(at, 1);
  }

  /** The newest of those that are in such a place. */
  last(isThere: (place: Place) => boolean): Done | undefined {
    return this.standing.findLast(({ place }) => isThere(place));
  }
}

function push(list: Done[], done: Done): void {
  list.push(done);
  if (list.length > MOST) list.shift();
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.folder.toString() === other.folder.toString() && one.namespace === other.namespace;
}
