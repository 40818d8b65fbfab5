/** Registers the views of the side bar. */
import * as vscode from 'vscode';
import type { FolderState } from '../../../protocol/requests';
import type { MemoryGroup } from '../../../protocol/tool-values';
import { afterPause } from '../../after-pause';
import type { Editor } from '../../editor';
import { memoryFolders } from '../../folders';
import type { ForeignStores } from '../../foreign-stores';
import { counted } from '../../kinds';
import type { Memories } from '../../memories';
import { described } from '../../output';
import { placeIn } from '../../place';
import { plainLine } from '../../stored-text';
import { teamOf } from '../../team-tokens';
import { dragOntoCode } from '../anchor';
import type { Doubts } from '../doubts';
import type { Target } from '../memory-targets';
import { waitingWords } from '../waiting-words';
import { entityRows } from './entities';
import { folderRows, type RowsOfFolder, storeNotes } from './folder-rows';
import { foreignRows } from './foreign-rows';
import { countOnThisFile, groupRows, thisFileRows } from './groups';
import { namespaceRows } from './namespaces';
import { DUPLICATES, reviewRows } from './review';
import type { Row } from './row';
import type { KeyedViews } from './row-keys';
import { type Pages, RowTree } from './row-tree';
import { sessionRows } from './sessions';
import { belowTeam } from './team';
import { askFilter, askGrouping, groupingName, leaveFilter, type ViewState, viewState } from './view-state';

export interface SideBar extends vscode.Disposable {
  /**
   * Brings a memory into sight where it is listed in a view that is seen; does not open one. Selected without having the keys,
   * it would look like the one that the next key means.
   */
  reveal(target: Target): Promise<void>;
  /** Its views with keys. */
  readonly keyed: KeyedViews;
  /** Selects a memory in Review, where that is seen and lists it. */
  follow(nodeId: string): void;
}

interface View {
  readonly tree: RowTree;
  readonly view: vscode.TreeView<Row>;
  /** The ids of rows that a person has folded. */
  readonly folded: Set<string>;
}

/** The views of the side bar. They ask for nothing until they are seen. */
export function sideBar(editor: Editor, memories: Memories, doubts: Doubts, foreign: ForeignStores): SideBar {
  const state = viewState(editor.context.workspaceState);
  const open = (id: string, rows: (pages: Pages) => RowsOfFolder, found?: (top: readonly Row[]) => void): View => {
    const tree = new RowTree(async (pages) => {
      const top = await folderRows(editor, memories, foreign, rows(pages));
      found?.(top);
      return top;
    }, editor.log);
    const view = vscode.window.createTreeView(id, {
      treeDataProvider: tree,
      showCollapseAll: true,
      canSelectMany: id !== 'agentMemory.namespaces',
      dragAndDropController: dragOntoCode(editor),
    });
    const folded = new Set<string>();
    view.onDidCollapseElement(({ element }) => {
      tree.fold(element, true);
      folded.add(element.item.id);
    });
    view.onDidExpandElement(({ element }) => {
      tree.fold(element, false);
      folded.delete(element.item.id);
    });
    return { tree, view, folded };
  };
  const belowNotice =
    (rows: RowsOfFolder): RowsOfFolder =>
    async (parent, place) => [...foreignRows(parent, place, foreign), ...(await rows(parent, place))];
  const listed = open(
    'agentMemory.sessions',
    (pages) => belowNotice(belowTeam(memories, pages, state, listedRows(memories, doubts, pages, state))),
    (top) => sayNothingListed(top.length === 0),
  );
  const entities = open('agentMemory.entities', (pages) => entityRows(memories, doubts, pages, state));
  const review = open('agentMemory.review', () => reviewRows(memories, doubts, state));
  const namespaces = open('agentMemory.namespaces', () => namespaceRows(memories, () => state.asked().letters));
  const views = [listed, namespaces, entities, review];
  const keyed = { 'agentMemory.sessions': listed, 'agentMemory.entities': entities, 'agentMemory.review': review };
  const tellTeams = async (): Promise<void> => {
    const notes = memoryFolders().map(({ uri, store }) =>
      listed.view.visible || store.exists
        ? memories.team(placeIn(editor, uri)).then(
            (note) => note !== null,
            () => false,
          )
        : // No server is started for a view that nobody sees.
          teamOf(editor.context, uri) !== undefined,
    );
    await setContext('hasTeam', (await Promise.all(notes)).includes(true));
  };
  // One after the other: what an older filter found must not stand beside the newer one.
  const tell = afterPause(async () => {
    listed.view.title = groupingName(state.grouping());
    await describe(editor, memories, { views, listed: listed.view, review: review.view, state });
    await tellTeams();
  }, 0);
  let filtered = '';
  let followed = '';
  const refresh = afterPause(async () => {
    if (!listed.view.visible) sayNothingListed(false);
    tell();
    await Promise.all(views.map(({ tree, view }) => (view.visible ? tree.reload() : tree.refresh())));
    if (filtered === state.filter()) return;
    filtered = state.filter();
    // Nothing waits for it: the editor refuses it for rows that the next letter has replaced meanwhile.
    if (filtered !== '') void unfold(listed).catch((error) => editor.log.debug(`Not unfolded: ${described(error)}`));
  });
  const refreshListed = afterPause(async () => {
    if (listed.view.visible) await listed.tree.reload();
    else listed.tree.refresh();
    await tellTeams();
  });
  const all = vscode.Disposable.from(
    state,
    refresh,
    tell,
    ...views.flatMap(({ tree, view }) => [view, tree]),
    vscode.window.onDidChangeActiveTextEditor(() => {
      if (state.grouping() === 'thisFile') refresh();
    }),
    // The editor asks for the rows of a view that comes into sight; asked for again, a row unfolded meanwhile stays empty.
    ...views.map(({ view }) => view.onDidChangeVisibility(({ visible }) => visible && tell())),
    state.onDidChange(() => {
      sayNothingListed(false);
      refresh();
    }),
    // What a team remembers stands in one view alone.
    memories.onDidChange(({ what }) => (what.every((each) => each === 'team') ? refreshListed() : refresh())),
    refreshListed,
    doubts.onDidChange(refresh),
    foreign.onDidChange(refresh),
    editor.namespaces.onDidChange(refresh),
    editor.folders.onDidChange(refresh),
    vscode.workspace.onDidGrantWorkspaceTrust(refresh),
    vscode.commands.registerCommand('agentMemory.filter', () => askFilter(state)),
    vscode.commands.registerCommand('agentMemory.leaveFilter', leaveFilter),
    vscode.commands.registerCommand('agentMemory.clearFilter', () => state.setFilter('')),
    vscode.commands.registerCommand('agentMemory.groupBy', () => askGrouping(state)),
    vscode.commands.registerCommand('agentMemory.showClosed', () => state.setClosed(true)),
    vscode.commands.registerCommand('agentMemory.hideClosed', () => state.setClosed(false)),
    vscode.commands.registerCommand('agentMemory.findDuplicates', async () => {
      state.showDuplicates();
      await vscode.commands.executeCommand('agentMemory.review.focus');
      // Unfolded, it also says that there are none.
      await select([review], isDuplicates, { select: true, focus: true, expand: true });
    }),
    vscode.commands.registerCommand('agentMemory.showProposals', async () => {
      await vscode.commands.executeCommand('agentMemory.review.focus');
      await select([review], isSource, { select: true, focus: true, expand: true });
    }),
    vscode.commands.registerCommand('agentMemory.refresh', refresh),
    vscode.commands.registerCommand('agentMemory.loadMore', (row?: Row) => row?.showMore?.()),
  );
  // The badge is seen while the views are not.
  refresh();
  return {
    keyed,
    reveal: ({ nodeId }) => select(views, isAbout(nodeId), { select: false, focus: false }),
    follow: (nodeId) => {
      followed = nodeId;
      const how = { select: true, focus: false };
      const selected = async (): Promise<void> => {
        if (await revealSeen([review], isAbout(nodeId), how)) return;
        // One that is settled no more is in the list with the next refresh.
        await select([review], isAbout(nodeId), how, () => followed === nodeId);
      };
      selected().catch((error: unknown) => editor.log.warn(`Review does not follow: ${described(error)}`));
    },
    dispose: () => all.dispose(),
  };
}

/** Memories, listed by what people chose. */
function listedRows(memories: Memories, doubts: Doubts, pages: Pages, state: ViewState): RowsOfFolder {
  return (parent, place) => {
    const grouping = state.grouping();
    if (grouping === 'session') return sessionRows(memories, doubts, pages, state)(parent, place);
    if (grouping === 'thisFile') return thisFileRows(memories, doubts, state)(parent, place);
    return groupRows(grouping, memories, doubts, pages, state)(parent, place);
  };
}

/** What the views show, beside their titles; and what the welcome texts and titles in package.json ask for. */
async function describe(
  editor: Editor,
  memories: Memories,
  {
    views,
    listed,
    review,
    state,
  }: {
    readonly views: readonly View[];
    readonly listed: View['view'];
    readonly review: View['view'];
    readonly state: ViewState;
  },
): Promise<void> {
  const folders = memoryFolders();
  const seen = views.some(({ view }) => view.visible);
  const states = await Promise.all(
    // Without a store there is nothing to count, so no server is started.
    folders.map(({ uri, store }) =>
      seen || store.exists ? memories.state(placeIn(editor, uri)).catch(() => undefined) : undefined,
    ),
  );
  const [only] = states;
  const filter = state.filter();
  const matching = async (): Promise<number> => {
    const input = { by: 'kind', ...state.asked(), closed: state.closed() };
    const found = folders.map(async ({ uri, store }) => {
      if (!store.exists) return 0;
      const place = placeIn(editor, uri);
      if (state.grouping() === 'thisFile') return countOnThisFile(memories, place, state).catch(() => 0);
      const groups = await memories.call<MemoryGroup[]>(place, 'groups', input).catch(() => []);
      return groups.reduce((sum, group) => sum + group.memories, 0);
    });
    return (await Promise.all(found)).reduce((sum, count) => sum + count, 0);
  };
  const notes = [
    ...(only && folders.length === 1
      ? [
          ...(only.namespaces > 1 ? [plainLine(only.namespace)] : []),
          ...(isLost(only) ? [] : storeNotes(only.store, only.store.access === 'foreign')),
        ]
      : []),
    ...(filter === '' ? [] : [vscode.l10n.t('filter: {0}', plainLine(filter))]),
  ];
  // The number is of what the first view lists.
  const hits = filter === '' ? [] : [counted.memories(await matching())];
  for (const { view } of views) view.description = [...(view === listed ? hits : []), ...notes].join(' · ');
  const known = states.filter((state) => state !== undefined);
  const [stale, proposed, forks] = [countIn(known, 'stale'), countIn(known, 'proposed'), countIn(known, 'forks')];
  const unread = known.flatMap((state) => state.unread);
  const reasons = waitingWords({ stale, proposed, forks, unread });
  const value = stale + proposed + forks + unread.length;
  review.badge = reasons.length === 0 ? undefined : { value, tooltip: reasons.join('\n') };
  await setContext(
    'severalNamespaces',
    known.some(({ namespaces }) => namespaces > 1),
  );
  await setContext(
    'foreign',
    known.some(({ store }) => store.access === 'foreign'),
  );
  await setContext(
    'inDoubt',
    known.some((state) => state.stale + state.stale_files > 0),
  );
  await setContext('noStore', known.length > 0 && known.every(({ store }) => !store.exists));
  await setContext(
    'sharedNotRead',
    known.some(({ store }) => store.shared === 'not read'),
  );
  await setContext(
    'hasStore',
    known.some(({ store }) => store.exists),
  );
  // Where one of several folders has none yet, there is one to make.
  await setContext('everyStore', states.length > 0 && states.every((state) => state?.store.exists === true));
  await setContext(
    'nothingRemembered',
    // Of a store that cannot be read it is not known.
    known.length > 0 &&
      known.every(({ remembers, problem, store }) => !remembers && problem === null && store.shared !== 'foreign'),
  );
  await setContext('noGraph', known.length > 0 && known.every(({ graph }) => graph !== null && !graph.exists));
}

/** The editor takes a view that waits for its rows for an empty one. */
function sayNothingListed(isEmpty: boolean): void {
  void setContext('nothingListed', isEmpty);
}

function setContext(key: string, value: boolean): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', `agentMemory.${key}`, value);
}

/** A lost store, whose row says more than that there is none. */
function isLost({ store, lost }: FolderState): boolean {
  return !store.exists && lost !== null;
}

/** Folders that share a store, as those below a project's folder do, share its memories. */
function countIn(states: readonly FolderState[], what: 'stale' | 'proposed' | 'forks'): number {
  const stores = new Map(states.map((state) => [JSON.stringify([state.store.path, state.namespace]), state[what]]));
  return [...stores.values()].reduce((sum, count) => sum + count, 0);
}

/** What was folded to see others hides none of what a filter finds. The first of them is in sight at the end. */
async function unfold({ view, tree, folded }: View): Promise<void> {
  if (!view.visible) return;
  for (const row of tree.top(({ item }) => folded.has(item.id)).toReversed()) {
    await view.reveal(row, { select: false, focus: false, expand: true });
  }
}

type Wanted = (row: Row) => boolean;
type Revealing = NonNullable<Parameters<View['view']['reveal']>[1]>;

function isAbout(nodeId: string): Wanted {
  return ({ subject }) => subject?.nodeId === nodeId;
}

const isDuplicates: Wanted = ({ item }) => item.id.endsWith(`/${DUPLICATES}`);

/** What was proposed stands below where it comes from. */
const isSource: Wanted = ({ subject }) => subject?.type === 'source';

/**
 * What was just changed appears with the next refresh, so it is looked for until then.
 * @param goesOn whether it is still wanted
 */
async function select(
  views: readonly View[],
  wanted: Wanted,
  how: Revealing,
  goesOn: () => boolean = () => true,
): Promise<void> {
  for (let tries = 0; tries < REVEAL_TRIES && goesOn(); tries++) {
    await new Promise((done) => setTimeout(done, REVEAL_PAUSE_MS));
    if (await revealSeen(views, wanted, how)) return;
  }
}

/** @returns whether one was seen */
async function revealSeen(views: readonly View[], wanted: Wanted, how: Revealing): Promise<boolean> {
  const seen = views.flatMap(({ tree, view }) => {
    const row = view.visible ? tree.find(wanted) : undefined;
    return row ? [{ view, row }] : [];
  });
  for (const { view, row } of seen) await view.reveal(row, how);
  return seen.length > 0;
}

const REVEAL_TRIES = 10;
const REVEAL_PAUSE_MS = 200;
