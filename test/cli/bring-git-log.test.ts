import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bring, write } from '../support/bring';
import { type CommandLine, withCommandLine } from '../support/command-line';

function git({ folder }: CommandLine, author: string, ...args: string[]): void {
  execFileSync('git', ['-c', `user.name=${author}`, '-c', 'user.email=a@example.com', ...args], { cwd: folder });
}

async function commit(place: CommandLine, message: string, file: string, author = 'Ada'): Promise<void> {
  await write(place, { [file]: message });
  git(place, author, 'add', '-A');
  git(place, author, 'commit', '-q', '--no-gpg-sign', '--date', '2025-05-06T10:00:00+02:00', '-m', message);
}

const revertLast = (place: CommandLine): void => git(place, 'Ada', 'revert', '--no-edit', '--no-gpg-sign', 'HEAD');

const WHY =
  'The queue was emptied twice when a writer was ended between two writes, so that the second one found nothing.';

test('commits that say why are brought, with their files; others are not', async () => {
  await withCommandLine(async (place) => {
    execFileSync('git', ['init', '-q'], { cwd: place.folder });
    await place.ok('init');
    await commit(
      place,
      `fix(queue): empty it once\n\n${WHY}\n\nSee \`emptyQueue()\`.\n\nFixes: #12\nSigned-off-by: Ada <a@example.com>`,
      'src/queue.ts',
    );
    await commit(place, 'fix: a typo', 'README.md');
    await commit(
      place,
      `feat!: Node 20 and later\n\nBREAKING CHANGE: Node 18 is not maintained any more.`,
      'package.json',
    );
    await commit(place, `Keep notes in SQLite\n\n${WHY} One file instead of a folder of files.`, 'src/store.ts');
    await commit(
      place,
      'Revert "Cache answers"\n\nThis reverts commit 0123456789abcdef0123456789abcdef01234567.\n\nStale answers were shown after a checkout.',
      'src/cache.ts',
    );
    await commit(place, 'fix: read the last row\n\nDecision: rows end with a line break.', 'src/rows.ts');
    // As a team commits what it shares along with its code.
    await write(place, { '.svc/memories/rows.md': '---\nkind: fact\n---\n\nRows have an age\n' });
    await commit(
      place,
      'Sort by age\n\nDecision:\nthe oldest first,\nthen by name.\nRejected: by size.\n\nNobody asked.',
      'src/sort.ts',
    );
    await commit(place, `Add a table\n\n${WHY}`, 'src/table.ts');
    await commit(place, `fix: bump x\n\n${WHY}`, 'package.json', 'renovate[bot]');
    const { sources, operation } = await bring(place);
    expect(sources).toMatchObject([{ source: 'git log', unread: [] }]);
    expect(sources[0]?.memories.map(({ kind, content, entities }) => [kind, content, entities])).toEqual([
      ['decision', 'the oldest first, then by name (Sort by age)', ['src/sort.ts']],
      ['outcome', 'Fixed: read the last row', ['src/rows.ts']],
      ['outcome', 'Reverted: "Cache answers"', ['src/cache.ts']],
      ['decision', 'Keep notes in SQLite', ['src/store.ts']],
      ['decision', 'Node 20 and later', ['package.json']],
      ['outcome', 'Fixed: queue: empty it once', ['emptyQueue()', 'src/queue.ts']],
    ]);
    expect(sources[0]?.memories[5]).toMatchObject({
      rationale: `${WHY}\n\nSee \`emptyQueue()\`.`,
      valid_from: '2025-05-06T08:00:00.000Z',
    });
    // One more commit is one more memory, and the others are known.
    await commit(place, `fix: wait for the log\n\n${WHY}`, 'src/log.ts');
    expect(await bring(place)).toMatchObject({ imported: 1, sources: [{ new: 1, known: 6, changed: 0 }] });
    // What was taken back is none, until that is taken back.
    await commit(place, `fix: write at once\n\n${WHY}`, 'src/log.ts');
    revertLast(place);
    expect(await bring(place)).toMatchObject({ imported: 0, sources: [{ new: 0, known: 7 }] });
    revertLast(place);
    expect(await bring(place)).toMatchObject({ imported: 1, sources: [{ new: 1, known: 7 }] });
    await place.ok('undo', String(operation));
  });
});
