import { expect, it } from 'vitest';
import type { Uri } from 'vscode';
import type { Place } from '../../../src/extension/memories';
import { OwnChanges } from '../../../src/extension/own-changes';

// All that is asked of an address here.
const folder = (name: string): Uri => ({ toString: () => `file:///${name}` }) as Uri;
const HERE: Place = { folder: folder('here'), namespace: 'default' };
const THERE: Place = { folder: folder('there'), namespace: 'default' };
const anywhere = (): boolean => true;

it('gives the newest change that stands, and after undoing the one before; what is done again stands again', () => {
  const own = new OwnChanges();
  expect(own.last(anywhere)).toBeUndefined();
  own.note(HERE, 'memory_forget', 1, {});
  own.note(HERE, 'settle', 2, {});
  expect(own.last(anywhere)?.operation).toBe(2);
  own.note(HERE, 'undo', 3, { undone: 2 });
  expect(own.last(anywhere)?.operation).toBe(1);
  expect(own.lastUndoing(anywhere)?.operation).toBe(3);
  own.note(HERE, 'undo', 4, { undone: 3 });
  expect(own.last(anywhere)?.operation).toBe(4);
  expect(own.lastUndoing(anywhere)).toBeUndefined();
  own.note(HERE, 'undo', 5, { undone: 4 });
  expect(own.lastUndoing(anywhere)?.operation).toBe(5);
  own.note(HERE, 'settle', 6, {});
  expect(own.lastUndoing(anywhere)).toBeUndefined();
});

it('knows what it has taken back already, however often that was turned round', () => {
  const own = new OwnChanges();
  const over = (...operations: number[]) => operations.map((operation) => own.overBy(HERE, operation));
  own.note(HERE, 'memory_forget', 1, {});
  expect(over(1)).toEqual([undefined]);
  own.note(HERE, 'undo', 2, { undone: 1 });
  expect(over(1, 2)).toEqual(['undone', undefined]);
  own.note(HERE, 'undo', 3, { undone: 2 });
  expect(over(1, 2, 3)).toEqual([undefined, 'redone', undefined]);
  own.note(HERE, 'undo', 4, { undone: 3 });
  expect(over(1, 2, 3)).toEqual(['undone', undefined, 'undone']);
  expect(own.overBy(THERE, 1)).toBeUndefined();
});

it('tells the same number of two stores apart, and passes over a folder that is gone', () => {
  const own = new OwnChanges();
  own.note(HERE, 'settle', 7, {});
  own.note(THERE, 'settle', 7, {});
  own.note(HERE, 'undo', 8, { undone: 7 });
  expect(own.last(anywhere)?.place).toBe(THERE);
  own.note(HERE, 'settle', 9, {});
  expect(own.last(({ folder: at }) => at === THERE.folder)?.place).toBe(THERE);
  expect(own.last(() => false)).toBeUndefined();
});

it('goes on to the change before where one can no longer be undone', () => {
  const own = new OwnChanges();
  own.note(HERE, 'settle', 1, {});
  own.note(HERE, 'settle', 2, {});
  own.drop(HERE, 2);
  own.drop(HERE, 99);
  expect(own.last(anywhere)?.operation).toBe(1);
});

it('gives all of a step of several memories, each time the last first', () => {
  const own = new OwnChanges();
  const step = [1, 2, 3].map((operation) => ({ place: HERE, operation }));
  for (const { operation } of step) own.note(HERE, 'memory_forget', operation, {});
  own.noteStep(step);
  own.noteStep([{ place: HERE, operation: 4 }]);
  const numbers = (place: Place, operation: number) => own.doneWith(place, operation).map((one) => one.operation);
  expect([numbers(HERE, 3), numbers(HERE, 1), numbers(HERE, 4)]).toEqual([[2, 1], [3, 2], []]);
  expect(numbers(THERE, 3)).toEqual([]);
  own.note(THERE, 'memory_forget', 40, {});
  own.note(HERE, 'memory_forget', 15, {});
  own.noteStep([
    { place: THERE, operation: 40 },
    { place: HERE, operation: 15 },
  ]);
  // The number says nothing without the store.
  expect(own.doneWith(HERE, 15)).toEqual([{ place: THERE, operation: 40 }]);
});

it('knows nothing more of what had the same number before a store was restored', () => {
  const own = new OwnChanges();
  const step = [4, 5].map((operation) => ({ place: HERE, operation }));
  for (const { operation } of step) own.note(HERE, 'memory_forget', operation, {});
  own.noteStep(step);
  own.noteProgram(
    HERE,
    [6, 7].map((operation) => ({ namespace: HERE.namespace, operation })),
  );
  own.note(THERE, 'settle', 7, {});
  // Restored to what it was after the fourth.
  own.note(HERE, 'settle', 5, {});
  expect(own.doneWith(HERE, 5)).toEqual([]);
  own.note(HERE, 'settle', 6, {});
  own.drop(HERE, 6);
  own.drop(HERE, 5);
  expect(own.last(({ folder: at }) => at === HERE.folder)?.operation).toBe(4);
  expect(own.last(anywhere)?.place).toBe(THERE);
});
