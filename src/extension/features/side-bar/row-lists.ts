/** Remembers the rows that the editor has, and finds those that changed. */
import type { Row } from './row';

/** The rows of one list, as the editor was given them. */
interface Given {
  readonly asked: Promise<readonly Row[]>;
  /** Empty until they are loaded. */
  rows: readonly Row[];
  folded: boolean;
}

/** What the editor has to ask for again: rows with what is below them, or all of it. */
export type Changes = 'all' | readonly Row[];

/**
 * The lists of a tree as the editor has them. When the editor reloads a row it forgets the rows below: until it has
 * asked again, their commands do nothing and an unfolded row stays empty. So after a change the lists are compared, and
 * the editor reloads only those that differ.
 */
export class RowLists {
  private readonly given = new Map<string, Given>();
  /** What was found out to compare it, for the editor to take. */
  private readonly fresh = new Map<string, readonly Row[]>();

  /** @param rowsBelow never fails */
  constructor(private readonly rowsBelow: (above: Row | undefined) => Promise<readonly Row[]>) {}

  /** For the editor, which asks for a list when it is seen. */
  give(above: Row | undefined): Promise<readonly Row[]> {
    const list = listBelow(above);
    const known = this.fresh.get(list);
    this.fresh.delete(list);
    const asked = known ? Promise.resolve(known) : this.rowsBelow(above);
    const given: Given = { asked, rows: known ?? [], folded: false };
    this.given.set(list, given);
    asked.then((rows) => {
      given.rows = rows;
    });
    return asked;
  }

  /** What a folded row holds is not compared: it is asked for when it is unfolded. */
  fold(above: Row, folded: boolean): void {
    const given = this.given.get(listBelow(above));
    if (given) given.folded = folded;
  }

  /** The next time that the editor asks for this list, it gets another. */
  outdate(above: Row | undefined): void {
    this.fresh.delete(listBelow(above));
  }

  /** @returns whether the editor had any */
  forget(): boolean {
    const had = this.given.size > 0;
    this.given.clear();
    this.fresh.clear();
    return had;
  }

  /** The first row that is so, of those that the editor has. */
  find(isWanted: (row: Row) => boolean, above?: Row): Row | undefined {
    for (const row of this.given.get(listBelow(above))?.rows ?? []) {
      const found = isWanted(row) ? row : this.find(isWanted, row);
      if (found) return found;
    }
    return undefined;
  }

  /** The rows of the list that is above all others. */
  top(): readonly Row[] {
    return this.given.get('')?.rows ?? [];
  }

  /**
   * The row after these in the list of the first one, or before them; with the last of a list, after what is above it.
   * @param leaving ids of rows that are to go as well
   */
  neighbour(rows: readonly Row[], leaving: ReadonlySet<string>): Row | undefined {
    const [first] = rows;
    if (!first) return undefined;
    const ids = new Set([...rows.map(({ item }) => item.id), ...leaving]);
    const list = this.given.get(listBelow(first.parent))?.rows ?? [];
    const at = list.findLastIndex(({ item }) => rows.some((row) => row.item.id === item.id));
    const stays = list.map((row) => !ids.has(row.item.id));
    const isPlace = ({ subject, children }: Row): boolean => subject !== undefined || children !== undefined;
    return (
      list.find((row, i) => i > at && stays[i] && isPlace(row)) ??
      list.findLast((_, i) => i < at && stays[i]) ??
      (first.parent && this.neighbour([first.parent], leaving))
    );
  }

  async changes(): Promise<Changes> {
    this.fresh.clear();
    const changed = new Set<Row | undefined>();
    await this.compare(undefined, changed);
    return changed.has(undefined) ? 'all' : [...changed].filter((row) => row !== undefined);
  }

  private async compare(above: Row | undefined, changed: Set<Row | undefined>): Promise<void> {
    const list = listBelow(above);
    const given = this.given.get(list);
    if (!given) return;
    if (given.folded) {
      this.given.delete(list);
      changed.add(above);
      return;
    }
    const before = await given.asked;
    const now = await this.rowsBelow(above);
    // Asked for meanwhile, and so after the change.
    if (this.given.get(list) !== given) return;
    const same = before.length === now.length && before.every(({ item }, i) => item.id === now[i]?.item.id);
    const rows = same ? before : now;
    this.fresh.set(list, rows);
    if (!same) changed.add(above);
    await Promise.all(
      rows.map(async (row, i) => {
        const look = lookOf(row);
        // The editor knows a row by its object, which goes on with what is new about it.
        Object.assign(row, now[i]);
        if (lookOf(row) !== look) changed.add(row);
        // Also below rows that it asks for again: as long as it waits for their lists, it takes no click.
        await this.compare(row, changed);
      }),
    );
  }
}

function listBelow(above: Row | undefined): string {
  return above?.item.id ?? '';
}

/** What people see of a row. Commands follow from it, and a tooltip that is made later is asked for later. */
function lookOf({ item, tooltip }: Row): string {
  const { command: _, tooltip: told, ...seen } = item;
  const text = typeof told === 'object' ? told.value : told;
  return JSON.stringify([seen, tooltip ? undefined : text]);
}
