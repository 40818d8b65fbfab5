/** The filter and the other choices of the side bar. */
import * as vscode from 'vscode';
import { kindNames } from '../../kinds';
import { readQuery, type SearchQuery } from '../search-query';

/** What the first view lists memories by. */
export const GROUPINGS = ['session', 'file', 'kind', 'thisFile'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** What a filter asks of memories, as the tools take it. */
export type AskedOfMemories = Pick<SearchQuery, 'kinds' | 'file' | 'symbol' | 'letters'>;

/** What people chose to see in the side bar. */
export interface ViewState extends vscode.Disposable {
  /** As it was typed. */
  filter(): string;
  asked(): AskedOfMemories;
  setFilter(letters: string): void;
  grouping(): Grouping;
  group(by: Grouping): void;
  /** Whether superseded, refuted and forgotten memories are shown. */
  closed(): boolean;
  setClosed(shown: boolean): void;
  /** Whether near-duplicates were asked for where there is no code graph. */
  duplicates(): boolean;
  showDuplicates(): void;
  readonly onDidChange: vscode.Event<void>;
}

const CLOSED = 'sideBar.closed';
const GROUPING = 'sideBar.grouping';

/** The filter lasts as long as the window; what is shown is kept for the workspace. */
export function viewState(state: vscode.Memento): ViewState {
  const changed = new vscode.EventEmitter<void>();
  let filter = '';
  let duplicates = false;
  let closed = state.get<boolean>(CLOSED) ?? false;
  let grouping = GROUPINGS.find((one) => one === state.get(GROUPING)) ?? 'session';
  const tell = (): void => {
    vscode.commands.executeCommand('setContext', 'agentMemory.filtered', filter !== '');
    vscode.commands.executeCommand('setContext', 'agentMemory.closedShown', closed);
    changed.fire();
  };
  tell();
  return {
    filter: () => filter,
    asked() {
      const { kinds, file, symbol, letters } = readQuery(filter, kindNames());
      return { kinds, file, symbol, letters };
    },
    grouping: () => grouping,
    group(by) {
      grouping = by;
      state.update(GROUPING, by);
      tell();
    },
    setFilter(letters) {
      if (letters.trim() === filter) return;
      filter = letters.trim();
      tell();
    },
    closed: () => closed,
    setClosed(shown) {
      closed = shown;
      state.update(CLOSED, shown);
      tell();
    },
    duplicates: () => duplicates,
    showDuplicates() {
      duplicates = true;
      tell();
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}

/** Closes the box of the filter without it. */
let leave: (() => void) | undefined;

/** `agentMemory.leaveFilter`, which is Escape: the box itself does not tell it from a click elsewhere. */
export function leaveFilter(): void {
  leave?.();
}

/** While people type, the views follow; what they last showed stays when the box is closed, but for Escape. */
export function askFilter(view: ViewState): void {
  const before = view.filter();
  const input = vscode.window.createInputBox();
  input.title = vscode.l10n.t('Filter Agent Memory');
  // Not as a placeholder, which what stands in the box already would hide.
  input.prompt = vscode.l10n.t('Words, :decision, @file or #symbol. The views show what fits, and how many there are.');
  input.value = view.filter();
  let waiting: NodeJS.Timeout | undefined;
  let wanted = (): string => input.value;
  leave = () => {
    wanted = () => before;
    input.hide();
  };
  const isOpen = (open: boolean) => vscode.commands.executeCommand('setContext', 'agentMemory.filtering', open);
  void isOpen(true);
  input.onDidChangeValue((letters) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => view.setFilter(letters), TYPING_PAUSE_MS);
  });
  input.onDidAccept(() => input.hide());
  input.onDidHide(() => {
    clearTimeout(waiting);
    leave = undefined;
    void isOpen(false);
    view.setFilter(wanted());
    input.dispose();
  });
  input.show();
}

const TYPING_PAUSE_MS = 150;

/** What the groupings are called, as titles of the view. */
export function groupingName(grouping: Grouping): string {
  return {
    session: vscode.l10n.t('Sessions'),
    file: vscode.l10n.t('Files'),
    kind: vscode.l10n.t('Kinds'),
    thisFile: vscode.l10n.t('This File'),
  }[grouping];
}

/** Asks what the memories are to be listed by. */
export async function askGrouping(view: ViewState): Promise<void> {
  const items = GROUPINGS.map((grouping) => ({
    grouping,
    label: groupingName(grouping),
    description: grouping === view.grouping() ? vscode.l10n.t('shown now') : '',
    detail: {
      session: vscode.l10n.t('What was remembered together'),
      file: vscode.l10n.t('What is remembered about each file'),
      kind: vscode.l10n.t('Decisions, facts, outcomes and so on'),
      thisFile: vscode.l10n.t('What is remembered about the file in the editor, function by function'),
    }[grouping],
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('List Memories By…'),
    placeHolder: vscode.l10n.t('What are memories to be listed by?'),
  });
  if (chosen) view.group(chosen.grouping);
}
