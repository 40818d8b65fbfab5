import * as vscode from 'vscode';
import type { Review, ReviewEntry } from '../../../protocol/tool-values';
import { counted, kindIcon, kindName, shownTime, verdictName } from '../../kinds';
import type { Memories, Place } from '../../memories';
import { inMarkdown, plainLine } from '../../stored-text';
import type { Doubts } from '../doubts';
import { rowUri } from '../row-uri';
import type { RowsOfFolder } from './folder-rows';
import { MAX_TOOLTIP_TEXT, memoryTooltip } from './memory-row';
import { type DuplicateGroup, duplicateGroups, matches } from './review-groups';
import { newRow, noteRow, opensMemory, type Row } from './row';
import type { ViewState } from './view-state';

/** Pairs that are compared into groups. */
const MOST_PAIRS = 200;

/** What waits for a person: memories whose code changed or is gone, and memories that say almost the same. */
export function reviewRows(memories: Memories, doubts: Doubts, view: ViewState): RowsOfFolder {
  return async (parent, place) => {
    const { graph, stale: doubted } = await memories.state(place);
    const linked = graph?.exists ?? false;
    // Nothing can go stale here: the welcome text says why, and what to do about it.
    if (!linked && graph && parent === undefined && !view.duplicates()) return [];
    const { entries, more } = linked ? await doubts.review(place) : NOTHING;
    const shown = entries.filter(({ node, was }) =>
      matches(view.filter(), node.content, node.id, was.file_path, was.name),
    );
    const gone = shown.filter(({ verdict }) => verdict === 'gone');
    const stale = shown.filter(({ verdict }) => verdict !== 'gone');
    return [
      ...statusNotes(parent, { linked, doubted, waiting: entries.length, shown: shown.length }),
      ...group(parent, memories, place, 'stale', vscode.l10n.t('Code changed'), stale),
      ...group(parent, memories, place, 'missing', vscode.l10n.t('Code gone'), gone),
      duplicatesRow(parent, memories, place, view),
      ...(more ? [noteRow(parent, vscode.l10n.t('More will be listed when some of these are settled.'))] : []),
    ];
  };
}

const NOTHING = { entries: [], more: false };

interface Listed {
  readonly linked: boolean;
  /** Memories that no longer fit their code, whether or not they wait for review. */
  readonly doubted: number;
  readonly waiting: number;
  readonly shown: number;
}

/** Where no memory is listed, why. */
function statusNotes(parent: Row | undefined, { linked, doubted, waiting, shown }: Listed): Row[] {
  if (shown > 0) return [];
  if (!linked) {
    return [noteRow(parent, vscode.l10n.t('Memories are not linked to code here, so none can be seen to go stale.'))];
  }
  if (waiting > 0) return [noteRow(parent, vscode.l10n.t('None that waits for review has these words in it.'))];
  if (doubted === 0) return [noteRow(parent, vscode.l10n.t('Every memory still fits its code.'), 'check')];
  const untrusted = vscode.l10n.t('This workspace is not trusted, so its memory is only read.');
  return [
    noteRow(parent, vscode.l10n.t('Memories that no longer fit their code: {0}', doubted), 'warning'),
    // Waiting for review is written into the store.
    ...(vscode.workspace.isTrusted ? [] : [noteRow(parent, untrusted)]),
  ];
}

function group(
  parent: Row | undefined,
  memories: Memories,
  place: Place,
  key: 'stale' | 'missing',
  label: string,
  entries: readonly ReviewEntry[],
): Row[] {
  if (entries.length === 0) return [];
  const color = new vscode.ThemeColor(
    key === 'stale' ? 'agentMemory.staleForeground' : 'agentMemory.missingForeground',
  );
  const row = newRow(
    parent,
    {
      key,
      label,
      description: String(entries.length),
      icon: new vscode.ThemeIcon(key === 'stale' ? 'warning' : 'question', color),
      spoken: `${label}, ${counted.memories(entries.length)}`,
      expanded: true,
    },
    { children: async (above) => entries.map((entry) => entryRow(above, memories, place, entry)) },
  );
  return [row];
}

function entryRow(parent: Row, memories: Memories, place: Place, entry: ReviewEntry): Row {
  const { node, verdict, was } = entry;
  const label = plainLine(node.content);
  const where = plainLine(was.name === was.file_path ? was.file_path : `${was.name} · ${was.file_path}`);
  const change = plainLine(entry.change);
  const row = newRow(
    parent,
    {
      key: node.id,
      label,
      // What happened is told by the group; what moved is among what changed.
      description: verdict === 'moved' ? `${verdictName(verdict)} · ${where}` : where,
      icon: kindIcon(node.kind),
      spoken: [kindName(node.kind), label, change].join(', '),
      context: verdict === 'gone' ? 'review.missing' : 'review.stale',
      resource: rowUri(node.id, 'open', verdict),
    },
    {
      subject: { place, type: 'memory', nodeId: node.id },
      tooltip: async () => {
        const tip = memoryTooltip(await memories.call(place, 'node', { id: node.id }));
        tip.appendMarkdown(`\n\n${inMarkdown(change, MAX_TOOLTIP_TEXT)}`);
        return tip;
      },
    },
  );
  // Of what is gone there is no code to go to; its page tells what there was.
  row.item.command =
    verdict === 'gone'
      ? opensMemory(place, node.id)
      : { command: 'agentMemory.jumpToCode', title: vscode.l10n.t('Go to Code'), arguments: [row] };
  return row;
}

/** All memories are compared for it, so it is looked for when somebody wants to know. */
function duplicatesRow(parent: Row | undefined, memories: Memories, place: Place, view: ViewState): Row {
  return newRow(
    parent,
    { key: 'duplicates', label: vscode.l10n.t('Near-duplicates'), icon: new vscode.ThemeIcon('copy') },
    {
      children: async (above) => {
        const input = { only: 'duplicates', limit: MOST_PAIRS };
        const found = await memories.call<Review>(place, 'review', input);
        const groups = duplicateGroups(found.near_duplicates).filter(({ newest, older }) =>
          matches(view.filter(), newest.content, ...older.map(({ content }) => content)),
        );
        if (groups.length === 0) return [noteRow(above, vscode.l10n.t('No near-duplicates'), 'check')];
        return groups.map((each) => duplicateGroupRow(above, place, each));
      },
    },
  );
}

function duplicateGroupRow(parent: Row, place: Place, { newest, older }: DuplicateGroup): Row {
  return newRow(
    parent,
    {
      key: newest.id,
      label: plainLine(newest.content),
      description: `${vscode.l10n.t('newest of {0}', older.length + 1)} · ${shownTime(newest.valid_from)}`,
      icon: new vscode.ThemeIcon('files'),
      context: 'review.newest',
      expanded: true,
    },
    {
      subject: { place, type: 'memory', nodeId: newest.id },
      children: async (above) => older.map((each) => duplicateRow(above, place, each, newest.id)),
    },
  );
}

function duplicateRow(parent: Row, place: Place, older: DuplicateGroup['older'][number], newest: string): Row {
  return newRow(
    parent,
    {
      key: older.id,
      label: plainLine(older.content),
      description: shownTime(older.valid_from),
      icon: new vscode.ThemeIcon('copy'),
      context: 'review.duplicate',
      command: opensMemory(place, older.id),
    },
    { subject: { place, type: 'memory', nodeId: older.id, otherId: newest } },
  );
}
