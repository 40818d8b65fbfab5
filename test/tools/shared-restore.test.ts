import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consolidate } from '../../src/server/memory/consolidation/consolidate';
import type { NodeHistory } from '../../src/server/memory/history/node-history';
import type { Undone } from '../../src/server/memory/history/undo';
import type { Marked } from '../../src/server/memory/marks';
import type { MemoryTest } from '../support/memory';
import { FOLDER, filesOf, note, type Shared, type Stored, withShared, write } from '../support/shared';

const UNSHARED =
  'It is back in this store alone, with the text of the store. Its file was not found here, so it is not shared any more';

interface File {
  readonly id: string;
  readonly path: string;
  readonly sharing: number;
}

/** A shared memory whose file says more than the store: nobody has committed it. */
async function edited(test: MemoryTest): Promise<File & { readonly text: string }> {
  const { node_id: id } = await test.ok<Stored>('memory_store', { content: 'The cache is cold', kind: 'fact' });
  const { shared, operation: sharing } = await test.ok<Shared>('share', { node_ids: [id] });
  const path = join(test.folder, shared[0]?.path ?? '');
  const text = readFileSync(path, 'utf8').replace('cold', 'warm');
  writeFileSync(path, text);
  return { id, path, text, sharing };
}

async function actions(test: MemoryTest, id: string): Promise<string[]> {
  return (await test.ok<NodeHistory>('history', { id })).events.map(({ action }) => action);
}

describe('a sharing that is taken back', () => {
  it('stands with all its files where one of them was edited since, or is not here', () =>
    withShared(async (test) => {
      const ids: string[] = [];
      for (const content of ['The cache is cold', 'The queue is full']) {
        ids.push((await test.ok<Stored>('memory_store', { content, kind: 'fact' })).node_id);
      }
      const { shared, operation } = await test.ok<Shared>('share', { node_ids: ids });
      const path = join(test.folder, shared[0]?.path ?? '');
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replace('cold', 'warm'));
      expect(await test.refused('undo', { operation })).toMatch(
        /^conflict: \.svc\/memories\/\S+ was changed since\. Nothing was changed\./,
      );
      expect(await test.ok('node', { id: ids[0] })).toMatchObject({ content: 'The cache is warm', marks: ['shared'] });
      for (const id of ids) expect(await actions(test, id)).toEqual(['store', 'share']);
      writeFileSync(path, `<<<<<<< HEAD\n${text}`);
      expect(await test.refused('undo', { operation })).toMatch(/was changed since\. Nothing was changed\./);
      // On a branch that has not all of them.
      rmSync(path);
      expect(await test.refused('undo', { operation })).toMatch(
        /^conflict: The file of \S+ is not here\. Nothing was changed\. .* undo it there; "restore" brings back a file/,
      );
      expect(filesOf(test)).toHaveLength(1);
      writeFileSync(path, text);
      await test.ok('undo', { operation });
      expect(filesOf(test)).toEqual([]);
      for (const id of ids) expect((await test.ok<Marked>('node', { id })).marks).toBeUndefined();
    }));

  it('is there again with its file, which is left as it is where it is not meant by its id', () =>
    withShared(async (test) => {
      const { session_id } = await test.ok<{ session_id: string }>('memory_start_session', { name: 'Builds' });
      const fact = { content: 'The cache is cold', kind: 'fact', entities: ['Cache'] };
      const { node_id: id } = await test.ok<Stored>('memory_store', fact);
      const { shared, operation } = await test.ok<Shared>('share', { node_ids: [id] });
      const path = join(test.folder, shared[0]?.path ?? '');
      const text = readFileSync(path, 'utf8');
      await test.ok('undo', { operation });
      // As by a checkout: the row of the store is there as well.
      writeFileSync(path, text);
      const { node_id: own } = await test.ok<Stored>('memory_store', { ...fact, content: 'It has two levels' });
      const left = { shared_ids: [id] };
      test.later(1_000);
      expect(await test.ok('memory_forget', { entity: 'Cache' })).toMatchObject({ ids: [own], ...left });
      // What is forgotten already is not forgotten once more.
      expect(await test.ok('memory_forget', { entity: 'Cache' })).toMatchObject({ count: 0, ids: [], ...left });
      expect(await test.ok('memory_forget', { before: '2030-01-01' })).toMatchObject(left);
      expect(await test.ok('memory_clear_session', { session_id, purge: true })).toMatchObject({ ids: [own], ...left });
      expect(await actions(test, id)).toEqual(['store', 'share', 'undo']);
      expect(await test.ok('node', { id })).toMatchObject({ tombstoned: 0, marks: ['shared'] });
      expect(await test.ok('memory_forget', { node_id: id, entity: 'Cache' })).toMatchObject({ ids: [id] });
      expect(filesOf(test)).toEqual([]);
    }));

  it('is known by what was written, though the store would write something else today', () =>
    withShared(async (test) => {
      const paid = { content: 'Payments are retried', kind: 'fact', entities: ['payment-service'] };
      const { node_id: id } = await test.ok<Stored>('memory_store', paid);
      const { operation } = await test.ok<Shared>('share', { node_ids: [id] });
      for (const content of ['Refunds wait in a queue', 'Each bill is logged', 'Cards are charged at night']) {
        await test.ok('memory_store', { content, kind: 'fact', entities: ['payment service'] });
      }
      await consolidate(test.project, { everything: true });
      const undone = await test.ok<Undone>('undo', { operation });
      expect(filesOf(test)).toEqual([]);
      expect(await test.ok('node', { id })).toMatchObject({
        entities: [{ content: 'payment service' }],
      });
      const redone = await test.ok<Undone>('undo', { operation: undone.operation });
      expect(filesOf(test)).toHaveLength(1);
      // What is written again is as the store says it by now.
      await test.ok('undo', { operation: redone.operation });
      expect(filesOf(test)).toEqual([]);
    }));
});

describe('a shared memory that was forgotten', () => {
  it('comes back with its file, as this process took it away', () =>
    withShared(async (test) => {
      const { id, path, text } = await edited(test);
      await test.ok('memory_forget', { node_id: id });
      expect(await actions(test, id)).toEqual(['store', 'share', 'forget']);
      const restored = await test.ok('restore', { node_id: id });
      expect(restored).toEqual({
        node_id: id,
        valid_until: null,
        operation: null,
        path: `${FOLDER}/${filesOf(test)[0]}`,
      });
      expect(readFileSync(path, 'utf8')).toBe(text);
      expect(await test.ok('node', { id })).toMatchObject({ content: 'The cache is warm', marks: ['shared'] });
      const { events } = await test.ok<NodeHistory>('history', { id });
      expect(events.slice(2)).toMatchObject([
        { action: 'forget', before: { tombstoned: 0 }, after: { tombstoned: 1 } },
        { action: 'restore', before: { tombstoned: 1 }, after: { tombstoned: 0 } },
      ]);
      expect(await test.refused('restore', { node_id: id })).toMatch(/^conflict: .* is shared: it stands in a file/);
    }));

  it('comes back out of its file where it was in no store, and until then is said to be removed', () =>
    withShared(async (test) => {
      const text = note('f_queue', 'fact', 'The queue is full', 'valid-until: 2026-03-02\n');
      write(test, 'queue.md', text);
      await test.ok('memory_forget', { node_id: 'f_queue' });
      expect(await test.refused('node', { id: 'f_queue' })).toBe(
        'conflict: f_queue was shared, and its file was removed. restore brings it back.',
      );
      expect(await test.refused('node', { id: 'f_other' })).toMatch(/^not_found: /);
      const other = await test.another({ namespace: 'other' });
      for (const tool of ['node', 'restore']) {
        const asked = tool === 'node' ? { id: 'f_queue' } : { node_id: 'f_queue' };
        expect(await other.refused(tool, asked)).toMatch(/^not_found: /);
      }
      expect(await test.ok('restore', { node_id: 'f_queue' })).toMatchObject({
        valid_until: '2026-03-02T00:00:00.000Z',
        path: `${FOLDER}/queue.md`,
      });
      expect(readFileSync(join(test.folder, FOLDER, 'queue.md'), 'utf8')).toBe(text);
    }));

  it('is listed among the forgotten ones where it was in no store, the last one first', () =>
    withShared(async (test) => {
      write(test, 'queue.md', note('f_queue', 'fact', 'The queue is full'));
      write(test, 'cache.md', note('d_cache', 'decision', 'The cache is cold'));
      const listed = async (asked: object = {}): Promise<string[]> =>
        (await test.ok<{ id: string }[]>('nodes', { closed: true, forgotten: true, ...asked })).map(({ id }) => id);
      expect(await listed()).toEqual([]);
      const { node_id: id } = await test.ok<Stored>('memory_store', { content: 'The pool is empty', kind: 'fact' });
      for (const one of ['f_queue', 'd_cache', id]) await test.ok('memory_forget', { node_id: one });
      expect(await listed()).toEqual(['d_cache', 'f_queue', id]);
      expect(await listed({ kinds: ['fact'] })).toEqual(['f_queue', id]);
      expect(await listed({ letters: 'full QUEUE' })).toEqual(['f_queue']);
      expect(await listed({ limit: 1 })).toEqual(['d_cache']);
      expect(await listed({ limit: 1, before: 'd_cache' })).toEqual(['f_queue']);
      expect(await listed({ before: 'f_queue' })).toEqual([id]);
      expect(await listed({ before: id })).toEqual([]);
      expect(await listed({ session_id: 's_none' })).toEqual([]);
      expect(await listed({ file: 'queue' })).toEqual([]);
      await test.ok('restore', { node_id: 'd_cache' });
      expect(await listed()).toEqual(['f_queue', id]);
      // Somebody else has put it back.
      write(test, 'queue.md', note('f_queue', 'fact', 'The queue is full'));
      expect(await listed()).toEqual([id]);
    }));

  it('stays away while something else is in the place of its file', () =>
    withShared(async (test) => {
      const { id, path } = await edited(test);
      await test.ok('memory_forget', { node_id: id });
      writeFileSync(path, 'Another text');
      expect(await test.refused('restore', { node_id: id })).toMatch(/^conflict: \S+ is there already\. Look at it/);
      expect(readFileSync(path, 'utf8')).toBe('Another text');
      expect(await test.ok('node', { id })).toMatchObject({ tombstoned: 1 });
    }));

  it('comes back in the store alone where nobody knows its file, and says so', () =>
    withShared(async (test) => {
      const { id, path } = await edited(test);
      rmSync(path);
      const restored = await test.ok<{ operation: number }>('restore', { node_id: id });
      expect(restored).toMatchObject({ valid_until: null, unshared: UNSHARED });
      expect(await test.ok('node', { id })).toMatchObject({ content: 'The cache is cold', tombstoned: 0 });
      expect(filesOf(test)).toEqual([]);
      // It was in the store alone when it was forgotten now.
      await test.ok('memory_forget', { node_id: id });
      expect(await test.ok('restore', { node_id: id })).not.toHaveProperty('unshared');
    }));

  it('is away, and not forgotten, once somebody else has put its file back, and comes back as it was removed', () =>
    withShared(async (test) => {
      const { id, path, text } = await edited(test);
      await test.ok('memory_forget', { node_id: id });
      // As by a checkout, and then one of a branch that has no such file.
      writeFileSync(path, text);
      expect(await test.ok('node', { id })).toMatchObject({ tombstoned: 0, marks: ['shared'] });
      rmSync(path);
      expect(await test.ok('node', { id })).toMatchObject({ tombstoned: 1, away: true });
      expect(await test.ok('restore', { node_id: id })).not.toHaveProperty('unshared');
      expect(readFileSync(path, 'utf8')).toBe(text);
    }));

  it('is what the store says where it was taken out of its file since', () =>
    withShared(async (test) => {
      const { id, path, text, sharing } = await edited(test);
      writeFileSync(path, text.replace('warm', 'cold'));
      await test.ok('undo', { operation: sharing });
      expect(await test.refused('restore', { node_id: id })).toMatch(/^conflict: .* is not forgotten\. /);
      await test.ok('memory_forget', { node_id: id });
      expect(await test.ok('restore', { node_id: id })).not.toHaveProperty('path');
      expect(existsSync(path)).toBe(false);
    }));

  it('is brought back by no agent that has read foreign text since its user spoke', () =>
    withShared(async (test) => {
      write(test, 'queue.md', note('f_queue', 'fact', 'The queue is full'));
      await test.ok('memory_forget', { node_id: 'f_queue' });
      const agent = await test.another({ keeping: () => ({ proposed: false, marked: true }) });
      expect(await agent.refused('restore', { node_id: 'f_queue' })).toMatch(/^unavailable: Foreign text/);
      expect(filesOf(test)).toEqual([]);
    }));

  it('hides nothing that is stored under the number of its row, when that was purged', () =>
    withShared(async (test) => {
      const store = (content: string) => test.ok<Stored>('memory_store', { content, kind: 'fact' });
      const { node_id: last } = await store('Webhooks are sent twice');
      const { shared } = await test.ok<Shared>('share', { node_ids: [last] });
      const path = join(test.folder, shared[0]?.path ?? '');
      renameSync(path, `${path}.away`);
      await test.ok('memory_forget', { node_id: last, before: '2027-01-01', purge: true });
      renameSync(`${path}.away`, path);
      const stored: string[] = [];
      for (let i = 0; i < 5; i++) stored.push((await store(`Note ${i}`)).node_id);
      const listed = await test.ok<{ id: string }[]>('nodes', { kinds: ['fact'] });
      expect(listed.map(({ id }) => id).toSorted()).toEqual([last, ...stored].toSorted());
      expect(await actions(test, last)).toEqual(['store']);
    }));
});
