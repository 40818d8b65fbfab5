import type { Database } from '../db/sql';
import type { Memory, Scope, WritableMemory } from '../memory/memory';

/** Runs `work` in one transaction. @param tool on whose behalf, for the history */
export type Write = <Result>(work: (memory: WritableMemory) => Promise<Result>, tool?: string) => Promise<Result>;

/** Who writes when no tool does: consolidation, and what goes with a build. */
const PROGRAM = 'svc-memory';

/** Writing with a scope that is kept when the transaction succeeds, and left as it was when it does not. */
export function writeWith(store: Database, memory: Memory, scope: Scope): Write {
  return async (work, tool = PROGRAM) => {
    const draft = { ...scope };
    const result = await store.transact((sql) => {
      // Only now is it this transaction's turn; those before it may have moved the scope.
      Object.assign(draft, scope);
      return work({ ...memory, sql, scope: draft, call: { tool, operations: new Map() } });
    });
    Object.assign(scope, draft);
    return result;
  };
}
