import { execFileSync } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type CommandLine, withCommandLine } from './command-line';
import { openSqlite, type Sqlite } from './sqlite';

/** A folder that was cloned from a stranger's repository, which brought a store along. */
export interface ForeignStore extends CommandLine {
  /** Of the store in the clone. */
  readonly store: string;
  git(...args: string[]): string;
}

export interface ForeignStoreOptions {
  /** What the stranger does beside storing two memories. */
  readonly work?: (stranger: CommandLine) => Promise<void>;
  /** Called on the stranger's machine, with the store to be committed. */
  readonly tamper?: (store: Sqlite) => Promise<void>;
  /** Sources of the stranger. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Runs `work` in a clone on a machine of its own: the stranger had another home directory. */
export function withForeignStore(
  work: (clone: ForeignStore) => Promise<void>,
  { work: more, tamper, files = {} }: ForeignStoreOptions = {},
): Promise<void> {
  return withCommandLine(
    async (stranger) => {
      await stranger.ok('init');
      await stranger.ok(
        'store',
        'we chose sqlite',
        '--kind',
        'decision',
        '--rationale',
        'no server',
        '--entities',
        'db',
      );
      await stranger.ok('store', 'tests run on Node 24', '--kind', 'fact', '--entities', 'CI');
      await more?.(stranger);
      if (tamper) {
        const store = await openSqlite(stranger.path('.svc', 'memory.db'));
        try {
          await tamper(store);
          await store.all('PRAGMA wal_checkpoint(TRUNCATE)');
        } finally {
          await store.close();
        }
      }
      await rm(stranger.path('.svc', '.gitignore'));
      git(stranger.folder, 'init', '--quiet');
      git(stranger.folder, 'add', '--force', '.');
      git(stranger.folder, 'commit', '--quiet', '-m', 'a useful library');
      await withCommandLine(async (victim) => {
        const folder = victim.path('clone');
        git(victim.folder, 'clone', '--quiet', stranger.folder, folder);
        await work({
          ...victim,
          folder,
          run: (args, options) => victim.run(args, { ...options, cwd: join('clone', options?.cwd ?? '.') }),
          ok: async (...args) => {
            const { status, out, err } = await victim.run(args, { cwd: 'clone' });
            if (status !== 0) throw new Error(`svc-memory ${args.join(' ')} ended with ${status}: ${err}`);
            return out;
          },
          path: (...names) => join(folder, ...names),
          store: join(folder, '.svc', 'memory.db'),
          git: (...args) => git(folder, ...args),
        });
      });
    },
    { files },
  );
}

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=S', '-c', 'user.email=s@example.org', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
  }).toString();
}

/** Puts a copy of a folder elsewhere, as `cp -r` does. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
}
