/** The memories below a session, an entity, a file or a kind. */
import * as vscode from 'vscode';
import { MEMORY_KINDS } from '../../../kinds/kinds';
import type { Verdict } from '../../../protocol/requests';
import type { NodeSummary } from '../../../protocol/tool-values';
import type { Memories, Place } from '../../memories';
import { memoryRow } from './memory-row';
import { moreRow, noteRow, type Row } from './row';
import type { Pages } from './row-tree';
import type { AskedOfMemories } from './view-state';

/** The longest list that one call gives. */
export const LONGEST_LIST = 1_000;

export interface MemoryFilter extends Partial<AskedOfMemories> {
  readonly session_id?: string;
  readonly sessionless?: true;
  readonly entity_id?: string;
  /** The path of a file; empty for what is on no code. */
  readonly in_file?: string;
  /** Superseded, refuted and forgotten ones, too. */
  readonly closed: boolean;
}

/** The rows below one of these: its memories, newest first, as many as were asked for. */
export async function memoryList(
  parent: Row,
  memories: Memories,
  pages: Pages,
  place: Place,
  filter: MemoryFilter,
  verdicts: ReadonlyMap<string, Verdict>,
): Promise<Row[]> {
  const wanted = pages.shown(parent.item.id);
  const found: NodeSummary[] = [];
  let more = true;
  while (more && found.length < wanted) {
    // Ask for one more than is shown, to know whether there are more.
    const limit = Math.min(wanted + 1 - found.length, LONGEST_LIST);
    const before = found.at(-1)?.id;
    const kinds = filter.kinds?.length ? filter.kinds : MEMORY_KINDS;
    const input = { ...filter, kinds, limit, ...(before === undefined ? {} : { before }) };
    const page = await memories.call<NodeSummary[]>(place, 'nodes', input);
    found.push(...page);
    more = page.length === limit;
  }
  if (found.length === 0) return [noteRow(parent, vscode.l10n.t('No memories are valid now.'))];
  const rows = found
    .slice(0, wanted)
    .map((memory) => memoryRow(parent, memories, place, memory, verdicts.get(memory.id)));
  return found.length > wanted ? [...rows, moreRow(parent, () => pages.showMore(parent.item.id))] : rows;
}
