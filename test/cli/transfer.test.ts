import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CommandLine, OBEYED, runInShell, withCommandLine } from '../support/command-line';
import { BRIEFLY, makePipe } from '../support/special-files';

interface Imported {
  readonly imported: number;
  readonly node_ids: string[];
  readonly created_entity_ids: string[];
  readonly errors: ({ index: number; message: string } | { line: number; message: string })[];
}

async function fill(place: CommandLine): Promise<void> {
  await place.ok('init');
  const { node_id } = await place.json<{ node_id: string }>(
    ...['store', 'The store is a folder of files', '--kind', 'decision', '--entities', 'storage'],
  );
  await place.ok(
    ...['store', 'The store is one SQLite file', '--kind', 'decision', '--supersedes', node_id],
    ...['--rationale', 'atomic', '--alternatives-rejected', 'Postgres', '--entities', 'storage'],
  );
  await place.ok('store', 'control \u001b[2J \u009b31m \u202e characters', '--kind', 'fact', '--namespace', 'other');
  await place.ok('end-session', 'Moved to SQLite');
}

/** A second project, beside the first. */
async function secondProject({ path }: CommandLine): Promise<void> {
  await mkdir(path('second', '.svc'), { recursive: true });
}

test('what is exported, imported into an empty store and exported again is the same', async () => {
  await withCommandLine(async (place) => {
    await fill(place);
    const first = await place.ok('export');
    expect(Object.keys(JSON.parse(first))).toEqual(['nodes', 'edges']);
    expect(
      JSON.parse(first)
        .edges.map((edge: { type: string }) => edge.type)
        .sort(),
    ).toEqual([...['ABOUT', 'ABOUT', 'OCCURRED_IN', 'SUPERSEDES']]);
    await secondProject(place);
    expect((await place.run(['init'], { cwd: 'second' })).status).toBe(0);
    expect(await place.run(['import', '-'], { cwd: 'second', input: first })).toEqual({
      status: 0,
      out: 'Imported 7 nodes from the export\n',
      err: '',
    });
    expect((await place.run(['export'], { cwd: 'second' })).out).toBe(first);
    const again = await place.run(['import', '-'], { cwd: 'second', input: first });
    expect(again.out).toBe('Imported 0 nodes from the export, left out 7 that were there already\n');
  });
});

test('an export goes to the file given, complete or not at all, and shows no control characters', async () => {
  await withCommandLine(async (place) => {
    await fill(place);
    expect(await place.ok('export', 'backup.json')).toBe(`Exported 7 nodes to ${place.path('backup.json')}\n`);
    const text = await readFile(place.path('backup.json'), 'utf8');
    expect(text).toBe(await place.ok('export'));
    expect(text).toBe(await place.ok('export', '-'));
    expect(text).not.toMatch(OBEYED);
    expect(JSON.parse(text).nodes).toContainEqual(
      expect.objectContaining({ content: 'control \u001b[2J \u009b31m  characters', namespace: 'other' }),
    );
    expect(await place.ok('export', 'backup.json')).toContain('Exported 7 nodes');
    expect((await readdir(place.folder)).sort()).toEqual(['.svc', 'backup.json']);
  });
});

test('an export does not write over what is no export, unless it is told to', async () => {
  await withCommandLine(async (place) => {
    await fill(place);
    await writeFile(place.path('notes.md'), '# mine');
    const { status, err } = await place.run(['export', 'notes.md']);
    expect([status, err]).toEqual([1, expect.stringMatching(/^conflict: .*is not an export.*--force/)]);
    expect(await readFile(place.path('notes.md'), 'utf8')).toBe('# mine');
    await place.ok('export', 'notes.md', '--force');
    expect(JSON.parse(await readFile(place.path('notes.md'), 'utf8')).nodes).toHaveLength(7);
    expect(await place.run(['export', join('no', 'such', 'folder.json')])).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^unavailable: The file .* cannot be written\. /),
    });
    expect(existsSync(place.path('no'))).toBe(false);
  });
});

test('an export writes over no link, and takes the place of no pipe and no device', async () => {
  await withCommandLine(async (place) => {
    await fill(place);
    await writeFile(place.path('other.json'), '');
    await symlink('other.json', place.path('linked.json'));
    await symlink(join(place.home, 'new.json'), place.path('lost.json'));
    makePipe(place.path('pipe.json'));
    for (const [file, sentence] of [
      ['linked.json', /^conflict: The file "linked\.json" is a link to "other\.json"\. Nothing was written/],
      ['lost.json', /^conflict: The file "lost\.json" is a link to ".*"\. Nothing was written/],
      ['pipe.json', /^conflict: "pipe\.json" is not a regular file\. Nothing was written/],
    ] as const) {
      for (const force of [[], ['--force']]) {
        const { status, err } = await place.run(['export', file, ...force], BRIEFLY);
        expect([status, err.replaceAll(`${place.folder}/`, '')]).toEqual([1, expect.stringMatching(sentence)]);
      }
    }
    expect(await readFile(place.path('other.json'), 'utf8')).toBe('');
    expect(existsSync(join(place.home, 'new.json'))).toBe(false);
    expect((await readdir(place.folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

test('an import takes what another program writes into a pipe, and refuses a device', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    makePipe(place.path('pipe'));
    const list = JSON.stringify([{ content: 'Through a pipe', kind: 'fact' }]);
    const [{ status, out }] = await Promise.all([
      place.run(['import', 'pipe'], BRIEFLY),
      writeFile(place.path('pipe'), list),
    ]);
    expect([status, out]).toEqual([0, 'Imported 1 node from the list\n']);
    expect(await place.run(['import', '/dev/zero'], BRIEFLY)).toMatchObject({
      status: 2,
      err: expect.stringMatching(
        /^invalid_input: The file "\/dev\/zero" cannot be read\. Check that the path is right, that it is/,
      ),
    });
  });
});

test('Ctrl-C ends an import that waits for a pipe which nobody fills', async () => {
  await withCommandLine(async (place) => {
    makePipe(place.path('pipe'));
    const waiting = await place.run(['import', 'pipe'], { signal: { name: 'SIGINT', afterMs: 4_000 } });
    expect(['SIGINT', 1, 130]).toContain(waiting.status);
  });
});

test('a plain list is imported; what is not right in it is named, and the rest is kept', async () => {
  await withCommandLine(async (place) => {
    const list = [
      { content: 'The first', kind: 'fact', entities: ['one'] },
      { content: 'The second', kind: 'idea' },
      'The third',
      { content: 'The fourth', kind: 'procedure', confidence: 0.5 },
    ];
    await writeFile(place.path('list.json'), JSON.stringify(list));
    const { status, out, err } = await place.run(['import', 'list.json']);
    expect(status).toBe(1);
    expect(out).toBe('Imported 2 nodes from the list, created 1 entity, refused 2\n');
    expect(err.split('\n')).toEqual([
      expect.stringMatching(/^nodes\[1\]: invalid_input: "kind" is "idea"/),
      expect.stringMatching(/^nodes\[2\]: invalid_input: /),
      'It waits until a person keeps it: "svc-memory review" lists it.',
      expect.stringMatching(/^This is in the home store, .*: "svc-memory init" makes one here\.$/),
      '',
    ]);
    expect(await place.ok('recall', 'fourth')).toContain('conf 0.50 · proposed — The fourth');
    const again = await place.run(['import', 'list.json', '--json', '--namespace', 'other']);
    const value = JSON.parse(again.out) as Imported;
    expect([again.status, value.imported, value.node_ids.length]).toEqual([1, 2, 2]);
    expect(value.errors).toMatchObject([{ index: 1 }, { index: 2 }]);
    expect(await place.ok('recall', 'fourth', '--namespace', 'other')).toContain('The fourth');
  });
});

const OFFICIAL = [
  { type: 'entity', name: 'Anna', entityType: 'person', observations: ['Anna likes tea', 'speaks Polish'] },
  { type: 'entity', name: 'Acme', entityType: 'company', observations: [] },
  { type: 'relation', from: 'Anna', to: 'Acme', relationType: 'works_at' },
];

test('the JSONL file of the official memory server is recognised by what is in it', async () => {
  await withCommandLine(async (place) => {
    await writeFile(place.path('memory.txt'), `${OFFICIAL.map((line) => JSON.stringify(line)).join('\n')}\n`);
    expect(await place.ok('import', 'memory.txt')).toMatch(
      /^Imported 7 nodes from the file of the official memory server/,
    );
    const anna = await place.ok('about', 'Anna');
    for (const fact of ['Anna likes tea', 'Anna: speaks Polish', 'Anna works_at Acme', 'Anna is of type person']) {
      expect(anna).toContain(fact);
    }
  });
});

test('a broken line of that file is named by its number, and the others are kept', async () => {
  await withCommandLine(async (place) => {
    const lines = [JSON.stringify(OFFICIAL[0]), '{"type":"entity"', JSON.stringify(OFFICIAL[2])];
    const { status, out, err } = await place.run(['import', '-'], { input: lines.join('\r\n') });
    expect(status).toBe(1);
    expect(out).toContain('refused 1');
    expect(err).toMatch(/^line 2: invalid_input: The line is not a JSON object/);
    expect(await place.ok('about', 'Acme')).toContain('Anna works_at Acme');
  });
});

test('a byte order mark and the UTF-16 of some shells are understood', async () => {
  await withCommandLine(async (place) => {
    const text = `\ufeff${JSON.stringify([{ content: 'Zażółć gęślą jaźń', kind: 'fact' }])}`;
    for (const input of [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')]) {
      expect((await place.run(['import', '-'], { input })).out).toContain('Imported 1 node ');
    }
    expect(await place.ok('recall', 'jaźń')).toContain('Zażółć gęślą jaźń');
  });
});

test.each([
  ['nothing', '', 'is empty'],
  ['JSON that is cut off', '[\n{"content": "x",\n', 'is not valid JSON: the first error is in line'],
  ['JSON without memories', '{"mcpServers": {}}', 'holds JSON, but no memories'],
  ['a number', '42', 'holds JSON, but no memories'],
  ['an executable', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff]), 'is not valid JSON'],
])('%s is refused, and no store is made', async (_, input, problem) => {
  await withCommandLine(async ({ run, home, folder }) => {
    const { status, out, err } = await run(['import', '-'], { input });
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(/^invalid_input: The standard input .+\n$/);
    expect(err).toContain(problem);
    expect([...(await readdir(home)), ...(await readdir(folder))]).toEqual([]);
  });
});

test('a file that cannot be read is told', async () => {
  await withCommandLine(async ({ run }) => {
    for (const file of ['nowhere.json', '.']) {
      expect(await run(['import', file])).toEqual({
        status: 2,
        out: '',
        err: `invalid_input: The file "${file}" cannot be read. Check that the path is right, that it is a file, and that this user may read it.\n`,
      });
    }
  });
});

test('Ctrl-C in the middle of an import keeps nothing of it', async () => {
  await withCommandLine(async (place) => {
    await place.ok('init');
    const nodes = Array.from({ length: 100_000 }, (_, i) => ({ content: `memory ${i} of many`, kind: 'fact' }));
    await writeFile(place.path('big.json'), JSON.stringify(nodes));
    const signal = { name: 'SIGINT', whenTold: '"text":"Importing' } as const;
    const { status } = await place.run(['import', 'big.json'], { signal, env: { SVC_PROGRESS: 'lines' } });
    expect(status).toBe(130);
    expect(await place.json('stats')).toMatchObject({ kind_counts: { fact: 0 } });
  });
});

test('an export whose reader goes away ends quietly', async () => {
  await withCommandLine(async (place) => {
    const nodes = Array.from({ length: 5_000 }, (_, i) => ({ content: `memory ${i} of many`, kind: 'fact' }));
    await place.run(['import', '-'], { input: JSON.stringify(nodes) });
    const { out, err } = await runInShell(place, '("$0" "$1" export; echo "status $?" >&2) | head -c 10');
    expect([out, err]).toEqual(['{"nodes":[', 'status 0\n']);
  });
});
