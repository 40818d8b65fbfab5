import { beforeEach, describe, expect, test } from 'vitest';
import type { Row } from '../../../src/extension/features/side-bar/row';
import { RowLists } from '../../../src/extension/features/side-bar/row-lists';

/** What there is to show: names of rows by the name of the row above, which may say more behind a colon. */
type Shown = Record<string, readonly string[]>;

describe('the lists of a tree, compared after a change', () => {
  let shown: Shown;
  let asked: string[];
  let lists: RowLists;

  const listOf = (above: Row | undefined): string => above?.item.id ?? 'top';
  const rowsBelow = async (above: Row | undefined): Promise<readonly Row[]> => {
    asked.push(listOf(above));
    return (shown[listOf(above)] ?? []).map((told) => {
      const [id = '', description = ''] = told.split(':');
      // As much of a TreeItem as is looked at.
      return { parent: above, item: { id, label: id, description } } as Row;
    });
  };
  const named = (id: string): Row => lists.find(({ item }) => item.id === id) ?? expect.fail(`there is no row ${id}`);
  const told = async (): Promise<unknown> => {
    asked = [];
    const changes = await lists.changes();
    return changes === 'all' ? 'all' : changes.map(({ item }) => item.id);
  };

  beforeEach(async () => {
    shown = { top: ['one', 'two'], one: ['a', 'b'], two: ['c'] };
    asked = [];
    lists = new RowLists(rowsBelow);
    await lists.give(undefined);
    await lists.give(named('one'));
    await lists.give(named('two'));
  });

  test('the editor hears nothing when they are as they were', async () => {
    expect(await told()).toEqual([]);
    expect(asked.sort()).toEqual(['one', 'top', 'two']);
  });

  test('it hears only about a row that looks different, and still knows it', async () => {
    const row = named('two');
    shown.top = ['one', 'two: now three'];
    expect(await told()).toEqual(['two']);
    expect(named('two')).toBe(row);
    expect(row.item.description).toBe(' now three');
  });

  test('it hears about the row whose list differs, and gets the list that was compared', async () => {
    shown.one = ['a', 'b', 'new'];
    expect(await told()).toEqual(['one']);
    asked = [];
    expect((await lists.give(named('one'))).map(({ item }) => item.id)).toEqual(['a', 'b', 'new']);
    expect(asked).toEqual([]);
    await lists.give(named('one'));
    expect(asked).toEqual(['one']);
  });

  test('it is told to begin again when the top differs, and gets what it has unfolded at once', async () => {
    shown.top = ['new', 'one', 'two'];
    expect(await told()).toBe('all');
    asked = [];
    const [, one] = await lists.give(undefined);
    expect(one?.item.id).toBe('one');
    const below = await lists.give(one);
    expect(below.map(({ item, parent }) => [item.id, parent])).toEqual([
      ['a', one],
      ['b', one],
    ]);
    expect(asked).toEqual([]);
  });

  test('what a folded row holds is asked for when it is unfolded, not before', async () => {
    lists.fold(named('one'), true);
    expect(await told()).toEqual(['one']);
    expect(asked).not.toContain('one');
    // Told once, it asks by itself.
    expect(await told()).toEqual([]);
    await lists.give(named('one'));
    shown.one = ['a'];
    expect(await told()).toEqual(['one']);
  });

  test('a list that it asks for meanwhile is not compared: it is newer', async () => {
    const changes = lists.changes();
    shown.top = ['other'];
    await lists.give(undefined);
    expect(await changes).toEqual([]);
    expect(named('other').item.id).toBe('other');
  });

  test('a tooltip that is made later is no difference, one that is there is', async () => {
    Object.assign(named('one').item, { tooltip: 'made when pointed at' });
    Object.assign(named('one'), { tooltip: async () => undefined });
    Object.assign(named('two').item, { tooltip: 'before' });
    expect(await told()).toEqual(['two']);
  });

  test('forgotten, they are asked for again', async () => {
    expect(lists.forget()).toBe(true);
    expect(lists.forget()).toBe(false);
    expect(await told()).toEqual([]);
    expect(asked).toEqual([]);
  });
});
