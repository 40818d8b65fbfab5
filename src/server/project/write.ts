/** Runs a write of a project in one transaction. */
import type { Database } from '../db/sql';
import type { Memory, Scope, Write } from '../memory/memory';
import type { SessionLeases } from './session-leases';

/** Who writes when no tool does: consolidation, and what goes with a build. */
const PROGRAM = 'svc-memory';

interface Written {
  readonly store: Database;
  readonly beforeWrite: () => Promise<void>;
  readonly leases: Pick<SessionLeases, 'note'>;
}

/** Writing with a scope that is kept when the transaction succeeds, and left as it was when it does not. */
export function writeWith({ store, beforeWrite, leases }: Written, memory: Memory, scope: Scope): Write {
  return async (work, tool = PROGRAM, noted = () => {}) => {
    await beforeWrite();
    const draft = { ...scope };
    let operations = new Map<number, number>();
    const result = await store.transact((sql) => {
      // Only now is it this transaction's turn; those before it may have moved the scope. It may have more than one.
      Object.assign(draft, scope);
      operations = new Map();
      return work({ ...memory, sql, scope: draft, call: { tool, operations } });
    });
    Object.assign(scope, draft);
    leases.note(scope);
    // Each namespace has one of its own: no number takes back what was done in several.
    const [only] = operations.values();
    if (only !== undefined && operations.size === 1) noted(only);
    return result;
  };
}
