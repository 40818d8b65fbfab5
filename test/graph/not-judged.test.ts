import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MAX_FILE_BYTES } from '../../src/server/graph/source-files';
import { codeDoubts } from '../../src/server/memory/code/doubts';
import { lensesForFile } from '../../src/server/memory/code/lenses';
import { memoriesForCode } from '../../src/server/memory/code/memories-of-file';
import { checkStaleness, type StalenessReport } from '../../src/server/memory/code/staleness';
import { OPEN, STORE, withRepository } from '../support/check-repository';
import { withFollowedRepository } from '../support/followed-repository';
import { repeated } from '../support/hostile-sources';
import { IS_LONG } from '../support/long';

/** In seconds. */
const LATER = Math.ceil(Date.now() / 1000) + 3_600;

const LEFT_OUT: readonly (readonly [reason: string, text: string])[] = [
  ['takes too long', `${OPEN}${repeated('[')}`],
  ['too large', `${OPEN}${'// more\n'.repeat(MAX_FILE_BYTES / 8)}`],
  ['binary', `${OPEN}\0`],
];

it.each(LEFT_OUT)('memories on code in a file that is left out are not judged, and not gone: %s', async (_, text) => {
  // Its text stands elsewhere, too, and was not there before: nobody takes that for where it went.
  const copy = { 'src/other.ts': 'export const other = 1;\n' };
  await withFollowedRepository({ 'src/open.ts': OPEN, ...copy }, async (repository) => {
    const { project, build, remember, write, refresh, call, text: read } = repository;
    await build();
    const id = await remember('src/open.ts#open');
    await write('src/open.ts', text);
    await utimes(join(repository.folder, 'src/open.ts'), LATER, LATER);
    await write('src/other.ts', OPEN);
    for (const step of [() => Promise.resolve(), () => refresh('src'), build]) {
      await step();
      const { symbols } = await memoriesForCode(project.memory, 'src/open.ts', undefined);
      expect(symbols).toMatchObject([
        { name: 'open', symbol: undefined, not_judged: true, memories: [{ id, verdict: 'not judged' }] },
      ]);
      expect(await read('memory_for_code', { file_path: 'src/open.ts' })).toContain(
        '### function open (not judged: its file is left out of the code graph)\n',
      );
      expect(await lensesForFile(project.memory, 'src/open.ts')).toMatchObject([
        { name: 'open', start_line: 1, verdict: 'not judged' },
      ]);
      expect(await codeDoubts(project.memory)).toEqual([]);
      expect(await call('memory_to_code', { memory_id: id })).toEqual([]);
      // By its time it is stale; it is not missing.
      const { report } = await checkStaleness(project.memory);
      expect(report).toMatchObject({ checked: 1, stale: 1, missing: 0, stale_nodes: [{ verdict: 'not judged' }] });
      expect(await call<StalenessReport>('memory_verify_staleness', {})).toMatchObject({ missing: 0 });
      expect(await call('review', {})).toMatchObject({ entries: [] });
    }
    expect(await repository.history(id)).toEqual([]);
    // What was confirmed meanwhile keeps the text that it was linked to.
    await call('memory_verify', { node_id: id, status: 'confirm' });
    await write('src/open.ts', OPEN);
    await write('src/other.ts', '');
    await refresh('src');
    expect(await repository.shown(id, true)).toEqual(['src/open.ts open unchanged']);
  });
});

it('what an editor has unsaved is not judged either, and a memory on the file as a whole is', async () => {
  await withFollowedRepository({ 'src/open.ts': OPEN }, async ({ project, build, remember, write }) => {
    await build();
    await remember('src/open.ts#open');
    await remember('src/open.ts');
    const slow = `${OPEN}${repeated('[')}`;
    const verdicts = [
      { name: 'open.ts', verdict: 'changed' },
      { name: 'open', verdict: 'not judged' },
    ];
    expect(await lensesForFile(project.memory, 'src/open.ts', slow)).toMatchObject(verdicts);
    await write('src/open.ts', slow);
    await build();
    expect(await lensesForFile(project.memory, 'src/open.ts')).toMatchObject(verdicts);
    expect(await codeDoubts(project.memory)).toMatchObject([{ verdict: 'changed', key: { name: 'open.ts' } }]);
  });
});

/** Each command takes all the time that a file may take. */
const CHECKED = IS_LONG ? LEFT_OUT : LEFT_OUT.slice(1);

it.each(CHECKED)('a check tells no loss in a file that is left out, and names the file: %s', async (_, text) => {
  await withRepository(async ({ write, found, check, git }) => {
    await write('src/store.ts', `${text}${STORE}`);
    expect(await found()).toEqual([]);
    const { status, out } = await check();
    expect([status, out]).toEqual([
      0,
      'What changed since HEAD leaves no memory in doubt.\n\nnot judged  src/store.ts: not in the code graph, or a link out of the project\n',
    ]);
    git('add', '.');
    git('commit', '--quiet', '-m', 'left out');
    await write('src/store.ts', STORE);
    expect(await found()).toEqual([]);
    await write('src/open.ts', '');
    expect(await found()).toEqual(['opens slowly: gone']);
    expect((await check('--json')).out).toContain('"not_judged": [\n    "src/store.ts"\n  ]');
  });
});

it('graph_status counts what is left out, and query_codebase says so of a file that it is asked about', async () => {
  await withRepository(async ({ write, build, graphServer }) => {
    await write('src/store.ts', `${STORE}${repeated('[')}`);
    await write('src/large.ts', ' '.repeat(MAX_FILE_BYTES + 1));
    await build();
    const server = await graphServer();
    expect(await server.value('graph_status', {})).toMatchObject({
      left_out: { 'takes too long': 1, 'too large': 1 },
      left_out_files: [
        { path: 'src/store.ts', reason: 'takes too long' },
        { path: 'src/large.ts', reason: 'too large' },
      ],
    });
    for (const query of ['src/store.ts', 'store.ts#Store.get', 'what does Store.get in src/store.ts do?']) {
      expect(await server.text('query_codebase', { query })).toContain(
        '\nLeft out of the code graph: src/store.ts (takes too long).',
      );
    }
    expect(await server.text('query_codebase', { query: 'src/open.ts' })).not.toContain('Left out');
  });
});

it('memories on files that a sparse checkout keeps out are not judged: neither gone, nor taken for a copy', () =>
  withFollowedRepository({ 'one/open.ts': OPEN, 'two/other.ts': 'export const other = 1;\n' }, async (repository) => {
    const { project, build, remember, write, git, call } = repository;
    await build();
    const id = await remember('one/open.ts#open');
    git('mv', 'one/open.ts', 'one/opened.ts');
    git('commit', '-m', 'renamed');
    git('sparse-checkout', 'set', 'two');
    await write('two/other.ts', OPEN);
    for (const step of [() => Promise.resolve(), build]) {
      await step();
      expect(await codeDoubts(project.memory)).toEqual([]);
      expect((await checkStaleness(project.memory)).report).toMatchObject({
        missing_nodes: [{ verdict: 'not judged' }],
      });
      await call('memory_verify_staleness', {});
      expect(await call('review', {})).toMatchObject({ entries: [] });
    }
    git('sparse-checkout', 'disable');
    expect(await repository.shown(id, false)).toEqual(['one/opened.ts open moved']);
    // What is not kept out, but deleted, is gone.
    await repository.remove('one/opened.ts');
    await write('two/other.ts', 'export const other = 1;\n');
    expect(await codeDoubts(project.memory)).toMatchObject([{ verdict: 'gone' }]);
  }));
