/** What memory_recall and memory_about give out, and how it is printed. */
import { KINDS, type NodeKind, SECTION_ORDER } from '../../kinds/kinds';
import { shownDay, shownId } from '../base/shown';
import type { Reason } from '../memory/recall/recall';
import { linePrefix, nodeLine, type PrintedNode } from './line';

/** A memory that the answer has room for. */
export interface PackedMemory extends PrintedNode {
  readonly recorded_at: string;
  /** The session it was stored in. */
  readonly session_id: string | null;
  /** Why it is here; missing where memories are listed. */
  readonly reasons?: readonly Reason[];
  /** Size of its line, in tokens. */
  readonly tokens: number;
  /** The start of its content on one line, where there is no room for all of it. */
  readonly cut?: string;
  /** It is in no row here: it is the team's alone. */
  readonly elsewhere?: true;
}

/** What stands above the memories. */
export interface Head {
  /** The question on one line, cut so that it fits. */
  readonly query: string;
  /** ISO-8601 in UTC. */
  readonly as_of: string;
  /** Largest size that was asked for, in tokens. */
  readonly budget: number;
  /** A line below the heading. */
  readonly notice?: string;
}

/** Memories that fit into a budget of tokens. All sizes are those of the printed text. */
export interface PackedMemories extends Head {
  /** Size of the whole text, in tokens. */
  readonly used: number;
  /** The sentence in place of items, where there are none. */
  readonly note?: string;
  /** Best first. */
  readonly items: readonly PackedMemory[];
  /** Of the items that have a session, the first so many are printed with it. */
  readonly sources: number;
  /** What matched and is no item; missing where that is nothing. */
  readonly more?: More;
}

/** How many more match. */
export interface More {
  readonly count: number;
  /** Nobody counted farther. */
  readonly isLeast: boolean;
}

const SECTION = new Map(SECTION_ORDER.map((kind) => [kind, `### ${KINDS[kind].heading}\n`]));
export const PROVENANCE = '### Provenance\n';

/** The text of the answer, as large as the value says. */
export function printMemories(packed: PackedMemories): string {
  const { items, used, sources, more, note = '' } = packed;
  const entries = items.filter(({ session_id }) => session_id !== null).slice(0, sources);
  const provenance = printProvenance(entries, more);
  return `${printHead(packed, items.length, used)}${printSections(items)}${provenance}${note}`.trimEnd();
}

/** Where items come from, and how many more there are; nothing where there is nothing of both. */
export function printProvenance(entries: readonly PackedMemory[], more: More | undefined): string {
  const lines = [
    ...(entries.length === 0 ? [] : [entries.map(printSource).join('')]),
    ...(more === undefined ? [] : [printMore(more)]),
  ];
  return lines.length === 0 ? '' : PROVENANCE + lines.join('\n');
}

export function printMore({ count, isLeast }: More): string {
  return `${isLeast ? 'at least ' : ''}${count} more matched`;
}

export function printHead({ query, as_of, budget, notice }: Head, items: number, used: number): string {
  const heading = `## Memory recall: "${query}" (as of ${shownDay(as_of)} · ${items} items · ${used}/${budget} tokens)\n`;
  return notice === undefined ? heading : `${heading}${notice}\n`;
}

export function sectionTitle(kind: NodeKind): string {
  return SECTION.get(kind) ?? '';
}

export function printSections(items: readonly PackedMemory[]): string {
  const lines = new Map<NodeKind, string>();
  for (const item of items) lines.set(item.kind, (lines.get(item.kind) ?? '') + lineOf(item));
  return SECTION_ORDER.map((kind) => {
    const section = lines.get(kind);
    return section === undefined ? '' : sectionTitle(kind) + section;
  }).join('');
}

function lineOf(item: PackedMemory): string {
  return item.cut === undefined ? nodeLine(item) : `${linePrefix(item)}${item.cut}\n`;
}

/** `<node_id> ← session <session_id>`, after what stands before it. */
export function printSource({ id, session_id }: Pick<PackedMemory, 'id' | 'session_id'>, place: number): string {
  return `${place === 0 ? '' : ' · '}${shownId(id)} ← session ${shownId(session_id ?? '')}`;
}
