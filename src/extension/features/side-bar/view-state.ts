/** The filter and the other choices of the side bar. */
import * as vscode from 'vscode';

/** What people chose to see in the side bar. */
export interface ViewState extends vscode.Disposable {
  filter(): string;
  setFilter(letters: string): void;
  /** Whether superseded, refuted and forgotten memories are shown. */
  closed(): boolean;
  setClosed(shown: boolean): void;
  /** Whether near-duplicates were asked for where there is no code graph. */
  duplicates(): boolean;
  showDuplicates(): void;
  readonly onDidChange: vscode.Event<void>;
}

const CLOSED = 'sideBar.closed';

/** The filter lasts as long as the window; what is shown is kept for the workspace. */
export function viewState(state: vscode.Memento): ViewState {
  const changed = new vscode.EventEmitter<void>();
  let filter = '';
  let duplicates = false;
  let closed = state.get<boolean>(CLOSED) ?? false;
  const tell = (): void => {
    vscode.commands.executeCommand('setContext', 'agentMemory.filtered', filter !== '');
    vscode.commands.executeCommand('setContext', 'agentMemory.closedShown', closed);
    changed.fire();
  };
  tell();
  return {
    filter: () => filter,
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

/** While people type, the views follow; what they last showed stays when the box is closed. */
export function askFilter(view: ViewState): void {
  const input = vscode.window.createInputBox();
  input.title = vscode.l10n.t('Filter Agent Memory');
  input.placeholder = vscode.l10n.t('Filter memories, sessions, entities and namespaces');
  input.value = view.filter();
  let waiting: NodeJS.Timeout | undefined;
  input.onDidChangeValue((letters) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => view.setFilter(letters), TYPING_PAUSE_MS);
  });
  input.onDidAccept(() => input.hide());
  input.onDidHide(() => {
    clearTimeout(waiting);
    view.setFilter(input.value);
    input.dispose();
  });
  input.show();
}

const TYPING_PAUSE_MS = 150;
