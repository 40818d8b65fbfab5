import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CodeLocation } from '../../src/server/memory/code/touches';
import { SVC_FILE } from '../support/code-project';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';

const SOURCES = {
  'src/store.ts':
    'export class Store {\n  get() { return 1; }\n  open() { return 2; }\n}\nexport function open() { return 3; }\n',
  'src/other.ts': 'export class Store {\n  get() { return 4; }\n}\nexport const c = 1;\n',
  'src/parts.ts': 'namespace a {\n  class Part { make() { return 6; } }\n}\nclass Whole { make() { return 7; } }\n',
  'src/on.ts': 'export class on { nine() { return 8; } }\n',
  TOOL: '#!/bin/sh\necho it\n',
  'docs/c#.ts': 'export function sharp() { return 5; }\n',
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [
      `many/n${i}.ts`,
      `export function nine() { return ${i}; }\n${i < 8 ? `export function eight() { return ${i}; }\n` : ''}` +
        `export class Nine { get() { return ${i}; }\n'on.nine'() { return ${i}; } }\n`,
    ]),
  ),
};

/** What a memory about this name is linked to: `path:line`. */
async function meant({ remember, call }: FollowedRepository, ...names: string[]): Promise<string[]> {
  const places = await call<CodeLocation[]>('memory_to_code', { memory_id: await remember(...names) });
  return places.map(({ file_path, start_line }) => `${file_path}:${start_line}`).sort();
}

it('a name means the symbols and files that it says, and none when it says too little', () =>
  withFollowedRepository(SOURCES, async (repository) => {
    await repository.build();
    const GETS = ['src/other.ts:2', 'src/store.ts:2'];
    const OPENS = ['src/store.ts:3', 'src/store.ts:5'];
    for (const [name, places] of [
      ['Make', []],
      ['open', OPENS],
      ['open()', OPENS],
      ['Store.get', GETS],
      ['Store::get', GETS],
      ['Store.get()', GETS],
      ['src/store.ts', ['src/store.ts:1']],
      ['./src/store.ts', ['src/store.ts:1']],
      ['src\\store.ts', ['src/store.ts:1']],
      ['../src/store.ts', []],
      ['/src/store.ts', []],
      ['src/none.ts', []],
      // A file without a dot in its name has to be named as a path.
      ['TOOL', []],
      ['./TOOL', ['TOOL:1']],
      ['src/store.ts#open', ['src/store.ts:5']],
      ['src/store.ts#get', ['src/store.ts:2']],
      ['src/store.ts#exports.get', ['src/store.ts:2']],
      ['src/store.ts#exports.open', []],
      ['src/parts.ts#make', []],
      ['src/parts.ts#Part.make', ['src/parts.ts:2']],
      ['src/parts.ts#Other.Part.make', []],
      ['src/store.ts#Store.open', ['src/store.ts:3']],
      ['src/store.ts#Store::get', ['src/store.ts:2']],
      ['src/other.ts#open', []],
      ['src/store.ts#', []],
      ['docs/c#.ts', ['docs/c#.ts:1']],
      ['eight', Array.from({ length: 8 }, (_, i) => `many/n${i}.ts:2`)],
      ['nine', []],
      ['Nine.get', Array.from({ length: 9 }, (_, i) => `many/n${i}.ts:${i < 8 ? 3 : 2}`)],
      // What is quoted is no qualified name.
      ['on.nine', ['src/on.ts:1']],
      ['many/n8.ts#nine', ['many/n8.ts:1']],
    ] as const) {
      expect(await meant(repository, name), name).toEqual(places);
    }
    expect(await meant(repository, 'src/other.ts', 'Store.open')).toEqual(['src/other.ts:1', 'src/store.ts:3']);
  }));

it('a build links memories that were stored before, once, and says how many', () =>
  withFollowedRepository({ 'src/store.ts': SOURCES['src/store.ts'] }, async (repository) => {
    expect(await meant(repository, 'Store.get')).toEqual([]);
    expect(await repository.build()).toMatchObject({ linked: 1, reanchored: 0 });
    await meant(repository, 'later()');
    await repository.write('src/later.ts', 'export function later() { return 1; }\n');
    expect(await repository.build()).toMatchObject({ linked: 1, reanchored: 0 });
    await repository.move('src/later.ts', 'src/moved.ts');
    expect(await repository.refresh('src')).toMatchObject({ linked: 0, reanchored: 1 });
    expect(await repository.build()).toMatchObject({ linked: 0, reanchored: 0 });
  }));

it('recall finds a memory through a document that speaks of its code, one step away', () => {
  const guide = '# Guide\n\n## Zebra crossing\n\nPedestrians wait in `src/store.ts#Store.get`.\n';
  return withFollowedRepository({ ...SOURCES, 'guide.md': guide }, async (repository) => {
    const { remember, text, folder, build } = repository;
    await build();
    const id = await remember('Store.get');
    const recall = (query: string, hops = 1) => text('memory_recall', { query, hops, budget_tokens: 5_000 });
    expect(await recall('zebra pedestrians')).not.toContain(id);
    execFileSync(process.execPath, [SVC_FILE, 'ingest', 'guide.md', '--llm', 'none'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: join(folder, '..', 'home') },
      stdio: 'pipe',
    });
    expect(await recall('zebra pedestrians')).toContain(id);
    expect(await recall('zebra pedestrians', 0)).not.toContain(id);
    expect(await recall('giraffe')).not.toContain(id);
  });
});

it('what is remembered on a symbol is asked for as answers name it', () =>
  withFollowedRepository(SOURCES, async ({ build, remember, text }) => {
    await build();
    await remember('src/store.ts#Store.get');
    await remember('src/store.ts#open');
    const asked = (file_path: string) => text('memory_for_code', { file_path });
    const one = await asked('src/store.ts#Store.get');
    expect(one).toMatch(/^## Memories touching `src\/store\.ts`:2\n### method Store\.get \(L2–2\)\n- .*Store\.get$/);
    // Whose name is not there: all of its file.
    expect(await asked('src/store.ts#Store.gone')).toMatch(/### method Store\.get(?:.|\n)*### function open/);
    // A file that is really called so.
    await remember('docs/c#.ts');
    expect(await asked('docs/c#.ts')).toContain('### file c#.ts');
    expect(await asked('src/nowhere.ts#one')).toContain('There is no file `src/nowhere.ts#one`');
  }));
