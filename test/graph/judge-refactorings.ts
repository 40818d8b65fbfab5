/** Tests of what becomes of memories whose code is refactored: the same for each refactoring. */
import { describe, expect, it } from 'vitest';
import { builtOnce } from '../support/followed-repository';
import { waysOf } from '../support/long';
import { type Refactoring, SOURCES } from './refactored-sources';

const CHANGED_FILES = ['src', 'tools', 'other', 'packages'];

export function judgeRefactorings(refactorings: readonly Refactoring[]): void {
  const withBuiltRepository = builtOnce(SOURCES);
  const cases = refactorings.map((refactoring, i) => ({
    ...refactoring,
    ways: waysOf(['build', 'refresh'] as const, i),
  }));
  describe.each(cases)('$title', ({ about = ['parse()'], change, shown, live = shown, moves, ways }) => {
    it.each(ways)('with a %s', async (how) => {
      await withBuiltRepository(async (repository) => {
        const id = await repository.remember(...about);
        await change(repository);
        expect(await repository.shown(id, false), 'before it is seen').toEqual(live);
        if (how === 'build') await repository.build();
        else await repository.refresh(...CHANGED_FILES);
        expect(await repository.shown(id, true), 'after it is seen').toEqual(shown);
        expect(await repository.history(id)).toHaveLength(moves);
        // Seen again, nothing more happens.
        await repository.refresh(...CHANGED_FILES);
        expect(await repository.shown(id, true), 'seen again').toEqual(shown);
        expect(await repository.history(id)).toHaveLength(moves);
      });
    });
  });
}
