import { expect, it } from 'vitest';
import type { ReviewEntry } from '../../src/server/memory/people/review';
import { OPEN } from '../support/check-repository';
import { withFollowedRepository } from '../support/followed-repository';

interface Review {
  readonly entries: readonly ReviewEntry[];
}

it('a memory whose symbol waits for review under its old file and its new one is shown once, for the new one', async () => {
  await withFollowedRepository(
    { 'src/old.ts': OPEN, 'src/new.ts': 'export const other = 1;\n' },
    async (repository) => {
      const { build, remember, write, refresh, call } = repository;
      await build();
      const id = await remember('open');
      const entries = async () =>
        (await call<Review>('review', {})).entries.map((entry) => [entry.id, entry.verdict, entry.now?.file_path]);
      // It waits under its file before anybody has seen where it went.
      await write('src/old.ts', '');
      await write('src/new.ts', OPEN);
      await call('memory_verify_staleness', {});
      expect(await entries()).toEqual([[1, 'moved', 'src/new.ts']]);
      await refresh('src');
      await call('memory_verify_staleness', {});
      expect(await entries()).toEqual([[2, 'moved', 'src/new.ts']]);
      // Settling the one that is shown settles the other one.
      await call('settle', { entry: 2, action: 'dismiss' });
      expect(await entries()).toEqual([]);
      expect(await call('memory_to_code', { memory_id: id })).toMatchObject([{ file_path: 'src/new.ts' }]);
    },
  );
});
