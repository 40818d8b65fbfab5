import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { type CodeProject, withCodeProjectHere } from '../support/code-project';
import type { RunOptions } from '../support/command-line';
import { withoutRights } from '../support/without-rights';

const OPEN = 'export function open() {\n  return connect("main");\n}\n';

/** A memory on a function that was changed since, as entry 1 of the queue. */
function withEntry(work: (project: CodeProject, node_id: string) => Promise<void>): Promise<void> {
  return withCodeProjectHere({ 'src/open.ts': OPEN }, async (project) => {
    await project.build();
    const { node_id } = await project.json<{ node_id: string }>(
      ...['store', `opens slowly ${'because of the network '.repeat(10)}`, '--kind', 'fact', '--entities', 'open()'],
      ...['--confidence', '0.7'],
    );
    await project.write('src/open.ts', OPEN.replace('main', 'other'));
    await project.ok('verify-staleness');
    await work(project, node_id);
  });
}

const stateOf = ({ json }: CodeProject, id: string) =>
  json<{ confidence: number; valid_until: string | null; tombstoned: number }>('node', id);

it('review lists what waits in 80 columns, and says how to go on', async () => {
  await withEntry(async ({ run }, node_id) => {
    const { status, out, err } = await run(['review']);
    expect(status).toBe(0);
    expect(out).toMatch(
      new RegExp(
        `^## Memories on code that is not as it was \\(1\\)\n\n1 {2}changed {2}src/open\\.ts:1 open\n {3}changed since \\d{4}-\\d\\d-\\d\\d\n {3}\\[${node_id}\\] fact: opens slowly because .*…\n$`,
      ),
    );
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(err).toBe('Settle with: svc-memory review confirm|refute|forget|dismiss <number>\n');
  });
});

it('review names the symbol of a memory that is about its file, too, as its code', async () => {
  await withCodeProjectHere({ 'src/a.ts': OPEN.replace('open', 'serve') }, async (project) => {
    await project.build();
    // In the order of their names the file is first.
    await project.ok('store', 'Serves', '--kind', 'fact', '--entities', 'serve', '--entities', 'src/a.ts');
    await project.write('src/a.ts', OPEN.replace('open', 'serve').replace('main', 'other'));
    await project.ok('verify-staleness');
    const review = await project.ok('review');
    expect(review).toMatch(/^## Memories on code that is not as it was \(1\)\n/);
    expect(review).toMatch(/ {2}changed {2}src\/a\.ts:1 serve$/m);
    expect(await project.json('status')).toMatchObject({ doubts: 1, doubts_of_files: 0 });
  });
});

it('review says that the file is gone, or the function, as it is now and not as it was when it was queued', async () => {
  const SHUT = 'export function shut() {\n  return disconnect("main");\n}\n';
  await withCodeProjectHere({ 'src/open.ts': OPEN + SHUT }, async ({ build, ok, write, remove }) => {
    await build();
    await ok('store', 'opens slowly', '--kind', 'fact', '--entities', 'open()');
    await ok('store', 'shuts slowly', '--kind', 'fact', '--entities', 'shut()');
    /** What review says of both. */
    const said = async (): Promise<string[]> => {
      await ok('verify-staleness');
      return (await ok('review')).match(/\S+ is gone$/gm) ?? [];
    };
    await remove('src/open.ts');
    expect(await said()).toEqual(['src/open.ts is gone', 'src/open.ts is gone']);
    await write('src/open.ts', OPEN + SHUT);
    expect(await said()).toEqual([]);
    await write('src/open.ts', SHUT);
    expect(await said()).toEqual(['open is gone']);
    await write('src/open.ts', '');
    expect(await said()).toEqual(['open is gone', 'shut is gone']);
    await remove('src/open.ts');
    expect(await said()).toEqual(['src/open.ts is gone', 'src/open.ts is gone']);
  });
});

it('verify-staleness lists what is in doubt by its code, and nothing that was merely written since', async () => {
  const OTHER = 'export function shut() {\n  return disconnect("main");\n}\n';
  await withEntry(async (project, node_id) => {
    await project.write('src/shut.ts', OTHER);
    await project.build();
    const on = async (content: string, entity: string): Promise<string> =>
      (await project.json<{ node_id: string }>('store', content, '--kind', 'fact', '--entities', entity)).node_id;
    await on('shuts at once', 'shut()');
    const file = await on('is generated', 'src/shut.ts');
    await project.write('src/shut.ts', `// Written since.\n${OTHER}`);
    const { out, err } = await project.run(['verify-staleness']);
    expect(out).toBe(
      [
        'places checked             3',
        'no longer fit              1',
        'about a file that changed  1',
        'memories',
        '  node_id     file_path    verdict',
        `  ${node_id}  src/open.ts  changed`,
        `  ${file}  src/shut.ts  file changed`,
        'next                       "svc-memory review" shows what they say; "svc-memory',
        '                           compare <id>" shows the code of one then and now.',
        '',
      ].join('\n'),
    );
    expect(err).toBe('');
    expect(await project.json('status')).toMatchObject({ doubts: 2, doubts_of_files: 1 });
    const review = await project.ok('review');
    expect(review).toMatch(/^## Memories on code that is not as it was \(2, 1 on whole files alone\)\n/);
    expect(review.match(/ {2}changed {2}.*/g)).toEqual([
      expect.stringMatching(/src\/open\.ts:\d+ open$/),
      expect.stringMatching(/src\/shut\.ts:\d+ \(whole file\)$/),
    ]);
    // The one that was first in doubt is not the first of the list.
    expect((await project.run(['review'])).err).toMatch(
      /<number>\nEach entry keeps its number until it is settled\.\n$/,
    );
    await project.ok('forget', node_id);
    await project.ok('forget', file);
    expect(await project.run(['verify-staleness'])).toMatchObject({
      out: 'places checked             1\nno longer fit              0\nabout a file that changed  0\n',
      err: '',
    });
  });
});

it('a proposal whose code changed is counted once, as what was proposed', () =>
  withCodeProjectHere({ 'src/open.ts': OPEN }, async (project) => {
    await project.build();
    await project.write('one.json', JSON.stringify([{ kind: 'fact', content: 'opens slowly', entities: ['open()'] }]));
    await project.ok('import', 'one.json');
    await project.write('src/open.ts', OPEN.replace('main', 'other'));
    expect(await project.ok('verify-staleness')).toBe(
      'places checked             1\nno longer fit              0\nabout a file that changed  0\n',
    );
    expect(await project.json('status')).toMatchObject({ doubts: 0, proposals: 1 });
    expect(await project.ok('review')).toMatch(
      /^## Proposed by import one\.json \(1\) .*\n- .* opens slowly\n {2}its code has changed since\n$/,
    );
  }));

it.each([
  ['confirm', 'Still true', { confidence: 0.8, valid_until: null, tombstoned: 0 }],
  ['refute', 'No longer true', { confidence: 0.35, valid_until: expect.any(String), tombstoned: 0 }],
  ['forget', 'Forgotten', { confidence: 0.7, valid_until: null, tombstoned: 1 }],
  ['dismiss', 'Change ignored', { confidence: 0.7, valid_until: null, tombstoned: 0 }],
])(
  'review %s settles an entry, says so in one line, and the next command can undo it',
  async (action, words, after) => {
    await withEntry(async (project, node_id) => {
      const said = await project.ok('review', action, '1');
      expect(said).toMatch(
        new RegExp(`^${words}: \\[${node_id}\\] opens slowly because .*… \\(svc-memory undo 2\\)\n$`),
      );
      expect(said.trimEnd().length).toBeLessThanOrEqual(80);
      expect(await stateOf(project, node_id)).toMatchObject(after);
      expect(await project.ok('review')).toBe('Nothing waits for review.\n');
      expect(await project.ok('review', 'undo')).toMatch(
        new RegExp(`^Taken back: ${words.toLowerCase()}\\. \\[${node_id}\\] .*… \\(again: svc-memory undo 3\\)\n$`),
      );
      expect(await stateOf(project, node_id)).toMatchObject({ confidence: 0.7, valid_until: null, tombstoned: 0 });
      expect(await project.json('review')).toMatchObject({ entries: [{ id: 1, verdict: 'changed' }] });
    });
  },
);

it('review merges and keeps near-duplicates', async () => {
  await withCodeProjectHere({}, async (project) => {
    const store = async (content: string): Promise<string> =>
      (await project.json<{ node_id: string }>('store', content, '--kind', 'fact')).node_id;
    const old = await store('CI runs on Node 24 with the cache');
    const fresh = await store('CI runs on Node 24, with the cache');
    const { out, err } = await project.run(['review']);
    expect(out).toContain('## Near-duplicates (1)');
    expect(err).toContain('Pairs: svc-memory review merge <id> <id>, where the second takes the place; keep <id> <id>');
    expect(await project.ok('review', 'keep', old, fresh)).toMatch(
      new RegExp(`^Kept beside \\[${fresh}\\]: \\[${old}\\] CI .*… \\(svc-memory undo 3\\)\n$`),
    );
    expect(await project.ok('review')).toBe('Nothing waits for review.\n');
    await project.ok('undo');
    expect(await project.ok('review', 'merge', old, fresh)).toMatch(
      new RegExp(`^Replaced by \\[${fresh}\\]: \\[${old}\\] CI .*… \\(svc-memory undo 5\\)\n$`),
    );
    expect(await stateOf(project, old)).toMatchObject({ valid_until: expect.any(String) });
    expect(await project.ok('history', old)).toContain(`superseded by ${fresh}`);
    await project.ok('review', 'undo', '5');
    expect(await stateOf(project, old)).toMatchObject({ valid_until: null });
  });
});

it('undo, restore and sessions are commands, too', async () => {
  await withCodeProjectHere({}, async (project) => {
    const { node_id } = await project.json<{ node_id: string }>('store', 'A fact', '--kind', 'fact');
    await project.ok('forget', '--node-id', node_id);
    await project.ok('restore', node_id);
    expect(await stateOf(project, node_id)).toMatchObject({ tombstoned: 0 });
    await project.ok('undo');
    expect(await stateOf(project, node_id)).toMatchObject({ tombstoned: 1 });
    expect(await project.ok('sessions', '--all-namespaces')).toMatch(
      /· open · default · 1 stored · cli \(\d+ on .*, left it\)/,
    );
  });
});

it('review refuses what it does not know, with one sentence and never a stack', async () => {
  await withCodeProjectHere({}, async ({ run }) => {
    const refused = async (status: number, pattern: RegExp, ...args: string[]) => {
      const ran = await run(['review', ...args]);
      expect([ran.status, ran.out]).toEqual([status, '']);
      expect(ran.err).toMatch(pattern);
      expect(ran.err.trimEnd()).not.toContain('\n');
    };
    await refused(2, /^usage: .*approve.* Allowed choices are confirm, refute/, 'approve', '1');
    await refused(2, /^usage: confirm takes the number of an entry, or the id of a memory/, 'confirm');
    await refused(2, /^usage: merge takes the ids of two memories/, 'merge', 'f_one');
    await refused(2, /^usage: undo is "x"\. It must be a whole number/, 'undo', 'x');
    await refused(2, /^usage: --only is "all"/, '--only', 'all');
    await refused(1, /^not_found: There is no entry 7 in the review queue/, 'confirm', '7');
    await refused(1, /^not_found: There is no memory "f_nothing" in this namespace\./, 'refute', 'f_nothing');
    await refused(1, /^not_found: There is no operation 7 in this namespace/, 'undo', '7');
    await refused(1, /^not_found: There is no operation here to undo/, 'undo');
  });
});

it.each([
  ['dismiss', /accepts: \[/],
  ['confirm', /accepts: \[/],
  ['refute', /valid-until: /],
  ['forget', undefined],
] as const)('review %s takes the entry of a shared memory, and writes into its file', async (action, written) => {
  await withEntry(async (project, node_id) => {
    await project.ok('share', node_id);
    await project.ok('verify-staleness');
    const { out } = await project.run(['review']);
    const entry = /^(\d+) {2}changed/m.exec(out)?.[1] ?? '';
    const { node_id: settled, paths } = await project.json<{ node_id: string; paths: string[] }>(
      'review',
      action,
      entry,
    );
    expect(settled).toBe(node_id);
    const file = project.path(...paths);
    if (written === undefined) expect(existsSync(file)).toBe(false);
    else expect(readFileSync(file, 'utf8')).toMatch(written);
    expect((await project.run(['review'])).out).toContain('Nothing waits for review');
  });
});

it('review dismiss accepts the code of a shared memory in the file of the entry alone', async () => {
  const SHUT = 'export function shut() {\n  return disconnect("main");\n}\n';
  await withCodeProjectHere({ 'src/open.ts': OPEN, 'src/shut.ts': SHUT }, async (project) => {
    await project.build();
    const { node_id } = await project.json<{ node_id: string }>(
      ...['store', 'both wait', '--kind', 'fact', '--entities', 'open()', '--entities', 'shut()'],
    );
    await project.ok('share', node_id);
    await project.write('src/open.ts', OPEN.replace('main', 'other'));
    await project.write('src/shut.ts', SHUT.replace('main', 'other'));
    await project.ok('verify-staleness');
    const waiting = async () => (await project.run(['review'])).out.match(/^(\d+) {2}changed {2}(\S+):/gm) ?? [];
    const [first = '', ...others] = await waiting();
    expect(others).toHaveLength(1);
    expect(await project.ok('review', 'dismiss', first.split(' ')[0] ?? '')).toMatch(
      new RegExp(
        `^Change ignored: \\[${node_id}\\] both wait\n {2}in \\.svc/memories/both-wait-\\w+\\.md, to be committed\n$`,
      ),
    );
    expect(await waiting()).toEqual(others);
    expect(await project.ok('review', 'forget', node_id)).toMatch(
      new RegExp(`^Forgotten: \\[${node_id}\\] both wait\n {2}without \\.svc/memories/.*\\.md, to be committed\n$`),
    );
  });
});

it('review keep says what can be done about a pair with a shared memory', async () => {
  await withCodeProjectHere({ 'src/open.ts': OPEN }, async (project) => {
    const ids: string[] = [];
    for (const content of ['It opens the file as one stream', 'It opens the file as one stream of text']) {
      const stored = await project.json<{ node_id: string }>(
        'store',
        content,
        '--kind',
        'fact',
        '--entities',
        'open()',
      );
      ids.push(stored.node_id);
    }
    await project.ok('share', ids[0] ?? '');
    const { status, err } = await project.run(['review', 'keep', ...ids]);
    expect(status).toBe(1);
    expect(err).toMatch(/cannot be kept beside another one: it stands in a file.* change its words/s);
  });
});

it('review names no command for undoing what was shared along', async () => {
  await withCodeProjectHere({}, async (project) => {
    const { node_id } = await project.json<{ node_id: string }>('store', 'Sessions are files', '--kind', 'fact');
    await project.ok('share', node_id);
    const proposed = [{ kind: 'fact', content: 'Sessions are rows', supersedes: [node_id] }];
    await project.write('one.json', JSON.stringify(proposed));
    const { node_ids } = await project.json<{ node_ids: string[] }>('import', 'one.json');
    const [id = ''] = node_ids;
    expect(await project.ok('review', 'keep', id, '--yes')).toMatch(
      new RegExp(`^Kept: \\[${id}\\] Sessions are rows\n {2}in \\.svc/memories/.*\\.md, to be committed\n$`),
    );
  });
});

it('review quotes the namespace in the command for undoing, as a shell needs it', async () => {
  await withCodeProjectHere({}, async (project) => {
    const named = ['--namespace', "Dana's team"];
    const { node_id } = await project.json<{ node_id: string }>('store', 'Queues are rows', '--kind', 'fact', ...named);
    const options = "--namespace 'Dana'\\''s team')\n";
    expect(await project.ok('review', 'forget', node_id, ...named)).toContain(`(svc-memory undo 2 ${options}`);
    expect(await project.ok('review', 'undo', ...named)).toContain(`(again: svc-memory undo 3 ${options}`);
  });
});

it.each(['confirm', 'refute', 'forget'])(
  'review %s takes no number that it does not list, as of a shared memory that was confirmed; an id it takes',
  async (action) => {
    await withEntry(async (project, node_id) => {
      await project.ok('share', node_id);
      await project.ok('verify-staleness');
      const entry = /^(\d+) {2}changed/m.exec(await project.ok('review'))?.[1] ?? '';
      await project.ok('review', 'confirm', entry);
      const before = await stateOf(project, node_id);
      const { status, err } = await project.run(['review', action, entry]);
      expect([status, err]).toEqual([
        1,
        `conflict: ${node_id} does not wait for review. Use an entry from "review".\n`,
      ]);
      expect(await stateOf(project, node_id)).toEqual(before);
      expect(await project.ok('review', action, node_id)).toContain(`[${node_id}]`);
    });
  },
);

it('what lies in a folder that may not be looked into is not judged, and review does not say that it is gone', () =>
  withCodeProjectHere({ 'src/open.ts': OPEN }, async ({ build, ok, run, path, folder }) => {
    await build();
    await ok('store', 'opens slowly', '--kind', 'fact', '--entities', 'open()');
    const locked = async (options: RunOptions): Promise<void> => {
      const { missing, clean } = JSON.parse((await run(['verify-staleness', '--json'], options)).out);
      expect({ missing, clean }).toEqual({ missing: 0, clean: 1 });
      expect((await run(['review'], options)).out).not.toContain('is gone');
      expect((await run(['for-code', 'src/open.ts'], options)).out).toContain('opens slowly');
    };
    await withoutRights(path('src'), dirname(folder), locked, 'x');
  }));
