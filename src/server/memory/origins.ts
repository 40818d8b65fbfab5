/** Where memories come from, and how they stand. */
import type { Statement } from '../db/sql';
import type { Memory, WritableMemory } from './memory';

/** `document` is for what a document says, `import` for what came with a file or from another memory. */
export const ORIGIN_KINDS = ['agent', 'person', 'import', 'document'] as const;
export type OriginKind = (typeof ORIGIN_KINDS)[number];

/** `stored` by an agent; `confirmed`: stored or confirmed by a person; `proposed`: it waits for a person. */
export const STANDINGS = ['stored', 'confirmed', 'proposed'] as const;
export type Standing = (typeof STANDINGS)[number];

export interface Origin {
  readonly kind: OriginKind;
  /** The client, the file or the document; empty where nobody kept it. */
  readonly name: string;
  /** Of the source's content; null for agents and people. */
  readonly hash: string | null;
  /** Id of the store that it was first stored in; null for this one. */
  readonly store: string | null;
  /** Whether the agent had read foreign text before it stored this. */
  readonly marked: boolean;
}

/** How what a call stores comes in. */
export interface Arrival {
  readonly origin: Origin;
  readonly standing: Standing;
}

/** What becomes of what an agent stores now. */
export interface Keeping {
  /** It waits for a person. */
  readonly proposed: boolean;
  /** The agent has read foreign text since its user spoke last. */
  readonly marked: boolean;
}

export const KEEP_ALL: Keeping = { proposed: false, marked: false };

/** Of a memory that this call stores: what a person stores is confirmed, and nobody else's. */
export function arrivalOf({ holder, keeping }: Memory): Arrival {
  const { by, client } = holder();
  if (by === 'person') return { origin: own('person', client), standing: 'confirmed' };
  const { proposed, marked } = keeping();
  return { origin: { ...own('agent', client), marked }, standing: proposed ? 'proposed' : 'stored' };
}

function own(kind: OriginKind, name: string): Origin {
  return { kind, name, hash: null, store: null, marked: false };
}

const SAME_ORIGIN = `kind = $originKind AND name = $originName AND coalesce(hash, '') = coalesce($originHash, '')
  AND coalesce(store, '') = coalesce($originStore, '') AND marked = $originMarked`;

/** The row number of an origin whose values are bound, and whether it is new, as JSON. */
export const FIND_ORIGIN = `(SELECT json_array(coalesce(found, next), found IS NULL) FROM (
  SELECT (SELECT id FROM mem_origins WHERE ${SAME_ORIGIN}) AS found,
         (SELECT coalesce(max(id), 0) + 1 FROM mem_origins) AS next))`;

export function originValues({ kind, name, hash, store, marked }: Origin): Record<string, string | number | null> {
  return {
    originKind: kind,
    originName: name,
    originHash: hash,
    originStore: store,
    originMarked: marked ? 1 : 0,
  };
}

/** An origin as its row. */
export interface FoundOrigin {
  readonly id: number;
  /** The row is still to be written, under this number. */
  readonly isNew: boolean;
}

/** What `FIND_ORIGIN` gave. */
export function foundOrigin(json: string): FoundOrigin {
  const [id, isNew] = JSON.parse(json) as [number, 0 | 1];
  return { id, isNew: isNew === 1 };
}

/** The row number of an origin, which is written where it is new. */
export async function claimOrigin({ sql }: WritableMemory, origin: Origin): Promise<number> {
  const row = await sql.get<{ found: string }>(`SELECT ${FIND_ORIGIN} AS found`, originValues(origin));
  const { id, isNew } = foundOrigin(row?.found ?? '[]');
  if (isNew) await sql.batch([insertOrigin(id, origin)]);
  return id;
}

/** Writes an origin that was not found. */
export function insertOrigin(id: number, origin: Origin): Statement {
  return {
    sql: `INSERT INTO mem_origins (id, kind, name, hash, store, marked)
          VALUES ($id, $originKind, $originName, $originHash, $originStore, $originMarked)`,
    parameters: { id, ...originValues(origin) },
  };
}

/**
 * How a node stands, for `SELECT`s on `mem_nodes AS n`. The name of an entity that came with a proposal waits with it, until
 * a memory that does not wait is about it.
 */
export const STANDING = `CASE WHEN n.standing = 'proposed' AND n.kind = 'entity' AND EXISTS (
    SELECT 1 FROM mem_edges AS said CROSS JOIN mem_nodes AS by ON by.seq = said.src
    WHERE said.type = 'ABOUT' AND said.dst = n.seq AND by.standing <> 'proposed' AND by.tombstoned = 0)
  THEN 'stored' ELSE n.standing END`;

/** Of an entity or a session whose name came in like this: it is nobody's word, but somebody chose it. */
export function standingOfName({ standing }: Pick<Arrival, 'standing'>): Standing {
  return standing === 'proposed' ? standing : 'stored';
}

/** An Origin as JSON, for `SELECT`s on `mem_nodes AS n`; null for an entity or a session. */
export const ORIGIN_JSON = `(SELECT json_object('kind', g.kind, 'name', g.name, 'hash', g.hash, 'store', g.store,
  'marked', json(iif(g.marked = 1, 'true', 'false'))) FROM mem_origins AS g WHERE g.id = n.origin)`;

/** What `ORIGIN_JSON` gave. A file that somebody else wrote may name a kind that there is not. */
export function originIn(json: string | null): Origin | null {
  if (json === null) return null;
  const origin = JSON.parse(json) as Origin;
  return ORIGIN_KINDS.includes(origin.kind) ? origin : { ...origin, kind: 'import' };
}
