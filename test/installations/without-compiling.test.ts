// What today's package managers leave behind: they run no install script unless they are told to.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkshop, type Workshop } from '../support/installations';

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop('npm12', 'pnpm');
});
afterAll(() => workshop.remove());

describe('the packed tarball, where nothing is compiled', () => {
  it.each([
    ['npm12', []],
    ['npm12', ['--ignore-scripts']],
    ['pnpm', []],
  ] as const)('is installed by %s %j, and its four programs work', async (manager, options) => {
    const place = await workshop.project(manager, 'node24');
    await place.install(...options);
    expect(existsSync(join(place.folder, 'node_modules/@vscode/sqlite3/build'))).toBe(false);
    await place.expectToWork('node');
  });
});
