/** Finds the symbols with memories that are no longer as they were. */

import { isProposal } from '../layers';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { requireCode } from './memories-of-file';
import {
  type CodeSymbol,
  type Doubtful,
  isDoubtful,
  type LocatedSymbol,
  linkIdentity,
  locateTouches,
  type SymbolKey,
  TOUCH_COLUMNS,
  TOUCH_NAMES,
  type Touch,
} from './touches';

/** A symbol with open memories whose text is not where, or not what, it was when they were kept. */
export interface CodeDoubt {
  readonly key: SymbolKey;
  readonly verdict: Doubtful;
  /** Where it stands now; absent when it is gone. */
  readonly now: Omit<SymbolKey, 'hash'> | undefined;
  readonly node_ids: readonly string[];
}

interface Row extends Touch {
  /** JSON array. */
  readonly node_ids: string;
}

/** Files whose symbols are as they were, good until one or HEAD is another one. Kept by the caller between calls. */
export type KnownFiles = Map<string, { readonly state: string; readonly undoubted: ReadonlySet<string> }>;

/**
 * Every symbol of the active namespace that became doubtful, by file. Judges each symbol once, however many memories
 * are about it, and only files that were modified since the last call. Proposals are in no doubt: they wait already.
 * @throws SvcError unavailable where code has no root
 */
export async function codeDoubts(memory: Memory, known: KnownFiles = new Map()): Promise<CodeDoubt[]> {
  requireCode(memory);
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const rows = await memory.sql.all<Row>(
    `SELECT ${TOUCH_NAMES}, max(linked_at) AS linked_at, json_group_array(id) AS node_ids
     FROM (SELECT ${TOUCH_COLUMNS}, n.id
           FROM mem_links AS t CROSS JOIN mem_nodes AS n ON n.seq = t.node
           WHERE +(n.seq >> 32) = $ns AND n.tombstoned = 0 AND n.valid_until IS NULL
             AND NOT ${isProposal('n')})
     GROUP BY ${TOUCH_NAMES}`,
    { ns },
  );
  const files = new Map<string, Row[]>();
  for (const row of rows) {
    const own = files.get(row.file_path);
    if (own) own.push(row);
    else files.set(row.file_path, [row]);
  }
  const doubts: CodeDoubt[] = [];
  const located = await locateInFiles(memory, files, known);
  for (const key of rows) {
    const now = located.get(key);
    if (!now || !isDoubtful(now.verdict) || now.outside) continue;
    const { file_path, code_type, name, hash } = key;
    doubts.push({
      key: { file_path, code_type, name, hash },
      verdict: now.verdict,
      now: now.symbol && placeOf(now.symbol),
      // A JSON array that the statement above built.
      node_ids: JSON.parse(key.node_ids) as string[],
    });
  }
  for (const path of known.keys()) if (!files.has(path)) known.delete(path);
  return doubts;
}

function placeOf({ file_path, code_type, name }: CodeSymbol): NonNullable<CodeDoubt['now']> {
  return { file_path, code_type, name };
}

/** Leaves out what is known to be as it was. All others in one question: each question about the past starts Git. */
async function locateInFiles(
  memory: Memory,
  files: ReadonlyMap<string, readonly Row[]>,
  known: KnownFiles,
): Promise<ReadonlyMap<Row, LocatedSymbol>> {
  const commit = memory.code.commit?.() ?? null;
  const located = new Map<Row, LocatedSymbol>();
  const open: { path: string; state: string; keys: readonly Row[] }[] = [];
  for (const [path, keys] of files) {
    const state = `${await memory.code.modifiedAt(path)} ${commit}`;
    const before = known.get(path);
    const isKnown = before?.state === state && keys.every((key) => before.undoubted.has(linkIdentity(key)));
    if (!isKnown) open.push({ path, state, keys });
  }
  const asked = open.flatMap(({ keys }) => keys);
  for (const [i, now] of (await locateTouches(memory, asked)).entries()) if (asked[i]) located.set(asked[i], now);
  for (const { path, state, keys } of open) {
    const now = keys.map((key) => located.get(key));
    // What is not in its file may turn up in another one, and the references of Git say what is another version: neither
    // shows in this file's time.
    const isSettled = now.every((one) => one?.symbol?.file_path === path && !isDoubtful(one.verdict) && !one.ref);
    if (isSettled) known.set(path, { state, undoubted: new Set(keys.map(linkIdentity)) });
    else known.delete(path);
  }
  return located;
}
