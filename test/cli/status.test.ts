import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withCodeProject } from '../support/code-project';
import { withCommandLine } from '../support/command-line';

const STARS = expect.stringMatching(/./);

test('without a command it tells where there is no store yet, what makes one, and makes nothing', async () => {
  await withCommandLine(async ({ ok, json }) => {
    const told = await ok();
    expect(told).toMatch(/^store {2}none yet$/m);
    expect(told).toContain(
      '\nNext:\n  svc-memory init    makes a store for this project\n  svc-memory setup   tells your agents of it\n',
    );
    expect(await ok()).toBe(told);
    expect(await json('status')).toMatchObject({ exists: false, namespace: null, memories: {}, newest_backup: null });
  });
});

test('it tells what the store holds, what waits, and what to do next, in 80 columns', async () => {
  await withCommandLine(async ({ ok, json, path }) => {
    await ok('init');
    expect(await ok()).toMatch(
      /memories +nothing yet\n[\s\S]*import --from here +brings what the project says already/,
    );
    await ok('start-session', 'mend the importer');
    await ok('store', 'A row is read once', '--kind', 'fact', '--entities', 'importer');
    await ok('store', 'Rows are read in pieces', '--kind', 'decision', '--entities', 'importer');
    writeFileSync(path('theirs.json'), JSON.stringify([{ kind: 'fact', content: 'Somebody else says so' }]));
    await ok('import', 'theirs.json');
    const told = await ok();
    expect(told.split('\n').filter((line) => line.length > 80 && !line.includes('.svc'))).toEqual([]);
    expect(told).toMatch(/^memories +2 facts, 1 decision$/m);
    expect(told).toMatch(/^about +1 entity, in \d sessions?$/m);
    expect(told).toMatch(/^newest session +\d{4}-\d\d-\d\d, open: .*importer/m);
    expect(told).toMatch(/^in doubt +0 memories known to be on code that has changed or is gone$/m);
    expect(told).toMatch(/^waiting +1 proposal$/m);
    expect(told).toMatch(/^ {2}svc-memory review +settles what waits$/m);
    expect(await json('status')).toMatchObject({
      ...{ exists: true, namespace: 'default', namespaces: ['default'], memories: { fact: 2, decision: 1 }, closed: 0 },
      ...{ entities: 1, doubts: 0, proposals: 1, forks: 0, newest_session: { open: true, content: STARS } },
      next: ['svc-memory review', 'svc-memory recall <words>'],
    });
    const { node_id } = await json<{ node_id: string }>('store', 'A row is read twice', '--kind', 'fact');
    await ok('verify', node_id, 'refute');
    expect(await ok()).toMatch(/^memories +2 facts, 1 decision, 1 that holds no longer$/m);
    writeFileSync(path('more.json'), JSON.stringify([{ kind: 'fact', content: 'It is fast', entities: ['exporter'] }]));
    await ok('import', 'more.json');
    expect(await ok()).toMatch(/^about +2 entities, in /m);
    await ok('undo');
    expect(await ok()).toMatch(/^about +1 entity, in /m);
    expect(await ok('namespaces')).toMatch(/^\* default \(memories: 3, closed: 1, /m);
  });
});

test('it says when what is here is the store of the home directory', async () => {
  await withCommandLine(async ({ ok }) => {
    await ok('store', 'Tabs are four wide', '--kind', 'preference');
    const told = await ok();
    expect(told.replaceAll(/\s+/g, ' ')).toContain('the one in the home directory: this folder has none');
    // A session that nobody named is called as everywhere else.
    expect(told).toMatch(/^newest session +\d{4}-\d\d-\d\d, open: Tabs are four wide$/m);
    expect(told).toMatch(/^ {2}svc-memory init +makes a store for this project$/m);
  });
});

test('it says how memories in doubt are found, where there is a code graph', () =>
  withCodeProject(
    { 'a.ts': 'export function first(): number {\n  return 1;\n}\n', 'b.ts': 'let b;\n' },
    async (project) => {
      await project.build();
      expect(await project.run(['store', 'first is one', '--kind', 'fact', '--entities', 'first()'])).toMatchObject({
        status: 0,
      });
      const { out } = await project.run(['status', '--json']);
      expect(JSON.parse(out)).toMatchObject({ next: ['svc-memory verify-staleness', 'svc-memory recall <words>'] });
      // Some line of a file changes each day: what is about a whole file is counted apart, as in the editor.
      await project.run(['store', 'a holds numbers', '--kind', 'fact', '--entities', 'a.ts']);
      // Of both it is on the function, and one memory.
      await project.run([
        'store',
        'first counts, too',
        '--kind',
        'fact',
        '--entities',
        'first()',
        '--entities',
        'b.ts',
      ]);
      await project.write('a.ts', 'export function first(): number {\n  return 2;\n}\n');
      await project.write('b.ts', 'let c;\n');
      expect((await project.run(['review'])).out).toContain('not as it was (3, in 4 places, 1 on whole files alone)');
      expect((await project.run(['status'])).out.replaceAll(/\s+/g, ' ')).toContain(
        'in doubt 2 memories known to be on code that has changed or is gone, and 1 about a file of which some line has',
      );
    },
  ));
