/** The tree of a view. */
import * as vscode from 'vscode';
import { described } from '../../output';
import { noteRow, type Row } from './row';
import { RowLists } from './row-lists';

/** Rows of one page. */
export const PAGE = 50;

/** How many rows each list of a tree shows. */
export interface Pages {
  /** @param list the id of the row above, empty at the top */
  shown(list: string): number;
  showMore(list: string): void;
}

/** The tree behind a view: asks for rows when they are seen, and again after a change. */
export class RowTree implements vscode.TreeDataProvider<Row>, Pages, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Row | Row[] | undefined>();
  private readonly counts = new Map<string, number>();
  private readonly lists = new RowLists((above) => this.rowsBelow(above));
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

  async getChildren(above?: Row): Promise<Row[]> {
    return [...(await this.lists.give(above))];
  }

  async resolveTreeItem(item: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    // Without a tooltip the editor shows the label, which is all there is to say of a memory that is gone by now.
    const tooltip = await row.tooltip?.().catch(() => undefined);
    if (tooltip) item.tooltip = tooltip;
    return item;
  }

  /** The first such row, wherever it is shown now. */
  find(wanted: (row: Row) => boolean): Row | undefined {
    return this.lists.find(wanted);
  }

  /** The rows of the top that are so. */
  top(wanted: (row: Row) => boolean): Row[] {
    return this.lists.top().filter(wanted);
  }

  /** The row below these, or above them where they are the last ones. @param leaving ids of rows that are to go as well */
  neighbour(rows: readonly Row[], leaving: ReadonlySet<string>): Row | undefined {
    return this.lists.neighbour(rows, leaving);
  }

  shown(list: string): number {
    return this.counts.get(list) ?? PAGE;
  }

  showMore(list: string): void {
    this.counts.set(list, this.shown(list) + PAGE);
    const above = list === '' ? undefined : this.lists.find(({ item }) => item.id === list);
    this.lists.outdate(above);
    this.changed.fire(above);
  }

  fold(row: Row, folded: boolean): void {
    this.lists.fold(row, folded);
  }

  /** For a view that is not seen: it asks for its rows when it is. */
  refresh(): void {
    if (this.lists.forget()) this.changed.fire(undefined);
  }

  async reload(): Promise<void> {
    const changes = await this.lists.changes();
    if (changes === 'all') this.changed.fire(undefined);
    else if (changes.length > 0) this.changed.fire([...changes]);
  }

  private async rowsBelow(above: Row | undefined): Promise<readonly Row[]> {
    try {
      return (await (above ? above.children?.(above) : this.topRows(this))) ?? [];
    } catch (error) {
      this.log.error(described(error));
      return [noteRow(above, error instanceof Error ? error.message : String(error), 'warning')];
    }
  }

  dispose(): void {
    this.changed.dispose();
  }
}
