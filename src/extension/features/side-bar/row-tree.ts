import * as vscode from 'vscode';
import { described } from '../../output';
import { noteRow, type Row } from './row';

/** Rows of one page. */
export const PAGE = 50;

/** How many rows each list of a tree shows. */
export interface Pages {
  /** @param list the id of the row above, empty at the top */
  shown(list: string): number;
  showMore(list: string): void;
}

/** The tree behind a view: asks for rows when they are seen, and anew after a change. */
export class RowTree implements vscode.TreeDataProvider<Row>, Pages, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Row | undefined>();
  private readonly counts = new Map<string, number>();
  private readonly rows = new Map<string, Row>();
  private next: Promise<readonly Row[]> | undefined;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly topRows: (pages: Pages) => Promise<readonly Row[]>,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  getTreeItem(row: Row): vscode.TreeItem {
    return row.item;
  }

  getParent(row: Row): Row | undefined {
    return row.parent;
  }

  async getChildren(row?: Row): Promise<Row[]> {
    try {
      const children = row ? await row.children?.() : await this.takeTopRows();
      if (!row) this.rows.clear();
      for (const child of children ?? []) this.rows.set(child.item.id, child);
      return [...(children ?? [])];
    } catch (error) {
      this.log.error(described(error));
      const text = error instanceof Error ? error.message : String(error);
      return [noteRow(row, text, 'warning')];
    }
  }

  async resolveTreeItem(item: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    // Without a tooltip the editor shows the label, which is all there is to say of a memory that is gone by now.
    const tooltip = await row.tooltip?.().catch(() => undefined);
    if (tooltip) item.tooltip = tooltip;
    return item;
  }

  /** The row of a memory, wherever it is shown now. */
  find(nodeId: string): Row | undefined {
    for (const row of this.rows.values()) if (row.subject?.nodeId === nodeId) return row;
    return undefined;
  }

  shown(list: string): number {
    return this.counts.get(list) ?? PAGE;
  }

  showMore(list: string): void {
    this.counts.set(list, this.shown(list) + PAGE);
    this.changed.fire(this.rows.get(list));
  }

  /** For a view that is not seen: it asks for its rows when it is. */
  refresh(): void {
    this.next = undefined;
    this.changed.fire(undefined);
  }

  /** From when a tree is told of a change until its rows are there, their commands work on nothing: so rows come first. */
  async reload(): Promise<void> {
    const next = this.topRows(this);
    this.next = next;
    await next.catch(() => undefined);
    this.changed.fire(undefined);
  }

  private takeTopRows(): Promise<readonly Row[]> {
    const rows = this.next ?? this.topRows(this);
    this.next = undefined;
    return rows;
  }

  dispose(): void {
    this.changed.dispose();
  }
}
