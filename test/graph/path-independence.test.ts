import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { locateMemory } from '../../src/server/memory/verify';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';

/** `SEQUENCES=1000 SEED=7` for more of them, and for those that a failure names. */
const SEQUENCES = Number(process.env.SEQUENCES ?? 6);
const FIRST_SEED = Number(process.env.SEED ?? 1);
const STEPS = 12;
const FUNCTIONS = ['load', 'save', 'parse', 'format', 'open', 'close'];
const FILES = ['src/a.ts', 'src/b.ts', 'lib/c.ts', 'lib/deep/d.ts'];

/** The same numbers for the same seed (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function source(name: string, version: number): string {
  return `export function ${name}(input: string[]): string[] {
  const kept = input.filter((part) => part.length > ${version});
  for (const part of kept) note('${name}', part, ${version});
  return kept.map((part) => part.trim()).sort();
}
`;
}

interface Functions {
  readonly [name: string]: { file: string; version: number; called: string };
}

/** What a work tree holds, written down anew after each step that changes it. */
async function writeAll({ write, folder }: FollowedRepository, functions: Functions): Promise<void> {
  for (const file of FILES) {
    const own = Object.values(functions).filter((one) => one.file === file);
    if (own.length === 0) rmSync(join(folder, file), { force: true });
    else await write(file, own.map(({ called, version }) => source(called, version)).join('\n'));
  }
}

function start(): Record<string, { file: string; version: number; called: string }> {
  return Object.fromEntries(FUNCTIONS.map((name, i) => [name, { file: FILES[i % 3] ?? '', version: 1, called: name }]));
}

async function verdicts({ project }: FollowedRepository, ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const id of ids) {
    for (const { key, now } of await locateMemory(project.memory, id)) {
      const place = now.symbol ? `${now.symbol.file_path}#${now.symbol.name}:${now.symbol.start_line}` : 'nowhere';
      found.push(`${key.file_path}#${key.name} ${now.verdict} ${place}`);
    }
  }
  return found;
}

/** One step of work; those that change nothing are steps as well. */
async function step(
  repository: FollowedRepository,
  { next, branches }: { readonly next: (below: number) => number; readonly branches: Map<string, Functions> },
  current: { branch: string; functions: Functions },
): Promise<void> {
  const { git, build, refresh } = repository;
  const name = FUNCTIONS[next(FUNCTIONS.length)] ?? '';
  const functions = structuredClone(current.functions) as Record<
    string,
    { file: string; version: number; called: string }
  >;
  const one = functions[name];
  const commit = async (what: string): Promise<void> => {
    current.functions = functions;
    await writeAll(repository, functions);
    git('add', '-A');
    git('commit', '--allow-empty', '-m', what);
    branches.set(current.branch, functions);
  };
  switch (next(9)) {
    case 0:
      await build();
      return;
    case 1:
      await refresh('src', 'lib');
      return;
    case 2:
      if (one) one.version++;
      return commit('changed');
    case 3:
      if (one) one.file = FILES[next(FILES.length)] ?? one.file;
      return commit('moved');
    case 4:
      if (one) one.called = `${name}${next(3)}`;
      return commit('renamed');
    case 5:
      for (const other of Object.values(functions)) if (other.file === FILES[0]) other.file = FILES[3] ?? '';
      if (one) one.version++;
      return commit('a file renamed, and one of it changed');
    case 6:
      if (branches.size < 4) {
        current.branch = `branch-${branches.size}`;
        git('checkout', '-b', current.branch);
        branches.set(current.branch, functions);
      }
      return;
    default: {
      const [branch, kept] = [...branches][next(branches.size)] ?? ['main', current.functions];
      git('checkout', branch);
      current.branch = branch;
      current.functions = kept;
    }
  }
}

describe('verdicts depend on the store, the working files and Git alone', () => {
  it.each(Array.from({ length: SEQUENCES }, (_, i) => FIRST_SEED + i))('whatever was built before: seed %i', (seed) =>
    withFollowedRepository({ 'README.md': 'Nothing.\n' }, async (repository) => {
      const next = random(seed);
      const branches = new Map<string, Functions>([['main', start()]]);
      const current = { branch: 'main', functions: start() as Functions };
      await writeAll(repository, current.functions);
      repository.git('add', '-A');
      repository.git('commit', '-m', 'functions');
      await repository.build();
      const ids: string[] = [];
      for (const name of FUNCTIONS) ids.push(await repository.remember(`${current.functions[name]?.file}#${name}`));
      const said: string[] = [];
      for (let i = 0; i < STEPS; i++) await step(repository, { next, branches }, current);
      said.push((await verdicts(repository, ids)).join('\n'));
      await repository.build();
      said.push((await verdicts(repository, ids)).join('\n'));
      for (const suffix of ['', '-wal', '-shm']) {
        rmSync(join(repository.folder, '.svc', `graph.db${suffix}`), { force: true });
      }
      await repository.build();
      said.push((await verdicts(repository, ids)).join('\n'));
      expect(said[0], 'before a build, and after it').toBe(said[1]);
      expect(said[1], 'after a build, and with a new graph').toBe(said[2]);
    }),
  );
});
