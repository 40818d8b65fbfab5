/** The rows of the view Review. */
import * as vscode from 'vscode';
import type { PairedMemory, Review, ReviewEntry } from '../../../protocol/tool-values';
import { kindIcon, kindName, shownTime } from '../../kinds';
import type { Memories, Place } from '../../memories';
import { inMarkdown, plainLine } from '../../stored-text';
import type { Doubts } from '../doubts';
import { notTrusted, onlyRead } from '../require-trust';
import { rowUri } from '../row-uri';
import type { RowsOfFolder } from './folder-rows';
import { MAX_TOOLTIP_TEXT, memoryTooltip } from './memory-row';
import { onNamedCode } from './on-named-code';
import { proposalRows, proposedIn } from './proposals';
import { type DuplicateGroup, duplicateGroups, isWholeFile, matches, nearGroups, passes } from './review-groups';
import { doubtsRow, newRow, noteRow, opensMemory, type Row } from './row';
import { unreadRows } from './unread-rows';
import type { AskedOfMemories, ViewState } from './view-state';

/** The last part of the id of the row below which they are looked for. */
export const DUPLICATES = 'duplicates';
/** Pairs that are compared into groups. */
const MOST_PAIRS = 200;

/** What waits for a person: memories whose code changed or is gone, what was proposed, and those that say almost the same. */
export function reviewRows(memories: Memories, doubts: Doubts, view: ViewState): RowsOfFolder {
  const proposals = async (parent: Row | undefined, place: Place): Promise<Row[]> =>
    proposalRows(parent, memories, place, await proposedIn(memories, place), view.asked());
  return async (parent, place) => {
    const state = await memories.state(place);
    const { graph, stale, stale_files, store, remembers, problem } = state;
    // Nothing is known of a store that cannot be read, least of all that it is empty.
    if (problem !== null) throw new Error(problem);
    const unread = unreadRows(parent, place, state);
    const linked = graph?.exists ?? false;
    // Neither waits for the other.
    const [proposed, forked, { entries, more }] = await Promise.all([
      state.proposed === 0 ? [] : proposals(parent, place),
      state.forks === 0 ? [] : forkRows(parent, memories, place, view, store.access === 'foreign'),
      remembers && linked ? doubts.review(place) : NOTHING,
    ]);
    const first = [...unread, ...forked, ...proposed];
    // There is nothing to check against code or to compare: the welcome text says how to begin.
    if (!remembers) {
      if (parent === undefined || first.length > 0) return first;
      return [noteRow(parent, vscode.l10n.t('Nothing is remembered here.'))];
    }
    const foreign = store.access === 'foreign';
    // Nothing can go stale here: the welcome text says why, and what to do about it.
    if (!linked && graph && parent === undefined && !view.duplicates()) {
      return first.length === 0 ? first : [...first, noGraphRow(parent)];
    }
    const asked = view.asked();
    const onCode = await onNamedCode(
      memories,
      place,
      asked,
      entries.map(({ node }) => node.id),
    );
    const shown = entries.filter(({ node, was, now }) => {
      // By what it is called now, and as it was. The code graph may not know yet where it is.
      const files = [was.file_path, now?.file_path ?? ''];
      const names = [was.name, now?.name ?? ''];
      const isNamed = matches(asked.file, ...files) && matches(asked.symbol, ...names);
      const texts = [node.content, ...files, ...names];
      return passes(asked, isNamed ? undefined : onCode, { kind: node.kind, ids: [node.id], texts });
    });
    const gone = shown.filter(({ verdict }) => verdict === 'gone');
    const changed = shown.filter(({ verdict }) => verdict !== 'gone');
    const files = changed.filter(isWholeFile);
    const ofSymbols = changed.filter((entry) => !isWholeFile(entry));
    return [
      ...unread,
      ...forked,
      ...group(parent, memories, place, 'stale', ofSymbols, foreign),
      ...group(parent, memories, place, 'missing', gone, foreign),
      ...group(parent, memories, place, 'files', files, foreign),
      // A project that was brought may have hundreds of them, above which nothing else would be seen.
      ...proposed,
      ...statusNotes(parent, {
        linked,
        foreign,
        doubted: stale + stale_files,
        // Of proposals that are not shown, the filter has hidden all.
        waiting: entries.length + (proposed.length === 0 ? state.proposed : 0) + state.forks,
        shown: shown.length + forked.length,
        proposed: proposed.length,
      }),
      duplicatesRow(parent, memories, place, view, foreign),
      ...(more ? [noteRow(parent, vscode.l10n.t('Settle some of these to see more.'))] : []),
    ];
  };
}

const NOTHING = { entries: [], more: false };

interface Listed {
  readonly linked: boolean;
  readonly foreign: boolean;
  /** Memories that no longer fit their code, whether or not they wait for review. */
  readonly doubted: number;
  readonly waiting: number;
  /** Rows of what waits, but for proposals. */
  readonly shown: number;
  /** Rows of what is proposed. */
  readonly proposed: number;
}

/** In place of the welcome text, beside rows. */
function noGraphRow(parent: Row | undefined): Row {
  const row = noteRow(
    parent,
    vscode.l10n.t('There is no code graph yet, so memories are not linked to code. Build it first.'),
  );
  row.item.command = { command: 'agentMemory.buildGraph', title: vscode.l10n.t('Build Code Graph') };
  return row;
}

/** Where no memory is listed, why. */
function statusNotes(parent: Row | undefined, { linked, foreign, doubted, waiting, shown, proposed }: Listed): Row[] {
  if (shown > 0) return [];
  if (!linked) {
    return [
      noteRow(parent, vscode.l10n.t('Memories here are not linked to code, so they cannot be checked against it.')),
    ];
  }
  if (waiting > 0) return proposed > 0 ? [] : [noteRow(parent, vscode.l10n.t('No review items match the filter.'))];
  if (doubted === 0) return [noteRow(parent, vscode.l10n.t('No memory is in doubt.'), 'check')];
  return [
    noteRow(parent, vscode.l10n.t('Memories that no longer fit their code: {0}', doubted), 'warning'),
    // Waiting for review is written into the store.
    ...(vscode.workspace.isTrusted ? (foreign ? [noteRow(parent, onlyRead())] : []) : [noteRow(parent, notTrusted())]),
  ];
}

function group(
  parent: Row | undefined,
  memories: Memories,
  place: Place,
  of: 'stale' | 'missing' | 'files',
  entries: readonly ReviewEntry[],
  foreign: boolean,
): Row[] {
  if (entries.length === 0) return [];
  return [
    doubtsRow(parent, of, entries.length, async (above) =>
      entries.map((entry) => entryRow(above, memories, place, entry, foreign)),
    ),
  ];
}

function entryRow(parent: Row, memories: Memories, place: Place, entry: ReviewEntry, foreign: boolean): Row {
  const { node, verdict } = entry;
  const at = entry.now ?? entry.was;
  const label = plainLine(node.content);
  const mark = foreign ? [vscode.l10n.t('foreign')] : [];
  const where = plainLine(at.code_type === 'file' ? at.file_path : `${at.name} · ${at.file_path}`);
  const change = plainLine(entry.change);
  const row = newRow(
    parent,
    {
      key: node.id,
      label,
      // The group says what happened.
      description: [...mark, where].join(' · '),
      icon: kindIcon(node.kind),
      spoken: [kindName(node.kind), label, ...mark, change].join(', '),
      context: foreign ? 'review.foreign' : verdict === 'gone' ? 'review.missing' : 'review.stale',
      // Some line of a file changes each day: those about the whole of one have no mark, as everywhere.
      resource: rowUri(node.id, 'open', isWholeFile(entry) ? undefined : verdict),
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
  // Git is not asked what the code was where nobody trusts it. There is none to open when it is gone, either; the page of
  // the memory says what it was.
  row.item.command = vscode.workspace.isTrusted
    ? { command: 'agentMemory.showChange', title: vscode.l10n.t('Show Change'), arguments: [row] }
    : verdict === 'gone'
      ? opensMemory(place, node.id)
      : { command: 'agentMemory.jumpToCode', title: vscode.l10n.t('Go to Code'), arguments: [row] };
  return row;
}

/** This compares all memories, so it runs only when the user asks for it. */
function duplicatesRow(
  parent: Row | undefined,
  memories: Memories,
  place: Place,
  view: ViewState,
  foreign: boolean,
): Row {
  return newRow(
    parent,
    { key: DUPLICATES, label: vscode.l10n.t('Near-duplicates'), icon: new vscode.ThemeIcon('copy') },
    {
      children: async (above) => {
        const input = { only: 'duplicates', limit: MOST_PAIRS };
        const found = await memories.call<Review>(place, 'review', input);
        const all = duplicateGroups(found.near_duplicates);
        const allNear = nearGroups(found.near);
        if (all.length + allNear.length === 0) {
          return [noteRow(above, vscode.l10n.t('No near-duplicates'), 'check')];
        }
        const asked = view.asked();
        const onCode = await onNamedCode(memories, place, asked, [...all, ...allNear].flatMap(idsOf));
        const groups = all.filter((each) => isShown(asked, onCode, each));
        const near = allNear.filter((each) => isShown(asked, onCode, each));
        if (groups.length + near.length === 0) {
          return [noteRow(above, vscode.l10n.t('No near-duplicates match the filter.'))];
        }
        return [
          ...groups.map((each) => duplicateGroupRow(above, place, each, foreign)),
          ...(near.length === 0 ? [] : [nearRow(above, place, near, foreign)]),
        ];
      },
    },
  );
}

function isShown(asked: AskedOfMemories, onCode: ReadonlySet<string> | undefined, group: DuplicateGroup): boolean {
  const texts = [group.newest, ...group.older].map(({ content }) => content);
  return passes(asked, onCode, { kind: group.kind, ids: idsOf(group), texts });
}

/** What two people put in the place of one memory, and Git merged: both hold until a person decides. */
async function forkRows(
  parent: Row | undefined,
  memories: Memories,
  place: Place,
  view: ViewState,
  foreign: boolean,
): Promise<Row[]> {
  const { forks } = await memories.call<Review>(place, 'review', { only: 'forks', limit: MOST_PAIRS });
  const all = duplicateGroups(forks);
  const asked = view.asked();
  const onCode = await onNamedCode(memories, place, asked, all.flatMap(idsOf));
  const groups = all.filter((each) => isShown(asked, onCode, each));
  if (groups.length === 0) return [];
  const row = {
    key: 'forks',
    label: vscode.l10n.t('Rewritten in two ways'),
    description: String(groups.length),
    icon: new vscode.ThemeIcon('git-merge'),
    expanded: true,
  };
  const tip = vscode.l10n.t(
    'Two branches changed the same memory, each in its way. Replace one of them, or keep both.',
  );
  return [
    newRow(parent, row, {
      tooltip: async () => new vscode.MarkdownString(tip),
      children: async (above) => groups.map((each) => duplicateGroupRow(above, place, each, foreign)),
    }),
  ];
}

function idsOf({ newest, older }: DuplicateGroup): string[] {
  return [newest, ...older].map(({ id }) => id);
}

/** What no consolidation closes: a person decides about each pair. */
function nearRow(parent: Row, place: Place, groups: readonly DuplicateGroup[], foreign: boolean): Row {
  return newRow(
    parent,
    {
      key: 'near',
      label: vscode.l10n.t('Say nearly the same'),
      description: String(groups.reduce((sum, { older }) => sum + older.length, 0)),
      icon: new vscode.ThemeIcon('copy'),
      expanded: true,
    },
    { children: async (above) => groups.map((each) => duplicateGroupRow(above, place, each, foreign)) },
  );
}

function duplicateGroupRow(parent: Row, place: Place, { newest, older }: DuplicateGroup, foreign: boolean): Row {
  return newRow(
    parent,
    {
      key: newest.id,
      label: plainLine(newest.content),
      description: [vscode.l10n.t('newest of {0}', older.length + 1), ...heldAgainst(newest)].join(' · '),
      icon: new vscode.ThemeIcon('files'),
      context: foreign ? 'review.foreign' : 'review.newest',
      expanded: true,
    },
    {
      subject: { place, type: 'memory', nodeId: newest.id },
      children: async (above) => older.map((each) => duplicateRow(above, place, each, newest.id, foreign)),
    },
  );
}

/** Why it is so tells two apart that say the same. */
function heldAgainst({ valid_from, reasons = [] }: PairedMemory): string[] {
  return [shownTime(valid_from), ...reasons.map(plainLine)];
}

function duplicateRow(
  parent: Row,
  place: Place,
  older: DuplicateGroup['older'][number],
  newest: string,
  foreign: boolean,
): Row {
  return newRow(
    parent,
    {
      key: older.id,
      label: plainLine(older.content),
      description: heldAgainst(older).join(' · '),
      icon: new vscode.ThemeIcon('copy'),
      context: foreign ? 'review.foreign' : 'review.duplicate',
      command: opensMemory(place, older.id),
    },
    { subject: { place, type: 'memory', nodeId: older.id, otherId: newest } },
  );
}
