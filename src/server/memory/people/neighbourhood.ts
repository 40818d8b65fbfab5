/** What is around a node or a symbol, for a drawing. */

import { isStructural, type NodeKind, type StructuralKind } from '../../../kinds/kinds';
import { cut } from '../../base/text';
import {
  isSamePlace,
  type LocatedSymbol,
  locateTouches,
  severity,
  TOUCH_COLUMNS,
  type Touch,
  type Verdict,
} from '../code/touches';
import type { EdgeType } from '../edges';
import { findEntities } from '../entities';
import { type Marked, marked } from '../marks';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { entityNames, nearest } from '../nearest';
import { findNode } from '../nodes';
import { STANDING, type Standing } from '../origins';
import { topicOf } from '../sessions/session-names';

/** A label is for a drawing; the node's own page tells the rest. */
const MAX_LABEL = 200;

export interface AskNeighbourhood {
  /** Id of a node, name of an entity, or a symbol as an entity would name it (`open()`, `Store.get`, `path#name`, path). */
  readonly around: string;
  readonly hops: number;
  /** Nodes at most, the one in the middle included. */
  readonly limit: number;
  /** Closed and forgotten ones, too; those that a SUPERSEDES edge leads to are always there. */
  readonly closed: boolean;
}

export interface GraphNode extends Marked {
  /** The id of a node; `path#type:name` of a symbol. */
  readonly key: string;
  readonly type: 'memory' | StructuralKind | 'symbol';
  /** Its kind, or the symbol's type. */
  readonly kind: string;
  readonly label: string;
  /** Steps from the middle. */
  readonly hops: number;
  /** Edges that it has in all, drawn or not; of a symbol, memories. */
  readonly degree: number;
  /** Of what is no symbol. */
  readonly state: {
    readonly confidence: number;
    readonly valid_from: string;
    readonly valid_until: string | null;
    readonly tombstoned: 0 | 1;
  } | null;
  /** Of a symbol: what became of it and where it stands now. */
  readonly code: {
    readonly file_path: string;
    readonly name: string;
    readonly verdict: Verdict;
    readonly start_line: number | null;
    readonly end_line: number | null;
  } | null;
}

export interface GraphEdge {
  readonly type: EdgeType | 'TOUCHES';
  /** Keys. */
  readonly from: string;
  readonly to: string;
}

export interface Neighbourhood {
  /** Keys of what stands in the middle: several where a name stands for several symbols, none where nothing is found. */
  readonly roots: string[];
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
  /** Whether there is more around it than the limit lets in. */
  readonly truncated: boolean;
  /** Entity names like the one asked for, when nothing is found. */
  readonly nearest: string[];
}

/** A symbol as edges name it. */
interface SymbolPlace {
  readonly file_path: string;
  readonly code_type: string;
  readonly name: string;
}

/** What has been reached: row numbers and symbols, with the steps that it took. */
interface Reached {
  readonly seqs: Map<number, number>;
  readonly symbols: Map<string, { readonly place: SymbolPlace; readonly hops: number }>;
  full: boolean;
}

/** What lies around one entity, memory or symbol, nearest first, as a drawing needs it. */
export async function neighbourhood(memory: Memory, asked: AskNeighbourhood): Promise<Neighbourhood> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const reached: Reached = { seqs: new Map(), symbols: new Map(), full: false };
  await findMiddle(memory, ns, asked.around, reached);
  const roots = new Set(reached.seqs.keys());
  const rootSymbols = [...reached.symbols.keys()];
  if (roots.size + rootSymbols.length === 0) {
    const names = nearest(asked.around, await entityNames(memory, ns));
    return { roots: [], nodes: [], edges: [], truncated: false, nearest: names };
  }
  for (let hops = 1; hops <= asked.hops && !reached.full; hops++) await step(memory, ns, asked, hops, reached);
  const nodes = await readNodes(memory, ns, reached);
  const idOf = new Map(nodes.map(({ seq, node }) => [seq, node.key]));
  const { symbols, touches } = await readSymbols(memory, ns, reached);
  const edges = await readEdges(memory, ns, [...idOf.keys()]);
  return {
    roots: [...[...roots].flatMap((seq) => idOf.get(seq) ?? []), ...rootSymbols],
    nodes: [...nodes.map(({ node }) => node), ...symbols],
    edges: [
      ...edges.map(({ type, src, dst }) => ({ type, from: idOf.get(src) ?? '', to: idOf.get(dst) ?? '' })),
      ...touches.map(({ node, key }) => ({ type: 'TOUCHES' as const, from: idOf.get(node) ?? '', to: key })),
    ],
    truncated: reached.full,
    nearest: [],
  };
}

async function findMiddle(memory: Memory, ns: number, around: string, reached: Reached): Promise<void> {
  const node = await findNode(memory.sql, ns, around);
  const seq = node?.seq ?? (await findEntities(memory.sql, ns, [around])).get(around)?.seq;
  if (seq !== undefined) {
    reached.seqs.set(seq, 0);
    return;
  }
  if (memory.code.unavailable) return;
  for (const symbol of (await memory.code.match([around])).get(around) ?? []) {
    for (const place of await linkedAs(memory, symbol)) reached.symbols.set(keyOf(place), { place, hops: 0 });
  }
}

/** The places that links of a symbol were made on, which it may have left since; its own where there is none. */
async function linkedAs({ sql, code }: Memory, symbol: SymbolPlace): Promise<readonly SymbolPlace[]> {
  const came = ((await code.cameTo?.([symbol.file_path])) ?? []).filter(({ now }) => isSamePlace(now, symbol));
  const places = [symbol, ...came.map(({ was }) => was)].map((one) => [one.file_path, one.code_type, one.name]);
  const linked = await sql.all<SymbolPlace>(
    `SELECT DISTINCT t.file_path, t.code_type, t.name FROM json_each($places) AS at CROSS JOIN mem_links AS t
       ON t.file_path = at.value ->> 0 AND t.code_type = at.value ->> 1 AND t.name = at.value ->> 2`,
    { places: JSON.stringify(places) },
  );
  return linked.length > 0 ? linked : [symbol];
}

interface Neighbour extends SymbolPlace {
  /** null for a symbol. */
  readonly seq: number | null;
}

const SHOWN = '($closed = 1 OR (n.tombstoned = 0 AND n.valid_until IS NULL))';

async function step(memory: Memory, ns: number, asked: AskNeighbourhood, hops: number, reached: Reached) {
  const seqs = [...reached.seqs].filter(([, at]) => at === hops - 1).map(([seq]) => seq);
  const symbols = [...reached.symbols.values()].filter((one) => one.hops === hops - 1).map(({ place }) => place);
  const rows = await memory.sql.all<Neighbour>(
    `WITH near (seq) AS MATERIALIZED (SELECT value FROM json_each($seqs)),
     others (seq, always) AS (
       SELECT e.dst, e.type = 'SUPERSEDES' FROM near CROSS JOIN mem_edges AS e
         ON e.type IN ('ABOUT', 'SUPERSEDES', 'OCCURRED_IN') AND e.src = near.seq
       UNION SELECT e.src, e.type = 'SUPERSEDES' FROM near CROSS JOIN mem_edges AS e
         ON e.type IN ('ABOUT', 'SUPERSEDES', 'OCCURRED_IN') AND e.dst = near.seq
       UNION SELECT t.node, 0 FROM json_each($symbols) AS s CROSS JOIN mem_links AS t
         ON t.file_path = s.value ->> 0 AND t.code_type = s.value ->> 1 AND t.name = s.value ->> 2
     )
     SELECT * FROM (
       SELECT DISTINCT n.seq, '' AS file_path, '' AS code_type, '' AS name
       FROM others CROSS JOIN mem_nodes AS n ON n.seq = others.seq
       WHERE +(n.seq >> 32) = $ns AND (others.always OR n.kind = 'session' OR ${SHOWN})
         AND n.seq NOT IN (SELECT value FROM json_each($known))
       ORDER BY n.seq DESC LIMIT $room)
     UNION ALL
     SELECT * FROM (
       SELECT DISTINCT NULL, t.file_path, t.code_type, t.name FROM near CROSS JOIN mem_links AS t ON t.node = near.seq
       WHERE +(t.node >> 32) = $ns ORDER BY t.file_path, t.name LIMIT $room)`,
    {
      ...{ ns, closed: asked.closed ? 1 : 0, room: asked.limit + 1 },
      seqs: JSON.stringify(seqs),
      symbols: JSON.stringify(symbols.map(({ file_path, code_type, name }) => [file_path, code_type, name])),
      known: JSON.stringify([...reached.seqs.keys()]),
    },
  );
  for (const { seq, ...place } of rows) {
    if (seq === null ? reached.symbols.has(keyOf(place)) : reached.seqs.has(seq)) continue;
    if (reached.seqs.size + reached.symbols.size >= asked.limit) {
      reached.full = true;
      return;
    }
    if (seq === null) reached.symbols.set(keyOf(place), { place, hops });
    else reached.seqs.set(seq, hops);
  }
}

interface NodeRow {
  readonly seq: number;
  readonly id: string;
  readonly kind: NodeKind;
  readonly content: string;
  readonly confidence: number;
  readonly recorded_at: string;
  readonly valid_from: string;
  readonly standing: Standing;
  readonly valid_until: string | null;
  readonly tombstoned: 0 | 1;
  readonly degree: number;
}

async function readNodes(memory: Memory, ns: number, { seqs }: Reached): Promise<{ seq: number; node: GraphNode }[]> {
  const rows = await memory.sql.all<NodeRow>(
    `SELECT n.seq, n.id, n.kind, substr(coalesce(iif(n.kind = 'session', ${topicOf('n')}, NULL), n.content), 1, ${MAX_LABEL + 1}) AS content, n.confidence, n.recorded_at,
            n.valid_from, n.valid_until, n.tombstoned, ${STANDING} AS standing,
            (SELECT count(*) FROM mem_edges WHERE type IN ('ABOUT', 'SUPERSEDES', 'OCCURRED_IN') AND src = n.seq)
            + (SELECT count(*) FROM mem_edges WHERE type IN ('ABOUT', 'SUPERSEDES', 'OCCURRED_IN') AND dst = n.seq)
            + (SELECT count(*) FROM mem_links WHERE node = n.seq) AS degree
     FROM json_each($seqs) AS s CROSS JOIN mem_nodes AS n ON n.seq = s.value
     WHERE +(n.seq >> 32) = $ns ORDER BY s.key`,
    { ns, seqs: JSON.stringify([...seqs.keys()]) },
  );
  return rows
    .map((row) => marked<NodeRow & Marked>(memory, row))
    .map(({ seq, id, kind, content, degree, recorded_at: _, standing: __, marks, ...state }) => ({
      seq,
      node: {
        ...(marks ? { marks } : {}),
        ...{ key: id, kind, degree, state, code: null, label: cut(content, MAX_LABEL), hops: seqs.get(seq) ?? 0 },
        type: isStructural(kind) ? kind : 'memory',
      },
    }));
}

interface TouchRow extends Touch {
  readonly node: number;
  readonly open: 0 | 1;
}

/** The symbols with where they stand now, and the edges to them. */
async function readSymbols(memory: Memory, ns: number, { seqs, symbols }: Reached) {
  const rows = await memory.sql.all<TouchRow>(
    `SELECT t.node, ${TOUCH_COLUMNS}, n.tombstoned = 0 AND n.valid_until IS NULL AS open
     FROM json_each($symbols) AS s CROSS JOIN mem_links AS t
       ON t.file_path = s.value ->> 0 AND t.code_type = s.value ->> 1 AND t.name = s.value ->> 2
     CROSS JOIN mem_nodes AS n ON n.seq = t.node
     WHERE +(t.node >> 32) = $ns ORDER BY t.node DESC`,
    {
      ns,
      symbols: JSON.stringify([...symbols.values()].map(({ place: one }) => [one.file_path, one.code_type, one.name])),
    },
  );
  const degrees = new Map<string, Set<number>>();
  for (const row of rows) degrees.set(keyOf(row), (degrees.get(keyOf(row)) ?? new Set()).add(row.node));
  const drawn = rows.filter(({ node }) => seqs.has(node));
  const worst = new Map<string, LocatedSymbol>();
  if (!memory.code.unavailable) {
    const withOpen = new Set(drawn.filter(({ open }) => open === 1).map(keyOf));
    // What holds no more is in no doubt: it only says where the symbol is that nothing else is about.
    const asked = drawn.filter((row) => row.open === 1 || !withOpen.has(keyOf(row)));
    const located = await locateTouches(memory, asked);
    for (const [i, row] of asked.entries()) {
      const found: LocatedSymbol = located[i] ?? { verdict: 'gone' };
      const now = row.open === 1 || !found.symbol ? found : { ...found, verdict: 'unchanged' as const };
      const before = worst.get(keyOf(row));
      if (!before || severity(now.verdict) > severity(before.verdict)) worst.set(keyOf(row), now);
    }
  }
  const isOutside = (key: string): boolean => worst.get(key)?.outside === true;
  const inside = drawn.filter((row) => !isOutside(keyOf(row)));
  const touches = new Map(inside.map((row) => [`${row.node} ${keyOf(row)}`, { node: row.node, key: keyOf(row) }]));
  const nodes = [...symbols].flatMap(([key, { place, hops }]): GraphNode[] => {
    const now = worst.get(key);
    if (now?.outside) return [];
    const node: GraphNode = {
      ...{ key, type: 'symbol', kind: place.code_type, label: now?.symbol?.name ?? place.name, hops, state: null },
      degree: degrees.get(key)?.size ?? 0,
      code: {
        file_path: now?.symbol?.file_path ?? place.file_path,
        name: now?.symbol?.name ?? place.name,
        verdict: now?.verdict ?? 'unchanged',
        start_line: now?.symbol?.start_line ?? null,
        end_line: now?.symbol?.end_line ?? null,
      },
    };
    return [node];
  });
  return { symbols: nodes, touches: [...touches.values()] };
}

function readEdges({ sql }: Memory, ns: number, seqs: readonly number[]) {
  return sql.all<{ type: EdgeType; src: number; dst: number }>(
    `WITH drawn (seq) AS MATERIALIZED (SELECT value FROM json_each($seqs))
     SELECT e.type, e.src, e.dst FROM drawn CROSS JOIN mem_edges AS e
       ON e.type IN ('ABOUT', 'SUPERSEDES', 'OCCURRED_IN') AND e.src = drawn.seq
     WHERE +(e.src >> 32) = $ns AND e.dst IN (SELECT seq FROM drawn) ORDER BY e.type, e.src DESC, e.dst DESC`,
    { ns, seqs: JSON.stringify(seqs) },
  );
}

function keyOf({ file_path, code_type, name }: SymbolPlace): string {
  return `${file_path}#${code_type}:${name}`;
}
