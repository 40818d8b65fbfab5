/** The rows of the first view, where memories are listed by kind or by file. */
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { MEMORY_KINDS } from '../../../kinds/kinds';
import type { CodeMemories, MemoryGroup, MemoryOnCode, NodeSummary } from '../../../protocol/tool-values';
import { counted, kindIcon, kindName } from '../../kinds';
import type { Memories, Place } from '../../memories';
import { plainLine } from '../../stored-text';
import type { Doubts } from '../doubts';
import { codePath } from '../palette/symbol-at';
import type { RowsOfFolder } from './folder-rows';
import { LONGEST_LIST, memoryList } from './memory-list';
import { memoryRow } from './memory-row';
import { newRow, noteRow, type Row } from './row';
import type { Pages } from './row-tree';
import type { ViewState } from './view-state';

/** Of a tree of files: more are found with the filter. */
const MOST_FILES = 1_000;

/** A row for each kind, or for each file, with its memories below. */
export function groupRows(
  by: 'kind' | 'file',
  memories: Memories,
  doubts: Doubts,
  pages: Pages,
  view: ViewState,
): RowsOfFolder {
  return async (parent, place) => {
    const asked = { ...view.asked(), closed: view.closed() };
    const groups = await memories.call<MemoryGroup[]>(place, 'groups', { by, ...asked });
    const rows = groups.slice(0, MOST_FILES).map((group) => {
      const parts = by === 'kind' ? kindParts(group) : fileParts(group);
      return newRow(
        parent,
        {
          ...{ key: `${by} ${group.name}`, label: parts.label, icon: parts.icon, expanded: view.filter() !== '' },
          description: [...parts.notes, String(group.memories)].join(' · '),
          spoken: [parts.label, ...parts.notes, counted.memories(group.memories)].join(', '),
        },
        {
          children: (above) => {
            const filter = by === 'kind' ? { ...asked, kinds: kindsOf(group) } : { ...asked, in_file: group.name };
            return memoryList(above, memories, pages, place, filter, doubts.known(place));
          },
        },
      );
    });
    // A list without rows loses the focus, and with it the key that takes back what emptied it.
    if (rows.length === 0 && view.filter() !== '') return [noMatchRow(parent)];
    if (groups.length <= MOST_FILES) return rows;
    const note = vscode.l10n.t('Only {0} are listed. Use the filter to find the others.', MOST_FILES);
    return [...rows, noteRow(parent, note)];
  };
}

function noMatchRow(parent: Row | undefined): Row {
  const row = noteRow(parent, vscode.l10n.t('Nothing here matches the filter.'));
  const title = vscode.l10n.t('Clear Filter');
  row.item.description = title;
  row.item.command = { command: 'agentMemory.clearFilter', title };
  return row;
}

interface GroupParts {
  readonly label: string;
  readonly notes: readonly string[];
  readonly icon: vscode.ThemeIcon;
}

const kindsOf = ({ name }: MemoryGroup) => MEMORY_KINDS.filter((kind) => kind === name);

function kindParts(group: MemoryGroup): GroupParts {
  const [kind] = kindsOf(group);
  const icon = kind ? kindIcon(kind) : new vscode.ThemeIcon('note');
  return { label: kind ? kindName(kind) : plainLine(group.name), notes: [], icon };
}

function fileParts({ name, missing }: MemoryGroup): GroupParts {
  if (name === '') return { label: vscode.l10n.t('On no code'), notes: [], icon: new vscode.ThemeIcon('circle-slash') };
  const folder = posix.dirname(name);
  return {
    label: plainLine(posix.basename(name)),
    notes: [
      ...(folder === '.' ? [] : [plainLine(folder)]),
      ...(missing ? [vscode.l10n.t('not in this working tree')] : []),
    ],
    icon: new vscode.ThemeIcon('file-code'),
  };
}

/** What is remembered about the file in the editor: a row for each function, the file itself first. */
export function thisFileRows(memories: Memories, doubts: Doubts, view: ViewState): RowsOfFolder {
  return async (parent, place) => {
    const path = thisFile(place);
    if (path === undefined) return [noteRow(parent, vscode.l10n.t('Open a file to see what is remembered about it.'))];
    const verdicts = doubts.known(place);
    const groups = oneOfOverloads(await onFile(memories, place, path, view));
    const rows = groups.map(({ code_type, name, memories: shown }) => {
      const label = plainLine(name);
      const children = async (above: Row): Promise<Row[]> =>
        shown.map((memory) => {
          const node = {
            ...memory,
            recorded_at: memory.valid_from,
            valid_until: null,
            tombstoned: 0,
            session_id: null,
          } as const;
          return memoryRow(above, memories, place, node, verdicts.get(memory.id));
        });
      return newRow(
        parent,
        {
          ...{ key: `symbol ${code_type} ${name}`, label, description: String(shown.length), expanded: true },
          icon: new vscode.ThemeIcon(CODE_ICONS[code_type] ?? 'symbol-method'),
          spoken: `${label}, ${counted.memories(shown.length)}`,
        },
        { children },
      );
    });
    // Asked for above all lists, they are missed here.
    const others = vscode.l10n.t('What was superseded or forgotten is listed by session, file or kind.');
    const closed = view.closed() ? [noteRow(parent, others)] : [];
    if (rows.length > 0) return [...rows, ...closed];
    const note =
      view.filter() === ''
        ? vscode.l10n.t('Nothing is remembered about {0}.', plainLine(posix.basename(path)))
        : vscode.l10n.t('Nothing that is remembered about {0} matches the filter.', plainLine(posix.basename(path)));
    return [noteRow(parent, note), ...closed];
  };
}

/** Of what is no function. */
const CODE_ICONS: Readonly<Record<string, string>> = {
  file: 'file-code',
  class: 'symbol-class',
  interface: 'symbol-interface',
  type: 'symbol-interface',
  enum: 'symbol-enum',
  constant: 'symbol-constant',
  variable: 'symbol-variable',
  module: 'symbol-module',
};

type SymbolMemories = CodeMemories['symbols'][number];

/** Overloads of a function have its memories each: they are one group, where the first of them is, with each memory once. */
function oneOfOverloads(symbols: readonly SymbolMemories[]): SymbolMemories[] {
  const groups = new Map<string, SymbolMemories>();
  for (const symbol of symbols) {
    const key = `${symbol.code_type} ${symbol.name}`;
    const first = groups.get(key);
    groups.set(key, first ? { ...first, memories: together(first.memories, symbol.memories) } : symbol);
  }
  return [...groups.values()];
}

/** The newest first, as each of the two. */
function together(some: readonly MemoryOnCode[], others: readonly MemoryOnCode[]): MemoryOnCode[] {
  const more = others.filter(({ id }) => some.every((one) => one.id !== id));
  return [...some, ...more].sort((a, b) => b.valid_from.localeCompare(a.valid_from));
}

/** How many memories are listed for the file in the editor. */
export async function countOnThisFile(memories: Memories, place: Place, view: ViewState): Promise<number> {
  const path = thisFile(place);
  if (path === undefined) return 0;
  const symbols = await onFile(memories, place, path, view);
  return new Set(symbols.flatMap((symbol) => symbol.memories.map(({ id }) => id))).size;
}

/** What is remembered about a file, as far as it passes the filter. */
async function onFile(
  memories: Memories,
  place: Place,
  path: string,
  view: ViewState,
): Promise<readonly SymbolMemories[]> {
  const { symbols } = await memories.call<CodeMemories>(place, 'memory_for_code', { file_path: path });
  if (view.filter() === '') return symbols;
  const asked = { ...view.asked(), in_file: path, limit: LONGEST_LIST };
  const passing = new Set((await memories.call<NodeSummary[]>(place, 'nodes', asked)).map(({ id }) => id));
  return symbols
    .map((symbol) => ({ ...symbol, memories: symbol.memories.filter(({ id }) => passing.has(id)) }))
    .filter((symbol) => symbol.memories.length > 0);
}

/** The file that was in the editor last. */
let last: vscode.Uri | undefined;

/** The path of the file in the editor, if it is in this folder. A page that is opened from the list leaves it as it is. */
function thisFile(place: Place): string | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active && vscode.workspace.getWorkspaceFolder(active)) last = active;
  const file = last;
  return file && isOpen(file) && isIn(place, file) ? codePath(place, file) : undefined;
}

function isOpen(file: vscode.Uri): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === file.toString());
}

function isIn({ folder }: Place, file: vscode.Uri): boolean {
  return vscode.workspace.getWorkspaceFolder(file)?.uri.toString() === folder.toString();
}
