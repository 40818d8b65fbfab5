import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consolidate } from '../../src/server/memory/consolidation/consolidate';
import { FOLDER, note, type Shared, type Stored, withShared, write } from '../support/shared';

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

  it.each(['older', 'newer'])('are merged with one of the store that says the same, where the %s is shared', (which) =>
    withShared(
      async (test) => {
        const store = async (content: string) => {
          test.later(60_000);
          return (await test.ok<Stored>('memory_store', { content, kind: 'fact' })).node_id;
        };
        const older = await store('Webhooks are sent again');
        const newer = await store('Webhooks are sent again by the queue');
        await test.ok('share', { node_ids: [which === 'older' ? older : newer] });
        const open = async () =>
          (await test.ok<{ id: string }[]>('nodes', { kinds: ['fact'] })).map(({ id }) => id).sort();
        const merged = await test.ok<{ operation: number; paths?: string[] }>('settle', {
          ...{ action: 'merge', node_id: older, other_id: newer },
        });
        expect(await open()).toEqual([newer]);
        const [path] = merged.paths ?? [];
        if (which === 'older') {
          expect(readFileSync(join(test.folder, path ?? ''), 'utf8')).toContain(`supersedes:\n  - ${older}\n`);
        } else expect(path).toBeUndefined();
        await test.ok('undo', { operation: merged.operation });
        expect(await open()).toEqual([older, newer].sort());
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
});
