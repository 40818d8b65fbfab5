/** Writes many memories at once: a list, or an export. */
import { readId } from '../../db/store-id';
import { closeSupersededNodes } from '../close-superseded-nodes';
import { type MatchedNames, writeTouches } from '../code/touches';
import { insertEdges } from '../edges';
import { nameEntities } from '../entities';
import { recordStored } from '../history/operations';
import { IMPORT_BATCH } from '../limits';
import type { WritableMemory } from '../memory';
import { claimNamespace } from '../namespaces';
import { type InsertedNode, insertNodes, lastSeq } from '../nodes';
import { claimOrigin } from '../origins';
import { refreshContexts } from '../refresh-contexts';
import { sessionForWriting, touchSession } from '../sessions/sessions';
import { closesWaiting, importArrival } from './import-arrival';
import { isImportObject } from './import-entities';
import type { ImportObject } from './import-object';
import {
  type Arrivals,
  checkNotAborted,
  edgesOf,
  type GroupPlan,
  type ImportOptions,
  type ImportPlan,
  type ImportProblem,
  type NumberedGroup,
  newNode,
  numberGroup,
  originKey,
  originsOf,
  planImport,
  readObjects,
  supersededBy,
  touchesOf,
} from './import-plan';

export interface ImportResult {
  /** How many nodes were written. */
  readonly imported: number;
  /** Their ids, in the order of the message. */
  readonly node_ids: string[];
  /** Entities that the memories named and that were not there. */
  readonly created_entity_ids: string[];
  readonly errors: ImportProblem[];
}

/** By object, what it became. */
export type WrittenNodes = ReadonlyMap<ImportObject, InsertedNode>;

/**
 * Imports objects of the plain or the export form: docs/behaviour.md, "Import". Bad ones become `errors` entries.
 * Belongs in one transaction: what it throws has to undo all of it.
 * @param matched what `matchObjects` found
 * @throws SvcError unavailable when `signal` is aborted
 */
export async function importNodes(
  memory: WritableMemory,
  values: readonly unknown[],
  matched: MatchedNames,
  { namespaces, file, shared, refused, progress, signal }: ImportOptions,
): Promise<ImportResult> {
  const { objects, problems } = await readObjects(values, { refused, signal });
  const planned = await planImport(memory, objects, { namespaces, file, shared });
  const plan = { ...planned, problems: [...problems, ...planned.problems], left: leftOut(values, planned) };
  const arrivals = await claimedArrivals(memory, file, plan.groups);
  const written: WrittenNodes[] = [];
  let before = plan.left;
  for (const group of plan.groups) {
    const nodes = await importGroup(memory, { plan, group, matched, arrivals }, (done) => {
      checkNotAborted(signal);
      progress(before + done, values.length);
    });
    written.push(nodes);
    before += group.fresh.length - group.entities.created.length;
  }
  checkNotAborted(signal);
  return resultOf(plan, written);
}

export function leftOut(values: readonly unknown[], { groups }: Pick<ImportPlan, 'groups'>): number {
  return values.length - groups.reduce((sum, { fresh, entities }) => sum + fresh.length - entities.created.length, 0);
}

export function resultOf({ groups, problems }: ImportPlan, written: readonly WrittenNodes[]): ImportResult {
  const created = new Set(groups.flatMap(({ entities }) => entities.created));
  const all = written.flatMap((nodes) => [...nodes]);
  const inOrder = all.filter(([object]) => !created.has(object)).sort(([a], [b]) => a.index - b.index);
  return {
    imported: inOrder.length,
    node_ids: inOrder.map(([, { id }]) => id),
    created_entity_ids: all.filter(([object]) => created.has(object)).map(([, { id }]) => id),
    errors: [...problems].sort((a, b) => a.index - b.index),
  };
}

interface PlannedGroup {
  readonly plan: Pick<ImportPlan, 'references'>;
  readonly group: GroupPlan;
  readonly matched: MatchedNames;
  readonly arrivals: Arrivals;
}

/** Writes down where the memories come from, before they are. */
async function claimedArrivals(
  memory: WritableMemory,
  file: ImportOptions['file'],
  groups: readonly GroupPlan[],
): Promise<Arrivals> {
  const of = importArrival(memory, file, await readId(memory.sql, 'mem_flags'));
  const rows = new Map<string, number>();
  for (const origin of originsOf(groups, of)) rows.set(originKey(origin), await claimOrigin(memory, origin));
  return { of, closesWaiting: closesWaiting(file), rowOf: (origin) => rows.get(originKey(origin)) ?? 0 };
}

/** Writes the objects of one namespace. */
async function importGroup(
  memory: WritableMemory,
  { plan: { references }, group: plan, matched, arrivals }: PlannedGroup,
  onBatch: (done: number) => void,
): Promise<WrittenNodes> {
  const ns = await claimNamespace(memory.sql, plan.namespace);
  const ownSession = plan.needsSession ? (await sessionForWriting(memory, ns)).seq : undefined;
  const first = (await lastSeq(memory.sql, ns)) + 1;
  const group = numberGroup(memory, plan, references, { first, ownSession, arrivals });
  const { fresh } = group;
  const created = group.entities.created.length;
  const inserted = await insertNodes(
    memory,
    ns,
    fresh.map((object) => newNode(group, object)),
    (done) => onBatch(Math.max(0, done - created)),
  );
  if (inserted[0] && inserted[0].seq !== first) throw new Error('rows were not numbered in their order');
  for (let start = 0; start < fresh.length; start += IMPORT_BATCH) {
    const batch = fresh.slice(start, start + IMPORT_BATCH);
    await insertEdges(memory.sql, edgesOf(group, batch));
    await writeTouches(memory, touchesOf(matched, group, batch));
    onBatch(fresh.length - created);
  }
  await nameImported(memory, ns, group);
  await settleGroup(memory, ns, group);
  return new Map(fresh.map((object, i) => [object, inserted[i] ?? { seq: 0, id: '' }]));
}

/**
 * Writes down which entity holds which name; an alias that is new to an entity of the store reaches its memories.
 * @param taken row numbers of entities that are not written, because there are others of their names
 */
export async function nameImported(
  memory: WritableMemory,
  ns: number,
  { entities, seqOfEntity }: NumberedGroup,
  taken: ReadonlyMap<number, unknown> = new Map(),
): Promise<void> {
  const claims = entities.claims
    .map(({ key, alias, target }) => ({ key, alias, entity: seqOfEntity(target) }))
    .filter(({ entity }) => !taken.has(entity));
  for (let start = 0; start < claims.length; start += IMPORT_BATCH) {
    await nameEntities(memory, ns, claims.slice(start, start + IMPORT_BATCH));
  }
  const renamed = new Set(entities.claims.flatMap(({ target }) => (isImportObject(target) ? [] : [target.seq])));
  await refreshContexts(memory, ns, [...renamed]);
}

/** What follows once the rows of a group, their edges and their names are there. */
export async function settleGroup(memory: WritableMemory, ns: number, group: NumberedGroup): Promise<void> {
  // What is superseded is closed; exported nodes are already.
  await closeSupersededNodes(memory, ns, supersededBy(group));
  await recordStored(memory, ns, group.first + group.entities.created.length, group.last);
  if (group.ownSession !== undefined) await touchSession(memory, group.ownSession);
}
