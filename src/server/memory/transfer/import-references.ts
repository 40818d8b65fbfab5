/** Which node each id in an import means. */
import { conflict, notFound, type SvcError } from '../../base/errors';
import { phrase, tool } from '../../base/phrase';
import { shownId } from '../../base/shown';
import { quoted } from '../../base/text';
import type { Reader } from '../../db/sql';
import { SHARED_LAYER, SHARED_NAMESPACE } from '../layers';
import { IMPORT_BATCH } from '../limits';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { arrivalOf } from '../origins';
import { storable } from '../text/search-terms';
import type { ImportObject } from './import-object';
import type { ImportOptions } from './import-plan';

/** A node of the store that an import names by its id. */
export interface StoredNode {
  readonly id: string;
  readonly seq: number;
  readonly ns: number;
  readonly kind: string;
  readonly content: string;
  readonly standing: string;
}

/** What the ids in a message stand for, and which of its objects are to be written. */
export interface References {
  readonly objects: readonly ImportObject[];
  /** All that the store was asked for, and what it had, no matter who may look. */
  readonly asked: readonly ImportObject[];
  readonly everywhere: ReadonlyMap<string, StoredNode>;
  readonly inMessage: ReadonlyMap<string, ImportObject>;
  readonly inStore: ReadonlyMap<string, StoredNode>;
  /** Objects whose id is taken where the caller cannot look: they get a new one, and the message's references follow. */
  readonly renamed: ReadonlySet<ImportObject>;
}

export interface ReferenceOptions extends Pick<ImportOptions, 'namespaces' | 'shared'> {
  readonly namespaceOf: (object: ImportObject) => string;
  readonly refuse: (object: ImportObject, error: SvcError) => void;
}

/**
 * Sorts out ids: an id that is there already with the same content is left alone, with other content refused; a
 * reference has to lead to a node of the same namespace, in the message (whatever the order) or in the store.
 */
export async function resolveReferences(
  sql: Reader,
  objects: readonly ImportObject[],
  { namespaces, shared, namespaceOf, refuse }: ReferenceOptions,
): Promise<References> {
  const everywhere = await storedNodes(sql, objects);
  const numbers = new Map<string, number>();
  for (const name of new Set(objects.map(namespaceOf))) numbers.set(name, await namespaceNumber(sql, name));
  const isAt = (node: StoredNode, object: ImportObject) => node.ns === numbers.get(namespaceOf(object));
  const here = new Set(numbers.values());
  const inStore = namespaces === 'own' ? everywhere : new Map([...everywhere].filter(([, { ns }]) => here.has(ns)));

  const inMessage = new Map<string, ImportObject>();
  const fresh = objects.filter((object) => {
    if (object.id === undefined) return true;
    // The row of the store is what it was when it was shared; its file may have been edited since.
    if (shared?.has(object.index) && numbers.get(namespaceOf(object)) === SHARED_NAMESPACE) return false;
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
  const isElsewhere = ({ id }: ImportObject) => id !== undefined && everywhere.has(id) && !inStore.has(id);
  return {
    objects: withoutLost(fresh, inMessage, problemOf, refuse),
    ...{ asked: objects, everywhere, inMessage, inStore, renamed: new Set(fresh.filter(isElsewhere)) },
  };
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

/** Of an agent's message. What waits closes nothing yet; and a file that a person brings says what was closed long ago. */
export function closesFile(
  memory: Memory,
  object: ImportObject,
  refuse: (object: ImportObject, error: SvcError) => void,
): boolean {
  if (object.standing === 'proposed' || arrivalOf(memory).standing === 'proposed') return false;
  const closed = object.supersedes.find((id) => memory.shared.has(id));
  if (closed === undefined) return false;
  const problem = `"supersedes" names ${quoted(closed)}, which is shared: it stands in a file of the repository`;
  const instead = phrase`Store this one with ${tool('memory_store')}, which shares it in its place, or leave "supersedes" out`;
  refuse(object, conflict(problem, instead));
  return true;
}

/** Ids are unique in the whole store, so this looks into every namespace; who reads the answer compares `ns`. */
export async function storedNodes(sql: Reader, objects: readonly ImportObject[]): Promise<Map<string, StoredNode>> {
  const ids = new Set<string>();
  for (const object of objects) {
    if (object.id !== undefined) ids.add(object.id);
    for (const id of referencesOf(object)) ids.add(id);
  }
  const stored = new Map<string, StoredNode>();
  const wanted = [...ids];
  for (let start = 0; start < wanted.length; start += IMPORT_BATCH) {
    const rows = await sql.all<StoredNode>(
      `SELECT n.id, n.seq, n.seq >> 32 AS ns, n.kind, n.content, n.standing
       FROM json_each($ids) AS asked JOIN mem_nodes AS n ON n.id = asked.value`,
      { ids: JSON.stringify(wanted.slice(start, start + IMPORT_BATCH)) },
    );
    for (const row of rows) stored.set(row.id, row);
  }
  return stored;
}

/** Places in the message of objects that are shared memories as their files say now. @param memory with the shared ones */
export async function sharedAlready(memory: Memory, objects: readonly ImportObject[]): Promise<ReadonlySet<number>> {
  const ids = objects.flatMap(({ id }) => (id !== undefined && memory.shared.has(id) ? [id] : []));
  if (ids.length === 0) return new Set();
  const rows = await memory.sql.all<Pick<StoredNode, 'id' | 'kind' | 'content'>>(
    `SELECT n.id, n.kind, n.content FROM json_each($ids) AS asked
     CROSS JOIN ${SHARED_LAYER}.mem_nodes AS n ON n.id = asked.value`,
    { ids: JSON.stringify(ids) },
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  return new Set(
    objects.flatMap((object) => {
      const node = known.get(object.id ?? '');
      return node && isSame(node, object) ? [object.index] : [];
    }),
  );
}

function isSame(node: { readonly kind: string; readonly content: string }, object: ImportObject): boolean {
  // What was stored before invisible text was taken out comes back without it.
  return node.kind === object.kind && storable(node.content) === object.content;
}

function isTwin(twin: ImportObject, object: ImportObject, namespaceOf: (object: ImportObject) => string): boolean {
  return namespaceOf(twin) === namespaceOf(object) && isSame(twin, object);
}

const taken = (id: string) =>
  conflict(
    `The id ${shownId(id)} belongs to a node with other content`,
    'Leave "id" out to import this one under a new id',
  );

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
