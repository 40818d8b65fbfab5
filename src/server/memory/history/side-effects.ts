/** What an operation changes beside nodes, done and taken back. */
import { timestamp } from '../../base/clock';
import type { SqlParameters, Statement } from '../../db/sql';
import { NEW_TOUCH_COLUMNS } from '../code/touches';
import type { EdgeType } from '../edges';
import type { Memory, WritableMemory } from '../memory';

/** A link as older programs kept it, as a list: path, type, name, hash, and more that is not needed any more. */
type OlderLink = readonly (string | null)[];

/** A link as a history keeps it, so that it can come back. `confirmed` are hashes of the other texts that it accepts. */
export type TouchRow = readonly [
  file_path: string,
  code_type: string,
  name: string,
  hash: string,
  linked_at: string,
  commit: string | null,
  confirmed?: readonly string[],
];

/** What was put into fields that were empty. */
export interface FilledFields {
  readonly rationale?: string;
  /** JSON array of strings. */
  readonly alternatives_rejected?: string;
}

/**
 * What an operation changed beside a node's own fields. All of it can be done and taken back: `forward` is how it was
 * done first.
 */
export interface SideEffects {
  /** Fields that were empty, and what they were filled with: the one content in a history, so that it can come back. */
  readonly filled?: FilledFields | undefined;
  /** Id of the node that it is superseded by since. */
  readonly superseded_by?: string | undefined;
  /** Id of the one that it is to be kept beside. */
  readonly kept_beside?: string | undefined;
  /** Texts that links to code accept since: row number of the link, and hash. */
  readonly accepted?: readonly (readonly [link: number, hash: string])[] | undefined;
  /** Links to code that were renewed: what older programs did. */
  readonly touches?: readonly { readonly from: OlderLink; readonly to: OlderLink }[] | undefined;
  /** Ids of the entities that it is about since; older programs wrote one alone. */
  readonly about?: string | readonly string[] | undefined;
  /** Links to code that were made. */
  readonly linked?: readonly TouchRow[] | undefined;
  /** Entries of the review queue that were settled. */
  readonly settled?: readonly number[] | undefined;
  /** Ids of the shared memories in whose place it was shared, as its file says: nothing of the store follows from it. */
  readonly in_place_of?: readonly string[] | undefined;
  /** What its file was when it was shared: the hash of that text. What the file would be today may be another. */
  readonly written?: string | undefined;
  /** Pairs that count as settled without having been queued: file and hashes. */
  readonly noted?: readonly (readonly [file: string, seen: string])[] | undefined;
}

/**
 * What two changes of one node did together, in one operation.
 * @throws Error where both changed the same of it, which could not be taken back as one
 */
export function bothEffects(one: SideEffects, other: SideEffects): SideEffects {
  return bothOf(
    one.about === undefined ? one : { ...one, about: [one.about].flat() },
    other.about === undefined ? other : { ...other, about: [other.about].flat() },
  );
}

function bothOf<Values extends object>(one: Values, other: Values): Values {
  const both = new Map<string, unknown>(Object.entries(one));
  for (const [name, value] of Object.entries(other)) {
    const had = both.get(name);
    if (had === undefined || value === undefined) both.set(name, value ?? had);
    else if (Array.isArray(had) && Array.isArray(value)) both.set(name, withoutTwins([...had, ...value]));
    else if (isFields(had) && isFields(value)) both.set(name, bothOf(had, value));
    else if (had !== value) throw new Error(`one operation changed "${name}" of a node twice`);
  }
  return Object.fromEntries(both) as Values;
}

function isFields(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutTwins(list: readonly unknown[]): unknown[] {
  return [...new Map(list.map((item) => [JSON.stringify(item), item])).values()];
}

/** A node as the effects name it. */
export interface AffectedNode {
  readonly seq: number;
  readonly id: string;
}

/** Does what goes with a change of the node. */
export async function applySideEffects(
  memory: WritableMemory,
  ns: number,
  node: AffectedNode,
  effects: SideEffects,
): Promise<void> {
  await memory.sql.batch(sideEffectStatements(memory, ns, node, effects, true));
}

/** What does (`forward`) or takes back what went with a change of the node. What is no longer as it was left is left alone. */
export function sideEffectStatements(
  memory: Memory,
  ns: number,
  { seq, id }: AffectedNode,
  effects: SideEffects,
  forward: boolean,
): Statement[] {
  const statements: Statement[] = [];
  const at = { id, ns };
  const own = 'SELECT seq FROM mem_nodes WHERE id = $id AND +(seq >> 32) = $ns';
  const partner = 'SELECT seq FROM mem_nodes WHERE id = $partner AND +(seq >> 32) = $ns';
  if (effects.superseded_by !== undefined) {
    statements.push(edge('SUPERSEDES', partner, own, { ...at, partner: effects.superseded_by }, forward));
  }
  if (effects.kept_beside !== undefined) {
    statements.push({
      sql: forward
        ? `INSERT OR IGNORE INTO mem_kept_pairs (one, other)
           SELECT min((${own}), (${partner})), max((${own}), (${partner})) WHERE (${partner}) IS NOT NULL`
        : `DELETE FROM mem_kept_pairs WHERE one = min((${own}), (${partner})) AND other = max((${own}), (${partner}))`,
      parameters: { ...at, partner: effects.kept_beside },
    });
  }
  for (const entity of [effects.about ?? []].flat()) {
    statements.push(edge('ABOUT', own, partner, { ...at, partner: entity }, forward));
  }
  if (effects.linked) statements.push(...linked(seq, effects.linked, forward));
  if (effects.filled) statements.push(filled(seq, effects.filled, forward));
  if (effects.accepted) statements.push(accepted(seq, effects.accepted, forward));
  for (const { from, to } of effects.touches ?? []) {
    statements.push(renewed(seq, forward ? from : to, forward ? to : from));
  }
  const now = timestamp(memory.clock());
  if (effects.settled) {
    const settled = { id, settled: JSON.stringify(effects.settled) };
    const entries = 'id IN (SELECT value FROM json_each($settled)) AND node_id = $id';
    statements.push(
      forward
        ? {
            sql: `UPDATE mem_review_queue SET settled_at = $now WHERE ${entries} AND settled_at IS NULL`,
            parameters: { ...settled, now },
          }
        : // One that waits again by now stays the only one of its pair.
          { sql: `UPDATE OR IGNORE mem_review_queue SET settled_at = NULL WHERE ${entries}`, parameters: settled },
    );
  }
  if (effects.noted) statements.push(noted(id, effects.noted, forward ? now : undefined));
  return statements;
}

/** Makes or takes away an edge. @param src and @param dst as SQL; where one of them is gone, there is none */
function edge(type: EdgeType, src: string, dst: string, parameters: SqlParameters, forward: boolean): Statement {
  return {
    sql: forward
      ? `INSERT OR IGNORE INTO mem_edges (type, src, dst) SELECT '${type}', (${src}), (${dst})
         WHERE (${src}) IS NOT NULL AND (${dst}) IS NOT NULL`
      : `DELETE FROM mem_edges WHERE type = '${type}' AND src = (${src}) AND dst = (${dst})`,
    parameters,
  };
}

/** Only what is empty is filled, and only what it was filled with is taken out. */
function filled(seq: number, fields: FilledFields, forward: boolean): Statement {
  return {
    sql: forward
      ? `UPDATE mem_nodes SET rationale = coalesce(rationale, $rationale),
           alternatives_rejected = coalesce(alternatives_rejected, $alternatives) WHERE seq = $seq`
      : `UPDATE mem_nodes SET rationale = nullif(rationale, $rationale),
           alternatives_rejected = nullif(alternatives_rejected, $alternatives) WHERE seq = $seq`,
    parameters: { seq, rationale: fields.rationale ?? null, alternatives: fields.alternatives_rejected ?? null },
  };
}

/** Makes links to code with the texts that they accept, or takes them away with these. */
function linked(seq: number, rows: readonly TouchRow[], forward: boolean): Statement[] {
  const parameters = { seq, rows: JSON.stringify(rows) };
  const own = `mem_links AS t ON t.node = $seq AND t.file_path = one.value ->> 0 AND t.code_type = one.value ->> 1
    AND t.name = one.value ->> 2 AND t.hash = one.value ->> 3`;
  if (forward) {
    return [
      {
        sql: `INSERT OR IGNORE INTO mem_links (${NEW_TOUCH_COLUMNS})
          SELECT $seq, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each($rows)`,
        parameters,
      },
      {
        sql: `INSERT OR IGNORE INTO mem_link_texts (link, hash) SELECT t.id, text.value
          FROM json_each($rows) AS one CROSS JOIN json_each(one.value, '$[6]') AS text CROSS JOIN ${own}`,
        parameters,
      },
    ];
  }
  const made = `SELECT t.id FROM json_each($rows) AS one CROSS JOIN ${own}`;
  return [
    { sql: `DELETE FROM mem_link_texts WHERE link IN (${made})`, parameters },
    { sql: `DELETE FROM mem_links WHERE id IN (${made})`, parameters },
  ];
}

/** Lets links of the memory accept these texts, or not any more. */
function accepted(seq: number, texts: readonly (readonly [number, string])[], forward: boolean): Statement {
  const each = `FROM json_each($texts) AS one CROSS JOIN mem_links AS t ON t.id = one.value ->> 0 WHERE t.node = $seq`;
  return {
    sql: forward
      ? `INSERT OR IGNORE INTO mem_link_texts (link, hash) SELECT t.id, one.value ->> 1 ${each}`
      : `DELETE FROM mem_link_texts WHERE (link, hash) IN (SELECT t.id, one.value ->> 1 ${each})`,
    parameters: { seq, texts: JSON.stringify(texts) },
  };
}

/** Puts one link of a memory to code in the place of another. */
function renewed(seq: number, from: OlderLink, to: OlderLink): Statement {
  const [path = null, type = null, name = null, hash = null] = from;
  return {
    sql: `UPDATE OR IGNORE mem_links
          SET file_path = $to ->> 0, code_type = $to ->> 1, name = $to ->> 2, hash = $to ->> 3
          WHERE node = $seq AND file_path = $path AND code_type = $type AND name = $name AND hash = $hash`,
    parameters: { seq, path, type, name, hash, to: JSON.stringify(to) },
  };
}

/** @param now when it is noted; undefined takes it back */
function noted(nodeId: string, pairs: readonly (readonly [string, string])[], now: string | undefined): Statement {
  const list = { nodeId, noted: JSON.stringify(pairs) };
  if (now !== undefined) {
    return {
      sql: `INSERT INTO mem_review_queue (node_id, file_path, reason, verdict, seen, queued_at, settled_at)
       SELECT $nodeId, value ->> 0, 'stale', 'unchanged', value ->> 1, $now, $now FROM json_each($noted)
       WHERE value ->> 1 IS NOT (SELECT seen FROM mem_review_queue
                                 WHERE node_id = $nodeId AND file_path = value ->> 0 ORDER BY id DESC LIMIT 1)`,
      parameters: { ...list, now },
    };
  }
  return {
    sql: `DELETE FROM mem_review_queue WHERE id IN (
       SELECT q.id FROM json_each($noted) AS one CROSS JOIN mem_review_queue AS q
       ON q.node_id = $nodeId AND q.file_path = one.value ->> 0 AND q.seen = one.value ->> 1
       WHERE q.verdict = 'unchanged' AND q.settled_at = q.queued_at)`,
    parameters: list,
  };
}
