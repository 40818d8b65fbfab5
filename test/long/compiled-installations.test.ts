// The tarball as every package manager and every version of Node installs it, compiled where that is asked for. Each
// compiles SQLite again: this takes half an hour on a busy machine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Installation, type Manager, type NodeName, openWorkshop, type Workshop } from '../support/installations';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop('npm11', 'npm12', 'pnpm', 'node20', 'node22');
});
afterAll(() => workshop.remove());

/** How a person lets the module be compiled, as our own message says. */
const COMPILED: Readonly<Record<Manager, (place: Installation) => Promise<unknown>>> = {
  npm11: (place) => place.install(),
  npm12: async (place) => {
    await place.install();
    await place.manage('install-scripts', 'approve', '@vscode/sqlite3');
    await place.manage('rebuild');
  },
  pnpm: (place) => place.install('--allow-build=@vscode/sqlite3'),
};

describe('the packed tarball', () => {
  it.each<[Manager, NodeName]>([
    ['npm12', 'node22'],
    ['npm12', 'node24'],
    ['npm11', 'node20'],
    ['npm11', 'node22'],
    ['npm11', 'node24'],
    ['pnpm', 'node20'],
    ['pnpm', 'node22'],
    ['pnpm', 'node24'],
  ])('is installed by %s on %s and compiled, and its four programs work', async (manager, node) => {
    const place = await workshop.project(manager, node);
    await COMPILED[manager](place);
    await place.expectToWork('native');
  });

  it.each<[Manager, NodeName]>([
    ['npm11', 'node22'],
    ['pnpm', 'node22'],
    ['npm12', 'node22'],
  ])('is installed by %s on %s without scripts, and its four programs work', async (manager, node) => {
    const place = await workshop.project(manager, node);
    await place.install('--ignore-scripts');
    await place.expectToWork('node');
  });

  it.each<[Manager, readonly string[], readonly (readonly string[])[]]>([
    ['npm11', ['--ignore-scripts'], [['rebuild', '@vscode/sqlite3']]],
    [
      'pnpm',
      [],
      [
        ['approve-builds', '--all'],
        ['install', '--force'],
      ],
    ],
  ])('by %s %j says on a Node without SQLite what mends it, and that does', async (manager, options, remedy) => {
    const place = await workshop.project(manager, 'node20');
    await place.install(...options);
    const { status, err } = await place.run('svc-memory', 'init');
    expect(status).toBe(1);
    expect(err).toContain('There is no SQLite');
    expect(err.trimEnd().split('\n')).toHaveLength(3);
    for (const command of remedy) {
      // A person is asked which ones where this says "all".
      expect(err).toContain(command.filter((word) => word !== '--all').join(' '));
      await place.manage(...command);
    }
    await place.expectToWork('native');
  });
});
