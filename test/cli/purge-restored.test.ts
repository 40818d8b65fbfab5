import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { openSqlite } from '../support/sqlite';

const SECRET = 'Quetzalcoatl guards the vault';

/** A store whose tables have more pages than one; its first memory is the one that is purged. */
async function withStore(work: (line: CommandLine, id: string) => Promise<void>): Promise<void> {
  await withCommandLine(async (line) => {
    await line.ok('init');
    const { node_id: id } = await line.json<{ node_id: string }>('store', SECRET, '--kind', 'fact');
    const nodes = Array.from({ length: 60 }, (_, i) => ({ content: `Filler ${i}: ${'x'.repeat(100)}`, kind: 'fact' }));
    const { status } = await line.run(['import', '-'], { input: JSON.stringify({ nodes }) });
    expect(status).toBe(0);
    await work(line, id);
  });
}

/** How often the file of the store holds it. */
async function copies(line: CommandLine): Promise<number> {
  const bytes = await readFile(line.path('.svc/memory.db'), 'latin1');
  return bytes.split('Quetzalcoatl').length - 1;
}

/** The files of the store that hold it. */
async function traces(line: CommandLine): Promise<string[]> {
  const names = await readdir(line.path('.svc'));
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(line.path('.svc'), name))] as const),
  );
  return files.flatMap(([name, bytes]) => (bytes.includes('Quetzalcoatl') ? [name] : []));
}

test('a purge leaves no byte of a memory in a store that was restored from a backup', () =>
  withStore(async (line, id) => {
    await line.ok('backup');
    await line.ok('restore-backup', '--yes');
    expect(await copies(line)).toBe(1);
    await line.ok('forget', id, '--purge');
    expect(await traces(line)).toEqual([]);
  }));

test('nor in one that an older version has restored, whose pages hold what they were before', () =>
  withStore(async (line, id) => {
    const sqlite = await openSqlite(line.path('.svc/memory.db'));
    await sqlite.script(`VACUUM INTO '${line.path('copy.db')}'`);
    await sqlite.close();
    for (const name of await readdir(line.path('.svc')))
      if (name.startsWith('memory.db')) await rm(line.path('.svc', name));
    await rename(line.path('copy.db'), line.path('.svc/memory.db'));
    expect(await copies(line)).toBe(2);
    await line.ok('forget', id, '--purge');
    expect(await traces(line)).toEqual([]);
    expect(await line.json<unknown[]>('nodes', '--kinds', 'fact', '--limit', '100')).toHaveLength(60);
    expect(await line.ok('doctor')).toMatch(/erase pending +no/);
  }));
