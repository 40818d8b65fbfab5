import { timestamp } from '../../base/clock';
import { SvcError, unavailable } from '../../base/errors';
import { closeSupersededNodes } from '../close-superseded-nodes';
import { type Edge, insertEdges } from '../edges';
import { nameEntities } from '../entities';
import { recordStored } from '../history';
import { IMPORT_BATCH } from '../limits';
import type { WritableMemory } from '../memory';
import { claimNamespace } from '../namespaces';
import { type InsertedNode, insertNodes, lastSeq, type NewNode } from '../nodes';
import { refreshContexts } from '../refresh-contexts';
import { sessionForWriting, touchSession } from '../sessions';
import { linkTouches, writeTouches } from '../touches';
import { type EntityTarget, type ImportedEntities, importEntities, isImportObject } from './import-entities';
import { type ImportObject, readImportObject } from './import-object';
import { type References, resolveReferences } from './import-references';

export interface ImportResult {
  /** How many nodes were written. */
  readonly imported: number;
  /** Their ids, in the order of the message. */
  readonly node_ids: string[];
  /** Entities that the memories named and that were not there. */
  readonly created_entity_ids: string[];
  readonly errors: { readonly index: number; readonly message: string }[];
}

export interface ImportOptions {
  readonly progress: (done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Imports objects of the plain or the export form (decisions.md, memory_import). Bad ones become `errors` entries.
 * Belongs in one transaction: what it throws has to undo all of it.
 * @throws SvcError unavailable when `signal` is aborted
 */
export async function importNodes(
  memory: WritableMemory,
  values: readonly unknown[],
  { progress, signal }: ImportOptions,
): Promise<ImportResult> {
  const errors: ImportResult['errors'] = [];
  const refuse = (object: { readonly index: number }, error: SvcError): void => {
    errors.push({ index: object.index, message: error.message });
  };
  const namespaceOf = (object: ImportObject) => object.namespace ?? memory.scope.namespace;
  const objects = await readObjects(values, refuse, signal);
  const references = await resolveReferences(memory.sql, objects, namespaceOf, refuse);
  const left = values.length - references.objects.length;
  const ids = new Map<number, string>();
  const created: string[] = [];
  for (const [name, group] of groupBy(references.objects, namespaceOf)) {
    const before = left + ids.size;
    const written = await importGroup(memory, name, group, references, (done) => {
      checkNotAborted(signal);
      progress(before + done, values.length);
    });
    for (const [object, { id }] of written.nodes) ids.set(object.index, id);
    created.push(...written.created);
  }
  checkNotAborted(signal);
  const inOrder = [...ids].sort(([a], [b]) => a - b);
  return {
    imported: ids.size,
    node_ids: inOrder.map(([, id]) => id),
    created_entity_ids: created,
    errors: errors.sort((a, b) => a.index - b.index),
  };
}

async function readObjects(
  values: readonly unknown[],
  refuse: (object: { readonly index: number }, error: SvcError) => void,
  signal: AbortSignal,
): Promise<ImportObject[]> {
  const objects: ImportObject[] = [];
  for (const [index, value] of values.entries()) {
    if (index % IMPORT_BATCH === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      checkNotAborted(signal);
    }
    try {
      objects.push(readImportObject(value, index));
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      refuse({ index }, error);
    }
  }
  return objects;
}

interface WrittenGroup {
  readonly nodes: ReadonlyMap<ImportObject, InsertedNode>;
  readonly created: readonly string[];
}

/** Writes the objects of one namespace. Their row numbers are known before they are written: they follow each other. */
async function importGroup(
  memory: WritableMemory,
  namespace: string,
  objects: readonly ImportObject[],
  references: References,
  onBatch: (done: number) => void,
): Promise<WrittenGroup> {
  const ns = await claimNamespace(memory.sql, namespace);
  const entities = await importEntities(memory, ns, objects, references.inMessage);
  const own = await ownSession(memory, ns, namespace, objects);
  const fresh = objects.filter((object) => !entities.merged.has(object));
  const first = (await lastSeq(memory.sql, ns)) + 1;
  const seqs = new Map(fresh.map((object, i) => [object, first + i]));
  const seqOf = (target: EntityTarget): number => (isImportObject(target) ? (seqs.get(target) ?? 0) : target.seq);
  const group: Group = {
    entities,
    seqOf: (id) => {
      const object = references.inMessage.get(id);
      return object ? seqOf(entities.merged.get(object) ?? object) : references.inStore.get(id)?.seq;
    },
    seqOfEntity: seqOf,
    ownSession: own,
    now: timestamp(memory.clock()),
  };
  const inserted = await insertNodes(
    memory,
    ns,
    fresh.map((object) => newNode(group, object)),
    onBatch,
  );
  const nodes = new Map<ImportObject, InsertedNode>();
  for (const [i, object] of fresh.entries()) {
    const node = inserted[i];
    if (!node || node.seq !== seqs.get(object)) throw new Error('rows were not numbered in their order');
    nodes.set(object, node);
  }
  await nameImported(memory, ns, group);
  for (let start = 0; start < fresh.length; start += IMPORT_BATCH) {
    const batch = fresh.slice(start, start + IMPORT_BATCH);
    await insertEdges(
      memory,
      batch.flatMap((object) => edgesOf(group, object, seqs.get(object) ?? 0)),
    );
    await touch(memory, batch, seqs);
    onBatch(fresh.length);
  }
  // What is superseded is closed; exported nodes are already.
  await closeSupersededNodes(
    memory,
    ns,
    fresh.flatMap((object) =>
      object.supersedes.map((id) => ({
        seq: group.seqOf(id) ?? 0,
        by: seqs.get(object) ?? 0,
        validFrom: validFromOf(group, object),
      })),
    ),
  );
  await recordStored(memory, ns, first, first + fresh.length - 1);
  if (own !== undefined) await touchSession(memory, own);
  return { nodes, created: entities.created };
}

interface Group {
  readonly entities: ImportedEntities;
  /** Row number of a node named by its id. */
  readonly seqOf: (id: string) => number | undefined;
  readonly seqOfEntity: (target: EntityTarget) => number;
  readonly ownSession: number | undefined;
  readonly now: string;
}

/**
 * The process's session, for objects that name none. It lies in the active namespace; objects of another one
 * belong to no session then, because nobody works there.
 */
async function ownSession(
  memory: WritableMemory,
  ns: number,
  namespace: string,
  objects: readonly ImportObject[],
): Promise<number | undefined> {
  if (namespace !== memory.scope.namespace) return undefined;
  if (!objects.some((object) => isMemory(object) && object.session_id === undefined)) return undefined;
  return (await sessionForWriting(memory, ns)).seq;
}

function newNode(group: Group, object: ImportObject): NewNode {
  return {
    kind: object.kind,
    content: object.content,
    confidence: object.confidence,
    valid_from: validFromOf(group, object),
    rationale: object.rationale,
    alternatives_rejected: object.alternatives_rejected,
    session: sessionOf(group, object),
    names: object.kind === 'entity' ? group.entities.aliasesOf(object) : namesAround(group.entities, object),
    id: object.id,
    recorded_at: object.recorded_at,
    valid_until: object.valid_until,
    tombstoned: object.tombstoned,
  };
}

function validFromOf(group: Group, object: ImportObject): string {
  return object.valid_from ?? object.recorded_at ?? group.now;
}

function sessionOf(group: Group, object: ImportObject): number | undefined {
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

function edgesOf(group: Group, object: ImportObject, src: number): Edge[] {
  const edges: Edge[] = [];
  if (isMemory(object)) {
    for (const name of object.entities) {
      const target = group.entities.targetOf(name);
      if (target) edges.push({ type: 'ABOUT', src, dst: group.seqOfEntity(target) });
    }
  }
  for (const id of object.supersedes) edges.push({ type: 'SUPERSEDES', src, dst: group.seqOf(id) ?? 0 });
  if (object.occurred_in !== undefined) {
    edges.push({ type: 'OCCURRED_IN', src, dst: group.seqOf(object.occurred_in) ?? 0 });
  }
  return edges;
}

/** Writes down which entity holds which name; an alias that is new to an entity of the store reaches its memories. */
async function nameImported(memory: WritableMemory, ns: number, { entities, seqOfEntity }: Group): Promise<void> {
  const { claims } = entities;
  for (let start = 0; start < claims.length; start += IMPORT_BATCH) {
    await nameEntities(
      memory,
      ns,
      claims
        .slice(start, start + IMPORT_BATCH)
        .map(({ folded, alias, target }) => ({ folded, alias, entity: seqOfEntity(target) })),
    );
  }
  const renamed = new Set(claims.flatMap(({ target }) => (isImportObject(target) ? [] : [target.seq])));
  await refreshContexts(memory, ns, [...renamed]);
}

/** Exported links come back with their hashes, so that an import clears no doubt; the others are found anew. */
async function touch(
  memory: WritableMemory,
  batch: readonly ImportObject[],
  seqs: ReadonlyMap<ImportObject, number>,
): Promise<void> {
  const rows = batch.flatMap((object) =>
    object.touches.map((touch) => ({ ...touch, node: seqs.get(object) ?? 0, linked_at: object.recorded_at })),
  );
  await writeTouches(memory, rows);
  const plain = batch.filter((object) => object.touches.length === 0 && isMemory(object));
  await linkTouches(
    memory,
    plain.map((object) => ({ seq: seqs.get(object) ?? 0, names: object.entities })),
  );
}

function isMemory(object: ImportObject): boolean {
  return object.kind !== 'entity' && object.kind !== 'session';
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

function checkNotAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw unavailable('The import was cancelled', 'Nothing of it was kept. Send it again to import it');
}
