/** The rows of the view in Source Control. */
import * as vscode from 'vscode';
import type { DiffCheck, TouchedMemory } from '../../../protocol/code-values';
import { isForeign, kindIcon, kindName, markNames, verdictName } from '../../kinds';
import type { Memories, Place } from '../../memories';
import { plainLine } from '../../stored-text';
import { rowUri } from '../row-uri';
import type { RowsOfFolder } from '../side-bar/folder-rows';
import { memoryTooltip } from '../side-bar/memory-row';
import { doubtsRow, newRow, noteRow, type Row } from '../side-bar/row';

/** What is compared: what is not committed, or all of a branch. */
export type Compared = 'change' | 'branch';

export function checkOf(memories: Memories, place: Place, compared: Compared): Promise<DiffCheck> {
  return memories.call<DiffCheck>(place, 'check', { branch: compared === 'branch' });
}

/**
 * What the pending change touches; below it, asked for when it is unfolded, what the whole branch does.
 * @param tell how many memories the change touches
 */
export function pendingRows(memories: Memories, tell: (count: number) => void): RowsOfFolder {
  return async (parent, place) => {
    const { graph } = await memories.state(place);
    if (!graph?.exists) {
      return [
        noteRow(
          parent,
          vscode.l10n.t('There is no code graph yet, so memories are not linked to code. Build it first.'),
        ),
      ];
    }
    const pending = await touched(parent, memories, place, 'change');
    // As the badge: those about whole files stand in a row of their own.
    tell(pending.filter(({ subject }) => subject !== undefined).length);
    const branch = newRow(
      parent,
      { key: 'branch', label: vscode.l10n.t('The whole branch'), icon: new vscode.ThemeIcon('git-branch') },
      {
        children: async (above) => {
          const rows = await touched(above, memories, place, 'branch').catch((error: unknown) => [
            noteRow(above, error instanceof Error ? error.message : String(error)),
          ]);
          return rows;
        },
      },
    );
    return [...pending, branch];
  };
}

/** Where no memory is in doubt. */
export function nothingIn({ base, changed_files }: DiffCheck, compared: Compared): string {
  if (compared === 'branch') {
    return vscode.l10n.t('Compared with {0}, this branch leaves no memory in doubt.', plainLine(base));
  }
  return changed_files === 0
    ? vscode.l10n.t('No file that Git knows is changed.')
    : vscode.l10n.t('This change leaves no memory in doubt.');
}

async function touched(parent: Row | undefined, memories: Memories, place: Place, compared: Compared): Promise<Row[]> {
  const check = await checkOf(memories, place, compared);
  const { memories: found, not_judged } = check;
  const row = (above: Row | undefined, memory: TouchedMemory): Row =>
    touchedRow(above, memories, place, memory, compared);
  const onFiles = found.filter(isOnFiles);
  const files = doubtsRow(parent, 'files', onFiles.length, async (above) => onFiles.map((each) => row(above, each)));
  return [
    ...(found.length === 0 ? [noteRow(parent, nothingIn(check, compared), 'check')] : []),
    ...found.filter((each) => !isOnFiles(each)).map((each) => row(parent, each)),
    ...(onFiles.length === 0 ? [] : [files]),
    ...not_judged.map((path) => noteRow(parent, vscode.l10n.t('Not judged: {0}', plainLine(path)))),
  ];
}

/** Whole files alone, some line of which changes each day: the badge does not count those either. */
export function isOnFiles({ verdict, symbols }: TouchedMemory): boolean {
  return verdict !== 'gone' && symbols.every(({ was }) => was.code_type === 'file');
}

function touchedRow(
  parent: Row | undefined,
  memories: Memories,
  place: Place,
  memory: TouchedMemory,
  compared: Compared,
): Row {
  const { id, kind, content, verdict, symbols } = memory;
  const label = plainLine(content);
  const names = [...new Set(symbols.map(({ was, now }) => (now ?? was).name))];
  const where = [verdict === 'gone' ? vscode.l10n.t('gone') : vscode.l10n.t('changed'), ...names].map((one) =>
    plainLine(one),
  );
  const foreign = isForeign(memory);
  const row = newRow(
    parent,
    {
      key: id,
      label,
      description: [...markNames(memory), ...where].join(' · '),
      icon: kindIcon(kind),
      spoken: [kindName(kind), label, ...markNames(memory), verdictName(verdict), ...names].join(', '),
      context: foreign ? 'review.foreign' : verdict === 'gone' ? 'review.missing' : 'review.stale',
      resource: rowUri(id, 'open', verdict),
    },
    {
      subject: { place, type: 'memory', nodeId: id },
      tooltip: async () => memoryTooltip(await memories.call(place, 'node', { id }), verdict),
    },
  );
  row.item.command = {
    command: 'agentMemory.reviewPending',
    title: vscode.l10n.t('Show Change'),
    arguments: [row, compared],
  };
  return row;
}
