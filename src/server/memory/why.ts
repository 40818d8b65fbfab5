/** Explains a decision. */

import { KINDS } from '../../kinds/kinds';
import { invalidInput } from '../base/errors';
import { parameter, phrase } from '../base/phrase';
import { shownId, shownWord } from '../base/shown';
import { wouldClose } from './close-replaced';
import { markedWhereOpen } from './code/doubts-of-memories';
import { isSuperseded } from './edges';
import { MAX_OUTCOMES } from './limits';
import { type Marked, markedReference } from './marks';
import type { Memory } from './memory';
import { namespaceNumber } from './namespaces';
import { entityNames, nearest, nearestTexts } from './nearest';
import { isNodeId } from './node-kinds';
import { findNode, NODE_COLUMNS, type NodeFields, type NodeRow, unknownNode } from './nodes';
import type { Standing } from './origins';
import { matches } from './recall/matches';
import { meant } from './similar/meant';
import { textList } from './stored-json';

export interface LinkedNode extends Marked {
  readonly id: string;
  readonly content: string;
}

export interface Explanation extends NodeFields, Marked {
  readonly rationale: string | null;
  readonly alternatives_rejected: readonly string[];
  readonly outcomes: readonly LinkedNode[];
  readonly supersedes: readonly LinkedNode[];
  /** What it would close if it were kept: it waits. */
  readonly replaces: readonly LinkedNode[];
}

export type Why =
  | { readonly explained: Explanation }
  | { readonly explained: undefined; readonly nearest: readonly string[] };

/**
 * Explains the decision with this id, or the one that a phrase names best: open ones before superseded ones.
 * @throws SvcError not_found for an unknown id, invalid_input for the id of something else than a decision
 */
export async function why(memory: Memory, ref: string): Promise<Why> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const decision = (await decisionById(memory, ns, ref.trim())) ?? (await decisionByPhrase(memory, ref));
  if (!decision) return { explained: undefined, nearest: await nearestNames(memory, ns, ref) };
  const supersedes = await memory.sql.all<LinkedRow>(
    `SELECT n.seq, ${LINKED_COLUMNS} FROM mem_edges AS e CROSS JOIN mem_nodes AS n ON n.seq = e.dst
     CROSS JOIN mem_nodes AS d ON d.seq = e.src
     WHERE e.type = 'SUPERSEDES' AND e.src = $seq AND +(n.seq >> 32) = $ns AND n.tombstoned = 0
       AND ${isSuperseded('n', 'd')} ORDER BY n.seq DESC`,
    { seq: decision.seq, ns },
  );
  const { standing, valid_until, tombstoned } = decision;
  const waits = standing === 'proposed' && valid_until === null && tombstoned === 0;
  const replaces = waits ? await wouldClose(memory.sql, [decision.seq]) : [];
  const [shown = decision] = await markedWhereOpen(memory, [decision]);
  return {
    explained: {
      ...withoutRow(shown),
      alternatives_rejected: textList(decision.alternatives_rejected),
      outcomes: (await outcomesOf(memory, ns, decision)).map((row) => markedReference(memory, row)),
      supersedes: supersedes.map((row) => markedReference(memory, row)),
      replaces: replaces.map(({ proposal: _, ...row }) => markedReference(memory, row)),
    },
  };
}

/** Numbers of rows are nobody's business. */
function withoutRow({ seq: _, session: __, ...fields }: NodeRow & Marked): Omit<NodeRow, 'seq' | 'session'> & Marked {
  return fields;
}

interface LinkedRow {
  readonly id: string;
  readonly content: string;
  readonly valid_from: string;
  readonly recorded_at: string;
  readonly standing: Standing;
}

const LINKED_COLUMNS = 'n.id, n.content, n.valid_from, n.recorded_at, n.standing';

/** undefined when the text is no id but a phrase; an import keeps foreign ids, so that the shape alone cannot tell. */
async function decisionById(memory: Memory, ns: number, id: string): Promise<NodeRow | undefined> {
  const node = await findNode(memory.sql, ns, id);
  if (!node && isNodeId(id)) throw unknownNode(id, 'decision_ref');
  if (!node) return undefined;
  if (node.kind !== 'decision') {
    throw invalidInput(
      phrase`${shownId(id)} given as ${parameter('decision_ref')} is of kind ${shownWord(node.kind)}, not a decision`,
      `Give the id of a decision (${KINDS.decision.prefix}…) or a phrase that describes it`,
    );
  }
  return node;
}

async function decisionByPhrase(memory: Memory, phrase: string): Promise<NodeRow | undefined> {
  for (const state of ['valid', 'closed'] as const) {
    const found = await matches(memory, phrase, { kinds: ['decision'], state, limit: CONSIDERED });
    if (found.length > 0) {
      const best = found.slice(0, COMPARED_HITS);
      const rows = await memory.sql.all<NodeRow>(
        `SELECT ${NODE_COLUMNS} FROM json_each($seqs) AS hit CROSS JOIN mem_nodes AS n ON n.seq = hit.value`,
        { seqs: JSON.stringify(best.map(({ seq }) => seq)) },
      );
      const byNumber = new Map(rows.map((row) => [row.seq, row]));
      return meant(
        best.flatMap(({ seq, relevance }) => {
          const row = byNumber.get(seq);
          return row ? [{ ...row, relevance }] : [];
        }),
        phrase,
      );
    }
  }
  return undefined;
}

const CONSIDERED = 50;
/** The best hits, of which several may be one decision. */
const COMPARED_HITS = 10;
/** How many of the newest decisions are compared with a phrase that matches none, and how many characters of each. */
const COMPARED = 2_000;
const COMPARED_LENGTH = 2_000;

/** Entity names that are like the phrase, else decisions that hold most of its letters. */
async function nearestNames(memory: Memory, ns: number, phrase: string): Promise<string[]> {
  const names = nearest(phrase, await entityNames(memory, ns));
  if (names.length > 0 || memory.foreign) return names;
  const rows = await memory.sql.all<{ id: string; content: string }>(
    `SELECT id, substr(content, 1, ${COMPARED_LENGTH}) AS content FROM mem_nodes
     WHERE seq >> 32 = $ns AND kind = 'decision' AND tombstoned = 0 AND standing <> 'proposed'
     ORDER BY valid_until IS NOT NULL, seq DESC LIMIT ${COMPARED}`,
    { ns },
  );
  return nearestTexts(
    phrase,
    rows.map(({ id, content }) => `${id}: ${content}`),
  );
}

/** Outcomes of the same session, and outcomes that share an entity and came later; nearest in time first. */
function outcomesOf(memory: Memory, ns: number, decision: NodeRow): Promise<LinkedRow[]> {
  return memory.sql.all<LinkedRow>(
    `SELECT ${LINKED_COLUMNS} FROM mem_nodes AS n
     WHERE n.seq >> 32 = $ns AND n.kind = 'outcome' AND n.tombstoned = 0 AND (
       n.session = $session
       OR (n.valid_from >= $from AND n.seq IN (
         SELECT b.src FROM mem_edges AS a CROSS JOIN mem_edges AS b ON b.type = 'ABOUT' AND b.dst = a.dst
         WHERE a.type = 'ABOUT' AND a.src = $seq)))
     ORDER BY abs(julianday(n.valid_from) - julianday($from)), n.seq LIMIT ${MAX_OUTCOMES}`,
    { ns, session: decision.session, from: decision.valid_from, seq: decision.seq },
  );
}
