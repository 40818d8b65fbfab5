import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withFollowedRepository } from '../support/followed-repository';
import { expectOneAnswer } from '../support/one-answer';
import { seededRandom } from '../support/random';
import { openSqlite } from '../support/sqlite';

/** `HISTORIES=50 VISITS=3 SEED=7` for more of them, and for those that a failure names. */
const HISTORIES = Number(process.env.HISTORIES ?? 1);
const FIRST_SEED = Number(process.env.SEED ?? 1);
const COMMITS = 30;
const SYMBOLS = 100;
const VISITS = Number(process.env.VISITS ?? 1);

/** Commits spread over the history of this project, the oldest first. */
function ownCommits(): string[] {
  const all = execFileSync('git', ['rev-list', '--first-parent', '--reverse', 'HEAD', '--', 'src'], {
    cwd: resolve(__dirname, '../..'),
  });
  const commits = all.toString().trim().split('\n');
  return commits.filter((_, i) => i % Math.ceil(commits.length / COMMITS) === 0);
}

async function symbolsIn(folder: string): Promise<string[]> {
  const graph = await openSqlite(join(folder, '.svc', 'graph.db'));
  const rows = await graph.all<{ entity: string }>(
    `SELECT f.path || '#' || s.qualified AS entity FROM graph_symbols AS s JOIN graph_files AS f ON f.id = s.file
     WHERE f.path LIKE 'src/%' AND s.code_type IN ('function', 'class', 'method') GROUP BY entity ORDER BY entity`,
  );
  await graph.close();
  return rows.map(({ entity }) => entity);
}

describe('verdicts on the history of this project', () => {
  const commits = ownCommits();

  it('is there: the tests need a clone that is not shallow', () => {
    expect(commits.length).toBeGreaterThan(1);
  });

  it.each(Array.from({ length: HISTORIES }, (_, i) => FIRST_SEED + i))(
    'are those of a fresh clone, whatever was visited before: seed %i',
    { timeout: 600_000 },
    (seed) =>
      withFollowedRepository({}, async (repository) => {
        const random = seededRandom(seed);
        const { git, build } = repository;
        const done: string[] = [];
        const visit = (): void => {
          const commit = random.of(commits);
          git('checkout', '--force', '--detach', commit);
          done.push(`git checkout ${commit}`);
        };
        git('fetch', resolve(__dirname, '../..'), 'HEAD:refs/heads/own');
        visit();
        await build();
        const symbols = await symbolsIn(repository.folder);
        const ids: string[] = [];
        for (let i = 0; i < SYMBOLS; i++) ids.push(await repository.remember(random.of(symbols)));
        for (let i = 0; i < VISITS; i++) {
          visit();
          if (random.below(2) === 0) await build();
        }
        await expectOneAnswer(repository, { trees: [repository], ids, done }, 'referenced');
      }),
  );
});
