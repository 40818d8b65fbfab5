/** Keeps, drops and rewrites what waits for a person. */
import { stillRejected } from '../../../kinds/still-rejected';
import { conflict, notFound, unavailable } from '../../base/errors';
import { shownId } from '../../base/shown';
import { closeReplaced, closeWithEdges, replacedBy } from '../close-replaced';
import { recorded, recordStored } from '../history/operations';
import type { Memory, WritableMemory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { insertNodes, type NodeRow } from '../nodes';
import { arrivalOf, claimOrigin, type Standing } from '../origins';
import { sessionForWriting } from '../sessions/sessions';
import { textList } from '../stored-json';
import { WAITS } from './proposals';

export interface Waiting {
  readonly seq: number;
  readonly id: string;
}

/** Only a person makes a memory of a proposal. @throws SvcError unavailable */
export function requirePerson({ holder }: WritableMemory): void {
  if (holder().by === 'person') return;
  throw unavailable(
    'Only a person can keep what was proposed',
    'Use Review in the editor, or "svc-memory review" in a terminal that no agent started',
  );
}

/** @throws SvcError conflict for a memory that does not wait */
export async function requireWaiting({ sql }: WritableMemory, ns: number, node: Waiting): Promise<void> {
  const waits = await sql.get(`SELECT 1 FROM mem_nodes AS n WHERE n.seq = $seq AND ${WAITS}`, { seq: node.seq, ns });
  if (!waits) throw conflict(`${shownId(node.id)} is not a proposal that waits`, 'Use an id that "review" lists');
}

/** All that wait of one source. @throws SvcError not_found where none does */
export async function waitingOf({ sql }: WritableMemory, ns: number, source: number): Promise<Waiting[]> {
  const found = await sql.all<Waiting>(
    `SELECT n.seq, n.id FROM mem_nodes AS n WHERE ${WAITS} AND coalesce(n.origin, 0) = $source ORDER BY n.seq`,
    { ns, source },
  );
  if (found.length > 0) return found;
  throw notFound(`Nothing waits of a source ${source} in this namespace`, 'Use the number of a source from "review"');
}

/**
 * Makes memories of proposals, which take the place of what they supersede. What came of the same source and was superseded
 * there is kept with them: it is their history.
 * @param standing `confirmed` where a person has looked at each, `stored` where a whole source was kept
 */
export async function keepProposals(
  memory: WritableMemory,
  ns: number,
  nodes: readonly Waiting[],
  standing: Standing,
): Promise<void> {
  const kept = [...nodes, ...(await supersededAtTheSource(memory, ns, nodes))];
  const all = [...kept, ...(await sessionsOf(memory, kept))];
  const seqs = JSON.stringify(all.map(({ seq }) => seq));
  const replaced = await replacedBy(
    memory.sql,
    ns,
    kept.map(({ seq }) => seq),
  );
  await recorded(memory, ns, 'accept', all, () =>
    memory.sql.run(
      `UPDATE mem_nodes SET standing = $standing
       WHERE seq IN (SELECT value FROM json_each($seqs)) AND +(seq >> 32) = $ns`,
      { ns, seqs, standing },
    ),
  );
  await closeReplaced(memory, ns, replaced);
}

/** The sessions that came with them: their names waited, too. */
function sessionsOf({ sql }: WritableMemory, nodes: readonly Waiting[]): Promise<Waiting[]> {
  return sql.all<Waiting>(
    `SELECT DISTINCT s.seq, s.id FROM json_each($seqs) AS one CROSS JOIN mem_nodes AS n ON n.seq = one.value
     CROSS JOIN mem_nodes AS s ON s.seq = n.session WHERE s.standing = 'proposed'`,
    { seqs: JSON.stringify(nodes.map(({ seq }) => seq)) },
  );
}

/** Proposals that these superseded already when both came. */
async function supersededAtTheSource(
  { sql }: Pick<Memory, 'sql'>,
  ns: number,
  nodes: readonly Waiting[],
): Promise<Waiting[]> {
  return sql.all<Waiting>(
    `WITH RECURSIVE kept (seq, origin) AS (
       SELECT n.seq, n.origin FROM json_each($seqs) AS one CROSS JOIN mem_nodes AS n ON n.seq = one.value
       UNION SELECT o.seq, o.origin
       FROM kept CROSS JOIN mem_edges AS e ON e.type = 'SUPERSEDES' AND e.src = kept.seq
       CROSS JOIN mem_nodes AS o ON o.seq = e.dst
       WHERE o.standing = 'proposed' AND o.tombstoned = 0 AND o.valid_until IS NOT NULL AND o.origin IS kept.origin
         AND +(o.seq >> 32) = $ns
     )
     SELECT n.seq, n.id FROM kept JOIN mem_nodes AS n USING (seq)
     WHERE n.seq NOT IN (SELECT value FROM json_each($seqs))`,
    { ns, seqs: JSON.stringify(nodes.map(({ seq }) => seq)) },
  );
}

/** Of what came from a source, how many there are of each. */
export interface Came {
  readonly waiting: number;
  /** They were superseded at the source, and are kept with what waits. */
  readonly replaced: number;
  /** They are closed, and nothing that waits supersedes them: nobody is asked about them. */
  readonly given_up: number;
}

/** @param ids of what one import has brought into the active namespace */
export async function countCame({ sql, scope }: Memory, ids: readonly string[]): Promise<Came> {
  const ns = await namespaceNumber(sql, scope.namespace);
  const waiting = await sql.all<Waiting>(
    `SELECT n.seq, n.id FROM json_each($ids) AS one CROSS JOIN mem_nodes AS n ON n.id = one.value WHERE ${WAITS}`,
    { ns, ids: JSON.stringify(ids) },
  );
  const came = new Set(ids);
  const replaced = (await supersededAtTheSource({ sql }, ns, waiting)).filter(({ id }) => came.has(id)).length;
  return { waiting: waiting.length, replaced, given_up: ids.length - waiting.length - replaced };
}

/**
 * Stores a proposal in a person's words, in its place. What these choose is rejected no more.
 * @returns the id of what was stored
 */
export async function editProposal(
  memory: WritableMemory,
  ns: number,
  proposal: NodeRow,
  content: string,
): Promise<{ readonly stored: string; readonly chosen_now?: readonly string[] }> {
  const { sql } = memory;
  const rejected = textList(proposal.alternatives_rejected);
  const left = stillRejected(rejected, { now: content, before: proposal.content });
  const chosen_now = rejected.filter((one) => !left.includes(one));
  const { origin, standing } = arrivalOf(memory);
  const names = await sql.all<{ name: string }>(
    `SELECT e.content AS name FROM mem_edges AS a JOIN mem_nodes AS e ON e.seq = a.dst
     WHERE a.type = 'ABOUT' AND a.src = $seq
     UNION SELECT names.alias FROM mem_edges AS a JOIN mem_entity_names AS names ON names.entity = a.dst
     WHERE a.type = 'ABOUT' AND a.src = $seq AND names.alias IS NOT NULL`,
    { seq: proposal.seq },
  );
  const session = await sessionForWriting(memory, ns);
  const [stored] = await insertNodes(memory, ns, [
    {
      kind: proposal.kind,
      content,
      confidence: proposal.confidence,
      valid_from: proposal.valid_from,
      rationale: proposal.rationale ?? undefined,
      alternatives_rejected: left,
      session: session.seq,
      names: names.map(({ name }) => name),
      origin: await claimOrigin(memory, origin),
      standing,
    },
  ]);
  if (!stored) throw new Error('inserting one node returned none');
  const both = { from: proposal.seq, to: stored.seq };
  await sql.batch([
    {
      sql: `INSERT INTO mem_edges (type, src, dst)
            SELECT 'ABOUT', $to, dst FROM mem_edges WHERE type = 'ABOUT' AND src = $from`,
      parameters: both,
    },
    {
      sql: `INSERT INTO mem_links (node, file_path, code_type, name, hash, linked_at, "commit")
            SELECT $to, file_path, code_type, name, hash, linked_at, "commit" FROM mem_links WHERE node = $from`,
      parameters: both,
    },
    {
      sql: `INSERT INTO mem_link_texts (link, hash)
            SELECT copy.id, t.hash FROM mem_links AS old JOIN mem_link_texts AS t ON t.link = old.id
            JOIN mem_links AS copy ON copy.node = $to AND copy.file_path = old.file_path
              AND copy.code_type = old.code_type AND copy.name = old.name AND copy.hash = old.hash
            WHERE old.node = $from`,
      parameters: both,
    },
  ]);
  await recordStored(memory, ns, stored.seq, stored.seq);
  const { seq, valid_from: validFrom } = proposal;
  const older = await supersededAtTheSource(memory, ns, [proposal]);
  const replaced = [{ seq }, ...(await replacedBy(sql, ns, [seq, ...older.map((one) => one.seq)]))];
  await closeWithEdges(
    memory,
    ns,
    replaced.map((one) => ({ seq: one.seq, by: stored.seq, validFrom })),
  );
  return { stored: stored.id, ...(chosen_now.length === 0 ? {} : { chosen_now }) };
}
