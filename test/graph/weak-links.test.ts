import { expect, it } from 'vitest';
import { lensesForFile } from '../../src/server/memory/code/lenses';
import type { CodeLocation } from '../../src/server/memory/code/touches';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';

const ROUTER = 'export function router() {\n  return 1;\n}\n';
const APP = 'export class App {\n  send() {\n    return 2;\n  }\n}\n';
const FILES = { 'src/router.ts': ROUTER, 'src/app.ts': APP, 'src/other.ts': APP.replace('App', 'Other') };

interface Staleness {
  readonly checked: number;
  readonly stale_nodes: readonly { node_id: string; file_path: string; verdict: string; weak?: true }[];
  readonly missing_nodes: readonly unknown[];
}

const placesOf = async ({ call }: FollowedRepository, id: string): Promise<string[]> =>
  (await call<(CodeLocation & { weak?: true })[]>('memory_to_code', { memory_id: id })).map(
    ({ file_path, start_line, weak }) => `${file_path}:${start_line}${weak ? ' weak' : ''}`,
  );

it('an everyday word is found on the code of that name, and puts no lens, doubt or finding there', () =>
  withFollowedRepository(FILES, async (repository) => {
    const { build, remember, write, call, text, project } = repository;
    await build();
    const router = await remember('router');
    const send = await remember('send');
    expect(await placesOf(repository, router)).toEqual(['src/router.ts:1 weak']);
    expect(await placesOf(repository, send)).toEqual(['src/app.ts:2 weak', 'src/other.ts:2 weak']);
    expect(await text('memory_for_code', { file_path: 'src/app.ts' })).toContain(
      `### method App.send (L2–4)\n- [${send}]`,
    );
    expect(await text('memory_for_code', { file_path: 'src/app.ts', line: 1 })).not.toContain(send);
    for (const file of ['src/router.ts', 'src/app.ts']) expect(await lensesForFile(project.memory, file)).toEqual([]);
    await write('src/router.ts', ROUTER.replace('1', '3'));
    expect(await placesOf(repository, router)).toEqual(['src/router.ts:1 weak']);
    expect(await text('memory_for_code', { file_path: 'src/router.ts' })).not.toContain('changed since');
    expect(await call('check', {})).toMatchObject({ memories: [] });
    const { checked, stale_nodes, missing_nodes } = await call<Staleness>('memory_verify_staleness', {});
    expect([checked, missing_nodes]).toEqual([3, []]);
    expect(stale_nodes).toMatchObject([
      { node_id: router, file_path: 'src/router.ts', verdict: 'unchanged', weak: true },
    ]);
    await repository.remove('src/router.ts');
    expect(await placesOf(repository, router)).toEqual([]);
    expect(await call('memory_verify_staleness', {})).toMatchObject({ checked: 2, missing: 0 });
    await build();
    expect(await project.store.all('SELECT name FROM mem_links')).toEqual([]);
  }));

it('with its file, the word means the function there, as a name of code does', () =>
  withFollowedRepository(FILES, async (repository) => {
    const { build, remember, write } = repository;
    await build();
    const named = await remember('send', './src/app.ts');
    const beside = await remember('send', 'src/other.ts#Other');
    const code = await remember('send()');
    expect(await placesOf(repository, named)).toEqual(['src/app.ts:2', 'src/app.ts:1']);
    expect(await placesOf(repository, beside)).toEqual(['src/other.ts:1', 'src/other.ts:2']);
    expect(await placesOf(repository, code)).toEqual(['src/app.ts:2', 'src/other.ts:2']);
    await write('src/app.ts', APP.replace('2', '3'));
    expect(await repository.shown(named, false)).toContain('src/app.ts App.send changed');
  }));

it('the file and its word may come later, and closed memories are not found', () =>
  withFollowedRepository(FILES, async (repository) => {
    const { build, remember, write, refresh, call, text } = repository;
    await build();
    const named = await remember('later', 'src/later.ts');
    const word = await remember('later');
    const closed = await remember('later');
    await call('memory_verify', { node_id: closed, status: 'refute' });
    await write('src/later.ts', 'export function later() {\n  return 4;\n}\n');
    expect(await refresh('src')).toMatchObject({ linked: 2 });
    expect(await placesOf(repository, named)).toEqual(['src/later.ts:1', 'src/later.ts:1']);
    expect(await placesOf(repository, word)).toEqual(['src/later.ts:1 weak']);
    const found = await text('memory_for_code', { file_path: 'src/later.ts' });
    expect([named, word, closed].map((id) => found.includes(id))).toEqual([true, true, false]);
  }));

it('a word with more than 8 definitions means none, and case counts', () => {
  const nine = Array.from({ length: 9 }, (_, i) => [`m${i}.ts`, `export function run() { return ${i}; }\n`]);
  return withFollowedRepository({ ...FILES, ...Object.fromEntries(nine) }, async (repository) => {
    await repository.build();
    expect(await placesOf(repository, await repository.remember('run'))).toEqual([]);
    expect(await placesOf(repository, await repository.remember('Router'))).toEqual([]);
  });
});
