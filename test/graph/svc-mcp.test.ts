import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { openTokenizer } from '../../src/server/render/tokens';
import { withCodeProject } from '../support/code-project';

const FILES = {
  'src/store.ts': `import { open } from './open';
/** Keeps rows of the ledger. */
export class Store {
  get(key: string) { return open(key); }
}
`,
  'src/open.ts':
    'import { log } from "./log";\n/** Opens a connection. */\nexport function open(key: string) { log(key); }\n',
  'src/log.ts': 'export function log(text: string) {}\n',
  'tools/log.ts': 'export function log(text: string) {}\n',
  'src/main.py': 'def main():\n    log("x")\n',
};

it('offers exactly its three tools, and neither prompts nor resources', async () => {
  await withCodeProject({}, async ({ graphServer }) => {
    const { client } = await graphServer();
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['query_codebase', 'graph_status', 'list_entities']);
    expect(tools.every((tool) => tool.annotations?.readOnlyHint)).toBe(true);
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect(client.getServerVersion()?.name).toBe('svc');
    expect(client.getInstructions()).toContain('svc build');
  });
});

it('says that no graph has been built, and how to build one', async () => {
  await withCodeProject({}, async ({ graphServer }) => {
    const server = await graphServer();
    for (const [tool, input] of [
      ['query_codebase', { query: 'x' }],
      ['graph_status', {}],
      ['list_entities', {}],
    ] as const) {
      expect(await server.refusal(tool, input)).toMatch(
        /^unavailable: No code graph has been built .* Run "svc build"/,
      );
    }
  });
});

it('names the damage of a graph that cannot be read, at every door', async () => {
  await withCodeProject({ 'a.ts': 'function a() {}' }, async ({ build, path, graphServer, run }) => {
    await build();
    await writeFile(path('.svc', 'graph.db'), 'garbage '.repeat(10_000));
    const server = await graphServer();
    const DAMAGED =
      /unavailable: The code graph .*graph\.db cannot be used: it is damaged.* Delete it and run "svc build"/;
    expect(await server.refusal('query_codebase', { query: 'a' })).toMatch(DAMAGED);
    expect(await server.refusal('graph_status', {})).toMatch(DAMAGED);
    expect((await run(['check'])).err).toMatch(DAMAGED);
  });
});

it('query_codebase answers where a symbol is, what calls it, what it calls, and what is remembered about it', async () => {
  await withCodeProject(FILES, async ({ build, ok, graphServer }) => {
    await build();
    await ok('store', 'open waits for the lock', '--kind', 'fact', '--entities', 'open()');
    const server = await graphServer();
    const answer = await server.text('query_codebase', { query: 'open' });
    expect(answer.split('\n### ')[1]).toMatch(
      /^function open — src\/open\.ts:3–3\n`function open\(key: string\)`\nOpens a connection\.\n- memory \[f_\w+\] fact · [\d-]{10} — open waits for the lock\n- called by: Store\.get \(src\/store\.ts:4\)\n- calls: log \(src\/log\.ts:1\)/,
    );
    expect(await server.text('query_codebase', { query: 'who keeps the rows of the ledger?' })).toContain(
      '### class Store — src/store.ts:3–5',
    );
    // What other languages define is not what a name means here.
    expect(await server.text('query_codebase', { query: 'main' })).not.toContain('- calls: log');
    expect(await server.text('query_codebase', { query: 'log', max_hops: 2 })).toContain(
      '- called by, 2 hops: Store.get (src/store.ts:4)',
    );
    expect(await server.text('query_codebase', { query: 'Store', max_hops: 0 })).not.toContain('call');
    expect(await server.text('query_codebase', { query: 'zebra crossing' })).toContain(
      'Nothing in the code graph matches',
    );
  });
});

it('query_codebase never answers more than its budget', async () => {
  const tokens = openTokenizer(readFileSync(resolve(__dirname, '../../dist/o200k_base.bin')));
  await withCodeProject(FILES, async ({ build, graphServer }) => {
    await build();
    const server = await graphServer();
    for (const budget_tokens of [50, 60, 90, 150, 400]) {
      for (const query of [
        'log',
        'log open store '.repeat(6_000),
        '漢字'.repeat(90),
        'Store open log "quoted" OR NEAR(',
      ]) {
        const answer = await server.text('query_codebase', { query, budget_tokens, max_hops: 3 });
        expect(tokens.count(answer), `${query} in ${budget_tokens}`).toBeLessThanOrEqual(budget_tokens);
      }
    }
  });
});

it('says of a memory on a function that the function has changed since', async () => {
  await withCodeProject(FILES, async ({ build, path, ok, graphServer }) => {
    await build();
    await ok('store', 'it waits for the lock', '--kind', 'fact', '--entities', 'open()');
    const server = await graphServer();
    const query = (): Promise<string> => server.text('query_codebase', { query: 'open' });
    expect(await query()).toMatch(/ — it waits for the lock\n/);
    await writeFile(path('src/open.ts'), FILES['src/open.ts'].replace('log(key)', 'log(key + "!")'));
    expect(await query()).toMatch(/ — it waits for the lock \(the code has changed since\)\n/);
  });
});

it('graph_status counts by kind and language, and the files that changed since', async () => {
  await withCodeProject(FILES, async ({ build, graphServer, write, remove }) => {
    const { root } = await build();
    const server = await graphServer();
    const status = await server.value<{ built_at: string; edges: number }>('graph_status');
    expect(status).toMatchObject({
      ...{ root, files: 5, nodes: 6, stale_files: 0 },
      by_kind: { function: 4, class: 1, method: 1 },
      by_language: { typescript: 4, python: 1 },
    });
    expect(status.built_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(status.edges).toBeGreaterThan(3);
    await write('src/log.ts', 'export function log() {}\n');
    await remove('tools/log.ts');
    expect(await server.value('graph_status')).toMatchObject({ stale_files: 2 });
  });
});

it('list_entities pages through files and lines, by kind and file', async () => {
  await withCodeProject(FILES, async ({ build, graphServer }) => {
    await build();
    const server = await graphServer();
    interface Page {
      readonly entities: readonly { readonly name: string; readonly graph_node_id: string }[];
      readonly next_cursor: string | null;
    }
    const names: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page: Page = await server.value<Page>('list_entities', { limit: 2, ...(cursor ? { cursor } : {}) });
      names.push(...page.entities.map((one) => one.name));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(names).toEqual(['log', 'main', 'open', 'Store', 'Store.get', 'log']);
    const inFile = await server.value<Page>('list_entities', { entity_type: 'method', file_path: './src/store.ts' });
    expect(inFile.entities).toEqual([
      {
        graph_node_id: 'method:src/store.ts:Store.get:4',
        ...{ file_path: 'src/store.ts', start_line: 4, end_line: 4, code_type: 'method', name: 'Store.get' },
      },
    ]);
    expect(await server.refusal('list_entities', { cursor: 'abc' })).toMatch(/^invalid_input: "cursor" is "abc"/);
    expect(await server.refusal('list_entities', { entity_type: 'thing' })).toContain(
      'must be one of function, method',
    );
  });
});
