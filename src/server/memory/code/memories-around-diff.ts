/** The memories that a change of files may concern. */
import type { MemoryKind } from '../../../kinds/kinds';
import { type Marked, marked } from '../marks';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { BESIDE, type SymbolKey, type TouchKey } from './touches';

/** Where a symbol is, or was. */
export type SymbolPlace = Omit<SymbolKey, 'hash'>;

/** An open memory with one symbol that it is about. */
export interface MemoryOnSymbol extends Marked {
  readonly id: string;
  readonly kind: MemoryKind;
  readonly content: string;
  readonly confidence: number;
  readonly valid_from: string;
  readonly rationale: string | null;
  readonly touch: Required<TouchKey>;
  /** It was re-anchored, and nobody has confirmed that since. */
  readonly moved: boolean;
  /** Where it was linked, and where it has been since; the last one first. */
  readonly before: readonly SymbolPlace[];
}

interface Row extends Omit<MemoryOnSymbol, 'touch' | 'moved' | 'before'>, Required<TouchKey> {
  readonly was_path: string | null;
  readonly was_type: string | null;
  readonly was_name: string | null;
  /** JSON array of [path, type, name]. */
  readonly anchors: string;
}

/**
 * The open memories of the active namespace on symbols that are in one of these files or were, and those on a symbol
 * with one of these texts, wherever it is.
 */
export async function memoriesAround(
  memory: Memory,
  paths: readonly string[],
  hashes: Iterable<string>,
): Promise<MemoryOnSymbol[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const rows = await memory.sql.all<Row>(
    `WITH among AS (SELECT value FROM json_each($paths)),
     found AS (
       SELECT t.node, t.file_path, t.code_type, t.name, t.hash
       FROM json_each($paths) AS a CROSS JOIN mem_touches AS t ON t.file_path = a.value
       UNION SELECT t.node, t.file_path, t.code_type, t.name, t.hash
       FROM json_each($hashes) AS a CROSS JOIN mem_touches AS t ON t.hash = a.value
       UNION SELECT t.node, t.file_path, t.code_type, t.name, t.hash
       FROM json_each($hashes) AS a CROSS JOIN mem_touches AS t ON t.seen = a.value
       UNION SELECT t.node, t.file_path, t.code_type, t.name, t.hash
       FROM mem_touches AS t WHERE t.was_path IN among
       UNION SELECT t.node, t.file_path, t.code_type, t.name, t.hash
       FROM mem_anchors AS a CROSS JOIN mem_touches AS t ON t.node = a.node AND t.hash = a.old_hash
       WHERE a.old_path IN among)
     SELECT n.id, n.kind, n.content, n.confidence, n.valid_from, n.rationale,
            t.file_path, t.code_type, t.name, t.hash, t.seen, t.linked_at, ${BESIDE} AS beside,
            t.was_path, t.was_type, t.was_name,
            (SELECT json_group_array(json_array(old_path, old_type, old_name)) FROM (
               SELECT a.old_path, a.old_type, a.old_name FROM mem_anchors AS a
               WHERE a.node = t.node AND a.old_hash = t.hash ORDER BY a.id DESC)) AS anchors
     FROM found AS f CROSS JOIN mem_touches AS t ON t.node = f.node AND t.file_path = f.file_path
       AND t.code_type = f.code_type AND t.name = f.name AND t.hash = f.hash
     CROSS JOIN mem_nodes AS n ON n.seq = t.node
     WHERE +(n.seq >> 32) = $ns AND n.tombstoned = 0 AND n.valid_until IS NULL
     ORDER BY t.file_path, t.name, n.seq, t.hash`,
    { ns, paths: JSON.stringify(paths), hashes: JSON.stringify([...hashes]) },
  );
  return rows.map((row) => {
    const { id, kind, content, confidence, valid_from, rationale, was_path, was_type, was_name, anchors } = row;
    const { file_path, code_type, name, hash, seen, linked_at, beside } = row;
    const places = (JSON.parse(anchors) as [string, string, string][]).map(([path, type, called]) => ({
      ...{ file_path: path, code_type: type, name: called },
    }));
    if (was_path !== null && was_type !== null && was_name !== null) {
      places.push({ file_path: was_path, code_type: was_type, name: was_name });
    }
    return {
      ...marked(memory, { id, kind, content, confidence, valid_from, rationale }),
      touch: { file_path, code_type, name, hash, seen, linked_at, beside },
      moved: was_path !== null,
      before: places,
    };
  });
}
