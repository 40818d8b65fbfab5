import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HistoryEvent, NodeHistory } from '../../src/server/memory/history/node-history';
import type { HeldSession } from '../../src/server/memory/sessions/held-sessions';
import { exportStore, type StoreExport } from '../../src/server/memory/transfer/export';
import { bringAsFile } from '../support/imports';
import { type MemoryTest, withMemory } from '../support/memory';
import { filesOf, note, type Shared, type Stored, withShared, write } from '../support/shared';

const MINUTE = 60_000;
const DECISION = 'Webhooks are sent again';
const ONCE = { content: `${DECISION} once`, kind: 'decision' };

const history = async ({ ok }: MemoryTest, id: string): Promise<readonly HistoryEvent[]> =>
  (await ok<NodeHistory>('history', { id })).events;
const actions = async (test: MemoryTest, id: string) => (await history(test, id)).map(({ action }) => action);
const ids = (nodes: readonly { readonly id: string }[]) => nodes.map(({ id }) => id);

const sessions = ({ ok }: MemoryTest, asked = {}) => ok<readonly HeldSession[]>('sessions', asked);

/** Three memories of one session; `id` is a decision. */
async function storeThree(test: MemoryTest) {
  const stored: string[] = [];
  for (const [kind, content] of [
    ['fact', 'Eviction follows the clock'],
    ['decision', DECISION],
    ['fact', 'Dana wrote it in an afternoon'],
  ]) {
    stored.push((await test.ok<Stored>('memory_store', { content, kind, entities: ['Webhooks'] })).node_id);
    test.later(MINUTE);
  }
  const [first = '', id = '', last = ''] = stored;
  const [session] = await sessions(test);
  await test.ok('memory_verify', { node_id: id, status: 'confirm' });
  test.later(MINUTE);
  return { first, id, last, session: session?.id ?? '' };
}

describe('a memory that was shared from this store', () => {
  it('keeps its history, in which it is shared, and nothing stands twice', () =>
    withShared(async (test) => {
      const waiting = await test.another({ keeping: () => ({ proposed: true, marked: false }), client: 'agent' });
      const { node_id: id } = await waiting.ok<Stored>('memory_store', { content: DECISION, kind: 'decision' });
      const person = await test.another({ by: 'person', client: 'editor' });
      await person.ok('settle', { node_id: id, action: 'keep' });
      await person.ok('memory_verify', { node_id: id, status: 'confirm' });
      const before = await history(test, id);
      expect(before.map(({ action }) => action)).toEqual(['store', 'accept', 'confirm']);
      test.later(MINUTE);
      const { operation } = await person.ok<Shared>('share', { node_ids: [id] });
      expect(await history(test, id)).toEqual([
        ...before,
        expect.objectContaining({ action: 'share', operation, tool: 'share', client: 'editor', undone_by: null }),
      ]);
      expect(await test.text('history', { id })).toMatch(
        new RegExp(
          `stored · agent \\(.*\n.* kept .*\n.* confirmed .*\n- .* shared with the repository · editor .* operation ${operation}$`,
        ),
      );
      expect(await person.ok('undo', { operation })).toMatchObject({ node_ids: [id] });
      expect(filesOf(test)).toEqual([]);
      expect(await actions(test, id)).toEqual(['store', 'accept', 'confirm', 'share', 'undo']);
    }));

  it('tells of what was stored in its place, until that is taken back', () =>
    withShared(async (test) => {
      const { id } = await storeThree(test);
      await test.ok('share', { node_ids: [id] });
      test.later(MINUTE);
      const editor = await test.another({ by: 'person', client: 'editor' });
      const { node_id } = await editor.ok<Stored>('memory_store', { ...ONCE, supersedes: id });
      const events = await history(test, id);
      expect(events.map(({ action }) => action)).toEqual(['store', 'confirm', 'share', 'supersede']);
      expect(events.at(-1)).toMatchObject({
        other_id: node_id,
        client: 'editor',
        tool: 'memory_store',
        operation: null,
      });
      expect(await test.text('history', { id })).toMatch(
        new RegExp(`superseded by ${node_id} · editor \\(.*, memory_store$`),
      );
      expect(await actions(test, node_id)).toEqual(['store', 'share']);
      const shared = (await history(test, node_id)).at(-1)?.operation;
      // Beside what it took the place of it would be a second truth: it goes with its sharing.
      const undone = { node_ids: [node_id, id], forgotten_ids: [node_id] };
      expect(await editor.ok('undo', { operation: shared })).toMatchObject(undone);
      expect(await actions(test, id)).toEqual(['store', 'confirm', 'share']);
      expect(await test.ok('node', { id: node_id })).toMatchObject({ tombstoned: 1 });
      expect(filesOf(test)).toHaveLength(1);
      // One operation, done again and taken back by its number, in any namespace.
      const turn = async () => {
        const operation = (await history(test, node_id)).at(-1)?.operation;
        return editor.ok('undo', { operation, namespace: 'default' });
      };
      await editor.ok('memory_switch_namespace', { namespace: 'elsewhere' });
      for (const _ of [1, 2]) {
        await turn();
        expect(await test.ok('node', { id })).toMatchObject({ superseded_by: [{ id: node_id }] });
        expect(filesOf(test)).toHaveLength(2);
        await turn();
        expect(await test.ok('node', { id })).toMatchObject({ superseded_by: [], valid_until: null });
        expect(await test.ok('node', { id: node_id })).toMatchObject({ tombstoned: 1 });
        expect(filesOf(test)).toHaveLength(1);
      }
    }));

  it('does not hold beside what took its place, whatever became of the file of that', () =>
    withShared(async (test) => {
      const { id } = await storeThree(test);
      await test.ok('share', { node_ids: [id] });
      const { node_id } = await test.ok<Stored>('memory_store', { ...ONCE, supersedes: id });
      const name = filesOf(test).find((one) => one.includes('once')) ?? '';
      const path = join(test.folder, '.svc/memories', name);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replace('once', 'twice'));
      expect(await test.refused('undo')).toMatch(/was changed since/);
      expect(await test.ok('node', { id: node_id })).toMatchObject({ content: `${DECISION} twice` });
      // As on a branch that lacks it: where it is, it would hold again.
      rmSync(path);
      expect(await test.refused('undo')).toMatch(/is not here\. Nothing was changed/);
      expect(await test.ok('node', { id })).toMatchObject({ valid_until: null, tombstoned: 0 });
      writeFileSync(path, text);
      await test.ok('undo');
      expect(await test.ok('node', { id: node_id })).toMatchObject({ tombstoned: 1 });
      expect(await test.ok('node', { id })).toMatchObject({ valid_until: null, tombstoned: 0 });
    }));

  it('is not taken back on a branch that has no shared memory at all', () =>
    withShared(async (test) => {
      const { id } = await storeThree(test);
      await test.ok('share', { node_ids: [id] });
      const { node_id } = await test.ok<Stored>('memory_store', { ...ONCE, supersedes: id });
      const [folder, away] = ['.svc/memories', '.svc/away'].map((name) => join(test.folder, name)) as [string, string];
      renameSync(folder, away);
      expect(await test.refused('undo')).toMatch(/is not here\. Nothing was changed/);
      expect(await test.ok('node', { id })).toMatchObject({ tombstoned: 1, away: true });
      expect(await test.text('node', { id: node_id })).toContain(' · shared, its file is not here · ');
      renameSync(away, folder);
      expect(await test.ok('node', { id })).toMatchObject({ superseded_by: [{ id: node_id }] });
      await test.ok('undo');
      expect(await test.ok('node', { id })).toMatchObject({ superseded_by: [] });
      await test.ok('memory_forget', { node_id: id });
      expect(await test.text('node', { id })).toContain(' · forgotten · ');
    }));

  it('is written again on a branch without any, when its sharing is done again', () =>
    withShared(async (test) => {
      const { id, first } = await storeThree(test);
      await test.ok('share', { node_ids: [first] });
      await test.ok('share', { node_ids: [id] });
      const undone = await test.ok<Shared>('undo');
      rmSync(join(test.folder, '.svc/memories'), { recursive: true });
      await test.ok('undo', { operation: undone.operation });
      expect(filesOf(test)).toHaveLength(1);
      expect(await test.ok('node', { id })).toMatchObject({ tombstoned: 0, marks: ['shared'] });
    }));

  it('is not left beside what it replaced before it was shared', () =>
    withShared(async (test) => {
      const { id } = await storeThree(test);
      const { node_id } = await test.ok<Stored>('memory_store', { ...ONCE, supersedes: id });
      const { operation } = await test.ok<Shared>('share', { node_ids: [node_id] });
      const rewriting = (operation ?? 0) - 1;
      expect(await test.refused('undo', { operation: rewriting })).toMatch(new RegExp(`${node_id} changed since`));
      expect(await test.ok('node', { id })).toMatchObject({ superseded_by: [{ id: node_id }] });
      await test.ok('undo', { operation });
      await test.ok('undo', { operation: rewriting });
      expect(await test.ok('node', { id })).toMatchObject({ superseded_by: [], valid_until: null });
    }));

  it('waits again when the sharing of what was kept in its place is taken back', () =>
    withShared(async (test) => {
      const { id } = await storeThree(test);
      await test.ok('share', { node_ids: [id] });
      const person = await test.another({ by: 'person', client: 'editor' });
      const proposed = [{ kind: 'decision', content: `${DECISION} once`, supersedes: [id] }];
      const { node_ids } = await bringAsFile(person, proposed);
      const [proposal = ''] = node_ids;
      await person.ok('settle', { node_id: proposal, action: 'keep' });
      expect(filesOf(test)).toHaveLength(2);
      for (const files of [1, 2, 1]) {
        const operation = (await history(test, proposal)).at(-1)?.operation;
        await person.ok('undo', { operation });
        expect(filesOf(test)).toHaveLength(files);
        const waiting = await person.ok<{ proposals: { id: string }[] }>('review', { only: 'proposals' });
        expect(waiting.proposals).toHaveLength(files === 1 ? 1 : 0);
      }
      expect(await test.ok('node', { id })).toMatchObject({ valid_until: null });
    }));

  it('opens again what was closed for what was kept in its place, and is not replaced twice', () =>
    withShared(async (test) => {
      const { id, first } = await storeThree(test);
      await test.ok('share', { node_ids: [id] });
      const person = await test.another({ by: 'person', client: 'editor' });
      const proposed = [{ kind: 'decision', content: `${DECISION} once`, supersedes: [id, first] }];
      const [proposal = ''] = (await bringAsFile(person, proposed)).node_ids;
      await person.ok('settle', { node_id: proposal, action: 'keep' });
      expect((await test.ok<{ valid_until: string | null }>('node', { id: first })).valid_until).not.toBeNull();
      const undone = await person.ok<Shared>('undo');
      for (const one of [id, first]) expect(await test.ok('node', { id: one })).toMatchObject({ valid_until: null });
      await test.ok('memory_store', { content: `${DECISION} at once`, kind: 'decision', supersedes: id });
      expect(await person.refused('undo', { operation: undone.operation })).toMatch(new RegExp(`${id} changed since`));
    }));

  it('is out of the way of the next undoing once what took its place is taken back', () =>
    withShared(async (test) => {
      const { id, last } = await storeThree(test);
      await test.ok('memory_verify', { node_id: last, status: 'refute' });
      await test.ok('share', { node_ids: [id] });
      await test.ok('memory_store', { ...ONCE, supersedes: id });
      expect(await test.ok('undo')).toMatchObject({ tool: 'share' });
      expect(await test.ok('undo')).toMatchObject({ tool: 'share', node_ids: [id] });
      expect(await test.ok('undo')).toMatchObject({ tool: 'memory_verify', node_ids: [last] });
      expect(filesOf(test)).toEqual([]);
    }));

  it('does not come back by undoing where it was replaced since, also after its sharing was done again', () =>
    withShared(async (test) => {
      const { id } = await storeThree(test);
      const { operation } = await test.ok<Shared>('share', { node_ids: [id] });
      const undone = await test.ok<Shared>('undo', { operation });
      const again = await test.ok<Shared>('undo', { operation: undone.operation });
      await test.ok('memory_store', { ...ONCE, supersedes: id });
      expect(await test.refused('undo', { operation: again.operation })).toMatch(/changed since/);
      expect(filesOf(test)).toHaveLength(2);
    }));

  it('tells what this process did in its file since, as of one of the store', () =>
    withShared(async (test) => {
      const { first, id } = await storeThree(test);
      await test.ok('share', { node_ids: [id, first] });
      test.later(MINUTE);
      const agent = await test.another({ client: 'agent' });
      await agent.ok('memory_verify', { node_id: id, status: 'refute' });
      const state = { valid_until: null, tombstoned: 0, standing: 'stored' };
      expect((await history(test, id)).slice(2)).toEqual([
        expect.objectContaining({ action: 'share' }),
        expect.objectContaining({
          ...{ action: 'refute', tool: 'memory_verify', client: 'agent', undone_by: null },
          before: { ...state, confidence: 1 },
          after: { ...state, confidence: 0.5, valid_until: '2026-03-31T12:05:00.000Z' },
        }),
      ]);
      await test.ok('memory_forget', { node_id: id });
      expect((await history(test, id)).at(-1)).toMatchObject({ action: 'forget', after: { tombstoned: 1 } });

      const { node_id: newer } = await test.ok<Stored>('memory_store', {
        content: 'It follows the hour',
        kind: 'fact',
      });
      await test.ok('share', { node_ids: [newer] });
      await test.ok('settle', { action: 'merge', node_id: first, other_id: newer });
      expect((await history(test, first)).at(-1)).toMatchObject({ action: 'supersede', other_id: newer, before: null });
      expect(await actions(test, newer)).toEqual(['store', 'share', 'replace']);
    }));

  it('has only its file to tell where it was not shared, and where a stranger wrote its id into a file', async () => {
    await withShared(async (test) => {
      write(test, 'cache.md', note('f_cache', 'fact', 'The cache is cold'));
      expect(await history(test, 'f_cache')).toMatchObject([{ action: 'store', operation: null, client: null }]);
      expect(await test.ok('node', { id: 'f_cache' })).toMatchObject({ session_id: null, session: null });
      expect(await test.ok('nodes', { sessionless: true })).toMatchObject([{ id: 'f_cache' }]);
    });
    await withMemory(async (test) => {
      const { id, session } = await storeThree(test);
      write(test, 'cache.md', note(id, 'fact', 'The cache is cold'));
      expect(await test.ok('node', { id })).toMatchObject({ marks: ['foreign', 'shared'], session: null });
      expect(await history(test, id)).toMatchObject([{ action: 'store', operation: null, client: null }]);
      expect(await test.ok('nodes', { session_id: session })).toHaveLength(2);
    });
  });

  it('stays in its session: in its list and its counts, on both pages, and as what it was about', () =>
    withShared(async (test) => {
      const { first, id, last, session } = await storeThree(test);
      const seen = async () => [
        await sessions(test),
        await sessions(test, { letters: 'webhooks' }),
        await test.ok('memory_list_sessions', {}),
        ids(await test.ok<HeldSession[]>('nodes', { session_id: session })).toSorted(),
        ids((await test.ok<{ nodes: HeldSession[] }>('node', { id: session })).nodes),
        await test.ok('nodes', { sessionless: true, kinds: ['decision', 'fact'] }),
        await test.ok('groups', { by: 'kind', sessionless: true }),
        (await test.ok<{ session: object }>('node', { id })).session,
        (await test.ok<{ session_id: string }>('node', { id })).session_id,
      ];
      const before = await seen();
      expect(before[0]).toMatchObject([{ id: session, node_count: 3, valid: 3, topic: DECISION }]);
      expect(before[4]).toEqual([first, id, last]);
      const { shared, operation } = await test.ok<Shared>('share', { node_ids: [id] });
      expect(await seen()).toEqual(before);

      // What its file says now, in its place.
      const path = join(test.folder, shared[0]?.path ?? '');
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('sent again', 'sent twice'));
      expect(await sessions(test)).toMatchObject([{ valid: 3, topic: 'Webhooks are sent twice' }]);
      const other = await test.another();
      expect(await sessions(other)).toMatchObject([{ valid: 3, topic: 'Webhooks are sent twice' }]);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('sent twice', 'sent again'));
      await test.ok('undo', { operation });
      expect(await seen()).toEqual(before);
    }));

  it('is at its place in the list of its session, on whichever page', () =>
    withShared(async (test) => {
      const { first, id, last, session } = await storeThree(test);
      await test.ok('share', { node_ids: [id] });
      const listed = async (asked: object) => ids(await test.ok('nodes', { session_id: session, ...asked }));
      expect(await listed({})).toEqual([last, id, first]);
      expect(await listed({ limit: 2 })).toEqual([last, id]);
      expect(await listed({ before: last })).toEqual([id, first]);
      expect(await listed({ before: id })).toEqual([first]);
      const about = await test.ok<{ entities: { id: string }[] }>('node', { id });
      expect(await listed({ entity_id: about.entities[0]?.id })).toEqual([last, id, first]);
    }));

  it('is in no session in files and exports, nor when its session was cleared', () =>
    withShared(async (test) => {
      const { id, session } = await storeThree(test);
      const { shared } = await test.ok<Shared>('share', { node_ids: [id] });
      expect(readFileSync(join(test.folder, shared[0]?.path ?? ''), 'utf8')).not.toContain(session);
      let text = '';
      await exportStore(test.project.store, (piece) => {
        text += piece;
      });
      expect((JSON.parse(text) as StoreExport).nodes).toContainEqual(expect.objectContaining({ id, session_id: null }));
      await test.ok('memory_clear_session', { session_id: session });
      expect(await test.ok('nodes', { sessionless: true, kinds: ['decision'] })).toMatchObject([{ id }]);
      expect(await test.ok('node', { id })).toMatchObject({ session: null, tombstoned: 0 });
      await test.ok('undo', {});
      expect(await test.ok('node', { id })).toMatchObject({ session: { id: session } });
    }));
});
