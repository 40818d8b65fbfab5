/** Looks up whether the code of memories that are given out is in doubt, or of another branch. */
import { type Markable, type Marked, marked } from '../marks';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { type DoubtedKey, severity, TOUCH_COLUMNS, type Told, type Touch } from './touches';

interface Wanted {
  /** No whole file that is there, but not as it was: some line of it changes each day. */
  readonly onSymbols?: boolean;
  /** How long is waited for what is not known yet, in milliseconds, where less than usual. */
  readonly waitMs?: number | undefined;
}

/** The same memories with all their marks, those of their code included. */
export async function markedWithCode<Node extends Markable & { readonly seq: number }>(
  memory: Memory,
  nodes: readonly Node[],
  wanted: Wanted = {},
): Promise<(Node & Marked)[]> {
  const doubts = await doubtsOf(memory, nodes, wanted);
  return nodes.map((node) => marked(memory, node, doubts.get(node.seq)));
}

/** The same for nodes in any state: of what holds no longer nobody asks what became of its code. */
export async function markedWhereOpen<
  Node extends Markable & { readonly seq: number; readonly valid_until: string | null; readonly tombstoned: 0 | 1 },
>(memory: Memory, nodes: readonly Node[]): Promise<(Node & Marked)[]> {
  const open = nodes.filter(({ valid_until, tombstoned }) => valid_until === null && tombstoned === 0);
  const doubts = await doubtsOf(memory, open);
  return nodes.map((node) => marked(memory, node, doubts.get(node.seq)));
}

/** As many links are looked at ahead of the first question: of the newest memories, which are asked for most. */
const MOST_AHEAD = 300;

/** Begins to judge the code of the newest memories, so that the first answers know of it. Waits for little of it. */
export async function judgeNewest({ sql, code, scope }: Memory): Promise<void> {
  if (code.unavailable || !code.doubts) return;
  const links = await sql.all<Touch>(
    `SELECT ${TOUCH_COLUMNS}
     FROM mem_nodes AS n CROSS JOIN mem_links AS t ON t.node = n.seq
     WHERE n.seq >= $ns << 32 AND n.seq < ($ns + 1) << 32 AND n.valid_until IS NULL AND n.tombstoned = 0
     ORDER BY n.seq DESC LIMIT ${MOST_AHEAD}`,
    { ns: await namespaceNumber(sql, scope.namespace) },
  );
  // For one answer some files are judged, and not more.
  for (const path of new Set(links.map(({ file_path }) => file_path))) {
    await code.doubts(links.filter(({ file_path }) => file_path === path));
  }
}

/** What review has to say of a memory and a file: what another process found. */
const QUEUED = `(SELECT q.verdict FROM mem_review_queue AS q
  WHERE q.node_id = n.id AND q.file_path = t.file_path AND q.settled_at IS NULL AND q.verdict IN ('changed', 'gone'))`;

/** By row number; of several symbols the worst counts. */
async function doubtsOf(
  { sql, code }: Memory,
  nodes: readonly { readonly seq: number }[],
  { onSymbols = false, waitMs }: Wanted = {},
): Promise<ReadonlyMap<number, Told>> {
  const worst = new Map<number, Told>();
  if (nodes.length === 0 || code.unavailable || !code.doubts) return worst;
  const links = await sql.all<Touch & DoubtedKey & { node: number }>(
    `SELECT asked.key AS place, t.node, ${TOUCH_COLUMNS}, ${QUEUED} AS queued
     FROM json_each($seqs) AS asked CROSS JOIN mem_nodes AS n ON n.seq = asked.value
     CROSS JOIN mem_links AS t ON t.node = n.seq ORDER BY place`,
    { seqs: JSON.stringify(nodes.map(({ seq }) => seq)) },
  );
  if (links.length === 0) return worst;
  const found = await code.doubts(links, waitMs);
  for (const [i, { node, code_type }] of links.entries()) {
    const [doubt, before] = [found[i], worst.get(node)];
    if (onSymbols && code_type === 'file' && doubt !== 'gone') continue;
    if (doubt && (!before || severity(doubt) > severity(before))) worst.set(node, doubt);
  }
  return worst;
}
