/** What was changed from this window: the newest change that still stands is what is undone first. */
import type { OperationOf } from '../protocol/requests';
import type { Done, Place, Steps } from './memories';

/** As many changes as somebody takes back one after the other. */
const MOST = 500;
/** As many steps of several memories. */
const MOST_STEPS = 100;

export class OwnChanges implements Steps {
  private standing: Done[] = [];
  /** What was done by undoing, and is no change to take back; undoing one of these does its change again. */
  private undoings: Done[] = [];
  /** Of these, those since the last change: as in any editor, what was undone before it is not done again. */
  private redoable: Done[] = [];
  /** What was taken back, and by what: taking that back makes it stand again. */
  private taken: { readonly done: Done; readonly by: Done }[] = [];
  /** Changes that were one step for the person: those of several rows at once. */
  private steps: (readonly Done[])[] = [];

  /** @param value what the tool answered */
  note(place: Place, tool: string, operation: number, value: unknown): void {
    this.begin({ place, operation });
    const done = { place, operation };
    if (tool !== 'undo') {
      this.redoable = [];
      push(this.standing, done, MOST);
      return;
    }
    const { undone } = value as { readonly undone: number };
    const again = this.isUndoing(place, undone);
    this.drop(place, undone);
    push(this.taken, { done: { place, operation: undone }, by: done }, MOST);
    push(again ? this.standing : this.undoings, done, MOST);
    if (!again) push(this.redoable, done, MOST);
  }

  /** What a program did is one step for the person, in each namespace. @param operations in their order */
  noteProgram({ folder }: Place, operations: readonly OperationOf[]): readonly Done[] {
    const steps = [...new Set(operations.map(({ namespace }) => namespace))].flatMap((namespace): Done[] => {
      const own = operations.filter((one) => one.namespace === namespace);
      const [last, ...before] = own.toReversed().map(({ operation }) => ({ place: { folder, namespace }, operation }));
      return last ? [{ ...last, before }] : [];
    });
    if (steps.length > 0) this.redoable = [];
    for (const step of steps) {
      for (const one of [step, ...(step.before ?? [])]) this.begin(one);
      push(this.standing, step, MOST);
    }
    return steps;
  }

  /** @param done noted one by one before */
  noteStep(done: readonly Done[]): void {
    if (done.length > 1) push(this.steps, done, MOST_STEPS);
  }

  doneWith(place: Place, operation: number): readonly Done[] {
    const asked = { place, operation };
    const step = this.steps.find((done) => done.some((one) => isSame(one, asked))) ?? [];
    return step.filter((one) => !isSame(one, asked)).toReversed();
  }

  /** What can no longer be undone: somebody else did it, or has changed the memory since. */
  drop(place: Place, operation: unknown): void {
    for (const list of [this.standing, this.redoable]) {
      const at = list.findIndex((one) => one.operation === operation && isSamePlace(one.place, place));
      if (at >= 0) list.splice(at, 1);
    }
  }

  last(isThere: (place: Place) => boolean): Done | undefined {
    return this.standing.findLast(({ place }) => isThere(place));
  }

  lastUndoing(isThere: (place: Place) => boolean): Done | undefined {
    return this.redoable.findLast(({ place }) => isThere(place));
  }

  /** How this window has taken it back already; undefined where it has not. */
  overBy(place: Place, operation: number): 'undone' | 'redone' | undefined {
    const asked = { place, operation };
    if (!this.isTaken(asked)) return undefined;
    return this.isUndoing(place, operation) ? 'redone' : 'undone';
  }

  /** Taking it back does something again. */
  isUndoing(place: Place, operation: number): boolean {
    return this.undoings.some((one) => isSame(one, { place, operation }));
  }

  private isTaken(asked: Done): boolean {
    return this.taken.some(({ done, by }) => isSame(done, asked) && !this.isTaken(by));
  }

  /** A store that was restored gives its numbers once more: what had this one before was done in another store. */
  private begin(done: Done): void {
    const had = (one: Done): boolean =>
      isInStore(one, done) || (one.before ?? []).some((each) => isInStore(each, done));
    this.standing = this.standing.filter((one) => !had(one));
    this.undoings = this.undoings.filter((one) => !had(one));
    this.redoable = this.redoable.filter((one) => !had(one));
    this.taken = this.taken.filter((one) => !had(one.done) && !had(one.by));
    this.steps = this.steps.filter((step) => !step.some(had));
  }
}

function push<Kept>(list: Kept[], one: Kept, most: number): void {
  list.push(one);
  if (list.length > most) list.shift();
}

/** All namespaces of a store count on. */
function isInStore(one: Done, other: Done): boolean {
  return one.operation === other.operation && one.place.folder.toString() === other.place.folder.toString();
}

function isSame(one: Done, other: Done): boolean {
  return one.operation === other.operation && isSamePlace(one.place, other.place);
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.folder.toString() === other.folder.toString() && one.namespace === other.namespace;
}
