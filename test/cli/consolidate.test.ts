import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type CommandLine, withCommandLine } from '../support/command-line';

interface Report {
  readonly dry_run: boolean;
  readonly jobs: { readonly done: number; readonly failed: number };
  readonly namespaces: readonly { readonly namespace: string }[];
}

async function fill({ ok }: CommandLine): Promise<void> {
  await ok('init');
  await ok('store', 'CI runs on Node 24 with the cache', '--kind', 'fact', '--entities', 'unit tests');
  await ok('store', 'CI runs on Node 24, with the cache', '--kind', 'fact', '--entities', 'unit-tests');
  await ok('end-session', 'CI is quick');
}

test('consolidate says what it would do, does it, and then has nothing left to do', async () => {
  await withCommandLine(async (place) => {
    await fill(place);
    const before = await place.ok('export');
    const rehearsal = await place.ok('consolidate', '--dry-run');
    expect(rehearsal).toMatch(
      /^## default: would merge 1 spelling variant\n- \[e_\w+\] unit.tests → \[e_\w+\] unit.tests\n/,
    );
    expect(rehearsal).toMatch(
      /\n## default: would close 1 near-duplicate\n- \[f_\w+\] CI runs .*\n {2}by \[f_\w+\] \(1\.00\) CI runs /,
    );
    expect(rehearsal).toMatch(/\n1 job would be done\.\n$/);
    expect(await place.ok('export')).toBe(before);
    const done = await place.ok('consolidate');
    expect(done).toContain('## default: merged 1 spelling variant');
    expect(done).toContain('## default: closed 1 near-duplicate');
    expect(done).toMatch(/\n1 job done\.\n$/);
    expect(await place.ok('recall', 'CI', '--kinds', 'fact')).toContain('1 items');
    expect(await place.ok('consolidate')).toBe(
      'Nothing to consolidate. No job waited: the namespace default was compared.\n',
    );
    expect(await place.json('doctor')).toMatchObject({ jobs: { queued: 0, running: 0, failed: 0 } });
  });
});

test('consolidate --all looks where no job waits, and --json shows no row numbers', async () => {
  await withCommandLine(async (place) => {
    await fill(place);
    await place.ok('consolidate');
    const text = await place.ok('consolidate', '--all', '--json');
    expect(JSON.parse(text) as Report).toMatchObject({ dry_run: false, jobs: { failed: 0 } });
    expect((JSON.parse(text) as Report).jobs.done).toBeGreaterThan(0);
    expect(text).not.toContain('"seq"');
  });
});

test('without a job it compares the namespace, and Ctrl-C keeps what is done and lets the job wait', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    const nodes = [0, 1].map((i) => ({ kind: 'fact', content: `CI runs on Node 24${i ? ',' : ''} with the cache` }));
    await writeFile(place.path('list.json'), JSON.stringify(nodes));
    await place.ok('import', 'list.json');
    expect(await place.ok('review', 'keep', '--source', '1', '--yes')).toMatch(
      /^Kept: 2 memories \(svc-memory undo \d+\)\n$/,
    );
    expect(await place.json('consolidate', '--dry-run')).toMatchObject({ unasked: 'default', jobs: { done: 0 } });
    const many = Array.from({ length: 6_000 }, (_, i) => ({
      kind: 'fact',
      content: `Note ${i} of ${'word '.repeat(30)}`,
    }));
    await writeFile(place.path('many.json'), JSON.stringify(many));
    await place.ok('import', 'many.json');
    await place.ok('end-session', 'over');
    const stopped = await place.run(['consolidate'], {
      env: { SVC_PROGRESS: 'lines' },
      signal: { name: 'SIGINT', whenTold: 'Comparing' },
    });
    expect(stopped).toMatchObject({ status: 130, out: '' });
    expect(await place.json('doctor')).toMatchObject({ jobs: { queued: 1, running: 0, failed: 0 } });
    expect(await place.json('consolidate')).toMatchObject({ jobs: { done: 1 } });
    expect(await place.ok('consolidate')).toContain('No job waited: the namespace default was compared.');
  });
});

test('two of them at once do each job once', async () => {
  await withCommandLine(async (place) => {
    await fill(place);
    const runs = await Promise.all([0, 1, 2].map(() => place.run(['consolidate', '--json'])));
    expect(runs.map(({ status, err }) => [status, err])).toEqual(runs.map(() => [0, '']));
    const done = runs.map(({ out }) => (JSON.parse(out) as Report).jobs.done);
    expect(done.reduce((sum, each) => sum + each)).toBe(1);
  });
});
