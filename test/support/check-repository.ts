import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { type Beginning, type CodeProject, codeProjectOnce, withCodeProject } from './code-project';
import type { CommandLine, Ran } from './command-line';
import { commandLineHere } from './command-line-here';
import type { Place } from './stdio-client';

export const STORE = `export class Store {
  get(key: string) {
    return find(key);
  }

  put(key: string) {
    return write(key);
  }
}
`;
export const OPEN = 'export function open() {\n  return connect("main");\n}\n';
export const FILES = { 'src/store.ts': STORE, 'src/open.ts': OPEN, 'README.md': '# Read me\n' };

export interface Check {
  readonly base: string;
  readonly compared: string;
  readonly memories: readonly {
    readonly id: string;
    readonly content: string;
    readonly verdict: string;
    readonly symbols: readonly {
      readonly verdict: string;
      readonly was: { readonly file_path: string; readonly name: string };
      readonly now: { readonly file_path: string; readonly name: string; readonly start_line: number } | null;
    }[];
  }[];
}

export interface Repository extends CodeProject {
  git(...args: string[]): string;
  check(...args: string[]): Promise<Ran>;
  /** `<content>: <verdict> <name>@<path>:<line>` of each memory and symbol. */
  found(...args: string[]): Promise<string[]>;
}

const committed: Beginning = codeProjectOnce(FILES, async (project) => {
  await project.remove('.git/HEAD');
  const git = gitIn(project);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  await project.build();
  const remember = (content: string, entity: string) =>
    project.ok('store', content, '--kind', 'decision', '--rationale', 'measured', '--entities', entity);
  await remember('opens slowly', 'open()');
  await remember('gets quickly', 'Store.get');
  await remember('puts safely', 'Store.put');
  await remember('reads well', 'README.md');
});

function gitIn(project: CodeProject): Repository['git'] {
  return (...args) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: project.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: project.home, GIT_CONFIG_NOSYSTEM: '1' },
    }).toString();
}

/**
 * A repository whose sources are committed, with memories on `open`, `Store.get`, `Store.put` and the read-me file.
 * @param commandLine `commandLineHere` for suites with hundreds of commands
 */
export function withRepository(
  work: (repository: Repository) => Promise<void>,
  commandLine?: (place: Place) => CommandLine,
): Promise<void> {
  const opened = async (project: CodeProject): Promise<void> => {
    const git = gitIn(project);
    // The index knows files by what a copy does not keep.
    git('update-index', '--refresh');
    const check: Repository['check'] = (...args) => project.run(['check', ...args]);
    await work({
      ...project,
      git,
      check,
      async found(...args) {
        const { status, out, err } = await check('--json', ...args);
        if (status === 2) throw new Error(err);
        const { memories } = JSON.parse(out) as Check;
        expect(status).toBe(memories.length === 0 ? 0 : 1);
        return memories
          .flatMap(({ content, symbols }) =>
            symbols.map(({ verdict, now }) => {
              return `${content}: ${verdict}${now ? ` ${now.name}@${now.file_path}:${now.start_line}` : ''}`;
            }),
          )
          .sort();
      },
    });
  };
  return withCodeProject({}, opened, committed, commandLine);
}

/** The same, for suites with hundreds of commands: see `commandLineHere`. */
export function withRepositoryHere(work: (repository: Repository) => Promise<void>): Promise<void> {
  return withRepository(work, commandLineHere);
}
