import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SVC_FILE } from '../support/code-project';
import { withCommandLine } from '../support/command-line';
import { copyFolder } from '../support/foreign-store';
import { beforeLeases } from '../support/older-store';
import { openSqlite } from '../support/sqlite';
import { withoutRights } from '../support/without-rights';

describe('a store in a folder that may not be written', () => {
  test('is read, with what stands in its log, and takes no write', () =>
    withCommandLine(async (line) => {
      await line.ok('init');
      await line.ok('store', 'mine', '--kind', 'fact');
      const log = await openSqlite(line.path('.svc', 'memory.db'));
      await log.all(`UPDATE mem_nodes SET content = 'from the log' WHERE content = 'mine'`);
      await copyFolder(line.path('.svc'), line.path('kept'));
      await log.close();
      await rm(line.path('.svc'), { recursive: true });
      await rename(line.path('kept'), line.path('.svc'));
      const before = await readdir(line.path('.svc'));
      expect(before).toContain('memory.db-wal');
      await withoutRights(line.path('.svc'), join(line.folder, '..'), async (uid) => {
        const read = await line.run(['nodes'], uid);
        expect(read.out).toContain('conf 1.00 — from the log');
        const write = await line.run(['store', 'x', '--kind', 'fact'], uid);
        expect(write.err).toMatch(/^unavailable: The store \S+ may not be written\./);
        expect(await readdir(line.path('.svc'))).toEqual(before);
      });
    }));
});

test('a store of an earlier version that may not be written is read, and stays as it is', () =>
  withCommandLine(async (line) => {
    await line.ok('init');
    await line.ok('store', 'mine', '--kind', 'fact');
    await beforeLeases(line.path('.svc', 'memory.db'));
    const before = await readFile(line.path('.svc', 'memory.db'));
    await withoutRights(line.path('.svc'), join(line.folder, '..'), async (uid) => {
      expect(await line.run(['nodes'], uid)).toMatchObject({
        err: '',
        out: expect.stringContaining('conf 1.00 — mine'),
      });
    });
    expect(await readFile(line.path('.svc', 'memory.db'))).toEqual(before);
  }));

describe('what stands in the place of a store', () => {
  test('and is a link to itself is refused with its name, as is its folder; a log that is one is put up with', () =>
    withCommandLine(async (line) => {
      await symlink('.svc', line.path('.svc'));
      expect((await line.run(['init'])).err).toMatch(/^unavailable: \S+ is a link that leads nowhere/);
      await rm(line.path('.svc'));
      await mkdir(line.path('.svc'));
      await symlink('memory.db', line.path('.svc', 'memory.db'));
      for (const args of [['stats'], ['init'], ['store', 'x', '--kind', 'fact']]) {
        const { status, err } = await line.run(args);
        expect([status, err]).toEqual([1, expect.stringMatching(/^unavailable: \S+ is a link that leads nowhere/)]);
      }
      await rm(line.path('.svc', 'memory.db'));
      await line.ok('init');
      await symlink('memory.db-wal', line.path('.svc', 'memory.db-wal'));
      for (const args of [['doctor'], ['stats'], ['store', 'x', '--kind', 'fact']]) {
        expect((await line.run(args)).err).not.toContain('internal');
      }
    }));

  test('and leads out of the project is refused with its name, and nothing is read or written there', () =>
    withCommandLine(async (line) => {
      const other = join(line.folder, '..', 'other');
      await mkdir(join(other, '.svc'), { recursive: true });
      await writeFile(join(other, '.svc', 'memory.db'), '');
      await mkdir(line.path('.svc'));
      for (const target of [join(other, '.svc', 'memory.db'), '/dev/zero', join(other, 'missing')]) {
        await symlink(target, line.path('.svc', 'memory.db'));
        for (const args of [['recall', 'x'], ['store', 'x', '--kind', 'fact'], ['init']]) {
          const { status, err } = await line.run(args);
          expect(status, `${target} ${args[0]}`).toBe(1);
          expect(err).toMatch(/^unavailable: \S+\.svc\/memory\.db is a link that leads /);
        }
        await rm(line.path('.svc', 'memory.db'));
      }
      await rm(line.path('.svc'), { recursive: true });
      await symlink(join(other, '.svc'), line.path('.svc'));
      expect((await line.run(['recall', 'x'])).err).toContain('a link that leads out of the project');
      expect((await stat(join(other, '.svc', 'memory.db'))).size).toBe(0);
      expect(existsSync(join(line.home, '.svc', 'memory.db'))).toBe(false);
    }));

  test('and is still to be made is not made through a link that leads out, nor is a code graph', () =>
    withCommandLine(async (line) => {
      const victim = join(line.folder, '..', 'victim');
      await mkdir(victim);
      await symlink(victim, line.path('.svc'));
      for (const program of [undefined, SVC_FILE]) {
        const { status, err } = await line.run(program ? ['build'] : ['init'], program ? { program } : {});
        expect(status).toBe(1);
        expect(err).toContain('a link that leads out of the project');
      }
      expect(await readdir(victim)).toEqual([]);
    }));

  test('and is no file is an error, not a reason to use the store of the home directory', () =>
    withCommandLine(async (line) => {
      await mkdir(line.path('.svc', 'memory.db'), { recursive: true });
      const { status, err } = await line.run(['store', 'x', '--kind', 'fact']);
      expect({ status, err }).toEqual({
        status: 1,
        err: expect.stringContaining('memory.db is a folder instead of a store'),
      });
      expect(existsSync(join(line.home, '.svc', 'memory.db'))).toBe(false);
    }));
});

test('the home store lies in a home directory, and in no folder that a HOME without a path would make one', () =>
  withCommandLine(async (line) => {
    await line.ok('init');
    for (const home of ['', '.']) {
      const { out } = await line.run(['doctor', '--json'], { env: { HOME: home } });
      const { store } = JSON.parse(out) as { store: { path: string; reason: string } };
      expect(store.reason).toContain('the nearest .svc/memory.db');
      expect(store.path).toBe(line.path('.svc', 'memory.db'));
    }
  }));

test('a home directory where nothing can be made is no reason to hang: the store of the project is used', () =>
  withCommandLine(async (line) => {
    const env = { HOME: '/proc/nowhere' };
    expect(await line.run(['init'], { env })).toMatchObject({ status: 0 });
    expect(await line.run(['store', 'mine', '--kind', 'fact'], { env })).toMatchObject({ status: 0 });
    const { out } = await line.run(['recall', 'mine'], { env });
    expect(out).toContain('mine');
  }));
