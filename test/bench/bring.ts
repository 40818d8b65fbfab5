import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { atMost, count, type Goal, milliseconds, plain } from './goals';
import { ended, program } from './programs';
import { withPlace } from './servers';
import { table } from './table';
import { timed } from './timing';

/** How long it takes to bring Git's log, in milliseconds: the whole command, its start included. */
export interface BringSpeed {
  readonly commits: number;
  /** Commits that are read, compared with what is there, and stored. */
  readonly first: number;
  /** The same once more, when all of it is known. */
  readonly again: number;
  /** `git log` alone, in the same run. */
  readonly log: number;
}

const COMMITS = 10_000;
const FILES = 500;
/** Every third commit says why. */
const SAYS_WHY = 3;
const WHY = 'It was emptied twice when a writer was ended between two writes, so that the second one found nothing.';
const GOAL = 20_000;

export function measureBring(progress: (text: string) => void): Promise<BringSpeed> {
  return withPlace(async ({ folder }) => {
    const project = join(folder, 'project');
    mkdirSync(project);
    const git = (args: readonly string[], input?: string): void => {
      const { status } = spawnSync('git', args, { cwd: project, input, stdio: ['pipe', 'ignore', 'inherit'] });
      if (status !== 0) throw new Error(`git ${args[0]} ended with ${status}`);
    };
    const environment = { HOME: folder };
    progress(`bring: ${COMMITS} commits`);
    git(['init', '--quiet', '--initial-branch=main']);
    git(['fast-import', '--quiet'], Array.from({ length: COMMITS }, (_, i) => commit(i)).join(''));
    await ended({ project, environment }, [program('svc-memory'), 'init']);
    const taken = async (work: () => Promise<unknown>): Promise<number> => (await timed(work)).ms;
    const command = [program('svc-memory'), 'import', '--from', 'git-log', '--yes'];
    const bring = (): Promise<number> => taken(() => ended({ project, environment }, command));
    const log = await taken(async () => git(['log', '--format=%H%n%B']));
    return { commits: COMMITS, first: await bring(), again: await bring(), log };
  });
}

/** As `git fast-import` takes it. */
function commit(i: number): string {
  const message = i % SAYS_WHY === 0 ? `fix(part${i % 97}): empty queue ${i} once\n\n${WHY}\n` : `chore: step ${i}\n`;
  const text = `${i}\n`;
  return (
    `commit refs/heads/main\ncommitter Ada <ada@example.com> ${1_600_000_000 + i} +0000\n` +
    `data ${message.length}\n${message}M 100644 inline src/file${i % FILES}.ts\ndata ${text.length}\n${text}\n`
  );
}

export function bringGoals(bring: BringSpeed | undefined): Goal[] {
  if (!bring) return [];
  return atMost(`${count(bring.commits)} commits brought by "import --from git-log"`, bring.first, GOAL, milliseconds);
}

export function bringFigures(bring: BringSpeed | undefined): string[] {
  if (!bring) return [];
  const { commits, first, again, log } = bring;
  return [
    '## Bringing what is there',
    '',
    ...table(
      [`a history of ${count(commits)} commits, each third of which says why`, 'ms'],
      [
        ['git log', plain(log)],
        ['svc-memory import --from git-log', plain(first)],
        ['the same again', plain(again)],
      ],
    ),
  ];
}
