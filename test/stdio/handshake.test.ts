import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json';
import { SERVER_FILE, serverEnvironment, withPlace, withServer } from '../support/stdio-client';

describe('the handshake', () => {
  test('names the server with the version of the package', () =>
    withServer(async ({ client }) => {
      expect(client.getServerVersion()).toEqual({
        name: 'svc-memory',
        title: 'Agent Memory',
        version: packageJson.version,
      });
    }));

  test('brings instructions for the whole life of a session', () =>
    withServer(async ({ client }) => {
      const instructions = client.getInstructions() ?? '';
      for (const word of ['project context', 'memory_recall', 'memory_store', 'entities', 'memory_end_session']) {
        expect(instructions).toContain(word);
      }
    }));

  test('gives sessions the name of the client that opened them, on one line', () =>
    withServer(
      async (server) => {
        await server.call('memory_store', { content: 'A fact.', kind: 'fact' });
        const [session] = await server.value<{ content: string }[]>('memory_list_sessions');
        expect(session?.content).toMatch(/^Editor ## forged session of \d{4}-/);
      },
      { clientName: 'Editor\n## forged' },
    ));

  test('falls back from the newest protocol for a client that asks for it first', () =>
    withPlace({}, async (place) => {
      const client = new NewClient({ name: 'new client', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
      await client.connect(
        new NewTransport({
          command: process.execPath,
          args: [SERVER_FILE],
          cwd: place.folder,
          env: serverEnvironment(place),
          stderr: 'pipe',
        }),
      );
      try {
        const { tools } = await client.listTools();
        expect(tools.map((tool) => tool.name)).toContain('memory_store');
        const stored = await client.callTool({
          name: 'memory_store',
          arguments: { content: 'The parser is written by hand.', kind: 'decision', entities: ['parser'] },
        });
        expect(stored.structuredContent).toMatchObject({ node_id: expect.stringMatching(/^d_/) });
        const recalled = await client.callTool({ name: 'memory_recall', arguments: { query: 'parser' } });
        expect(recalled.content).toEqual([
          { type: 'text', text: expect.stringContaining('The parser is written by hand.') },
        ]);
      } finally {
        await client.close();
      }
    }));
});
