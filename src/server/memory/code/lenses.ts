/** What an editor shows on the symbols of a file. */
import { LENS_ORDER, type MemoryKind } from '../../../kinds/kinds';
import { isProposal } from '../layers';
import { type Marked, marked } from '../marks';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { ORIGIN_JSON, type Origin, originIn, type Standing } from '../origins';
import { textList } from '../stored-json';
import { linksAround } from './links-around';
import { placesOf } from './places-of-link';
import {
  isDoubtful,
  type LocatedSymbol,
  locateTouches,
  TOUCH_COLUMNS,
  TOUCH_NAMES,
  type Touch,
  type Verdict,
  worstVerdict,
} from './touches';

/** What an editor shows on a symbol that has open memories. */
export interface FileLens {
  /** As the symbol is called now; as it was called, when it is gone. */
  readonly code_type: string;
  readonly name: string;
  /** Counted from 1. A symbol that is gone has the first line of the file that it stood in. */
  readonly start_line: number;
  readonly end_line: number;
  /** How many of each kind; kinds without are left out. */
  readonly counts: Readonly<Partial<Record<MemoryKind, number>>>;
  /** The worst of its memories'. */
  readonly verdict: Verdict;
  /** By kind, as in LENS_ORDER; newest first within a kind. */
  readonly node_ids: readonly string[];
  /** Those of them that are in doubt; proposals are not, since they wait already. */
  readonly doubtful_ids: readonly string[];
  /** Those of them of whose code this branch has another version. */
  readonly other_version_ids: readonly string[];
  /** Those of them that wait for a person. */
  readonly proposed_ids: readonly string[];
  /** Of these, those whose code is not as it was. */
  readonly proposed_in_doubt: readonly string[];
}

/** Its kind, when it became true, its number, and whether it is a proposal: 0 or 1. */
type About = readonly [MemoryKind, string, number, number];
/** Memories by their ids. */
type Nodes = Map<string, About>;

interface Row extends Touch {
  /** JSON array of [id, kind, valid_from, seq, proposed]. */
  readonly nodes: string;
}

/**
 * The symbols of a file that have open memories of the active namespace, in order of lines.
 * @param path relative to the root, with forward slashes
 * @param text what an editor has unsaved; it is judged instead of the file
 */
export async function lensesForFile(memory: Memory, path: string, text?: string): Promise<FileLens[]> {
  if (memory.code.unavailable) return [];
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const { links, parameters } = await linksAround(memory, path, await memory.code.inFile(path, text));
  const rows = await memory.sql.all<Row>(
    `SELECT ${TOUCH_NAMES}, max(linked_at) AS linked_at, json_group_array(json_array(id, kind, valid_from, seq, proposed)) AS nodes
     FROM (SELECT ${TOUCH_COLUMNS}, n.id, n.kind, n.valid_from, n.seq, ${isProposal('n')} AS proposed
           FROM (${links}) AS around CROSS JOIN mem_links AS t ON t.id = around.id
           CROSS JOIN mem_nodes AS n ON n.seq = t.node
           WHERE +(n.seq >> 32) = $ns AND n.tombstoned = 0 AND n.valid_until IS NULL)
     GROUP BY ${TOUCH_NAMES}`,
    { ...parameters, ns },
  );
  if (rows.length === 0) return [];
  const located = await locateTouches(memory, rows, text === undefined ? undefined : new Map([[path, text]]));
  type Found = {
    lens: Pick<FileLens, 'code_type' | 'name' | 'start_line' | 'end_line' | 'verdict'>;
    nodes: Nodes;
    doubtful: Set<string>;
    otherVersion: Set<string>;
  };
  const lenses = new Map<string, Found>();
  for (const [i, row] of rows.entries()) {
    const now: LocatedSymbol = located[i] ?? { verdict: 'gone' };
    // What is in another file is shown by the lenses of that.
    const places = now.outside ? [] : placesOf(now, row).filter(({ file_path }) => file_path === path);
    for (const { code_type, name, symbol, verdict } of places) {
      const [start_line, end_line] = symbol ? [symbol.start_line, symbol.end_line] : [1, 1];
      const id = JSON.stringify([code_type, name, symbol?.start_line]);
      const before = lenses.get(id);
      const nodes: Nodes = before?.nodes ?? new Map();
      const doubtful = before?.doubtful ?? new Set<string>();
      const otherVersion = before?.otherVersion ?? new Set<string>();
      for (const [node, ...about] of JSON.parse(row.nodes) as [string, ...About][]) {
        nodes.set(node, about);
        if (isDoubtful(verdict)) doubtful.add(node);
        if (verdict === 'other version') otherVersion.add(node);
      }
      const worst = worstVerdict([verdict, ...(before ? [before.lens.verdict] : [])]);
      const lens = { code_type, name, start_line, end_line, verdict: worst };
      lenses.set(id, { lens, nodes, doubtful, otherVersion });
    }
  }
  return (
    [...lenses.values()]
      // A proposal whose code is gone is on no line.
      .filter(({ lens, nodes }) => lens.verdict !== 'gone' || [...nodes.values()].some(isKept))
      .map(({ lens, nodes, doubtful, otherVersion }) => {
        const node_ids = inShownOrder(nodes);
        const proposed = new Set([...nodes].flatMap(([id, about]) => (isKept(about) ? [] : [id])));
        return {
          ...lens,
          ...{
            counts: counted([...nodes.values()].map(([kind]) => kind)),
            node_ids,
            doubtful_ids: node_ids.filter((id) => doubtful.has(id) && !proposed.has(id)),
            other_version_ids: node_ids.filter((id) => otherVersion.has(id)),
            proposed_ids: [...proposed],
            proposed_in_doubt: [...proposed].filter((id) => doubtful.has(id)),
          },
        };
      })
      .sort((a, b) => a.start_line - b.start_line || b.end_line - a.end_line)
  );
}

/** A memory as it is shown beside its code. */
export interface MemoryCard extends Marked {
  readonly id: string;
  readonly kind: MemoryKind;
  readonly content: string;
  readonly confidence: number;
  readonly valid_from: string;
  readonly standing: Standing;
  readonly origin: Origin | null;
  readonly rationale: string | null;
  readonly alternatives_rejected: readonly string[];
}

/** In the order of the ids; what is not in the active namespace is left out. */
export async function memoryCards(memory: Memory, ids: readonly string[]): Promise<MemoryCard[]> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  type Row = Omit<MemoryCard, 'alternatives_rejected' | 'origin'> & {
    alternatives_rejected: string;
    origin: string | null;
  };
  const rows = await memory.sql.all<Row>(
    `SELECT n.id, n.kind, n.content, n.confidence, n.valid_from, n.standing, n.rationale,
            ${ORIGIN_JSON} AS origin, coalesce(n.alternatives_rejected, '[]') AS alternatives_rejected
     FROM json_each($ids) AS asked CROSS JOIN mem_nodes AS n ON n.id = asked.value
     WHERE +(n.seq >> 32) = $ns ORDER BY asked.key`,
    { ids: JSON.stringify(ids), ns },
  );
  return rows.map((row) =>
    marked(memory, {
      ...row,
      origin: originIn(row.origin),
      alternatives_rejected: textList(row.alternatives_rejected),
    }),
  );
}

function isKept([, , , proposed]: About): boolean {
  return proposed === 0;
}

/** Kind by kind, the newest first. */
function inShownOrder(nodes: Nodes): string[] {
  return [...nodes]
    .sort(([, [kind, from, seq]], [, [otherKind, otherFrom, otherSeq]]) => {
      if (kind !== otherKind) return LENS_ORDER.indexOf(kind) - LENS_ORDER.indexOf(otherKind);
      return from === otherFrom ? otherSeq - seq : from < otherFrom ? 1 : -1;
    })
    .map(([id]) => id);
}

function counted(kinds: Iterable<MemoryKind>): FileLens['counts'] {
  const counts: Partial<Record<MemoryKind, number>> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
