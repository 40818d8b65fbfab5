import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeChange } from '../../../src/server/project/file-change';
import { keepChange, keptEditsOf, lastKept, undoKept } from '../../../src/server/project/kept-edits';
import type { MemoryTest } from '../../support/memory';
import { FOLDER, note, withShared, write } from '../../support/shared';

const ID = 'd_bakilomu';
const FIRST = 1_000_000_001;
const PATH = `${FOLDER}/one.md`;

const withEdits = (work: (test: MemoryTest) => Promise<void>): Promise<void> =>
  withShared(
    async (test) => {
      write(test, 'one.md', note(ID, 'decision', 'One file'));
      await test.project.shared.refresh();
      await work(test);
    },
    { client: 'cli' },
  );

const change = async ({ project, memory, folder }: MemoryTest, before: string, after: string): Promise<void> => {
  const made = { id: ID, tool: 'memory_verify', action: 'confirm', root: folder, path: PATH, before, after } as const;
  writeChange(made);
  await keepChange(project, memory, made);
};

const numbers = async ({ project, memory }: MemoryTest): Promise<number[]> =>
  (await keptEditsOf(project, memory, ID)).map(({ operation }) => (operation ?? 0) - FIRST + 1);

it('keeps the newest changes, at most 50 and at most one megabyte of them', () =>
  withEdits(async (test) => {
    for (let time = 0; time < 60; time++) await change(test, `${time}`, `${time + 1}`);
    expect(await numbers(test)).toEqual(Array.from({ length: 50 }, (_, i) => i + 11));
    const [one, other] = ['a'.repeat(200_000), 'b'.repeat(200_000)];
    for (let time = 0; time < 4; time++) await change(test, one, other);
    expect(await numbers(test)).toEqual([63, 64]);
    await change(test, 'a'.repeat(1_200_000), '');
    expect(await numbers(test)).toEqual([65]);
  }));

it('of one moment, the order of what was done tells which was last', () =>
  withEdits(async (test) => {
    const { project, memory } = test;
    await test.ok('memory_store', { content: 'One', kind: 'fact' });
    await change(test, 'a', 'b');
    const at = '2026-03-31T12:00:00.000Z';
    expect(await lastKept(project, memory, { id: 1, at })).toBe(FIRST);
    expect(await lastKept(project, memory, { id: 2, at })).toBeUndefined();
    test.later(1);
    await change(test, 'b', 'c');
    expect(await lastKept(project, memory, { id: 2, at })).toBe(FIRST + 1);
  }));

it('passes over what somebody else wrote there, and writes nothing outside of the folder', () =>
  withEdits(async (test) => {
    const { project, memory, folder } = test;
    await change(test, 'a', 'b');
    const rows = await project.shared.rows();
    const kept = await rows?.get<{ value: string }>(`SELECT value FROM mem_flags WHERE name = 'edit:${FIRST}'`);
    const said = JSON.parse(kept?.value ?? '') as object;
    const hostile = [
      ...['src/a.ts', `${FOLDER}/../../a.ts`, '/a.ts', 7].map((path) => JSON.stringify({ ...said, path })),
      ...['', '[]', 'null', '{}', JSON.stringify({ ...said, before: {} })],
    ];
    await rows?.transact(async (sql) => {
      for (const [i, value] of hostile.entries()) {
        await sql.run('INSERT INTO mem_flags (name, value) VALUES ($name, $value)', {
          name: `edit:${FIRST + 1 + i}`,
          value: value.replaceAll('"after":"b",', ''),
        });
      }
    });
    expect(await numbers(test)).toEqual([1]);
    for (const i of hostile.keys()) {
      await expect(undoKept(project, memory, FIRST + 1 + i)).rejects.toThrow(/There is no operation/);
    }
    expect(existsSync(join(folder, 'a.ts'))).toBe(false);
  }));
