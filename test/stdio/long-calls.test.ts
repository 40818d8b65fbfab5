import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { type ConnectedServer, withRawServer, withServer } from '../support/stdio-client';

const memories = (count: number, size = 40) =>
  Array.from({ length: count }, (_, i) => ({
    content: `Imported fact number ${i} `.padEnd(size, 'abc def '),
    kind: 'fact',
  }));

async function factCount(server: ConnectedServer): Promise<number> {
  const { kind_counts } = await server.value<{ kind_counts: Record<string, number> }>('memory_stats');
  return kind_counts.fact ?? 0;
}

describe('an import', () => {
  test('of 100,000 memories fits into one message', { timeout: 120_000 }, () =>
    withServer(async (server) => {
      const result = await server.client.callTool(
        { name: 'memory_import', arguments: { nodes: memories(100_000, 200) } },
        CallToolResultSchema,
        { timeout: 100_000 },
      );
      expect(result.structuredContent).toMatchObject({ imported: 100_000, errors: [] });
      expect(await factCount(server)).toBe(100_000);
    }),
  );

  test('tells how far it has come, up to the last step, before its answer', () =>
    withServer(async (server) => {
      const steps: { progress: number; total?: number | undefined }[] = [];
      await server.client.callTool(
        { name: 'memory_import', arguments: { nodes: memories(10_000) } },
        CallToolResultSchema,
        { onprogress: (step) => steps.push(step) },
      );
      expect(steps.length).toBeGreaterThan(1);
      for (const [i, step] of steps.entries()) {
        expect(step.progress).toBeGreaterThan(steps[i - 1]?.progress ?? -1);
        expect(step.total).toBe(steps[0]?.total);
      }
      expect(steps.at(-1)?.progress).toBe(steps.at(-1)?.total);
    }));

  test('tells nothing to a client that does not ask for it', () =>
    withRawServer(async (server) => {
      const params = { name: 'memory_import', arguments: { nodes: memories(3_000) } };
      server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      await server.receive((message) => message.id === 1);
      expect(server.lines.filter((line) => line.includes('notifications/progress'))).toEqual([]);
    }));

  test('that is cancelled leaves nothing behind, and the next call works', () =>
    withServer(async (server) => {
      const cancel = new AbortController();
      const importing = server.client.callTool(
        { name: 'memory_import', arguments: { nodes: memories(50_000) } },
        CallToolResultSchema,
        { signal: cancel.signal, onprogress: () => cancel.abort('no longer wanted') },
      );
      await expect(importing).rejects.toThrow();
      expect(await factCount(server)).toBe(0);
      expect(server.log()).toBe('');
      await server.call('memory_store', { content: 'Life goes on.', kind: 'fact' });
      expect(await factCount(server)).toBe(1);
    }));

  test('in flight when standard input ends is finished and answered', () =>
    withRawServer(async (server) => {
      const params = { name: 'memory_import', arguments: { nodes: memories(10_000) } };
      server.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      server.process.stdin.end();
      expect(await server.exit).toBe(0);
      expect((await server.receive((message) => message.id === 1)).result).toMatchObject({
        structuredContent: { imported: 10_000 },
      });
    }));
});
