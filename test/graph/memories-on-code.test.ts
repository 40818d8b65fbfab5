import { rename, utimes, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { withCodeProject } from '../support/code-project';

const STORE = `import { open } from './open';

export class Store {
  get(key: string) {
    return open().find(key);
  }
}
`;
const OPEN = 'export function open() {\n  return connect("main");\n}\n';
const FILES = { 'src/store.ts': STORE, 'src/open.ts': OPEN };

interface Location {
  readonly graph_node_id: string;
  readonly start_line: number;
}
interface Staleness {
  readonly stale_nodes: readonly { readonly verdict: string }[];
  readonly missing: number;
  readonly queued: boolean;
}

const PATIENCE_MS = 60_000;

const TWO = 'export function one() {\n  return 1;\n}\nexport function two() {\n  return 2;\n}\n';

it('a memory is linked to the code that its entities name, and found from it', async () => {
  await withCodeProject(FILES, async ({ build, memoryServer }) => {
    await build();
    const server = await memoryServer();
    const store = async (content: string, ...entities: string[]): Promise<string> => {
      const { node_id } = await server.value<{ node_id: string }>('memory_store', { content, kind: 'fact', entities });
      const result = await server.value<Location[]>('memory_to_code', { memory_id: node_id });
      return result.map((one) => one.graph_node_id).join(' ');
    };
    expect(await store('by name', 'open()')).toBe('function:src/open.ts:open:1');
    expect(await store('by qualified name', 'Store.get')).toBe('method:src/store.ts:Store.get:4');
    expect(await store('by bare name', 'get')).toBe('method:src/store.ts:Store.get:4');
    expect(await store('by path', './src/open.ts')).toBe('file:src/open.ts:open.ts:1');
    expect(await store('by path and name', 'src/store.ts#Store')).toBe('class:src/store.ts:Store:3');
    expect(await store('by nothing', 'somewhere', 'Nowhere.get', '../src/open.ts')).toBe('');

    const atLine = await server.text('memory_for_code', { file_path: 'src/store.ts', line: 5 });
    expect(atLine).toMatch(/^## Memories touching `src\/store\.ts`:5\n### class Store \(L3–7\)\n/);
    expect(atLine).toContain('### method Store.get (L4–6)');
    const whole = await server.text('memory_for_code', { file_path: 'src/open.ts' });
    expect(whole).toMatch(/### file open\.ts \(L1–4\)\n- .*by path\n/);
  });
});

it('each memory on a function is judged by itself: what was confirmed is not in doubt with another', async () => {
  await withCodeProject(FILES, async ({ write, build, memoryServer, json }) => {
    await build();
    const server = await memoryServer();
    const store = async (content: string): Promise<string> => {
      const input = { content, kind: 'decision', entities: ['open()'] };
      return (await server.value<{ node_id: string }>('memory_store', input)).node_id;
    };
    const confirmed = await store('One database');
    await store('No pool');
    await write('src/open.ts', OPEN.replace('main', 'other'));
    await server.call('memory_verify', { node_id: confirmed, status: 'confirm' });
    const answer = await server.text('memory_for_code', { file_path: 'src/open.ts', line: 2 });
    expect(answer).toMatch(/ — No pool\n {2}\(the code has changed since\)/);
    expect(answer).toMatch(/ — One database$/m);
    expect(answer).not.toMatch(/One database\n {2}\(/);
    const { memories } = await json<{ memories: { content: string; verdict: string }[] }>(
      'why-here',
      'src/open.ts',
      '2',
    );
    expect(memories.map(({ content, verdict }) => [content, verdict])).toEqual([
      ['No pool', 'changed'],
      ['One database', 'unchanged'],
    ]);
  });
});

it('a file may have a # in its name', async () => {
  await withCodeProject({ 'src/c#1.ts': OPEN }, async ({ build, memoryServer }) => {
    await build();
    const server = await memoryServer();
    await server.call('memory_store', { content: 'about the file', kind: 'fact', entities: ['src/c#1.ts'] });
    const whole = await server.text('memory_for_code', { file_path: 'src/c#1.ts' });
    expect(whole).toMatch(/### file c#1\.ts \(L1–4\)\n- .*about the file$/);
  });
});

it('a graph that is built while the server runs is used, and links the memories stored before', async () => {
  await withCodeProject(FILES, async ({ build, memoryServer }) => {
    const server = await memoryServer();
    await server.call('memory_store', { content: 'opens slowly', kind: 'fact', entities: ['open()'] });
    expect(await server.text('memory_for_code', { file_path: 'src/open.ts' })).toBe(
      'No memory touches `src/open.ts`, because no code graph has been built. Run "svc build" in the project.',
    );
    expect(await build()).toMatchObject({ linked: 1 });
    expect(await server.text('memory_for_code', { file_path: 'src/open.ts' })).toContain('opens slowly');
    expect(await build()).toMatchObject({ linked: 0 });
  });
});

it('before the first build a name with its path is linked, and the working files decide', async () => {
  await withCodeProject(FILES, async ({ build, memoryServer, write, remove }) => {
    const server = await memoryServer();
    const entities = ['src/open.ts#open'];
    const { node_id } = await server.value<{ node_id: string }>('memory_store', {
      content: 'opens slowly',
      kind: 'fact',
      entities,
    });
    const inFile = (): Promise<string> => server.text('memory_for_code', { file_path: 'src/open.ts' });
    const places = async (): Promise<string[]> =>
      (await server.value<Location[]>('memory_to_code', { memory_id: node_id })).map((one) => one.graph_node_id);
    expect(await inFile()).toMatch(/^## .*\n### function open \(L1–3\)\n- .*opens slowly$/);
    await write('src/open.ts', OPEN.replace('main', 'second'));
    expect(await inFile()).toContain('the code has changed since');
    await write('src/moved.ts', OPEN);
    await remove('src/open.ts');
    expect(await places()).toEqual(['function:src/moved.ts:open:1']);
    expect(await build()).toMatchObject({ linked: 0 });
    expect(await places()).toEqual(['function:src/moved.ts:open:1']);
  });
});

it('a bare name with more than 8 definitions means none of them, its path and name one', async () => {
  const nine = Array.from({ length: 9 }, (_, i) => [`m${i}.ts`, `export function run() { return ${i}; }\n`]);
  await withCodeProject(Object.fromEntries(nine), async ({ build, memoryServer }) => {
    await build();
    const server = await memoryServer();
    const links = async (entity: string): Promise<number> => {
      const input = { content: `about ${entity}`, kind: 'fact', entities: [entity] };
      const { node_id } = await server.value<{ node_id: string }>('memory_store', input);
      return (await server.value<unknown[]>('memory_to_code', { memory_id: node_id })).length;
    };
    expect([await links('run()'), await links('m3.ts#run')]).toEqual([0, 1]);
  });
});

it.each([
  ['unchanged', 'src/open.ts', `// a line above\n\n${OPEN}`, 'open', 3],
  ['moved', 'src/open.ts', OPEN.replace('open()', 'openStore()'), 'openStore', 1],
  ['changed', 'src/open.ts', OPEN.replace('main', 'other'), 'open', 1],
  ['gone', 'src/open.ts', 'export const nothing = 1;\n', undefined, 0],
])('staleness says %s from the working file, without a new build', async (verdict, path, text, name, line) => {
  await withCodeProject(FILES, async ({ build, memoryServer, write }) => {
    await build();
    const server = await memoryServer();
    const input = { content: 'opens slowly', kind: 'fact', entities: ['open()'] };
    const { node_id } = await server.value<{ node_id: string }>('memory_store', input);
    await write(path, text);
    const { stale_nodes, queued } = await server.value<Staleness>('memory_verify_staleness');
    expect(stale_nodes.map((one) => one.verdict)).toEqual([verdict]);
    expect(queued).toBe(true);
    const result = await server.value<Location[]>('memory_to_code', { memory_id: node_id });
    expect(result.map((one) => one.graph_node_id)).toEqual(name ? [`function:${path}:${name}:${line}`] : []);
  });
});

it('a memory follows its function to another file and name once that is built, and is reported till then', async () => {
  await withCodeProject(FILES, async ({ build, memoryServer, write, remove }) => {
    await build();
    const server = await memoryServer();
    const input = { content: 'opens slowly', kind: 'fact', entities: ['open()'] };
    const { node_id } = await server.value<{ node_id: string }>('memory_store', input);
    await remove('src/open.ts');
    expect(await server.value<Staleness>('memory_verify_staleness')).toMatchObject({ missing: 1 });
    await write('src/db/connect.ts', `export const FIRST = 1;\n${OPEN.replace('open', 'openStore')}`);
    await build();
    const result = await server.value<Location[]>('memory_to_code', { memory_id: node_id });
    expect(result.map((one) => one.graph_node_id)).toEqual(['function:src/db/connect.ts:openStore:2']);
    expect(await server.text('memory_for_code', { file_path: 'src/db/connect.ts' })).toContain('opens slowly');
  });
});

it('a memory whose text now stands in several places is not put on one of them by chance', async () => {
  await withCodeProject(FILES, async ({ build, memoryServer, write, remove }) => {
    await build();
    const server = await memoryServer();
    const input = { content: 'opens slowly', kind: 'fact', entities: ['open()'] };
    const { node_id } = await server.value<{ node_id: string }>('memory_store', input);
    await remove('src/open.ts');
    for (const name of ['one', 'two']) await write(`src/${name}.ts`, OPEN.replace('open', name));
    await build();
    const result = await server.value<Location[]>('memory_to_code', { memory_id: node_id });
    expect(result).toEqual([]);
  });
});

it('of two functions of a file each has its own memories; of two kinds with one name each is judged by itself', async () => {
  const box =
    'export interface Box {\n  size: number;\n}\nexport function Box(size: number): Box {\n  return { size };\n}\n';
  await withCodeProject({ 'src/two.ts': TWO, 'src/box.ts': box }, async ({ build, memoryServer, write }) => {
    await build();
    const server = await memoryServer();
    for (const entity of ['one()', 'two()', 'src/box.ts#Box']) {
      await server.call('memory_store', { content: `about ${entity}`, kind: 'fact', entities: [entity] });
    }
    const found = await server.text('memory_for_code', { file_path: 'src/two.ts' });
    expect(
      found
        .replaceAll(/\[\w+\]|\d{4}-\d\d-\d\d/g, '…')
        .split('\n')
        .slice(1),
    ).toEqual([
      '### function one (L1–3)',
      '- … fact · … · conf 1.00 — about one()',
      '### function two (L4–6)',
      '- … fact · … · conf 1.00 — about two()',
    ]);
    await write('src/box.ts', box.replace('{ size }', '{ size: size + 1 }'));
    const boxes = await server.text('memory_for_code', { file_path: 'src/box.ts' });
    const [type, made] = boxes.split('### ').slice(1);
    expect(type).toMatch(/^interface Box/);
    expect(made).toMatch(/^function Box/);
    expect([type, made].map((part) => part?.includes('changed since'))).toEqual([false, true]);
  });
});

it('a text that changed is reported as stale, whatever time its file has', async () => {
  await withCodeProject(FILES, async ({ build, memoryServer, path }) => {
    await build();
    const server = await memoryServer();
    for (const entity of ['open()', 'src/open.ts', 'src/store.ts']) {
      await server.call('memory_store', { content: `about ${entity}`, kind: 'fact', entities: [entity] });
    }
    const verdicts = async (): Promise<string[]> => {
      const { stale_nodes } = await server.value<Staleness>('memory_verify_staleness');
      return stale_nodes.map((one) => one.verdict).sort();
    };
    const LONG_AGO = new Date('2020-01-01');
    for (const name of ['open.ts', 'store.ts']) await utimes(path('src', name), LONG_AGO, LONG_AGO);
    expect(await verdicts()).toEqual([]);
    await writeFile(path('src', 'open.ts'), OPEN.replace('main', 'other'));
    await utimes(path('src', 'open.ts'), LONG_AGO, LONG_AGO);
    expect(await verdicts()).toEqual(['changed', 'changed']);
    await build();
    expect(await verdicts()).toEqual(['changed', 'changed']);
    await writeFile(path('src', 'open.ts'), OPEN);
    await utimes(path('src', 'open.ts'), LONG_AGO, LONG_AGO);
    await build();
    expect(await verdicts()).toEqual([]);
    await rename(path('src', 'open.ts'), path('src', 'other.ts'));
    await rename(path('src', 'store.ts'), path('src', 'open.ts'));
    await rename(path('src', 'other.ts'), path('src', 'store.ts'));
    // Of what only moved, the clock alone would tell.
    expect(await verdicts()).toEqual(['changed', 'changed']);
    await build();
    expect(await verdicts()).toEqual(['changed', 'changed']);
  });
});

it('a function that is copied and then deleted where it was is at the copy, at every door', async () => {
  await withCodeProject(FILES, async ({ build, memoryServer, write, remove }) => {
    await build();
    const server = await memoryServer();
    const input = { content: 'opens slowly', kind: 'fact', entities: ['open()'] };
    const { node_id } = await server.value<{ node_id: string }>('memory_store', input);
    await write('src/copy.ts', OPEN);
    await build();
    const places = async (): Promise<string[]> => {
      const result = await server.value<Location[]>('memory_to_code', { memory_id: node_id });
      return result.map((one) => one.graph_node_id);
    };
    expect(await places()).toEqual(['function:src/open.ts:open:1']);
    await remove('src/open.ts');
    expect(await build()).toMatchObject({ reanchored: 1, removed: 1 });
    expect(await places()).toEqual(['function:src/copy.ts:open:1']);
    expect(await server.text('memory_for_code', { file_path: 'src/copy.ts' })).toContain('opens slowly');
    expect(await server.text('memory_for_code', { file_path: 'src/open.ts' })).toMatch(
      /^There is no file `src\/open\.ts`, and no memory touches it/,
    );
    expect(await server.value('memory_verify_staleness')).toMatchObject({
      stale_nodes: [],
      missing_nodes: [
        { file_path: 'src/open.ts', verdict: 'moved', now: { file_path: 'src/copy.ts', name: 'open', start_line: 1 } },
      ],
    });
    expect(await build()).toMatchObject({ reanchored: 0 });
  });
});

it('a memory stays on a default export without a name, and not on one of another file', async () => {
  const body = ' {\n  const pool = connect("main", { size: 4 });\n  return pool.open();\n}\n';
  await withCodeProject(
    { 'src/open.ts': `export default function ()${body}` },
    async ({ write, remove, build, memoryServer }) => {
      await build();
      const server = await memoryServer();
      const { node_id } = await server.value<{ node_id: string }>('memory_store', {
        content: 'opens slowly',
        kind: 'fact',
        entities: ['src/open.ts#default'],
      });
      const places = async (): Promise<string[]> => {
        await build();
        const located = await server.value<Location[]>('memory_to_code', { memory_id: node_id });
        return located.map((one) => one.graph_node_id);
      };
      expect(await places()).toEqual(['function:src/open.ts:default:1']);
      await write('src/open.ts', `export default function ()${body.replace('4', '5')}`);
      const { stale_nodes } = await server.value<Staleness>('memory_verify_staleness');
      expect(stale_nodes.map((one) => one.verdict)).toEqual(['changed']);
      await remove('src/open.ts');
      await write('src/opened.ts', `export default function ()${body}`);
      expect(await places()).toEqual(['function:src/opened.ts:default:1']);
      await write('src/opened.ts', 'export default () => 1;\n');
      expect(await places()).toEqual([]);
    },
  );
});

it('recall and briefing say in the line when the code of a memory is not as it was', async () => {
  await withCodeProject(FILES, async ({ build, memoryServer, write, remove, ok, json }) => {
    await build();
    const server = await memoryServer();
    await server.call('memory_store', {
      content: 'connects to main',
      kind: 'decision',
      entities: ['src/open.ts#open'],
    });
    await write('src/open.ts', OPEN.replace('main', 'other'));
    for (const query of ['connects', 'project context']) {
      // A command waits for what a server knows from answers before.
      expect(await ok('recall', query)).toContain('conf 1.00 · code changed — connects to main');
      await expect
        .poll(() => server.text('memory_recall', { query }), { timeout: PATIENCE_MS })
        .toContain('conf 1.00 · code changed — connects to main');
    }
    await remove('src/open.ts');
    expect(await json('recall', 'connects')).toMatchObject({ items: [{ marks: ['code gone'] }] });
    expect(await ok('about', 'src/open.ts#open')).toContain('conf 1.00 · code gone — connects to main');
  });
});
