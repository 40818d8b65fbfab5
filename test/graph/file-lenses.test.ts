import { expect, it } from 'vitest';
import { lensesForFile } from '../../src/server/memory/code/lenses';
import { testCode } from '../support/code-index';
import { withFollowedRepository } from '../support/followed-repository';
import { withMemory } from '../support/memory';

const POOL = `export class Pool {
  take() {
    return this.free.pop();
  }
}

export function drain(pool: Pool) {
  while (pool.take());
}
`;

it('a lens counts the open memories on a symbol by kind, decisions first and the newest first within a kind', async () => {
  await withFollowedRepository({ 'src/pool.ts': POOL }, async ({ build, call, project }) => {
    await build();
    const store = async (kind: string, entity: string, more = {}): Promise<string> =>
      (
        await call<{ node_id: string }>('memory_store', {
          content: `${kind} ${entity}`,
          kind,
          entities: [entity],
          ...more,
        })
      ).node_id;
    const fact = await store('fact', 'Pool.take', { valid_from: '2026-01-01' });
    const decision = await store('decision', 'take()', { valid_from: '2026-03-01' });
    const other = await store('fact', 'src/pool.ts#take', { valid_from: '2026-02-01' });
    const file = await store('procedure', 'src/pool.ts');
    const closed = await store('fact', 'drain()');
    await call('memory_verify', { node_id: closed, status: 'refute' });
    await call('memory_switch_namespace', { namespace: 'other' });
    const elsewhere = await store('fact', 'drain()');
    expect(await lensesForFile(project.memory, 'src/pool.ts')).toEqual([
      expect.objectContaining({ name: 'drain', node_ids: [elsewhere] }),
    ]);
    await call('memory_switch_namespace', { namespace: 'default' });
    const unchanged = { verdict: 'unchanged' };
    const nothing = { doubtful_ids: [], other_version_ids: [], proposed_ids: [], proposed_in_doubt: [] };
    expect(await lensesForFile(project.memory, 'src/pool.ts')).toEqual([
      {
        ...{ code_type: 'file', name: 'pool.ts', start_line: 1, end_line: 10, ...unchanged },
        ...{ counts: { procedure: 1 }, node_ids: [file], ...nothing },
      },
      {
        ...{ code_type: 'method', name: 'Pool.take', start_line: 2, end_line: 4, ...unchanged },
        ...{ counts: { decision: 1, fact: 2 }, node_ids: [decision, other, fact], ...nothing },
      },
    ]);
  });
});

it('what an editor has unsaved is judged instead of the file', async () => {
  await withFollowedRepository({ 'src/pool.ts': POOL }, async ({ build, remember, project }) => {
    await build();
    await remember('Pool.take');
    const lens = async (text?: string): Promise<string> => {
      const [one] = await lensesForFile(project.memory, 'src/pool.ts', text);
      return `${one?.name} L${one?.start_line} ${one?.verdict}`;
    };
    expect(await lens()).toBe('Pool.take L2 unchanged');
    expect(await lens(`// above\n${POOL}`)).toBe('Pool.take L3 unchanged');
    expect(await lens(POOL.replace('pop', 'shift'))).toBe('Pool.take L2 changed');
    expect(await lens(POOL.replaceAll('take', 'borrow'))).toBe('Pool.borrow L2 moved');
    expect(await lens('export {};\n')).toBe('Pool.take L1 gone');
    expect(await lens()).toBe('Pool.take L2 unchanged');
  });
});

it('a file without memories is not looked at', async () => {
  const code = testCode();
  code.write('src/pool.ts', 0, [{ name: 'drain', text: 'drains', from: 1, to: 2 }]);
  await withMemory(
    async ({ memory }) => {
      expect(await lensesForFile(memory, 'src/pool.ts', POOL)).toEqual([]);
      expect(code.reads()).toBe(0);
    },
    { code },
  );
});
