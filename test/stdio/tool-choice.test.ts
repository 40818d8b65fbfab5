// Which tools agents are offered, and where the word for it comes from.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { INSTRUCTIONS } from '../../src/server/mcp/instructions';
import { GRAPH_SERVER_FILE } from '../support/code-project';
import { withCommandLine } from '../support/command-line';
import { connectServer, type ServerOptions, withServer } from '../support/stdio-client';
import { realTokenizer } from '../support/tokenizer';

const CORE = [
  ...['memory_end_session', 'memory_for_code', 'memory_recall', 'memory_store', 'memory_verify', 'memory_why'],
] as const;

const offeredNames = (options: ServerOptions): Promise<string[]> =>
  withServer(async ({ client }) => (await client.listTools()).tools.map(({ name }) => name).sort(), options);

describe('the tools that agents are offered', () => {
  it('are all of them, or the core, by a variable or an argument, which wins', async () => {
    expect(await offeredNames({})).toHaveLength(17);
    expect(await offeredNames({ env: { SVC_TOOLS: 'core' } })).toEqual(CORE);
    expect(await offeredNames({ args: ['--tools', 'core'], env: { SVC_TOOLS: 'all' } })).toEqual(CORE);
    expect(await offeredNames({ args: ['--tools=all'], env: { SVC_TOOLS: 'core' } })).toHaveLength(17);
    expect(await offeredNames({ server: GRAPH_SERVER_FILE, env: { SVC_TOOLS: 'core' } })).toEqual(['query_codebase']);
  });

  it('leave out what the host says that its model has in another way', async () => {
    const env = { SVC_TOOLS: 'core', SVC_TOOLS_ELSEWHERE: 'memory_recall,memory_store' };
    expect(await offeredNames({ env })).toEqual(CORE.filter((name) => !env.SVC_TOOLS_ELSEWHERE.includes(name)));
  });

  it('are all where the word is unknown, which is said', () =>
    withServer(
      async ({ client, log }) => {
        expect((await client.listTools()).tools).toHaveLength(17);
        await expect.poll(log).toContain('the tools are to be "cor", which is none of all, core: all');
      },
      { args: ['--tools', 'cor'] },
    ));

  it.each([
    ['tools: core\n', undefined, 6],
    ['tools: all\n', 'core', 6],
    ['tools: core\n', 'all', 17],
    ['tools: some\n', undefined, 17],
  ])('with config.yaml %j and SVC_TOOLS=%s are %s + n of them', (config, setting, count) =>
    withCommandLine(async (place) => {
      await place.ok('init');
      await writeFile(join(place.folder, '.svc', 'config.yaml'), config);
      const server = await connectServer(place, { env: setting === undefined ? {} : { SVC_TOOLS: setting } });
      try {
        expect((await server.client.listTools()).tools).toHaveLength(count);
        await server.text('memory_store', { content: 'One', kind: 'fact' });
        const told = server.log().match(/"tools" that is none of all, core/g) ?? [];
        expect(told).toHaveLength(config === 'tools: some\n' ? 1 : 0);
      } finally {
        await server.close();
      }
    }),
  );

  it('are no others: a call is refused, and what agents are told names none that is missing', () =>
    withServer(
      async ({ client }) => {
        await expect(client.callTool({ name: 'memory_stats', arguments: {} })).rejects.toThrow(
          `There is no tool "memory_stats". The tools are `,
        );
        const { tools } = await client.listTools();
        const texts = [client.getInstructions() ?? '', ...tools.map(({ description }) => description ?? '')];
        const named = texts.flatMap((text) => text.match(/\bmemory_\w+/g) ?? []);
        expect(named.filter((name) => !tools.some((tool) => tool.name === name))).toEqual([]);
        expect(client.getInstructions()).toBe(INSTRUCTIONS);
        const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
        expect((await realTokenizer()).count(JSON.stringify(shown))).toBeLessThanOrEqual(1_300);
      },
      { env: { SVC_TOOLS: 'core' } },
    ));
});
