/** What a node's page shows beside the node: its chain, its session, its code. */

import { namesWithoutLink } from '../code/link-older';
import {
  type CodeSymbol,
  findUnresolved,
  matchNames,
  type SymbolKey,
  type Unresolved,
  type Verdict,
} from '../code/touches';
import { isSuperseded } from '../edges';
import { alongSuperseding } from '../layers';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { topicOf } from '../sessions/session-names';
import { type NearMemory, nearMemories } from '../similar/near-memories';
import { locateMemory } from '../verify';
import type { NodeDetails } from './node-details';

/** A memory as one step of a chain of SUPERSEDES. */
export interface ChainLink {
  readonly id: string;
  readonly content: string;
  readonly valid_from: string;
  readonly valid_until: string | null;
  readonly tombstoned: 0 | 1;
}

/** Where a memory was stored, and by whom. */
export interface Provenance {
  readonly id: string;
  readonly content: string;
  /** What it was about, where nobody named it. */
  readonly topic: string | null;
  readonly valid_until: string | null;
  /** The process that opened it; null for a session that came with an import. */
  readonly holder: { readonly pid: number; readonly host: string; readonly client: string } | null;
}

/** A symbol that a memory is about, as it was kept, and what became of it. */
export interface TouchedCode {
  readonly file_path: string;
  readonly code_type: string;
  readonly name: string;
  /** null where no code can be looked at. */
  readonly verdict: Verdict | null;
  /** Where it stands now; null when it is gone. */
  readonly now: Pick<CodeSymbol, 'file_path' | 'name' | 'start_line' | 'end_line'> | null;
}

/** Where a shared memory stands. */
export interface SharedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Whether the file is as it was committed last; null where Git was not asked, or has not said. */
  readonly committed: boolean | null;
  /** The commit that changed it last; null where there is none, or none is known. */
  readonly last: { readonly id: string; readonly author: string; readonly at: string } | null;
}

/** What a person wants to know of a memory beside what it says. */
export interface Background {
  /** What it superseded and what superseded it, itself included, oldest first; empty when there is nothing of the kind. */
  readonly chain: readonly ChainLink[];
  /** Its own for a session, else the one it was stored in. */
  readonly session: Provenance | null;
  readonly code: readonly TouchedCode[];
  /** Names that it was stored with, have a path, and mean no symbol; not there where there are none. */
  readonly unresolved?: readonly Unresolved[] | undefined;
  /** Open ones that say nearly the same; not there where there are none. */
  readonly near?: readonly NearMemory[] | undefined;
}

/** Longer chains are read link by link. */
const MAX_CHAIN = 100;

/** Reads working files to judge the code. @param node of the active namespace */
export async function nodeBackground(memory: Memory, node: NodeDetails): Promise<Background> {
  const { id } = node;
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const [chain, session, code, near] = await Promise.all([
    chainOf(memory, ns, id),
    provenanceOf(memory, ns, id),
    codeOf(memory, ns, id),
    nearMemories(memory, node),
  ]);
  const unresolved = await unresolvedOf(memory, ns, id, code);
  return {
    ...{ chain: chain.length > 1 ? chain : [], session, code },
    ...(unresolved.length > 0 ? { unresolved } : {}),
    ...(near.length > 0 ? { near } : {}),
  };
}

async function chainOf(memory: Memory, ns: number, id: string): Promise<ChainLink[]> {
  const rows = await memory.sql.all<ChainLink & { readonly seq: number; readonly newer: string }>(
    `WITH RECURSIVE chain (seq) AS (
       SELECT seq FROM mem_nodes WHERE id = $id AND +(seq >> 32) = $ns
       ${alongSuperseding(memory.sql)}
       LIMIT ${MAX_CHAIN})
     SELECT n.id, n.content, n.valid_from, n.valid_until, n.tombstoned, n.seq,
            (SELECT json_group_array(seq) FROM (SELECT by.seq FROM mem_edges AS e CROSS JOIN mem_nodes AS by ON by.seq = e.src
             WHERE e.type = 'SUPERSEDES' AND e.dst = n.seq AND ${isSuperseded('n', 'by')} LIMIT -1)) AS newer
     FROM chain CROSS JOIN mem_nodes AS n ON n.seq = chain.seq
     WHERE +(n.seq >> 32) = $ns ORDER BY n.valid_from, n.seq`,
    { id, ns },
  );
  // A proposal that has closed nothing joins nothing together.
  const pairs = rows.flatMap(({ seq, newer }) => (JSON.parse(newer) as number[]).map((by) => [seq, by] as const));
  const joined = new Set(rows.flatMap((row) => (row.id === id ? [row.seq] : [])));
  for (const seq of joined) {
    for (const pair of pairs) if (pair.includes(seq)) for (const each of pair) joined.add(each);
  }
  return rows.filter(({ seq }) => joined.has(seq)).map(({ seq: _, newer: __, ...link }) => link);
}

interface ProvenanceRow {
  readonly id: string;
  readonly content: string;
  readonly topic: string | null;
  readonly valid_until: string | null;
  readonly pid: number | null;
  readonly host: string | null;
  readonly client: string | null;
}

async function provenanceOf(memory: Memory, ns: number, id: string): Promise<Provenance | null> {
  const row = await memory.sql.get<ProvenanceRow>(
    `SELECT s.id, s.content, ${topicOf('s')} AS topic, s.valid_until, h.pid, h.host, h.client
     FROM mem_nodes AS n JOIN mem_nodes AS s ON s.seq = CASE n.kind WHEN 'session' THEN n.seq ELSE n.session END
     LEFT JOIN mem_sessions AS h ON h.seq = s.seq
     WHERE n.id = $id AND +(n.seq >> 32) = $ns`,
    { id, ns },
  );
  if (!row) return null;
  const { pid, host, client, ...session } = row;
  return { ...session, holder: pid === null || host === null || client === null ? null : { pid, host, client } };
}

async function codeOf(memory: Memory, ns: number, id: string): Promise<TouchedCode[]> {
  if (memory.code.unavailable) {
    const keys = await memory.sql.all<Omit<SymbolKey, 'hash'>>(
      `SELECT t.file_path, t.code_type, t.name FROM mem_links AS t JOIN mem_nodes AS n ON n.seq = t.node
       WHERE n.id = $id AND +(n.seq >> 32) = $ns ORDER BY t.file_path, t.name`,
      { id, ns },
    );
    return keys.map((key) => ({ ...key, verdict: null, now: null }));
  }
  return (await locateMemory(memory, id)).map(({ key, now: { verdict, symbol } }) => ({
    file_path: key.file_path,
    code_type: key.code_type,
    name: key.name,
    verdict,
    now: symbol
      ? { file_path: symbol.file_path, name: symbol.name, start_line: symbol.start_line, end_line: symbol.end_line }
      : null,
  }));
}

/** A name that has led it to code is told with that code, which has its verdict. */
async function unresolvedOf(
  memory: Memory,
  ns: number,
  id: string,
  code: readonly TouchedCode[],
): Promise<readonly Unresolved[]> {
  if (memory.code.unavailable) return [];
  const about = await memory.sql.all<{ name: string }>(
    `WITH about AS MATERIALIZED (
       SELECT dst FROM mem_edges
       WHERE type = 'ABOUT' AND src = (SELECT seq FROM mem_nodes WHERE id = $id AND +(seq >> 32) = $ns))
     SELECT e.content AS name, e.seq FROM about CROSS JOIN mem_nodes AS e ON e.seq = about.dst ORDER BY e.seq`,
    { id, ns },
  );
  const names = namesWithoutLink(
    about.map(({ name }) => name),
    code.map((one) => [one.file_path, one.name]),
  );
  return findUnresolved(memory, names, await matchNames(memory, names));
}
