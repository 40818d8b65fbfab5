/** Puts a memory on code that it did not name when it was stored. */
import { timestamp } from '../../base/clock';
import { conflict, type SvcError } from '../../base/errors';
import { shownId } from '../../base/shown';
import { findEntities, nameEntities } from '../entities';
import { entityKey } from '../entity-keys';
import { requireOwnWord } from '../foreign-turn';
import { operationOf, recorded } from '../history/operations';
import { applySideEffects, type TouchRow } from '../history/side-effects';
import { insertFewNodes } from '../insert-few-nodes';
import { MAX_ENTITIES } from '../limits';
import type { WritableMemory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { lastSeq } from '../nodes';
import { openMemory } from '../open-memory';
import { arrivalOf, standingOfName } from '../origins';
import { refreshContexts } from '../refresh-contexts';
import { linkedSymbols } from './linked-symbols';
import { isSamePlace, type MatchedNames, type SymbolPlace } from './touches';

export interface PutOnCode {
  readonly node_id: string;
  /** How many links to code are new. */
  readonly linked: number;
  /** What undo takes; null where it was on that code already. */
  readonly operation: number | null;
}

/**
 * Makes an open memory be about one more name, which stands for code, and links it. Who said it, when, and how it stands
 * stay as they were.
 * @param code a path, or `path#name`
 * @param matched what `matchEntities` found for it
 * @throws SvcError as `openMemory`, as `requireOwnWord`, and conflict for one that is about as many things as it can be
 */
export async function putOnCode(
  memory: WritableMemory,
  { node_id, code }: { readonly node_id: string; readonly code: string },
  matched: MatchedNames,
): Promise<PutOnCode> {
  const { sql } = memory;
  const ns = await namespaceNumber(sql, memory.scope.namespace);
  const { seq } = await openMemory(sql, ns, node_id, 'node_id');
  await requireOwnWord(memory, [{ seq }]);
  const entity = (await findEntities(sql, ns, [code], 'exactly')).get(code);
  const known = await sql.all<{ dst: number }>("SELECT dst FROM mem_edges WHERE type = 'ABOUT' AND src = $seq", {
    seq,
  });
  const isNew = entity === undefined || known.every(({ dst }) => dst !== entity.seq);
  if (isNew && known.length >= MAX_ENTITIES) throw aboutEnough(node_id);
  const links = await newLinks(memory, seq, matched);
  if (!isNew && links.length === 0) return { node_id, linked: 0, operation: null };
  const side = {
    ...(isNew ? { about: entity?.id ?? (await nameCode(memory, ns, code)) } : {}),
    ...(links.length > 0 ? { linked: links } : {}),
  };
  await recorded(memory, ns, 'link', [{ seq, side }], () => applySideEffects(memory, ns, { seq, id: node_id }, side));
  await refreshContexts(memory, ns, [seq]);
  return { node_id, linked: links.length, operation: await operationOf(memory, ns) };
}

/** The refusal of one more name. */
export function aboutEnough(id: string): SvcError {
  return conflict(
    `${shownId(id)} is about ${MAX_ENTITIES} things already`,
    'Store a memory of its own about this code',
  );
}

/** The links that a memory lacks to the symbols that were found. */
async function newLinks(memory: WritableMemory, seq: number, matched: MatchedNames): Promise<readonly TouchRow[]> {
  const there = await memory.sql.all<SymbolPlace>(
    'SELECT file_path, code_type, name FROM mem_links WHERE node = $seq',
    { seq },
  );
  const now = timestamp(memory.clock());
  return linkedSymbols({ names: [...matched.keys()] }, matched)
    .filter((symbol) => !there.some((place) => isSamePlace(place, symbol)))
    .map(({ file_path, code_type, name, hash, commit }) => [file_path, code_type, name, hash, now, commit]);
}

/** @returns the id of the entity that it makes */
async function nameCode(memory: WritableMemory, ns: number, code: string): Promise<string> {
  const now = timestamp(memory.clock());
  const [made] = await insertFewNodes(
    memory,
    { now, first: (await lastSeq(memory.sql, ns)) + 1, episodes: new Map() },
    [{ kind: 'entity', content: code, confidence: 1, valid_from: now, standing: standingOfName(arrivalOf(memory)) }],
  );
  if (!made) throw new Error('inserting nodes returned none');
  await nameEntities(memory, ns, [{ key: entityKey(code), entity: made.seq, alias: null }]);
  return made.id;
}
