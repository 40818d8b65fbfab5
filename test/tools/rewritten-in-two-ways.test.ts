import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consolidate } from '../../src/server/memory/consolidation/consolidate';
import { type MemoryTest, withMemory } from '../support/memory';
import { FOLDER, filesOf, note, remove, type Shared, type Stored, withShared, write } from '../support/shared';

const REPLACED = 'Sessions are kept for a day';

/** As Git merges two branches that have both rewritten a shared memory. */
function writeFork(test: MemoryTest): void {
  write(test, 'day.md', note('d_day', 'decision', REPLACED));
  write(test, 'hour.md', note('d_hour', 'decision', 'A session ends after an hour', 'supersedes: [d_day]\n'));
  const week = note('d_week', 'decision', 'Nobody is logged out for a week', 'supersedes: [d_day]\n');
  write(test, 'week.md', week.replace('03-01', '03-02'));
}

const textOf = ({ folder }: MemoryTest, name: string): string => readFileSync(join(folder, FOLDER, name), 'utf8');

const FORK = {
  forks: [
    {
      ...{ namespace: 'default', kind: 'decision', replaced: { id: 'd_day', content: REPLACED } },
      older: { id: 'd_hour', content: 'A session ends after an hour' },
      newer: { id: 'd_week', content: 'Nobody is logged out for a week' },
    },
  ],
};

describe('a shared memory that was rewritten in two ways', () => {
  it('waits for review with both of them, until one takes the place of the other', () =>
    withShared(async (test) => {
      expect(await test.ok('review')).toMatchObject({ forks: [] });
      writeFork(test);
      expect(await test.ok('review')).toMatchObject(FORK);
      expect(await test.ok('review', { only: 'forks' })).toMatchObject(FORK);
      expect(await test.ok('review', { only: 'code' })).toMatchObject({ forks: [] });
      expect(await test.text('review')).toBe(
        [
          '## Rewritten in two ways (1)',
          '',
          '- [d_hour] A session ends after an hour',
          '  [d_week] Nobody is logged out for a week',
          `  both in place of [d_day] ${REPLACED}`,
        ].join('\n'),
      );
      await test.ok('settle', { action: 'merge', node_id: 'd_hour', other_id: 'd_week' });
      expect(textOf(test, 'week.md')).toContain('d_hour');
      expect(await test.ok('review')).toMatchObject({ forks: [] });
    }));

  it('waits no more once a person keeps both, or one of them is gone, and again without that in its file', () =>
    withShared(async (test) => {
      writeFork(test);
      expect(await test.ok('settle', { action: 'keep', node_id: 'd_hour', other_id: 'd_week' })).toMatchObject({
        ...{ action: 'keep', count: 1, paths: [`${FOLDER}/week.md`] },
      });
      expect(textOf(test, 'week.md')).toContain('\nbeside:\n  - d_hour\n---\n');
      expect(await test.ok('review')).toMatchObject({ forks: [] });
      // In other words, too.
      write(test, 'two.md', note('d_two', 'decision', 'It ends after two', 'supersedes: [d_hour]\n'));
      expect(await test.ok('review')).toMatchObject({ forks: [] });
      remove(test, 'two.md');
      expect(await test.text('history', { id: 'd_hour' })).toContain(' kept beside d_week · ');
      writeFork(test);
      expect(await test.ok('review')).toMatchObject(FORK);
      remove(test, 'hour.md');
      expect(await test.ok('review')).toMatchObject({ forks: [] });
    }));

  it('waits with the last of each way, however often each was rewritten, until one takes the place of all', () =>
    withShared(async (test) => {
      writeFork(test);
      const last = 'A session ends after two hours';
      write(test, 'hours.md', note('d_hours', 'decision', last, 'supersedes: [d_hour]\n').replace('03-01', '03-03'));
      expect(await test.ok('review')).toMatchObject({
        forks: [{ newer: { id: 'd_hours' }, older: { id: 'd_week' }, replaced: { id: 'd_day' } }],
      });
      write(test, 'both.md', note('d_both', 'decision', 'It ends at night', 'supersedes: [d_hours, d_week]\n'));
      expect(await test.ok('review')).toMatchObject({ forks: [] });
      remove(test, 'both.md');
      await test.ok('memory_verify', { node_id: 'd_week', status: 'refute' });
      expect(await test.ok('review')).toMatchObject({ forks: [] });
    }));

  it('is asked about in the namespace of what is shared alone, and never of what the store has replaced', () =>
    withShared(async (test) => {
      const { node_id } = await test.ok<Stored>('memory_store', { content: 'The store is one file', kind: 'fact' });
      const newer = { content: 'The store is two files', kind: 'fact', supersedes: node_id };
      await test.ok('memory_store', newer);
      writeFork(test);
      expect(await test.ok('review', { all_namespaces: true })).toMatchObject(FORK);
      await test.ok('memory_switch_namespace', { namespace: 'other' });
      expect(await test.ok('review')).toMatchObject({ forks: [] });
      expect(await test.ok('review', { all_namespaces: true })).toMatchObject(FORK);
    }));

  it('is nobody’s to decide about where nobody has accepted the folder', () =>
    withMemory(async (test) => {
      writeFork(test);
      expect(await test.ok('review')).toMatchObject({ forks: [] });
    }));

  it('tells two that say the same apart by their reasons, and is no near-duplicate besides', () =>
    withShared(async (test) => {
      const same = 'Sessions are kept for a week';
      write(test, 'day.md', note('f_day', 'fact', REPLACED));
      for (const [id, why, day] of [
        ['f_law', 'The law asks for it', '03-01'],
        ['f_ux', 'People dislike to log in', '03-02'],
      ] as const) {
        const text = `${same}\n\n## Why\n\n${why}`;
        write(test, `${id}.md`, note(id, 'fact', text, 'supersedes: [f_day]\n').replace('03-01', day));
      }
      const both = { older: { id: 'f_law', reasons: ['The law asks for it'] }, newer: { id: 'f_ux' } };
      expect(await test.ok('review')).toMatchObject({ forks: [both], near_duplicates: [] });
      expect(await test.ok('review', { only: 'duplicates' })).toMatchObject({ near_duplicates: [], near: [] });
      expect((await test.text('review')).split('\n').slice(2, 4)).toEqual([
        '- [f_law] Sessions are kept for a week · The law asks for it',
        '  [f_ux] Sessions are kept for a week · People dislike to log in',
      ]);
    }));

  it('is not asked about, nor are two that are nearly alike, where a file says that both are wanted', () =>
    withShared(async (test) => {
      writeFork(test);
      write(
        test,
        'hour.md',
        note('d_hour', 'decision', 'A session ends after an hour', 'beside: [d_week]\nsupersedes: [d_day]\n'),
      );
      expect(await test.ok('review')).toMatchObject({ forks: [] });
      const same = 'Webhooks are sent again after 30 seconds';
      write(test, 'one.md', note('f_one', 'fact', same, 'about: [Webhook]\n'));
      write(test, 'two.md', note('f_two', 'fact', `${same}.`, 'about: [Webhook]\n').replace('03-01', '03-02'));
      const pair = { older: { id: 'f_one' }, newer: { id: 'f_two' } };
      expect(await test.ok('review')).toMatchObject({ near_duplicates: [pair] });
      expect((await consolidate(test.project, { everything: true })).namespaces).toMatchObject([{ in_files: [pair] }]);
      await test.ok('settle', { action: 'keep', node_id: 'f_one', other_id: 'f_two' });
      expect(await test.ok('review', { only: 'duplicates' })).toMatchObject({ near_duplicates: [], near: [] });
      expect((await consolidate(test.project, { everything: true })).namespaces).toMatchObject([{ in_files: [] }]);
    }));

  it('waits again when what was undone beside the other one is done again, and is no fork with what took its place since', () =>
    withShared(async (test) => {
      write(test, 'day.md', note('d_day', 'decision', REPLACED));
      const rewrite = (content: string) =>
        test.ok<Stored>('memory_store', { content, kind: 'decision', supersedes: 'd_day' });
      const { node_id } = await rewrite('A session ends after an hour');
      const ours = filesOf(test).find((name) => name !== 'day.md') ?? '';
      const text = textOf(test, ours);
      const week = note('d_week', 'decision', 'Nobody is logged out for a week', 'supersedes: [d_day]\n');
      write(test, 'week.md', week);
      const pair = { replaced: { id: 'd_day' }, older: { id: 'd_week' }, newer: { id: node_id } };
      expect(await test.ok('review')).toMatchObject({ forks: [pair] });

      // What the other one has replaced is not there again.
      const undone = await test.ok<Shared>('undo');
      expect(undone).toMatchObject({ node_ids: [node_id], forgotten_ids: [node_id] });
      expect(filesOf(test)).not.toContain(ours);
      expect(await test.ok('review')).toMatchObject({ forks: [] });
      await test.ok('undo', { operation: undone.operation });
      expect(textOf(test, ours)).toBe(text);
      expect(await test.ok('review')).toMatchObject({ forks: [pair] });

      const again = await test.ok<Shared>('undo');
      remove(test, 'week.md');
      const { node_id: newer } = await rewrite('A session ends after two hours');
      expect(await test.refused('undo', { operation: again.operation })).toContain('d_day changed since');
      await test.ok('memory_forget', { node_id: newer });
      write(test, 'day.md', note('d_day', 'decision', REPLACED, 'valid-until: 2026-03-02\n'));
      expect(await test.refused('undo', { operation: again.operation })).toContain('d_day changed since');
    }));
});
