import { expect, it } from 'vitest';
import { OPEN, withRepositoryHere } from '../support/check-repository';

it('tells the commit of a line, what is decided on its code, what was rejected, and whether it still holds', async () => {
  await withRepositoryHere(async ({ ok, git, write }) => {
    await ok(
      'store',
      'opens by name',
      '--kind',
      'decision',
      '--entities',
      'open()',
      '--alternatives-rejected',
      'by number',
    );
    const commit = git('rev-parse', '--short=8', 'HEAD').trim();
    const text = await ok('why', 'src/open.ts:2');
    expect(text).toMatch(
      new RegExp(`^src/open\\.ts:2 in open\n${commit} \\d{4}-\\d\\d-\\d\\d Test: first\n\nRemembered on this code:\n`),
    );
    expect(text).toMatch(
      /decision: opens by name\n {2}rejected: by number\n {2}holds: the code is as it was last seen to fit\n/,
    );
    expect(text).toMatch(
      /decision: opens slowly\n {2}because measured\n {2}holds: the code is as it was last seen to fit\n/,
    );
    expect(await ok('why-here', 'src/open.ts', '2')).toBe(text);
    // What was decided in the same hours about other code says nothing of this line.
    expect(text).not.toMatch(/gets quickly|puts safely|reads well|Decided about/);
    await write('src/open.ts', `\n${OPEN.replace('main', 'other')}`);
    expect(await ok('why', 'src/open.ts:3')).toMatch(
      /^src\/open\.ts:3 in open\nnot committed\n\n[\s\S]*opens slowly\n {2}because measured\n {2}in doubt: the code has changed since\n/,
    );
    // The line above has only moved.
    expect(await ok('why', 'src/open.ts:2')).toContain(`\n${commit} `);
  });
});

it('does not say that a memory holds whose other code is in doubt', async () => {
  await withRepositoryHere(async ({ ok, write }) => {
    await ok(
      'store',
      'a store is opened once',
      '--kind',
      'decision',
      '--entities',
      'open()',
      '--entities',
      'Store.get()',
    );
    const onStore = (): Promise<string> => ok('why', 'src/store.ts:3');
    expect(await onStore()).toMatch(/a store is opened once\n {2}holds: the code is as it was last seen to fit\n/);
    await write('src/open.ts', OPEN.replace('main', 'other'));
    expect(await onStore()).toMatch(
      /a store is opened once\n {2}in doubt: other code of it has changed or is gone; this code is as it was\n/,
    );
    expect(await ok('why', 'src/open.ts:2')).toMatch(
      /a store is opened once\n {2}in doubt: the code has changed since\n/,
    );
  });
});

it('tells what the commit says below its subject, also behind the last line break of a file', async () => {
  await withRepositoryHere(async ({ ok, git, write }) => {
    await write('src/plain.ts', 'export const plain = 1;\n');
    git('add', '.');
    const body = 'Decision: plain,\nsince it is read often.\n\nSee: nothing\n\nSigned-off-by: Ada <a@example.com>';
    git('commit', '--quiet', '-m', `plain\n\n${body}`);
    for (const line of [1, 2]) {
      expect(await ok('why', `src/plain.ts:${line}`)).toMatch(
        /\n\w{8} \S+ Test: plain\n {2}it says: Decision: plain, since it is read often\. See: nothing\n\n/,
      );
    }
    await write('src/plain.ts', '');
    expect(await ok('why', 'src/plain.ts:1')).toContain('\nnot committed\n');
  });
});

it('takes a place as answers and compilers print it', async () => {
  await withRepositoryHere(async ({ ok, run }) => {
    const text = await ok('why-here', 'src/open.ts', '2');
    for (const place of ['src/open.ts:2', 'src/open.ts:2:5']) {
      expect(await ok('why-here', place), place).toBe(text);
      expect(await ok('why', place), place).toBe(text);
    }
    expect(await ok('why-here', 'src/open.ts#open')).toBe(text.replace('src/open.ts:2 ', 'src/open.ts:1 '));
    expect(await run(['why-here', 'src/open.ts'])).toMatchObject({
      status: 2,
      err: 'invalid_input: <line> is not given. Give it behind <file-path>, as in src/store.ts:40.\n',
    });
  });
});

it('says that a file has no such line, or is not there', async () => {
  await withRepositoryHere(async ({ run }) => {
    expect(await run(['why', 'src/nope.ts:1'])).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^not_found: There is no file src\/nope\.ts\. Give a file that is there, /),
    });
    expect(await run(['why', 'src/open.ts:999'])).toMatchObject({
      status: 2,
      err: expect.stringMatching(/^invalid_input: src\/open\.ts has no line 999\. Give a line from 1 to \d+\.\n$/),
    });
  });
});

it('tells what was decided while the commit was made and still holds', async () => {
  await withRepositoryHere(async ({ ok, git, write, build }) => {
    await write('src/plain.ts', 'export const plain = 1;\n');
    await build();
    git('add', '.');
    git('commit', '--quiet', '-m', 'plain');
    const json = JSON.parse(await ok('store', 'Numbers are plain', '--kind', 'decision', '--json')) as {
      node_id: string;
    };
    await ok('store', 'Numbers are big', '--kind', 'decision', '--supersedes', json.node_id);
    const text = await ok('why', 'src/plain.ts:1');
    expect(text).toContain('\n\nDecided about when that commit was made:\n');
    expect(text).toContain('decision: Numbers are big\n');
    expect(text).not.toContain('Numbers are plain');
    expect(text).not.toContain('Remembered on this code');
  });
});

it('takes a comment right above a function for the function', async () => {
  await withRepositoryHere(async ({ ok, write }) => {
    await write('src/open.ts', `/**\n * By name.\n * @returns it\n */\n${OPEN}\n// Alone.\n\nconst one = 1;\n`);
    const symbols = [];
    for (const line of [1, 2, 4, 5, 9]) {
      const [, symbol] = /^src\/open\.ts:\d+(.*)\n/.exec(await ok('why', `src/open.ts:${line}`)) ?? [];
      symbols.push(symbol);
    }
    expect(symbols).toEqual([' in open', ' in open', ' in open', ' in open', '']);
    expect(await ok('why', 'src/open.ts:2')).toContain('decision: opens slowly\n');
  });
});

it('names what is on the function first, then what is on the whole file', async () => {
  await withRepositoryHere(async ({ ok }) => {
    await ok('store', 'the file is generated', '--kind', 'decision', '--entities', 'src/open.ts');
    await ok('store', 'opens at noon', '--kind', 'fact', '--entities', 'open()');
    const text = await ok('why', 'src/open.ts:2');
    const found = text.match(/(?:decision|fact): .*/g);
    expect(found).toEqual(['decision: opens slowly', 'fact: opens at noon', 'decision: the file is generated']);
    expect(text).toMatch(/: opens at noon\n[^\n]*\n\nRemembered on the whole file:\n[^\n]*: the file is generated\n/);
  });
});

it('names decisions on other code of the file first', async () => {
  await withRepositoryHere(async ({ ok, git, write, build }) => {
    const lines = Array.from({ length: 9 }, (_, i) => `export function f${i}() {\n  return ${i};\n}\n`).join('');
    await write('src/plain.ts', `// The head.\n${lines}`);
    await build();
    git('add', '.');
    git('commit', '--quiet', '-m', 'plain');
    await ok('store', 'eight is last', '--kind', 'decision', '--entities', 'src/plain.ts#f8');
    await ok('store', 'one is first', '--kind', 'decision', '--entities', 'src/plain.ts#f1');
    for (const other of ['gets', 'puts', 'reads']) await ok('store', `${other} in turn`, '--kind', 'decision');
    const found = (await ok('why', 'src/plain.ts:1')).match(/decision: .*/g);
    expect(found?.slice(0, 2)).toEqual(['decision: one is first', 'decision: eight is last']);
    expect(found).toHaveLength(3);
  });
});

it('does not take the time of an import for that of a decision', async () => {
  await withRepositoryHere(async ({ ok, git, write, build }) => {
    await write('src/plain.ts', 'export const plain = 1;\n');
    await write('old.json', '[{"kind":"decision","content":"Numbers are plain"}]');
    await build();
    git('add', 'src');
    git('commit', '--quiet', '-m', 'plain');
    expect(await ok('import', 'old.json')).toContain('Imported 1 node');
    const { proposals } = JSON.parse(await ok('review', '--json')) as { proposals: { node: { id: string } }[] };
    await ok('review', 'keep', ...proposals.map(({ node }) => node.id), '--yes');
    expect(await ok('why', 'src/plain.ts:1')).not.toContain('Numbers are plain');
  });
});

it('does not say that what became true long before it was imported holds, unless somebody has looked at it', async () => {
  await withRepositoryHere(async ({ ok, write }) => {
    const old = { kind: 'decision', entities: ['src/open.ts#open'], valid_from: '2020-01-01T00:00:00Z' };
    const objects = ['kept with others', 'looked at'].map((content, i) => ({ ...old, content, id: `d_before${i}` }));
    await write('p.json', JSON.stringify(objects));
    await ok('import', 'p.json');
    await ok('review', 'keep', 'd_before1', '--yes');
    const { proposals } = JSON.parse(await ok('review', '--json')) as { proposals: { source: number }[] };
    await ok('review', 'keep', '--source', String(proposals[0]?.source), '--yes');
    const told = await ok('why', 'src/open.ts:2');
    expect(told).toMatch(/decision: looked at\n {2}holds: /);
    expect(told).toMatch(/decision: kept with others\n(?! {2}holds)/);
  });
});

it('says of a proposal that nobody has kept it, last of all, and names none of other code', async () => {
  await withRepositoryHere(async ({ ok, write, build }) => {
    const content = 'opens twice, whatever was measured';
    await write('p.json', JSON.stringify([{ kind: 'decision', content, entities: ['src/open.ts#open'] }]));
    await ok('import', 'p.json');
    const told = await ok('why', 'src/open.ts:2');
    expect(told).toMatch(/opens slowly[\s\S]*holds: [\s\S]*opens twice[\s\S]* only proposed: nobody has kept it\n/);
    expect(told.match(/holds: /g)).toHaveLength(1);
    await write('src/open.ts', `${OPEN}export const other = 1;\n`);
    await build();
    expect(await ok('why', 'src/open.ts:4')).not.toContain('opens twice');
  });
});

it('names the nearest decisions where nothing is known, and says so where there are none', async () => {
  await withRepositoryHere(async ({ ok, git, write, build }) => {
    await write('src/plain.ts', 'export const plain = 1;\n');
    await build();
    git('add', '.');
    git('commit', '--quiet', '-m', 'opens slowly', '--date', '2020-01-01T00:00:00Z');
    expect(await ok('why', 'src/plain.ts:1')).toMatch(
      /^src\/plain\.ts:1 in plain\n\w{8} 2020-01-01 Test: opens slowly\n\nNothing is remembered on this code\.\n\nThe nearest decisions:\n[\s\S]*opens slowly/,
    );
    await ok('store', 'Sums are scaled, as 0.3 % 0.1 is not 0', '--kind', 'decision');
    await write('src/version.ts', 'export const version = 1;\n');
    git('add', '.');
    git('commit', '--quiet', '-m', 'docs: 0.3.1', '--date', '2020-01-02T00:00:00Z');
    expect(await ok('why', 'src/version.ts:1')).toMatch(/: docs: 0\.3\.1\n\nNothing is remembered on this code\.\n$/);
    expect(await ok('why', 'README.md:1', '--namespace', 'empty')).toMatch(
      /^README\.md:1\n\w{8} [^\n]*: first\n\nNothing is remembered on this code\.\n$/,
    );
  });
});

it('says of what was decided on another branch that this one has another version of the code', async () => {
  await withRepositoryHere(async ({ ok, git, write }) => {
    git('checkout', '--quiet', '-b', 'beside');
    await write('src/open.ts', OPEN.replace('main', 'other'));
    git('commit', '--quiet', '-a', '-m', 'beside');
    await ok('store', 'opens another', '--kind', 'decision', '--entities', 'src/open.ts#open');
    git('checkout', '--quiet', '-');
    expect(await ok('why', 'src/open.ts:2')).toMatch(
      /decision: opens another\n {2}this branch has another version of the code\n/,
    );
  });
});
