/** What an import is to write, worked out by reading alone: before its transaction, or at its beginning. */

import { isStructural } from '../../../kinds/kinds';
import { timestamp } from '../../base/clock';
import { SvcError, unavailable } from '../../base/errors';
import type { Reader } from '../../db/sql';
import { linkedSymbols } from '../code/linked-symbols';
import { findUnresolved, type MatchedNames, matchNames, type NewTouch, type SymbolAtCommit } from '../code/touches';
import type { Edge } from '../edges';
import { IMPORT_BATCH } from '../limits';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import type { NewNode } from '../nodes';
import { type Arrival, type Origin, standingOfName } from '../origins';
import type { MatchedEntities } from '../remember';
import { type BroughtSources, type ImportedFile, mayRename } from './import-arrival';
import { type EntityTarget, type ImportedEntities, importEntities, isImportObject } from './import-entities';
import { type ImportObject, namesOfCode, readImportObject } from './import-object';
import { closesFile, type References, resolveReferences } from './import-references';

export interface ImportOptions {
  /**
   * `own`: the objects' own field counts, as a person's import of an export needs it. `active`: all of it goes to the
   * active namespace, as everything that an agent writes; other namespaces are as if they were not there.
   */
  readonly namespaces: 'own' | 'active';
  /** The file that a person imports, or what is brought from the project; undefined for what an agent sends. */
  readonly file: ImportedFile | BroughtSources | undefined;
  /** Places in the message of what is a shared memory already, as `sharedAlready` finds them. */
  readonly shared?: ReadonlySet<number> | undefined;
  /** By its place in the message, why an object is not taken. */
  readonly refused: ReadonlyMap<number, string>;
  readonly progress: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}

export interface ImportProblem {
  /** The object's place in the message. */
  readonly index: number;
  readonly message: string;
}

export interface ImportPlan {
  /** The namespace that was active. */
  readonly active: string;
  readonly references: References;
  readonly groups: readonly GroupPlan[];
  /** How many objects are not written: bad ones, and those that are there already. */
  readonly left: number;
  readonly problems: readonly ImportProblem[];
}

/** The objects of one namespace. */
export interface GroupPlan {
  readonly namespace: string;
  readonly entities: ImportedEntities;
  /** What is written, in this order: entities that only the memories name, then the message's objects. */
  readonly fresh: readonly ImportObject[];
  /** Some of them belong to the process's own session. */
  readonly needsSession: boolean;
}

/** A group whose row numbers are known: they follow each other. */
export interface NumberedGroup extends GroupPlan {
  readonly first: number;
  readonly last: number;
  /** Row number of the process's own session. */
  readonly ownSession: number | undefined;
  readonly now: string;
  readonly seqOfObject: (object: ImportObject) => number;
  /** Row number of a node named by its id. */
  readonly seqOf: (id: string) => number | undefined;
  readonly seqOfEntity: (target: EntityTarget) => number;
  /** Of a row number of the store. */
  readonly isWaiting: (seq: number) => boolean;
  readonly renamed: References['renamed'];
  readonly arrivals: Arrivals;
}

/** How the memories of an import come in. */
export interface Arrivals {
  readonly of: (object: ImportObject) => Arrival;
  /** A newer version takes the place of one that still waits: what is brought does so of its own source. */
  readonly closesWaiting: boolean;
  /** What rows get in place of the origin. */
  readonly rowOf: (origin: Origin) => number;
}

/** @throws SvcError unavailable when `signal` is aborted */
export async function planImport(
  memory: Memory,
  objects: readonly ImportObject[],
  { namespaces, file, shared }: Pick<ImportOptions, 'namespaces' | 'file' | 'shared'>,
): Promise<Omit<ImportPlan, 'left'>> {
  const problems: ImportProblem[] = [];
  const refuse = (object: { readonly index: number }, error: SvcError): void => {
    problems.push({ index: object.index, message: error.message });
  };
  const { namespace: active } = memory.scope;
  const namespaceOf = (object: ImportObject): string => (namespaces === 'own' ? (object.namespace ?? active) : active);
  const references = await resolveReferences(
    memory.sql,
    file ? objects : objects.filter((object) => !closesFile(memory, object, refuse)),
    { namespaces, shared, namespaceOf, refuse },
  );
  const renames = mayRename(memory, file);
  const groups: GroupPlan[] = [];
  for (const [namespace, group] of groupBy(references.objects, namespaceOf)) {
    groups.push(await planGroup(memory.sql, { namespace, active, objects: group, references, renames }));
  }
  return { active, references, groups, problems };
}

interface Grouped {
  readonly namespace: string;
  readonly active: string;
  readonly objects: readonly ImportObject[];
  readonly references: References;
  readonly renames: boolean;
}

async function planGroup(
  sql: Reader,
  { namespace, active, objects, references, renames }: Grouped,
): Promise<GroupPlan> {
  const ns = await namespaceNumber(sql, namespace);
  const entities = await importEntities(sql, ns, objects, references.inMessage, renames);
  return {
    namespace,
    entities,
    fresh: [...entities.created, ...objects.filter((object) => !entities.merged.has(object))],
    // It lies in the active namespace; objects of another one belong to no session, because nobody works there.
    needsSession: namespace === active && objects.some((object) => isMemory(object) && object.session_id === undefined),
  };
}

export function numberGroup(
  memory: Memory,
  plan: GroupPlan,
  { inMessage, inStore, renamed }: References,
  { first, ownSession, arrivals }: Pick<NumberedGroup, 'first' | 'ownSession' | 'arrivals'>,
): NumberedGroup {
  const { fresh, entities } = plan;
  const seqs = new Map(fresh.map((object, i) => [object, first + i]));
  const seqOfObject = (object: ImportObject): number => seqs.get(object) ?? 0;
  const waiting = new Set(
    [...inStore.values()].filter(({ standing }) => standing === 'proposed').map(({ seq }) => seq),
  );
  const seqOfEntity = (target: EntityTarget): number => (isImportObject(target) ? seqOfObject(target) : target.seq);
  return {
    ...plan,
    ...{ first, last: first + fresh.length - 1, ownSession, renamed, seqOfObject, seqOfEntity, arrivals },
    now: timestamp(memory.clock()),
    isWaiting: (seq) => waiting.has(seq),
    seqOf: (id) => {
      const object = inMessage.get(id);
      return object ? seqOfEntity(entities.merged.get(object) ?? object) : inStore.get(id)?.seq;
    },
  };
}

export interface ReadObjects {
  readonly objects: readonly ImportObject[];
  readonly problems: readonly ImportProblem[];
}

/** Checks the objects one by one. Bad ones become problems. @throws SvcError unavailable when `signal` is aborted */
export async function readObjects(
  values: readonly unknown[],
  { refused, signal }: Pick<ImportOptions, 'refused' | 'signal'>,
): Promise<ReadObjects> {
  const objects: ImportObject[] = [];
  const problems: ImportProblem[] = [];
  for (const [index, value] of values.entries()) {
    if (index % IMPORT_BATCH === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      checkNotAborted(signal);
    }
    const message = refused.get(index);
    if (message !== undefined) {
      problems.push({ index, message });
      continue;
    }
    try {
      objects.push(readImportObject(value, index));
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      problems.push({ index, message: error.message });
    }
  }
  return { objects, problems };
}

/** The different origins of what is written. */
export function originsOf(groups: readonly GroupPlan[], arrivalOf: Arrivals['of']): Origin[] {
  const found = new Map<string, Origin>();
  for (const { fresh } of groups) {
    for (const object of fresh.filter(isMemory)) {
      const { origin } = arrivalOf(object);
      found.set(originKey(origin), origin);
    }
  }
  return [...found.values()];
}

export function originKey({ kind, name, hash, store, marked }: Origin): string {
  return JSON.stringify([kind, name, hash, store, marked]);
}

export function newNode(group: NumberedGroup, object: ImportObject): NewNode {
  return {
    kind: object.kind,
    content: object.content,
    confidence: object.confidence,
    valid_from: validFromOf(group, object),
    rationale: object.rationale,
    alternatives_rejected: object.alternatives_rejected,
    session: sessionOf(group, object),
    ...arrivalIn(group, object),
    names: object.kind === 'entity' ? group.entities.aliasesOf(object) : namesAround(group.entities, object),
    id: group.renamed.has(object) ? undefined : object.id,
    recorded_at: object.recorded_at,
    valid_until: object.valid_until,
    tombstoned: object.tombstoned,
  };
}

/** Entities and sessions have no origin. */
function arrivalIn({ arrivals }: NumberedGroup, object: ImportObject): Pick<NewNode, 'origin' | 'standing'> {
  const arrival = arrivals.of(object);
  if (!isMemory(object)) return { standing: standingOfName(arrival) };
  const { origin, standing } = arrival;
  return { origin: arrivals.rowOf(origin), standing };
}

export function validFromOf(group: NumberedGroup, object: ImportObject): string {
  return object.valid_from ?? object.recorded_at ?? group.now;
}

function sessionOf(group: NumberedGroup, object: ImportObject): number | undefined {
  if (!isMemory(object) || object.session_id === null) return undefined;
  return object.session_id === undefined ? group.ownSession : group.seqOf(object.session_id);
}

function namesAround(entities: ImportedEntities, object: ImportObject): string[] {
  const targets = new Set(object.entities.map(entities.targetOf));
  return [...targets].flatMap((target) => {
    if (!target) return [];
    return isImportObject(target) ? [target.content, ...entities.aliasesOf(target)] : target.names;
  });
}

export function edgesOf(group: NumberedGroup, objects: readonly ImportObject[]): Edge[] {
  return objects.flatMap((object) => {
    const src = group.seqOfObject(object);
    const targets = isMemory(object) ? object.entities.map(group.entities.targetOf) : [];
    return [
      ...targets.flatMap((target): Edge[] => (target ? [{ type: 'ABOUT', src, dst: group.seqOfEntity(target) }] : [])),
      ...object.supersedes.map((id): Edge => ({ type: 'SUPERSEDES', src, dst: group.seqOf(id) ?? 0 })),
      ...(object.occurred_in === undefined
        ? []
        : [{ type: 'OCCURRED_IN', src, dst: group.seqOf(object.occurred_in) ?? 0 } as const]),
    ];
  });
}

/**
 * Matches the code that the names of the objects stand for. Reads working files, so before the transaction.
 * @throws SvcError unavailable when `signal` is aborted
 */
export async function matchObjects(
  memory: Memory,
  objects: readonly ImportObject[],
  signal: AbortSignal,
): Promise<MatchedEntities> {
  const matched = new Map<string, readonly SymbolAtCommit[]>();
  if (memory.code.unavailable) return { matched, unresolved: [] };
  const plain = objects.filter(isPlain);
  const written = [...new Set(plain.flatMap(({ entities }) => entities))];
  const names = [...new Set(plain.flatMap(namesOfCode))];
  for (let start = 0; start < names.length; start += IMPORT_BATCH) {
    checkNotAborted(signal);
    const found = await matchNames(memory, names.slice(start, start + IMPORT_BATCH));
    for (const [name, symbols] of found) matched.set(name, symbols);
  }
  checkNotAborted(signal);
  return { matched, unresolved: await findUnresolved(memory, written, matched) };
}

/** It brings no links of its own along. */
function isPlain(object: ImportObject): boolean {
  return object.touches.length === 0 && isMemory(object);
}

/**
 * Exported links come back with their hashes, so that an import clears no doubt; others are found in the code.
 * @param matched what `matchObjects` found
 */
export function touchesOf(
  matched: MatchedNames,
  { seqOfObject }: NumberedGroup,
  objects: readonly ImportObject[],
): NewTouch[] {
  const plain = objects.filter(isPlain);
  return [
    ...objects.flatMap((object) =>
      object.touches.map((touch) => ({ ...touch, node: seqOfObject(object), linked_at: object.recorded_at })),
    ),
    ...plain.flatMap((object) =>
      linkedSymbols({ names: namesOfCode(object) }, matched).map((symbol) => ({
        ...symbol,
        node: seqOfObject(object),
      })),
    ),
  ];
}

/** What waits for a person closes nothing but what came with it: docs/behaviour.md, "Proposals". */
export function supersededBy(group: NumberedGroup): { seq: number; by: number; validFrom: string }[] {
  return group.fresh.flatMap((object) => {
    const waits = isMemory(object) && group.arrivals.of(object).standing === 'proposed';
    return object.supersedes
      .map((id) => ({
        seq: group.seqOf(id) ?? 0,
        by: group.seqOfObject(object),
        validFrom: validFromOf(group, object),
      }))
      .filter(({ seq }) => !waits || seq >= group.first || (group.arrivals.closesWaiting && group.isWaiting(seq)));
  });
}

export function isMemory(object: ImportObject): boolean {
  return !isStructural(object.kind);
}

function groupBy(objects: readonly ImportObject[], keyOf: (object: ImportObject) => string) {
  const groups = new Map<string, ImportObject[]>();
  for (const object of objects) {
    const key = keyOf(object);
    const group = groups.get(key);
    if (group) group.push(object);
    else groups.set(key, [object]);
  }
  return groups;
}

export function checkNotAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw unavailable('The import was cancelled', 'Nothing of it was kept. Send it again to import it');
}
