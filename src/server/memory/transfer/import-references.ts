import { conflict, notFound, type SvcError } from '../../base/errors';
import { quoted } from '../../base/text';
import type { Reader } from '../../db/sql';
import { IMPORT_BATCH } from '../limits';
import { namespaceNumber } from '../namespaces';
import type { ImportObject } from './import-object';

/** A node of the store that an import names by its id. */
export interface StoredNode {
  readonly id: string;
  readonly seq: number;
  readonly ns: number;
  readonly kind: string;
  readonly content: string;
}

/** What the ids in a message stand for, and which of its objects are to be written. */
export interface References {
  readonly objects: readonly ImportObject[];
  readonly inMessage: ReadonlyMap<string, ImportObject>;
  readonly inStore: ReadonlyMap<string, StoredNode>;
}

/**
 * Sorts out ids: an id that is there already with the same content is left alone, with other content refused; a
 * reference has to lead to a node of the same namespace, in the message (whatever the order) or in the store.
 */
export async function resolveReferences(
  sql: Reader,
  objects: readonly ImportObject[],
  namespaceOf: (object: ImportObject) => string,
  refuse: (object: ImportObject, error: SvcError) => void,
): Promise<References> {
  const inStore = await storedNodes(sql, objects);
  const numbers = new Map<string, number>();
  for (const name of new Set(objects.map(namespaceOf))) numbers.set(name, await namespaceNumber(sql, name));
  const isAt = (node: StoredNode, object: ImportObject) => node.ns === numbers.get(namespaceOf(object));

  const inMessage = new Map<string, ImportObject>();
  const fresh = objects.filter((object) => {
    if (object.id === undefined) return true;
    const stored = inStore.get(object.id);
    const twin = inMessage.get(object.id);
    if (stored ? isAt(stored, object) && isSame(stored, object) : twin && isTwin(twin, object, namespaceOf))
      return false;
    if (stored || twin) {
      refuse(object, taken(object.id));
      return false;
    }
    inMessage.set(object.id, object);
    return true;
  });

  const problemOf = (object: ImportObject): SvcError | undefined => {
    const find = (id: string): { readonly kind: string } | undefined => {
      const other = inMessage.get(id);
      if (other) return namespaceOf(other) === namespaceOf(object) ? other : undefined;
      const stored = inStore.get(id);
      return stored && isAt(stored, object) ? stored : undefined;
    };
    for (const field of ['session_id', 'occurred_in'] as const) {
      const id = object[field];
      if (id !== undefined && id !== null && find(id)?.kind !== 'session') return unknownSession(field, id);
    }
    const lost = object.supersedes.find((id) => id === object.id || !find(id));
    return lost === undefined ? undefined : unknownSuperseded(lost);
  };
  return { objects: withoutLost(fresh, inMessage, problemOf, refuse), inMessage, inStore };
}

/** Leaves out objects whose references lead nowhere, then those that referred to them, and so on. */
function withoutLost(
  objects: readonly ImportObject[],
  inMessage: Map<string, ImportObject>,
  problemOf: (object: ImportObject) => SvcError | undefined,
  refuse: (object: ImportObject, error: SvcError) => void,
): readonly ImportObject[] {
  const lost = new Set<ImportObject>();
  const lose = (candidates: readonly ImportObject[]): ImportObject[] =>
    candidates.filter((object) => {
      const problem = lost.has(object) ? undefined : problemOf(object);
      if (!problem) return false;
      refuse(object, problem);
      lost.add(object);
      return true;
    });
  let newlyLost = lose(objects);
  if (newlyLost.length === 0) return objects;
  const referrers = new Map<string, ImportObject[]>();
  for (const object of objects) {
    for (const id of referencesOf(object)) referrers.set(id, [...(referrers.get(id) ?? []), object]);
  }
  while (newlyLost.length > 0) {
    const ids = newlyLost.flatMap(({ id }) => (id === undefined ? [] : [id]));
    for (const id of ids) inMessage.delete(id);
    newlyLost = lose(ids.flatMap((id) => referrers.get(id) ?? []));
  }
  return objects.filter((object) => !lost.has(object));
}

function referencesOf({ session_id, occurred_in, supersedes }: ImportObject): string[] {
  return [...(session_id ? [session_id] : []), ...(occurred_in === undefined ? [] : [occurred_in]), ...supersedes];
}

/** Ids are unique in the whole store, so this looks into every namespace; who reads the answer compares `ns`. */
async function storedNodes(sql: Reader, objects: readonly ImportObject[]): Promise<Map<string, StoredNode>> {
  const ids = new Set<string>();
  for (const object of objects) {
    if (object.id !== undefined) ids.add(object.id);
    for (const id of referencesOf(object)) ids.add(id);
  }
  const stored = new Map<string, StoredNode>();
  const wanted = [...ids];
  for (let start = 0; start < wanted.length; start += IMPORT_BATCH) {
    const rows = await sql.all<StoredNode>(
      `SELECT n.id, n.seq, n.seq >> 32 AS ns, n.kind, n.content
       FROM json_each($ids) AS asked JOIN mem_nodes AS n ON n.id = asked.value`,
      { ids: JSON.stringify(wanted.slice(start, start + IMPORT_BATCH)) },
    );
    for (const row of rows) stored.set(row.id, row);
  }
  return stored;
}

function isSame(node: { readonly kind: string; readonly content: string }, object: ImportObject): boolean {
  return node.kind === object.kind && node.content === object.content;
}

function isTwin(twin: ImportObject, object: ImportObject, namespaceOf: (object: ImportObject) => string): boolean {
  return namespaceOf(twin) === namespaceOf(object) && isSame(twin, object);
}

const taken = (id: string) =>
  conflict(`The id ${id} is taken by a node with other content`, 'Leave "id" out to import this one under a new id');

const unknownSession = (field: string, id: string) =>
  notFound(
    `"${field}" is ${quoted(id)}, and no such session is in this message or in this namespace`,
    `Import the session with it, or leave "${field}" out`,
  );

const unknownSuperseded = (id: string) =>
  notFound(
    `"supersedes" names ${quoted(id)}, and no such other memory is in this message or in this namespace`,
    'Import that memory with it, or leave "supersedes" out',
  );
