import { type TestCode, testCode } from './code-index';
import type { MemoryTest } from './memory';
import { NOON } from './memory';

export const LATER = NOON + 60_000;

/** Two files with a function each. */
export function twoFunctions(): TestCode {
  const code = testCode();
  code.write('a.ts', NOON, [{ name: 'alpha', text: 'alpha 1', from: 1, to: 9 }]);
  code.write('b.ts', NOON, [{ name: 'gamma', text: 'gamma 1', from: 1, to: 9 }]);
  return code;
}

export async function storeFact(test: MemoryTest, content: string, more: object = {}): Promise<string> {
  const { node_id } = await test.ok<{ node_id: string }>('memory_store', { content, kind: 'fact', ...more });
  return node_id;
}

/** What of a node can change. */
export async function stateOf(test: MemoryTest, id: string): Promise<readonly unknown[]> {
  const row = await test.memory.sql.get<{ confidence: number; closed: number; tombstoned: number }>(
    'SELECT confidence, valid_until IS NOT NULL AS closed, tombstoned FROM mem_nodes WHERE id = $id',
    { id },
  );
  return row
    ? [row.confidence, row.closed === 1 ? 'closed' : 'open', row.tombstoned === 1 ? 'forgotten' : 'there']
    : [];
}
