/** The keys of rows: still true or keep, forget or drop, rewrite. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { requireRow } from '../memory-targets';
import { requireTrust } from '../require-trust';
import { goesToMemory, type Row } from './row';
import type { RowTree } from './row-tree';

/** What a key does to a row, by what the row says of itself; the first that fits. */
interface Key {
  readonly command: string;
  readonly does: readonly {
    readonly rows: RegExp;
    readonly command: string;
    /** Those that go out of the list by it; none where it is missing. */
    readonly goes?: RegExp;
    /** Another row takes its place. */
    readonly replaced?: true;
  }[];
}

/** A list of thousands is read again in less. */
const PATIENCE_MS = 3_000;
const PAUSE_MS = 50;
/** Within this a list that is being read again has its rows. */
const SETTLED_MS = 1_000;

/** Longer than the editor takes from a key to what it opens, and less than a person to go from the keys to the mouse. */
const SAME_KEY_MS = 1_000;
let keyAt = Number.NEGATIVE_INFINITY;

/**
 * A key first selects its row, which the editor takes for opening it. What would take the focus then asks whether a key
 * did so, and stays closed: the next key is meant for the list, or for a question.
 */
export function isOpenedByKey(): boolean {
  const isKey = performance.now() - keyAt < SAME_KEY_MS;
  keyAt = Number.NEGATIVE_INFINITY;
  return isKey;
}

const JUDGED = /^memory\.open|^review\.(stale|missing|newest|duplicate)$/;

const ALL = /^/;

const KEYED = { select: true, focus: true };

const KEYS: readonly Key[] = [
  {
    command: 'agentMemory.keepSelected',
    does: [
      { rows: /^review\.proposal$/, command: 'agentMemory.keepProposal', goes: ALL },
      { rows: /^review\.source$/, command: 'agentMemory.keepSource', goes: ALL },
      { rows: JUDGED, command: 'agentMemory.confirm', goes: /^review/ },
    ],
  },
  {
    command: 'agentMemory.dropSelected',
    does: [
      { rows: /^review\.proposal$/, command: 'agentMemory.dropProposal', goes: ALL },
      { rows: /^review\.source$/, command: 'agentMemory.dropSource', goes: ALL },
      {
        rows: /^memory\.(open|closed)|^review\.(stale|missing|newest|duplicate)$/,
        command: 'agentMemory.forget',
        goes: ALL,
      },
    ],
  },
  {
    command: 'agentMemory.rewriteSelected',
    does: [
      { rows: /^review\.proposal$/, command: 'agentMemory.editProposal', replaced: true },
      { rows: JUDGED, command: 'agentMemory.supersede', replaced: true },
    ],
  },
];

interface KeyedView {
  readonly view: vscode.TreeView<Row>;
  readonly tree: RowTree;
}

/** The last one that went by a key: its row, the memory that stands instead, if one does, and the row where the keys went on. */
interface Left {
  readonly keyed: KeyedView;
  readonly row: Row;
  readonly now?: string;
  readonly at: Row | undefined;
  /** When. */
  readonly since: number;
}

/** A view with keys, by its id. */
export type KeyedViews = Readonly<Record<string, KeyedView | undefined>>;

/**
 * A key gives a command no row: it is the selected ones of the view that package.json names. Where they are of several
 * sorts, those of the first sort are meant. Where they go out of the list, the row after them is selected at once, so that
 * keys can go on; later the person may be elsewhere.
 */
export function rowKeys(views: KeyedViews): vscode.Disposable {
  const leaving = new Set<string>();
  let left: Left | undefined;
  // The editor does not say where the focus is: what a person does in a text tells.
  let inTextAt = Number.NEGATIVE_INFINITY;
  const noteText = (): void => {
    inTextAt = performance.now();
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
      if (kind === Keyboard || kind === Mouse) noteText();
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor) noteText();
    }),
    // Runs before the row is selected.
    vscode.commands.registerCommand('agentMemory.keyInList', () => {
      keyAt = performance.now();
    }),
    // After the editor's own Enter, which opens a page and stays in the list.
    vscode.commands.registerCommand('agentMemory.goToSelected', async (given?: { readonly view?: unknown }) => {
      const [row] = views[String(given?.view)]?.view.selection ?? [];
      const there = row && goesToMemory(row);
      if (there) await vscode.commands.executeCommand(there.command, ...(there.arguments ?? []));
    }),
    // After an undo, with what it took away and what is there again; `at` is when its key was pressed in a list.
    vscode.commands.registerCommand(
      'agentMemory.keyUndone',
      async (gone: unknown, back: readonly unknown[], at?: number) => {
        const last = left;
        const old = last?.row.subject?.nodeId;
        if (!last || last.now !== gone || old === undefined || !back.includes(old)) return;
        const { view, tree } = last.keyed;
        // Somebody who has gone on to another row since, or to a text, stays there.
        const isElsewhere = (): boolean => {
          if (inTextAt > (at ?? last.since)) return true;
          const [selected] = view.selection;
          const nodeId = selected?.subject?.nodeId;
          const isThere =
            selected?.item.id === last.at?.item.id || nodeId === old || (gone !== undefined && nodeId === gone);
          return selected !== undefined && !isThere;
        };
        const goBack = async (): Promise<void> => {
          const there = tree.find(({ subject }) => subject?.nodeId === gone);
          await goOnAfter(last.keyed, there ?? last.row, old, undefined, () => !isElsewhere());
        };
        await goBack();
        // A list that was still to lose the row loses it now, and gets it back with its next reading.
        for (let waited = 0; waited < SETTLED_MS; waited += PAUSE_MS) {
          await sleep(PAUSE_MS);
          // Another key has been pressed since.
          if (left !== last) return;
          if (!tree.find(({ subject }) => subject?.nodeId === old)) return goBack();
        }
      },
    ),
    ...KEYS.map(({ command, does }) =>
      vscode.commands.registerCommand(command, async (given?: { readonly view?: unknown }) => {
        const keyed = views[String(given?.view)];
        if (!keyed || !requireTrust()) return;
        const { view, tree } = keyed;
        const selected = await selectedRows(view);
        for (const each of does) {
          const rows = selected.filter(({ item }) => each.rows.test(item.contextValue ?? ''));
          const [first] = rows;
          if (!first) continue;
          const next = nextOf(tree, rows, leaving);
          const goes = each.goes?.test(first.item.contextValue ?? '') ?? false;
          if (goes) noteLeaving(rows, leaving);
          if (next && goes) await goTo(keyed, next, first);
          if (next && goes) await follow(first, next);
          const pressed = performance.now();
          let instead: string | undefined;
          const isOurs = ({ subject }: Row): boolean =>
            subject !== undefined && [first.subject?.nodeId, instead].includes(subject.nodeId);
          const elsewhere = selectedBeside(view, isOurs);
          try {
            instead = await vscode.commands.executeCommand<string | undefined>(each.command, first, rows);
            if (each.replaced && instead !== undefined) {
              // The box was answered now.
              const since = performance.now();
              const at = await goOnAfter(keyed, first, instead, next, () => inTextAt <= since, elsewhere.row);
              left = { keyed, row: first, now: instead, at, since };
            } else if (goes && rows.length === 1) left = { keyed, row: first, at: next, since: pressed };
          } finally {
            elsewhere.dispose();
          }
          return;
        }
      }),
    ),
  );
}

/** The row that was selected last where none of ours was with it. A list that is being read again forgets what is selected in it. */
function selectedBeside(
  view: vscode.TreeView<Row>,
  isOurs: (row: Row) => boolean,
): vscode.Disposable & { row(): Row | undefined } {
  const beside = (selection: readonly Row[]): Row | undefined => (selection.some(isOurs) ? undefined : selection[0]);
  let last: Row | undefined;
  const listening = view.onDidChangeSelection(({ selection }) => {
    last = beside(selection) ?? last;
  });
  return {
    // One that was selected while the list was read is known afterwards.
    row: () => beside(view.selection) ?? last,
    dispose: () => listening.dispose(),
  };
}

/** After the last proposal of a source it is the first of the next one, which all of that source would otherwise be. */
function nextOf(tree: RowTree, rows: readonly Row[], leaving: ReadonlySet<string>): Row | undefined {
  const next = tree.neighbour(rows, leaving);
  if (!next || !isSource(next) || rows.some(isSource)) return next;
  return tree.find(({ item, parent }) => parent?.item.id === next.item.id && !leaving.has(item.id)) ?? next;
}

function isSource({ item }: Row): boolean {
  return item.contextValue === 'review.source';
}

function isOfPair({ item }: Row): boolean {
  return /^review\.(newest|duplicate)$/.test(item.contextValue ?? '');
}

/** A key that goes on settles nothing that the person has not come to: a folded source is only shown. */
async function goTo({ view }: KeyedView, next: Row, from: Row): Promise<void> {
  const isUnseen = isSource(next) && !isSource(from);
  // Nor is the row that goes settled once more.
  if (isUnseen) await vscode.commands.executeCommand('list.clear');
  await view.reveal(next, { focus: true, select: !isUnseen });
}

/** What the next key settles is on the page, where the page has what this one settles. */
async function follow({ item, subject }: Row, next: Row): Promise<void> {
  if (item.contextValue !== 'review.proposal' || !goesToMemory(next)) return;
  await vscode.commands.executeCommand(
    'agentMemory.openMemoryInstead',
    subject?.nodeId,
    next.item.command?.arguments?.[0],
  );
}

/** A list has them until it is read again, which takes longer than a next key. */
function noteLeaving(rows: readonly Row[], leaving: Set<string>): void {
  for (const { item } of rows) leaving.add(item.id);
  setTimeout(() => {
    for (const { item } of rows) leaving.delete(item.id);
  }, PATIENCE_MS);
}

/** While a list is read again the editor hands out none of its rows, though the person sees them selected. */
async function selectedRows(view: vscode.TreeView<Row>): Promise<readonly Row[]> {
  for (let waited = 0; view.selection.length === 0 && waited < PATIENCE_MS; waited += PAUSE_MS) await sleep(PAUSE_MS);
  if (view.selection.length === 0) requireRow([undefined]);
  return view.selection;
}

/**
 * The keys go on with the row of the memory that stands instead, or with the next one where the list has none of it; not
 * from the top of the list.
 * @param goesOn whether it is still wanted
 * @param elsewhere the row that a person has gone on to, who stays there
 * @returns the row
 */
async function goOnAfter(
  { view, tree }: KeyedView,
  old: Row,
  instead: string,
  next: Row | undefined,
  goesOn: () => boolean,
  elsewhere: () => Row | undefined = () => undefined,
): Promise<Row | undefined> {
  const has = (row: Row): boolean => row.item.id === old.item.id;
  // Where it makes a pair with another memory, it has come up somewhere else in the list.
  const isInstead = (row: Row): boolean => row.subject?.nodeId === instead && isOfPair(row) === isOfPair(old);
  let isGone = false;
  for (let waited = 0; waited < PATIENCE_MS && goesOn() && !elsewhere(); waited += PAUSE_MS) {
    const there = tree.find(isInstead);
    // Where the old row is no longer, the new one has had a pause to come.
    const row = there ?? (isGone ? tree.find(({ item }) => item.id === next?.item.id) : undefined);
    // A list that has not been read since may still have a row that the editor knows no more.
    const isKeyed =
      row &&
      (await view.reveal(row, KEYED).then(
        () => true,
        () => false,
      ));
    // A click may have been on its way when the list was asked to go on.
    const chosen = elsewhere();
    const stays = chosen && chosen.item.id !== row?.item.id && tree.find(({ item }) => item.id === chosen.item.id);
    if (isKeyed && stays) await view.reveal(stays, KEYED);
    if (isKeyed) return stays ? undefined : row;
    isGone = !tree.find(has);
    await sleep(PAUSE_MS);
  }
  return undefined;
}
