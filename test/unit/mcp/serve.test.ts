import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, test } from 'vitest';
import { silent } from '../../../src/server/base/log';
import { CAPABILITIES, memoryMethods } from '../../../src/server/mcp/memory-server';
import { type ClientTransport, serve } from '../../../src/server/mcp/serve';
import { offeredTools } from '../../../src/server/mcp/tool-list';
import { ClientViews } from '../../../src/server/project/client-views';
import { MEMORY_TOOLS } from '../../../src/server/tools/registry';
import { withMemory } from '../../support/memory';

test('a client is served on any transport, on its own view of a project that others use, too', () =>
  withMemory(async ({ project }) => {
    const [client, server] = InMemoryTransport.createLinkedPair();
    const transport: ClientTransport = Object.assign(server, { stop: () => void server.close() });
    const answers = new Map<unknown, unknown>();
    client.onmessage = (message) => {
      if ('id' in message && 'result' in message) answers.set(message.id, message.result);
    };
    await client.start();
    const stop = new AbortController();
    const view = { ...new ClientViews(project).of('default'), close: async () => {} };
    const served = serve(() => transport, {
      ...{
        name: 'test',
        title: 'Test',
        version: '1',
        instructions: '',
        capabilities: CAPABILITIES,
        missing: undefined,
      },
      methods: (folders, asked) => memoryMethods(MEMORY_TOOLS, offeredTools(MEMORY_TOOLS), silent, folders, asked),
      folders: [{ name: '', path: '/', openProject: async () => view }],
      stop: stop.signal,
      log: silent,
    });
    const send = (id: number, method: string, params: object) =>
      client.send({ jsonrpc: '2.0', id, method, params: { ...params } });
    await send(1, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    });
    await client.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await send(2, 'tools/call', { name: 'memory_store', arguments: { content: 'over a wire', kind: 'fact' } });
    await expect.poll(() => answers.get(2)).toMatchObject({ structuredContent: { node_id: expect.any(String) } });
    stop.abort();
    await served;
    // Whoever opened the project goes on with it.
    expect(await project.store.get('SELECT content FROM mem_nodes WHERE kind = $kind', { kind: 'fact' })).toEqual({
      content: 'over a wire',
    });
  }));
