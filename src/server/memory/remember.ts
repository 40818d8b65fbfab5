/** Stores a memory. */

import type { MemoryKind } from '../../kinds/kinds';
import { timestamp } from '../base/clock';
import { seen } from '../base/text';
import { type FoundNamed, findNamed } from './before-remembering';
import { closeSupersededNodes } from './close-superseded-nodes';
import { type KeptCode, keptCode, NO_KEPT_CODE } from './code/kept-code';
import {
  findUnresolved,
  linkTouches,
  type MatchedNames,
  matchNames,
  type PlacedTouch,
  type Unresolved,
  writeTouches,
} from './code/touches';
import { valuesNamed } from './code/values-named';
import { insertEdges } from './edges';
import { type Entity, missingEntities, nameEntities } from './entities';
import { entityKey } from './entity-keys';
import { recordStored } from './history/operations';
import { insertFewNodes } from './insert-few-nodes';
import type { Memory, WritableMemory } from './memory';
import { nameNamespace } from './namespaces';
import type { NewNode } from './nodes';
import { requireOpenMemory } from './open-memory';
import { arrivalOf, insertOrigin, type Standing, standingOfName } from './origins';
import {
  holdSession,
  moveScope,
  newSession,
  type OpenSession,
  requireOpenSession,
  touchSession,
} from './sessions/sessions';
import { findSame } from './similar/find-same';
import { saidKey } from './similar/said';
import type { Similar } from './similar/similar';
import { storeAgain } from './similar/store-again';
import { storable } from './text/search-terms';

export interface NewMemory {
  readonly content: string;
  readonly kind: MemoryKind;
  readonly entities: readonly string[];
  /** These are the names of what it supersedes: all the code of that is its code. */
  readonly aboutTheSame?: boolean;
  readonly confidence: number;
  /** In our own 24-character form; now when absent. */
  readonly valid_from: string | undefined;
  readonly supersedes: string | undefined;
  readonly session_id: string | undefined;
  readonly rationale: string | undefined;
  readonly alternatives_rejected: readonly string[];
  readonly namespace: string | undefined;
}

export interface Remembered {
  readonly node_id: string;
  readonly linked_entity_ids: string[];
  readonly created_entity_ids: string[];
  /** Open memories that say the same. */
  readonly similar?: readonly Similar[] | undefined;
}

/** What the names of new memories mean. */
export interface MatchedEntities {
  readonly matched: MatchedNames;
  /** Names with a path that mean no symbol. */
  readonly unresolved: readonly Unresolved[];
}

/** Of one that may replace another. */
export interface MatchedForNew extends MatchedEntities {
  /** What the one that it replaces is about, as far as the names are the same. */
  readonly kept: KeptCode;
}

/**
 * Matches the code that the names of a new memory's entities stand for, their aliases included. Reads working files, so
 * before the transaction.
 */
export async function matchEntities(
  memory: Memory,
  {
    entities,
    namespace = memory.scope.namespace,
    supersedes,
    aboutTheSame = false,
    content = '',
  }: Pick<NewMemory, 'entities' | 'namespace'> & Partial<Pick<NewMemory, 'supersedes' | 'aboutTheSame' | 'content'>>,
): Promise<MatchedForNew> {
  if ((entities.length === 0 && !aboutTheSame) || memory.code.unavailable) {
    return { matched: new Map(), kept: NO_KEPT_CODE, unresolved: [] };
  }
  const written = entities.map(seen);
  const names = aboutTheSame ? undefined : written;
  const kept = supersedes === undefined ? NO_KEPT_CODE : await keptCode(memory, namespace, supersedes, names, content);
  if (entities.length === 0) return { matched: new Map(), kept, unresolved: [] };
  const values = valuesNamed(content, written);
  const others = (names: readonly string[]): string[] => names.filter((name) => !kept.stands(name));
  // Before the first build only paths mean code, and aliases are words for it: they are not worth a look into the store.
  if ((await memory.code.built?.()) === false) {
    return {
      matched: await matchNames(memory, [...others(namesOf(entities, [])), ...values]),
      kept,
      unresolved: [],
    };
  }
  const { origin } = arrivalOf(memory);
  const named = { namespace, session: undefined, supersedes: undefined, entities, origin };
  const found = await findNamed(memory, named);
  const all = others(namesOf(entities, [...found.entities.values()]));
  const matched = await matchNames(memory, [...all, ...values]);
  // Of what is gone it is told where it may be now.
  const meant = written.filter((name) => !kept.leads(name));
  return { matched, kept, unresolved: await findUnresolved(memory, meant, matched) };
}

/**
 * Stores a memory, links its entities and symbols, and closes what it supersedes.
 * @param matched what `matchEntities` found
 * @param kept links that it found
 * @throws SvcError not_found or conflict for `supersedes` and `session_id`; then nothing is written
 */
export async function remember(
  memory: WritableMemory,
  input: NewMemory,
  matched: MatchedNames = new Map(),
  kept: readonly PlacedTouch[] = [],
): Promise<Remembered> {
  const { sql, scope } = memory;
  if (input.namespace !== undefined) moveScope(memory, input.namespace);
  const { origin, standing } = arrivalOf(memory);
  const found = await findNamed(memory, {
    namespace: scope.namespace,
    session: input.session_id ?? scope.session?.id,
    supersedes: input.supersedes,
    entities: input.entities,
    origin,
    said: isSaidOnce(input) ? saidKey(storable(input.content)) : undefined,
  });
  const { ns } = found;
  const superseded =
    input.supersedes === undefined
      ? undefined
      : await requireOpenMemory(sql, found.superseded, input.supersedes, 'supersedes');
  const validFrom = input.valid_from ?? timestamp(memory.clock());
  const open = sessionIn(memory, found, input.session_id);
  const same = found.isSaid
    ? await findSame(memory, found, { ...input, proposed: standing === 'proposed' })
    : undefined;
  if (same) {
    await storeAgain(memory, ns, same, input);
    if (open) await touchSession(memory, open.seq);
    return {
      node_id: same.id,
      linked_entity_ids: [...new Set(input.entities.flatMap((name) => found.entities.get(name)?.id ?? []))],
      created_entity_ids: [],
      similar: [{ node_id: same.id, relation: 'same' }],
    };
  }
  const missing = [
    ...(found.isNew ? [nameNamespace(ns, scope.namespace)] : []),
    ...(found.origin.isNew ? [insertOrigin(found.origin.id, origin)] : []),
  ];
  if (missing.length > 0) await sql.batch(missing);
  const written = await writeNodes(memory, found, open, {
    ...input,
    validFrom,
    standing,
    origin: found.origin.id,
  });
  const { node, about, session } = written;

  await insertEdges(sql, [
    ...about.map((entity) => ({ type: 'ABOUT' as const, src: node.seq, dst: entity.seq })),
    ...(superseded ? [{ type: 'SUPERSEDES' as const, src: node.seq, dst: superseded.seq }] : []),
  ]);
  await recordStored(memory, ns, node.seq, node.seq);
  // What waits for a person takes nothing away: docs/behaviour.md, "Proposals".
  if (superseded && standing !== 'proposed') {
    await closeSupersededNodes(memory, ns, [{ seq: superseded.seq, by: node.seq, validFrom }]);
  }
  const values = valuesNamed(input.content, input.entities.map(seen));
  await linkTouches(memory, [{ seq: node.seq, names: [...namesOf(input.entities, about), ...values] }], matched);
  await writeTouches(
    memory,
    kept.map((link) => ({ ...link, node: node.seq })),
  );
  await (open ? touchSession(memory, open.seq) : holdSession(memory, session));
  return {
    node_id: node.id,
    linked_entity_ids: about.map((entity) => entity.id),
    created_entity_ids: written.created,
  };
}

/** What replaces another, or says when or in which session, is a memory of its own. */
export function isSaidOnce({ supersedes, valid_from, session_id }: NewMemory): boolean {
  return supersedes === undefined && valid_from === undefined && session_id === undefined;
}

/** As the names were written here (`name()`), and as the entities are called. */
function namesOf(written: readonly string[], entities: readonly Entity[]): string[] {
  return [...new Set([...written.map(seen), ...entities.flatMap((entity) => entity.names)])];
}

/** The session that is written to; undefined where one is to be opened. @throws SvcError not_found or conflict */
function sessionIn(memory: Memory, { session }: FoundNamed, named: string | undefined): OpenSession | undefined {
  if (named !== undefined) return requireOpenSession(session, named);
  // Another process may have cleared or closed it.
  const isOpen =
    session?.seq === memory.scope.session?.seq && session?.tombstoned === 0 && session.valid_until === null;
  return isOpen ? session : undefined;
}

interface WrittenNodes {
  readonly node: OpenSession;
  readonly session: OpenSession;
  readonly about: readonly Entity[];
  /** Ids of the entities that were missing. */
  readonly created: string[];
}

/** Writes the memory, and with it the session and the entities that are missing. They get the numbers before its own. */
async function writeNodes(
  memory: WritableMemory,
  { ns, last, episode, entities }: FoundNamed,
  open: OpenSession | undefined,
  input: NewMemory & { readonly validFrom: string; readonly origin: number; readonly standing: Standing },
): Promise<WrittenNodes> {
  const now = timestamp(memory.clock());
  const sessions = open ? [] : [newSession(memory)];
  const missing = missingEntities(input.entities, entities);
  const fresh = [...missing.values()].map(
    (name): NewNode => ({
      ...{ kind: 'entity', content: name, confidence: 1, valid_from: now },
      standing: standingOfName(input),
    }),
  );
  const seqOfSession = open?.seq ?? last + 1;
  const names = input.entities.flatMap((name) => entities.get(name)?.names ?? missing.get(entityKey(name)) ?? []);
  const memoryNode: NewNode = {
    kind: input.kind,
    content: input.content,
    confidence: input.confidence,
    valid_from: input.validFrom,
    rationale: input.rationale,
    alternatives_rejected: input.alternatives_rejected,
    session: seqOfSession,
    origin: input.origin,
    standing: input.standing,
    names: [...new Set(names)],
  };
  const inserted = await insertFewNodes(
    memory,
    { now, first: last + 1, episodes: new Map(open && episode ? [[open.seq, episode]] : []) },
    [...sessions, ...fresh, memoryNode],
  );
  const made = inserted.slice(sessions.length, -1);
  const byKey = new Map(
    [...missing].map(([key, name], i): [string, Entity] => {
      const { seq, id } = made[i] ?? { seq: 0, id: '' };
      return [key, { seq, id, names: [name] }];
    }),
  );
  if (byKey.size > 0) {
    await nameEntities(
      memory,
      ns,
      [...byKey].map(([key, { seq }]) => ({ key, entity: seq, alias: null })),
    );
  }
  const all = input.entities.flatMap((name) => entities.get(name) ?? byKey.get(entityKey(name)) ?? []);
  const [first] = inserted;
  const node = inserted.at(-1);
  if (!first || !node) throw new Error('inserting nodes returned none');
  return {
    node,
    session: open ?? first,
    about: [...new Map(all.map((entity) => [entity.seq, entity])).values()],
    created: made.map(({ id }) => id),
  };
}
