/** Confirms and refutes memories. */

import { timestamp } from '../base/clock';
import { closeReplaced, replacedBy } from './close-replaced';
import { acceptedTexts, NO_TEXT } from './code/accepted-texts';
import { symbolsOf as symbolsOfLink } from './code/places-of-link';
import { type CodeSymbol, type LocatedSymbol, locateTouches, TOUCH_COLUMNS, type Touch } from './code/touches';
import { requireOwnWord } from './foreign-turn';
import { type Change, recorded } from './history/operations';
import { applySideEffects, type SideEffects } from './history/side-effects';
import { CONFIRM_STEP, REFUTE_FACTOR } from './limits';
import type { Memory, WritableMemory } from './memory';
import { namespaceNumber } from './namespaces';
import { openMemory } from './open-memory';

export interface Verified {
  readonly node_id: string;
  readonly confidence: number;
  readonly status: 'confirmed' | 'refuted';
}

/** A linked symbol as it was kept and as it stands now. */
export interface Located {
  readonly key: Touch;
  /** Row number. */
  readonly link: number;
  readonly now: LocatedSymbol;
}

/** Where the memory's symbols stand now; reads working files, so it belongs before the transaction. */
export async function locateMemory(memory: Memory, nodeId: string): Promise<Located[]> {
  if (memory.code.unavailable) return [];
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const keys = await memory.sql.all<Touch & { link: number }>(
    `SELECT t.id AS link, ${TOUCH_COLUMNS}
     FROM mem_links AS t JOIN mem_nodes AS n ON n.seq = t.node
     WHERE n.id = $id AND +(n.seq >> 32) = $ns ORDER BY t.file_path, t.name, t.hash`,
    { id: nodeId, ns },
  );
  const located = await locateTouches(memory, keys);
  return keys.flatMap(({ link, ...key }, i) =>
    located[i] && !located[i].outside ? [{ key, link, now: located[i] }] : [],
  );
}

/**
 * Confirms (confidence + 0.1, at most 1; its links accept what is there now) or refutes (confidence × 0.5, closed).
 * Settles what waits for review of it.
 * @throws SvcError not_found, or conflict for a closed or tombstoned node
 */
export async function verify(
  memory: WritableMemory,
  nodeId: string,
  status: 'confirm' | 'refute',
  located: readonly Located[],
): Promise<Verified> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const { seq, standing } = await openMemory(memory.sql, ns, nodeId, 'node_id');
  // What is confirmed is no longer asked about, whatever its code has become.
  await requireOwnWord(memory, [{ seq }]);
  // An agent's word changes how sure it is, and vouches for nothing.
  const keeps = status === 'confirm' && memory.holder().by === 'person';
  const now = timestamp(memory.clock());
  const settled = await waitingFor(memory, nodeId);
  const side: SideEffects =
    status === 'confirm' ? { settled, accepted: newTexts(located), noted: seenNow(located) } : { settled };
  const change: Change = { seq, side };
  const replaced = keeps && standing === 'proposed' ? await replacedBy(memory.sql, ns, [seq]) : [];
  await recorded(memory, ns, status, [change], async () => {
    await memory.sql.run(
      status === 'confirm'
        ? `UPDATE mem_nodes SET confidence = min(1.0, round(confidence + ${CONFIRM_STEP}, 9))
             ${keeps ? ", standing = 'confirmed'" : ''}
           WHERE seq = $seq AND +(seq >> 32) = $ns`
        : `UPDATE mem_nodes SET confidence = confidence * ${REFUTE_FACTOR}, valid_until = $now
           WHERE seq = $seq AND +(seq >> 32) = $ns`,
      status === 'confirm' ? { seq, ns } : { seq, ns, now },
    );
    await applySideEffects(memory, ns, { seq, id: nodeId }, side);
  });
  await closeReplaced(memory, ns, replaced);
  const after = await memory.sql.get<{ confidence: number }>(
    'SELECT confidence FROM mem_nodes WHERE seq = $seq AND +(seq >> 32) = $ns',
    { seq, ns },
  );
  return {
    node_id: nodeId,
    confidence: after?.confidence ?? 0,
    status: status === 'confirm' ? 'confirmed' : 'refuted',
  };
}

/** The symbols that are there now. */
export function symbolsOf(located: readonly Located[]): CodeSymbol[] {
  return located.flatMap(({ now }) => symbolsOfLink(now));
}

/** Numbers of the review entries of a memory that wait. The caller knows that the memory is in its namespace. */
export async function waitingFor(memory: Memory, nodeId: string): Promise<number[]> {
  const rows = await memory.sql.all<{ id: number }>(
    'SELECT id FROM mem_review_queue WHERE node_id = $nodeId AND settled_at IS NULL ORDER BY id',
    { nodeId },
  );
  return rows.map(({ id }) => id);
}

/** The texts that are there now, as far as the links do not accept them yet; an empty one for a symbol that is gone. */
export function newTexts(located: readonly Located[]): NonNullable<SideEffects['accepted']> {
  return located.flatMap(({ key, link, now }) => {
    const { verdict, symbol } = now;
    // Where another branch is looked at, that it is not there says nothing.
    if (verdict === 'not judged' || (verdict === 'other version' && !symbol)) return [];
    const texts = symbol ? symbolsOfLink(now).map(({ hash }) => hash) : [NO_TEXT];
    const known = acceptedTexts(key);
    return texts.filter((text) => !known.includes(text)).map((text) => [link, text] as const);
  });
}

/** What is confirmed now is doubted again only when its symbols' text changes, queued before or not. */
function seenNow(located: readonly Located[]): NonNullable<SideEffects['noted']> {
  const seen = new Map<string, string[]>();
  for (const { key, now } of located) {
    if (now.verdict === 'not judged') continue;
    seen.set(key.file_path, [...(seen.get(key.file_path) ?? []), now.symbol?.hash ?? '']);
  }
  return [...seen].map(([file, hashes]) => [file, hashes.join(' ')] as const);
}
