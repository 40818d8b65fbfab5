import { describe, expect, test } from 'vitest';
import type { Background } from '../../src/server/memory/people/node-background';
import { testCode } from '../support/code-index';
import { NOON, withMemory } from '../support/memory';

interface Stored {
  readonly node_id: string;
}

describe('what stands behind a memory', () => {
  test('is the whole chain of what superseded what, from any link of it', () =>
    withMemory(async (memory) => {
      const ids: string[] = [];
      for (const [i, content] of ['Files.', 'LevelDB.', 'SQLite.'].entries()) {
        const { node_id } = await memory.ok<Stored>('memory_store', {
          content,
          kind: 'decision',
          valid_from: `2026-0${i + 1}-01`,
          ...(i > 0 ? { supersedes: ids[i - 1] } : {}),
        });
        ids.push(node_id);
      }
      for (const id of ids) {
        const { chain } = await memory.ok<Background>('node', { id });
        expect(chain.map((link) => [link.id, link.content, link.valid_until?.slice(0, 10) ?? null])).toEqual([
          [ids[0], 'Files.', '2026-02-01'],
          [ids[1], 'LevelDB.', '2026-03-01'],
          [ids[2], 'SQLite.', null],
        ]);
      }
      const alone = await memory.ok<Stored>('memory_store', { content: 'Alone.', kind: 'fact' });
      expect((await memory.ok<Background>('node', { id: alone.node_id })).chain).toEqual([]);
    }));

  test('is who held the session; nobody where it came with an import', () =>
    withMemory(async (memory) => {
      const { session_id } = await memory.ok<{ session_id: string }>('memory_start_session', { name: 'Here' });
      const { node_id } = await memory.ok<Stored>('memory_store', { content: 'Own.', kind: 'fact' });
      const holder = { pid: process.pid, host: 'test-host', client: 'test' };
      const session = { id: session_id, content: 'Here', topic: null, valid_until: null, holder };
      expect((await memory.ok<Background>('node', { id: node_id })).session).toEqual(session);
      expect((await memory.ok<Background>('node', { id: session_id })).session).toEqual(session);
      const { node_ids } = await memory.ok<{ node_ids: string[] }>('memory_import', {
        nodes: [
          { id: 's_foreign2', kind: 'session', content: 'Elsewhere' },
          { kind: 'fact', content: 'Brought along.', session_id: 's_foreign2' },
        ],
      });
      expect((await memory.ok<Background>('node', { id: node_ids[1] })).session).toMatchObject({
        content: 'Elsewhere',
        topic: null,
        holder: null,
      });
    }));

  test('is its code, with what became of it', () => {
    const code = testCode();
    code.write('src/store.ts', NOON - 1_000, [
      { name: 'open', text: 'open it', from: 1, to: 5 },
      { name: 'close', text: 'close it', from: 7, to: 9 },
    ]);
    return withMemory(
      async (memory) => {
        const { node_id } = await memory.ok<Stored>('memory_store', {
          content: 'Opens once.',
          kind: 'fact',
          entities: ['open()', 'close()'],
        });
        code.write('src/store.ts', NOON, [{ name: 'open', text: 'open it twice', from: 3, to: 8 }]);
        expect((await memory.ok<Background>('node', { id: node_id })).code).toEqual([
          { file_path: 'src/store.ts', code_type: 'function', name: 'close', verdict: 'gone', now: null },
          {
            file_path: 'src/store.ts',
            code_type: 'function',
            name: 'open',
            verdict: 'changed',
            now: { file_path: 'src/store.ts', name: 'open', start_line: 3, end_line: 8 },
          },
        ]);
      },
      { code },
    );
  });

  test('is printed with its code, each piece with what became of it', () => {
    const code = testCode();
    const names = ['open', 'close', 'move', 'read'];
    const symbols = names.map((name, i) => ({ name, text: `${name} it`, from: i * 10 + 1, to: i * 10 + 5 }));
    code.write('src/store.ts', NOON - 1_000, symbols);
    return withMemory(
      async (memory) => {
        const { node_id } = await memory.ok<Stored>('memory_store', {
          content: 'Opens once.',
          kind: 'fact',
          entities: names.map((name) => `${name}()`),
        });
        const shown = async () =>
          (await memory.text('node', { id: node_id })).split('**Code:**\n')[1]?.split('\n\n')[0];
        expect(await shown()).toBe(
          ['src/store.ts:11 close', 'src/store.ts:21 move', 'src/store.ts:1 open', 'src/store.ts:31 read']
            .map((place) => `- ${place}`)
            .join('\n'),
        );
        code.write('src/store.ts', NOON, [
          { name: 'open', text: 'open it twice', from: 3, to: 8 },
          { name: 'read', text: 'read it', from: 41, to: 45 },
        ]);
        code.write('src/other.ts', NOON, [{ name: 'move', text: 'move it', from: 1, to: 2 }]);
        expect(await shown()).toBe(
          [
            '- src/store.ts close: gone',
            '- src/other.ts:1 move: moved from src/store.ts',
            '- src/store.ts:3 open: the code has changed since',
            '- src/store.ts:41 read',
          ].join('\n'),
        );
        await memory.ok('memory_verify', { node_id, status: 'refute' });
        expect(await shown()).toContain('- src/store.ts:3 open: the code has changed since\n');
      },
      { code },
    );
  });
});
