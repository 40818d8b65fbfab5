/** Finds the open memory that says the same already. */
import type { MemoryKind } from '../../../kinds/kinds';
import type { FoundNamed } from '../before-remembering';
import { VALID, validAt } from '../clock-ahead';
import type { Memory } from '../memory';
import type { Standing } from '../origins';
import { said, saidKey } from './said';

/** What is stored, as far as it decides whether it is there already. */
export interface Statement {
  readonly content: string;
  readonly kind: MemoryKind;
  readonly entities: readonly string[];
  /** It waits for a person: then it may be the same as what waits, too. */
  readonly proposed: boolean;
}

/** The memory that says it. */
export interface SameMemory {
  readonly seq: number;
  readonly id: string;
  readonly rationale: string | null;
  /** JSON array of strings. */
  readonly alternatives_rejected: string | null;
  readonly standing: Standing;
}

/** Other texts with the same number, and the same text about other things. */
const MAX_COMPARED = 100;

/**
 * An open memory of this kind, valid now, that says the same about at least these entities (what waits for a
 * person counts only where this does, too): of several the one with a
 * rationale, then the oldest. Inside the transaction, so that of two processes only one stores it.
 */
export async function findSame(
  memory: Memory,
  { ns, entities }: Pick<FoundNamed, 'ns' | 'entities'>,
  { content, kind, entities: names, proposed }: Statement,
): Promise<SameMemory | undefined> {
  const about = names.map((name) => entities.get(name)?.seq);
  if (about.includes(undefined)) return undefined;
  const rows = await memory.sql.all<SameMemory & { readonly content: string }>(
    `SELECT n.seq, n.id, n.content, n.rationale, n.alternatives_rejected, n.standing
     FROM mem_nodes AS n
     WHERE n.said = $said AND n.seq >= $ns << 32 AND n.seq < ($ns + 1) << 32
       AND n.valid_until IS NULL AND n.tombstoned = 0 AND n.kind = $kind AND ${VALID}
       AND (n.standing <> 'proposed' OR $proposed)
       AND NOT EXISTS (SELECT 1 FROM json_each($about) AS asked
                       WHERE NOT EXISTS (SELECT 1 FROM mem_edges WHERE type = 'ABOUT' AND src = n.seq AND dst = asked.value))
     ORDER BY n.rationale IS NULL, n.seq LIMIT ${MAX_COMPARED}`,
    {
      ...validAt(memory, undefined),
      ns,
      kind,
      said: saidKey(content),
      about: JSON.stringify(about),
      proposed: proposed ? 1 : 0,
    },
  );
  return rows.find((row) => said(row.content) === said(content));
}
