import { timestamp } from '../base/clock';
import { CONFIRM_STEP, REFUTE_FACTOR } from './limits';
import type { Memory, WritableMemory } from './memory';
import { namespaceNumber } from './namespaces';
import { openMemory } from './nodes';
import type { LocatedSymbol, SymbolKey } from './touches';

export interface Verified {
  readonly node_id: string;
  readonly confidence: number;
  readonly status: 'confirmed' | 'refuted';
}

/** A touched symbol as it was kept and as it stands now. */
export interface Located {
  readonly key: SymbolKey;
  readonly now: LocatedSymbol;
}

/** Where the memory's symbols stand now; reads working files, so it belongs before the transaction. */
export async function locateTouches(memory: Memory, nodeId: string): Promise<Located[]> {
  if (memory.code.unavailable) return [];
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const keys = await memory.sql.all<SymbolKey>(
    `SELECT t.file_path, t.code_type, t.name, t.hash FROM mem_touches AS t JOIN mem_nodes AS n ON n.seq = t.node
     WHERE n.id = $id AND +(n.seq >> 32) = $ns ORDER BY t.file_path, t.name`,
    { id: nodeId, ns },
  );
  const located = keys.length === 0 ? [] : await memory.code.locate(keys);
  return keys.flatMap((key, i) => (located[i] ? [{ key, now: located[i] }] : []));
}

/**
 * Confirms (confidence + 0.1, at most 1; its symbols are taken as they are now) or refutes (confidence × 0.5, closed).
 * @throws SvcError not_found, or conflict for a closed or tombstoned node
 */
export async function verify(
  memory: WritableMemory,
  nodeId: string,
  status: 'confirm' | 'refute',
  located: readonly Located[],
): Promise<Verified> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const { seq } = await openMemory(memory.sql, ns, nodeId, 'node_id');
  const now = timestamp(memory.clock());
  if (status === 'confirm') {
    await memory.sql.run(
      `UPDATE mem_nodes SET confidence = min(1.0, round(confidence + ${CONFIRM_STEP}, 9)) WHERE seq = $seq`,
      { seq },
    );
    await takeHashesAnew(memory, seq, located);
  } else {
    await memory.sql.run(
      `UPDATE mem_nodes SET confidence = confidence * ${REFUTE_FACTOR}, valid_until = $now
       WHERE seq = $seq`,
      { seq, now },
    );
  }
  await memory.sql.run('UPDATE mem_review_queue SET settled_at = $now WHERE node_id = $nodeId AND settled_at IS NULL', {
    nodeId,
    now,
  });
  if (status === 'confirm') await noteAsSettled(memory, nodeId, located);
  const after = await memory.sql.get<{ confidence: number }>('SELECT confidence FROM mem_nodes WHERE seq = $seq', {
    seq,
  });
  return {
    node_id: nodeId,
    confidence: after?.confidence ?? 0,
    status: status === 'confirm' ? 'confirmed' : 'refuted',
  };
}

async function takeHashesAnew(memory: WritableMemory, seq: number, located: readonly Located[]): Promise<void> {
  for (const { key, now } of located) {
    if (!now.symbol) continue;
    await memory.sql.run(
      `UPDATE OR REPLACE mem_touches SET file_path = $path, code_type = $type, name = $name, hash = $hash
       WHERE node = $seq AND file_path = $oldPath AND code_type = $oldType AND name = $oldName`,
      {
        seq,
        path: now.symbol.file_path,
        type: now.symbol.code_type,
        name: now.symbol.name,
        hash: now.symbol.hash,
        oldPath: key.file_path,
        oldType: key.code_type,
        oldName: key.name,
      },
    );
  }
}

/** What is confirmed now is doubted again only when its symbols' text changes, queued before or not. */
async function noteAsSettled(memory: WritableMemory, nodeId: string, located: readonly Located[]): Promise<void> {
  const seen = new Map<string, string[]>();
  for (const { key, now } of located) {
    const file = now.symbol?.file_path ?? key.file_path;
    seen.set(file, [...(seen.get(file) ?? []), now.symbol?.hash ?? '']);
  }
  if (seen.size === 0) return;
  await memory.sql.run(
    `INSERT INTO mem_review_queue (node_id, file_path, reason, verdict, seen, queued_at, settled_at)
     SELECT $nodeId, value ->> 0, 'stale', 'unchanged', value ->> 1, $now, $now FROM json_each($seen)
     WHERE value ->> 1 IS NOT (SELECT seen FROM mem_review_queue
                               WHERE node_id = $nodeId AND file_path = value ->> 0 ORDER BY id DESC LIMIT 1)`,
    {
      nodeId,
      now: timestamp(memory.clock()),
      seen: JSON.stringify([...seen].map(([file, hashes]) => [file, hashes.join(' ')])),
    },
  );
}
