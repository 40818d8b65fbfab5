import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consolidate } from '../../src/server/memory/consolidation/consolidate';
import { bringAsFile } from '../support/imports';
import { type MemoryTest, withMemory } from '../support/memory';
import { storeFact } from '../support/review';
import { FOLDER, filesOf, note, type Shared, type Stored, withShared, write } from '../support/shared';

describe('memories that were shared', () => {
  it('stay beside what was stored in the same session, where they were shared', () =>
    withShared(async (test) => {
      const stored: string[] = [];
      for (const content of [
        'Eviction follows the clock',
        'Webhooks are sent again',
        'Dana wrote it in an afternoon',
      ]) {
        stored.push((await test.ok<Stored>('memory_store', { content, kind: 'fact' })).node_id);
        test.later(45 * 60_000);
      }
      const [first = '', middle = '', last = ''] = stored;
      const reasons = async (query: string) => {
        const { items } = await test.ok<{ items: { id: string; reasons: string[] }[] }>('memory_recall', { query });
        return Object.fromEntries(items.map(({ id, reasons }) => [id, reasons]));
      };
      const before = [await reasons('webhooks'), await reasons('eviction clock')];
      expect(before[0]).toEqual({
        [middle]: ['words'],
        [first]: [`neighbour of ${middle}`],
        [last]: [`neighbour of ${middle}`],
      });
      await test.ok('share', { node_ids: [middle] });
      expect([await reasons('webhooks'), await reasons('eviction clock')]).toEqual(before);
    }));

  it('stay, and are named, when they are forgotten by something else than their id', () =>
    withShared(async (test) => {
      const nothing = { count: 0, mode: 'tombstone', ids: [] };
      const { session_id } = await test.ok<{ session_id: string }>('memory_start_session', { name: 'Builds' });
      const fact = { content: 'The build takes nine minutes', kind: 'fact', entities: ['CI'] };
      const { node_id: shared } = await test.ok<Stored>('memory_store', fact);
      await test.ok('share', { node_ids: [shared] });
      const left = { shared_ids: [shared] };
      expect(await test.ok('memory_forget', { entity: 'CI' })).toEqual({ ...nothing, ...left });
      const { node_id: own } = await test.ok<Stored>('memory_store', { ...fact, content: 'It runs in Docker' });
      expect(await test.ok('memory_forget', { entity: 'CI' })).toEqual({ ...nothing, count: 1, ids: [own], ...left });
      expect(await test.ok('memory_forget', { before: '2030-01-01', purge: true })).toMatchObject(left);
      expect(await test.ok('memory_clear_session', { session_id, purge: true })).toMatchObject(left);
      expect(await test.ok('memory_recall', { query: 'build' })).toMatchObject({ items: [{ id: shared }] });
      const forgotten = await test.ok<object>('memory_forget', { node_id: shared, entity: 'CI' });
      expect(forgotten).toMatchObject({ ids: [shared] });
      expect(forgotten).not.toHaveProperty('shared_ids');
    }));

  it.each([
    ['memory_forget', false],
    ['memory_forget', true],
    ['memory_clear_session', true],
  ])('keep what they are about, and their session, when the rest is forgotten: %s, purged: %s', (tool, purge) =>
    withShared(async (test) => {
      const { session_id } = await test.ok<{ session_id: string }>('memory_start_session', { name: 'Builds' });
      const fact = { content: 'Tea is made of water', kind: 'fact', entities: ['Water'] };
      const { node_id } = await test.ok<Stored>('memory_store', fact);
      await test.ok('memory_store', { content: 'Beer is made of hops', kind: 'fact', entities: ['Hops'] });
      const { operation } = await test.ok<Shared>('share', { node_ids: [node_id] });
      await test.ok('memory_end_session', { summary: 'Drinks' });
      const page = () => test.ok<{ session: object }>('node', { id: node_id });
      test.later(1_000);
      const selector = tool === 'memory_forget' ? { before: '2030-01-01' } : { session_id };
      const done = await test.ok<{ ids: string[]; hidden_ids?: string[] }>(tool, { ...selector, purge });
      expect(done.ids).not.toContain(session_id);
      expect(done.hidden_ids).toEqual(purge && tool === 'memory_clear_session' ? [session_id] : undefined);
      await test.ok('undo', { operation });
      expect(await page()).toMatchObject({ entities: [{ content: 'Water' }] });
      expect(await test.text('memory_about', { entity: 'Water' })).toContain(node_id);
      // Cleared is out of sight until it is restored.
      if (tool === 'memory_clear_session') await test.ok('restore', { node_id: session_id });
      expect((await page()).session).toMatchObject({ id: session_id });
      expect(await test.text('memory_about', { entity: 'Hops' })).not.toContain('Beer');
      // What is meant by its id goes with what it refers to, as before.
      await test.ok('memory_forget', { node_id, before: '2030-01-01', purge: true });
      expect(await test.refused('node', { id: session_id })).toContain('not_found');
    }),
  );

  it('are not called forgotten where their files are not here, and are not changed there', () =>
    withShared(async (test) => {
      const { node_id } = await test.ok<Stored>('memory_store', { content: 'Webhooks are sent again', kind: 'fact' });
      await test.ok('share', { node_ids: [node_id] });
      rmSync(join(test.folder, FOLDER), { recursive: true });
      const isElsewhere =
        / is shared, and its file is not here\. It was forgotten here, cannot be read, or is on another branch/;
      expect(await test.refused('memory_forget', { node_id })).toMatch(isElsewhere);
      expect(await test.refused('memory_verify', { node_id, status: 'confirm' })).toMatch(isElsewhere);
      expect(await test.refused('share', { node_ids: [node_id] })).toMatch(isElsewhere);
      const newer = { content: 'Webhooks are sent once', kind: 'fact', supersedes: node_id };
      expect(await test.refused('memory_store', newer)).toMatch(isElsewhere);
      // To delete what the store still has of it is in a person's hand everywhere.
      expect(await test.ok('memory_forget', { node_id, purge: true })).toMatchObject({ count: 1 });
    }));

  it.each([
    ['memory_forget', {}],
    ['memory_verify', { status: 'refute' }],
    ['settle', { action: 'refute' }],
    ['settle', { action: 'forget' }],
  ])('go with what the store has of them beside their file, so that neither holds any more: %s %j', (tool, input) =>
    withShared(async (test) => {
      const { node_id } = await test.ok<Stored>('memory_store', { content: 'Webhooks are sent again', kind: 'fact' });
      const { shared } = await test.ok<Shared>('share', { node_ids: [node_id] });
      const path = join(test.folder, shared[0]?.path ?? '');
      const text = readFileSync(path, 'utf8');
      rmSync(path);
      // Nobody knows of its file, which comes back later, as from another branch.
      expect(await test.ok('restore', { node_id })).toHaveProperty('unshared');
      writeFileSync(path, text);
      const done = await test.ok(tool, { node_id, ...input });
      if (tool === 'memory_forget') {
        expect(done).toMatchObject({ count: 1, ids: [node_id], path: shared[0]?.path });
      }
      const found = () => test.text('memory_recall', { query: 'webhooks' });
      expect(await found()).not.toContain(node_id);
      rmSync(path, { force: true });
      await test.project.shared.refresh();
      expect(await found()).not.toContain(node_id);
    }),
  );

  it('come back with an export as they are, in the words that their files have now', () =>
    withShared(async (test) => {
      const { node_id } = await test.ok<Stored>('memory_store', { content: 'Webhooks are sent again', kind: 'fact' });
      const { shared } = await test.ok<Shared>('share', { node_ids: [node_id] });
      const path = join(test.folder, shared[0]?.path ?? '');
      writeFileSync(path, readFileSync(path, 'utf8').replace('sent again', 'sent three times'));
      const bring = (content: string) =>
        test.ok('memory_import', { nodes: [{ id: node_id, kind: 'fact', content, namespace: 'default' }] });
      expect(await bring('Webhooks are sent three times')).toMatchObject({ imported: 0, errors: [] });
      expect(await bring('Webhooks are sent again')).toMatchObject({ imported: 0, errors: [] });
      expect(await bring('Webhooks are lost')).toMatchObject({ imported: 0, errors: [{ index: 0 }] });
      // In another namespace nobody knows of it.
      await test.ok('memory_switch_namespace', { namespace: 'other' });
      expect(await bring('Webhooks are sent three times')).toMatchObject({ imported: 1, errors: [] });
    }));

  it('are not stored again, and are near what says it in other words, as those of the store', () =>
    withShared(async (test) => {
      const about = { kind: 'fact', entities: ['Webhook'] };
      const store = (content: string, more: object = {}) =>
        test.ok<Stored & { similar?: object }>('memory_store', { ...about, content, ...more });
      const { node_id } = await store('Webhooks are sent again after 30 seconds');
      await test.ok('share', { node_ids: [node_id] });
      const same = { node_id, created_entity_ids: [], similar: [{ node_id, relation: 'same' }] };
      expect(await store('webhooks are sent again after 30 seconds.')).toMatchObject(same);
      const agent = await test.another({ by: 'agent' });
      expect(await agent.ok('memory_store', { ...about, content: 'Webhooks are sent again after 30 seconds' })).toEqual(
        {
          ...same,
          linked_entity_ids: [expect.stringMatching(/^e_/)],
        },
      );
      const other = await store('Webhooks are sent again after 45 seconds');
      expect(other.similar).toEqual([{ node_id, relation: 'near' }]);
      const { near } = await test.ok<{ near: object[] }>('node', { id: other.node_id });
      expect(near).toMatchObject([{ id: node_id, marks: ['shared'] }]);
      // What it lacks is not lost.
      const reasoned = await store('Webhooks are sent again after 30 seconds', { rationale: 'The receiver restarts' });
      expect(reasoned.node_id).not.toBe(node_id);
      // Elsewhere nothing is shared.
      const elsewhere = await store('Webhooks are sent again after 30 seconds', { namespace: 'other' });
      expect(elsewhere.node_id).not.toBe(node_id);
    }));

  it('that a stranger shares keep nothing from being stored, and are named to nobody as near', () =>
    withMemory(async (test) => {
      write(test, 'theirs.md', note('f_theirs', 'fact', 'Webhooks are sent again after 30 seconds'));
      for (const seconds of [30, 45]) {
        const content = `Webhooks are sent again after ${seconds} seconds`;
        const stored = await test.ok<Stored & { similar?: object[] }>('memory_store', { content, kind: 'fact' });
        expect(stored.node_id).not.toBe('f_theirs');
        expect(JSON.stringify(stored)).not.toContain('f_theirs');
      }
    }));

  it('are closed by no import of an agent, which is told so; what it proposes says that it would', () =>
    withShared(async (test) => {
      const { node_id } = await test.ok<Stored>('memory_store', { content: 'Webhooks are sent again', kind: 'fact' });
      await test.ok('share', { node_ids: [node_id] });
      const nodes = [{ kind: 'fact', content: 'Webhooks are sent once', supersedes: node_id }];
      const { errors } = await test.ok<{ errors: { message: string }[] }>('memory_import', { nodes });
      expect(errors).toHaveLength(1);
      expect(errors[0]?.message).toMatch(/is shared: it stands in a file .*memory_store/);
      const proposed = nodes.map((one) => ({ ...one, standing: 'proposed' }));
      expect(await test.ok('memory_import', { nodes: proposed })).toMatchObject({ imported: 1, errors: [] });
      const { proposals } = await test.ok<{ proposals: unknown[] }>('review', { only: 'proposals' });
      expect(proposals).toMatchObject([{ replaces: [node_id] }]);
    }));

  describe('and would be closed by proposals', () => {
    const withProposed = (
      count: number,
      work: (test: MemoryTest, old: string, proposed: readonly string[]) => Promise<void>,
    ): Promise<void> =>
      withShared(
        async (test) => {
          const { node_id: old } = await test.ok<Stored>('memory_store', {
            content: 'Webhooks are sent again',
            kind: 'fact',
          });
          const nodes = Array.from({ length: count }, (_, i) => ({
            ...{ kind: 'fact', content: `Webhooks are sent ${i + 5} times`, supersedes: [old] },
          }));
          await work(test, old, (await bringAsFile(test, nodes)).node_ids);
        },
        { by: 'person' },
      );
    const openIn = async (test: MemoryTest) =>
      (await test.ok<{ id: string }[]>('nodes', { kinds: ['fact'] })).map(({ id }) => id).sort();
    const replacedBy = async (test: MemoryTest, id: string) =>
      (await test.ok<{ replaces: { id: string }[] }>('node', { id })).replaces.map((one) => one.id);

    it.each(['keep', 'edit'])(
      'stay closed by the first that a person takes (%s), beside which others are kept',
      (action) =>
        withProposed(2, async (test, old, [first = '', second = '']) => {
          await test.ok('share', { node_ids: [old] });
          const content = action === 'edit' ? { content: 'Webhooks are sent five times' } : {};
          const { stored = first } = await test.ok<{ stored?: string }>('settle', {
            action,
            node_id: first,
            ...content,
          });
          expect(await openIn(test)).toEqual([stored, second].sort());
          expect(await replacedBy(test, second)).toEqual([]);
          await test.ok('settle', { action: 'keep', node_id: second });
          expect(await openIn(test)).toEqual([stored, second].sort());
        }),
    );

    it('are closed where they were rewritten before they were shared', () =>
      withProposed(1, async (test, old, [proposed = '']) => {
        const asked = { content: 'Webhooks are sent once more', kind: 'fact', supersedes: old };
        const { node_id } = await test.ok<Stored>('memory_store', asked);
        await test.ok('share', { node_ids: [node_id] });
        expect(await replacedBy(test, proposed)).toEqual([node_id]);
        await test.ok('settle', { action: 'keep', node_id: proposed });
        expect(await openIn(test)).toEqual([proposed]);
      }));

    it('are left by a whole source, of which nobody has looked at each', () =>
      withProposed(2, async (test, old, proposed) => {
        await test.ok('share', { node_ids: [old] });
        const { sources } = await test.ok<{ sources: { source: number }[] }>('review', { only: 'proposals' });
        await test.ok('settle', { action: 'keep', source: sources[0]?.source });
        expect(await openIn(test)).toEqual([old, ...proposed].sort());
        expect(filesOf(test)).toHaveLength(1);
      }));
  });

  it.each([
    ['the older one', 'concatenatePaths returns path1 unchanged if path2 is an empty string.', [0]],
    ['the newer one', 'concatenatePaths returns path1 unchanged if path2 is an empty string.', [1]],
    ['both', 'concatenatePaths returns path1 unchanged if path2 is an empty string.', [0, 1]],
    ['one near-duplicate', 'concatenatePaths returns path1, unchanged, when path2 is empty.', [0]],
  ])('are still kept beside what they are like, when a person has kept both: %s', (_, again, places) =>
    withShared(
      async (test) => {
        for (const other of ['Backups run at night', 'Reviews take a day']) await storeFact(test, other);
        const old = await storeFact(test, 'concatenatePaths returns path1 unchanged when path2 is empty.');
        test.later(1_000);
        const fresh = await storeFact(test, again);
        await test.ok('settle', { action: 'keep', node_id: old, other_id: fresh });
        await test.ok('share', { node_ids: [old, fresh].filter((_id, place) => places.includes(place)) });
        for (const id of [old, fresh]) expect(await test.ok('node', { id })).not.toHaveProperty('near');
        expect(await test.ok('review', { only: 'duplicates' })).toMatchObject({ near_duplicates: [], near: [] });
      },
      { by: 'person' },
    ),
  );

  it.each(['keep', 'merge'])('are no pair with one of the store, which is said with what to do (%s)', (action) =>
    withShared(
      async (test) => {
        const store = async (content: string) =>
          (await test.ok<Stored>('memory_store', { content, kind: 'fact' })).node_id;
        const [node_id, other_id] = [
          await store('Webhooks are sent again'),
          await store('Webhooks are sent again by it'),
        ];
        await test.ok('share', { node_ids: [node_id] });
        for (const pair of [
          { node_id, other_id },
          { node_id: other_id, other_id: node_id },
        ]) {
          const told = await test.refused('settle', { action, ...pair });
          expect(told).toMatch(
            new RegExp(
              `^conflict: ${node_id} cannot be .*: it stands in a file .* Share the other one as well, or change its`,
            ),
          );
        }
        await test.ok('share', { node_ids: [other_id] });
        expect(await test.ok('settle', { action, node_id, other_id })).toMatchObject({ count: 1, action });
      },
      { by: 'person' },
    ),
  );

  it('that two branches say alike are shown as near, left alone, and merged in their files', () =>
    withShared(async (test) => {
      const [one, other] = [
        'Sessions are kept in SQLite, one row for each',
        'Sessions are kept in SQLite, a row for each one',
      ];
      write(test, 'one.md', note('f_one', 'fact', one));
      write(test, 'other.md', note('f_other', 'fact', other, 'about: [Session]\n').replace('03-01', '03-02'));
      write(test, 'one.md', note('f_one', 'fact', one, 'about: [Session]\n'));
      expect(await test.ok('review', { only: 'duplicates' })).toMatchObject({
        near_duplicates: [{ older: { id: 'f_one' }, newer: { id: 'f_other' } }],
      });
      const consolidated = await consolidate(test.project, { everything: true });
      expect(consolidated.namespaces).toMatchObject([
        { closed: [], in_files: [{ older: { id: 'f_one' }, newer: { id: 'f_other' } }] },
      ]);
      expect(await test.ok('settle', { action: 'merge', node_id: 'f_one', other_id: 'f_other' })).toEqual({
        ...{ node_id: 'f_one', action: 'merge', count: 1, entries: [], operation: null },
        paths: [`${FOLDER}/other.md`],
      });
      expect(readFileSync(join(test.folder, FOLDER, 'other.md'), 'utf8')).toContain('\nsupersedes:\n  - f_one\n---\n');
      expect(await test.text('memory_recall', { query: 'sessions' })).not.toContain('[f_one]');
      expect(await test.ok('review', { only: 'duplicates' })).toMatchObject({ near_duplicates: [] });
      await expect(test.ok('settle', { action: 'merge', node_id: 'f_one', other_id: 'f_other' })).rejects.toThrow(
        'closed',
      );
    }));

  it('are about what the one was about whose place they take', () =>
    withShared(async (test) => {
      write(test, 'one.md', note('f_one', 'fact', 'Sessions are kept for a day', 'about: [Session, src/day.ts]\n'));
      write(test, 'other.md', note('f_other', 'fact', 'Sessions are kept for an hour', 'about: [Session, Hour]\n'));
      await test.ok('settle', { action: 'merge', node_id: 'f_one', other_id: 'f_other' });
      const { entities } = await test.ok<{ entities: { content: string }[] }>('node', { id: 'f_other' });
      expect(entities.map(({ content }) => content).toSorted()).toEqual(['Hour', 'Session', 'src/day.ts']);
      expect(readFileSync(join(test.folder, FOLDER, 'one.md'), 'utf8')).toContain('about: [Session, src/day.ts]');
    }));
});
