/** What a row of the side bar is. */
import * as vscode from 'vscode';
import { counted } from '../../kinds';
import type { Place } from '../../memories';

/** What the commands of a row work on. */
export interface Subject {
  readonly place: Place;
  readonly type: 'memory' | 'entity' | 'session' | 'namespace' | 'source';
  /** Of a namespace, its name; of a source of proposals, its number. */
  readonly nodeId: string;
  /** For a near-duplicate: the memory that says the same. */
  readonly otherId?: string;
}

/** A row of one of the trees. */
export interface Row {
  /** Its id is the same after each refresh, so that what is selected and expanded stays so. */
  readonly item: vscode.TreeItem & { id: string };
  readonly parent: Row | undefined;
  readonly subject?: Subject;
  /** How many of what its commands act on the filter hides. */
  readonly hidden?: number;
  /** Not there for a row that cannot be expanded. @param row this one, which the rows below have as their parent */
  readonly children?: (row: Row) => Promise<readonly Row[]>;
  /** Made when the row is pointed at. */
  readonly tooltip?: () => Promise<vscode.MarkdownString>;
  /** For the row at the end of a page: shows the next one. */
  readonly showMore?: () => void;
}

interface RowParts {
  /** Unique below the parent. */
  readonly key: string;
  readonly label: string;
  readonly description?: string;
  readonly icon?: vscode.ThemeIcon;
  /** Read out instead of label and description. */
  readonly spoken?: string;
  /** Which commands the row has, in the `when` clauses of package.json. */
  readonly context?: string;
  readonly command?: vscode.Command;
  readonly expanded?: boolean;
  readonly resource?: vscode.Uri;
}

export function newRow(parent: Row | undefined, parts: RowParts, more: Omit<Row, 'item' | 'parent'> = {}): Row {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const state = more.children === undefined ? None : parts.expanded ? Expanded : Collapsed;
  const item = new vscode.TreeItem(parts.label, state);
  item.accessibilityInformation = {
    label: parts.spoken ?? (parts.description === undefined ? parts.label : `${parts.label}, ${parts.description}`),
  };
  if (parts.description !== undefined) item.description = parts.description;
  if (parts.icon) item.iconPath = parts.icon;
  if (parts.context !== undefined) item.contextValue = parts.context;
  if (parts.command) item.command = parts.command;
  if (parts.resource) item.resourceUri = parts.resource;
  return { ...more, parent, item: Object.assign(item, { id: `${parent?.item.id ?? ''}/${parts.key}` }) };
}

const OPEN_MEMORY = 'agentMemory.openMemory';

/** What a click on a memory does: the row keeps the focus, for the keys of its view. */
export function opensMemory({ folder, namespace }: Place, nodeId: string): vscode.Command {
  return {
    command: OPEN_MEMORY,
    title: vscode.l10n.t('Open Memory'),
    arguments: [{ folder: folder.toString(), namespace, nodeId, keepFocus: true }],
  };
}

/** What Enter does to a memory: it goes to its page. @returns undefined for a row that opens no memory */
export function goesToMemory({ item: { command } }: Row): vscode.Command | undefined {
  if (command?.command !== OPEN_MEMORY) return undefined;
  return { ...command, arguments: [{ ...command.arguments?.[0], keepFocus: false }] };
}

/** A sentence where rows would be. */
export function noteRow(parent: Row | undefined, text: string, icon = 'info'): Row {
  const row = newRow(parent, { key: `note ${text}`, label: text, icon: new vscode.ThemeIcon(icon) });
  row.item.tooltip = text;
  return row;
}

/** Above memories whose code changed or is gone, or which are about nothing but files that changed. */
export function doubtsRow(
  parent: Row | undefined,
  of: 'stale' | 'missing' | 'files',
  count: number,
  children: (row: Row) => Promise<readonly Row[]>,
): Row {
  const label = {
    stale: vscode.l10n.t('Code changed'),
    missing: vscode.l10n.t('Code gone'),
    files: vscode.l10n.t('About a file that changed'),
  }[of];
  const gone = of === 'missing';
  const color = new vscode.ThemeColor(gone ? 'agentMemory.missingForeground' : 'agentMemory.staleForeground');
  return newRow(
    parent,
    {
      key: of,
      label,
      description: String(count),
      icon: new vscode.ThemeIcon(gone ? 'question' : 'warning', color),
      spoken: `${label}, ${counted.memories(count)}`,
      // Some line of a file changes each day, and seldom matters to what is known of the whole.
      expanded: of !== 'files',
    },
    { children },
  );
}

/** In place of what a store held that is lost or damaged. @param lost what became of it */
export function lostRow(parent: Row | undefined, { folder }: Place, label: string, lost: string): Row {
  const remedy = vscode.l10n.t('Restore a Backup…');
  const restore = { command: 'agentMemory.restoreBackup', title: remedy, arguments: [{ folder: folder.toString() }] };
  const row = newRow(parent, {
    key: 'lost',
    label,
    description: remedy,
    icon: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
    ...(vscode.workspace.isTrusted ? { command: restore } : {}),
  });
  row.item.tooltip = lost;
  return row;
}

/** The end of a page that is not the last one. */
export function moreRow(parent: Row | undefined, showMore: () => void): Row {
  const row = newRow(
    parent,
    { key: 'more', label: vscode.l10n.t('Load more'), icon: new vscode.ThemeIcon('ellipsis') },
    { showMore },
  );
  row.item.command = { command: 'agentMemory.loadMore', title: vscode.l10n.t('Load more'), arguments: [row] };
  return row;
}
