/** The search over memories, entities and sessions. */
import * as vscode from 'vscode';
import { isStructural, MEMORY_KINDS } from '../../kinds/kinds';
import type { MemoryArgument, Verdict } from '../../protocol/requests';
import type {
  HeldSession,
  ListedEntity,
  NodeSummary,
  RecalledMemory,
  Review,
  TeamList,
} from '../../protocol/tool-values';
import { counted, kindIcon, kindName, kindNames, markNames, sessionName, shownTime } from '../kinds';
import type { Memories, Place } from '../memories';
import { withoutIcons } from '../stored-text';
import { teamName } from '../team-words';
import type { Doing } from './palette/command';
import { asksMemories, readQuery, type SearchQuery } from './search-query';
import { tellRefusal } from './tell-done';

/** As many as people look through; more letters find the others. */
const MOST_MEMORIES = 50;
const MOST_RECALLED = 10;
const MOST_OF_TEAM = 20;
const MOST_OTHERS = 8;
const MOST_DOUBTED = 1_000;
/** What is on other code is left out of it. */
const MOST_TOKENS = 20_000;
/** The longest list that one call gives. */
const LONGEST_LIST = 1_000;
const TYPING_PAUSE_MS = 120;
/** Of a pasted text its beginning is looked for. */
const LONGEST_QUERY = 300;

interface Item extends vscode.QuickPickItem {
  /** What Enter does. */
  readonly open?: () => Thenable<unknown>;
  readonly argument?: MemoryArgument;
}

interface Button extends vscode.QuickInputButton {
  readonly command: string;
}

/** A list that follows what is typed. Enter opens; buttons put a memory into the chat, or copy a link to it. */
export function searchMemories({ memories, place }: Doing, title: string, begin: string): void {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = title;
  pick.placeholder = vscode.l10n.t('Words, :kind, @file or #symbol');
  let asked = 0;
  const doubted = doubtedIn(memories, place);
  const list = async (text: string): Promise<void> => {
    const question = ++asked;
    pick.busy = true;
    try {
      const { own, rest } = await itemsFor(memories, place, text, doubted);
      if (question !== asked) return;
      pick.items = own([]);
      // A team's server is waited for by nobody; what was chosen meanwhile stays chosen.
      const later = await rest;
      if (question !== asked || later.length === 0) return;
      const active = pick.activeItems;
      pick.items = own(later);
      pick.activeItems = active;
    } catch (error) {
      if (question !== asked) return;
      pick.hide();
      tellRefusal(error);
    } finally {
      if (question === asked) pick.busy = false;
    }
  };
  let waiting: NodeJS.Timeout | undefined;
  pick.onDidChangeValue((text) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void list(text.slice(0, LONGEST_QUERY)), TYPING_PAUSE_MS);
  });
  pick.onDidAccept(() => {
    const [chosen] = pick.selectedItems;
    pick.hide();
    void chosen?.open?.();
  });
  pick.onDidTriggerItemButton(({ item, button }) => {
    pick.hide();
    // Only our own buttons are on the items.
    void vscode.commands.executeCommand((button as Button).command, item.argument);
  });
  pick.onDidHide(() => {
    clearTimeout(waiting);
    // An answer that is on its way must not fill a list that is gone.
    asked += 1;
    pick.dispose();
  });
  void list(begin);
  pick.show();
  // Now, because what it has when it is shown is selected, and the first letter would take its place. An empty text
  // would take away what is typed before it arrives.
  if (begin !== '') pick.value = begin;
}

/** What is here, and what the team has as well. */
interface Found {
  readonly own: (ofTeam: readonly Item[]) => Item[];
  /** It never fails: a team that does not answer is no reason to find nothing. */
  readonly rest: Promise<readonly Item[]>;
}

/** Memories whose code changed or is gone. Lists of memories do not judge code. */
async function doubtedIn(memories: Memories, place: Place): Promise<ReadonlyMap<string, Verdict>> {
  const asked = memories.call<Review>(place, 'review', { only: 'code', limit: MOST_DOUBTED });
  // The search is there all the same where that fails.
  const { entries } = await asked.catch(() => ({ entries: [] }));
  return new Map(entries.map(({ node, verdict }) => [node.id, verdict]));
}

async function itemsFor(
  memories: Memories,
  place: Place,
  text: string,
  doubted: Promise<ReadonlyMap<string, Verdict>>,
): Promise<Found> {
  const query = readQuery(text, kindNames());
  const { kinds, file, symbol, letters } = query;
  const wanted = asksMemories(query);
  // Code is on each person's machine: the team is not asked what is on it.
  const rest =
    wanted && file === '' && symbol === '' && text.trim() !== ''
      ? teamItems(memories, place, { kinds, letters, limit: MOST_OF_TEAM }).catch(() => [])
      : Promise.resolve([]);
  const [verdicts, found, recalled, entities, sessions] = await Promise.all([
    doubted,
    wanted ? memoriesFor(memories, place, query) : [],
    wanted && letters !== '' ? alikeOnCode(memories, place, query) : [],
    query.entities && text.trim() !== ''
      ? memories.call<ListedEntity[]>(place, 'entities', { letters, limit: MOST_OTHERS })
      : [],
    query.sessions && text.trim() !== ''
      ? memories.call<HeldSession[]>(place, 'sessions', { letters, limit: MOST_OTHERS })
      : [],
  ]);
  const listed = new Set([...found, ...entities, ...sessions].map(({ id }) => id));
  const alike = recalled.filter(({ id }) => !listed.has(id)).slice(0, MOST_RECALLED);
  const unknown = noSuchKind(letters);
  const own: Found['own'] = (ofTeam) => [
    ...unknown,
    ...section(
      vscode.l10n.t('Memories'),
      found.map((one) => memoryItem(place, marked(one, verdicts.get(one.id)))),
    ),
    // The editor shows no sections beside letters, so that each of them says it.
    ...alike.map((one) => memoryItem(place, one, vscode.l10n.t('similar'))),
    ...ofTeam,
    ...(wanted && [unknown, found, alike, ofTeam, entities, sessions].every(({ length }) => length === 0)
      ? [{ label: vscode.l10n.t('Nothing matches this'), iconPath: new vscode.ThemeIcon('info'), alwaysShow: true }]
      : []),
    ...section(
      vscode.l10n.t('Entities'),
      entities.map((one) => entityItem(place, one)),
    ),
    ...section(
      vscode.l10n.t('Sessions'),
      sessions.map((one) => sessionItem(place, one)),
    ),
    ...(letters === '' ? [] : section('', [agentItem(place, letters)])),
  ];
  return { own, rest };
}

/** Newest first; those on what is called exactly so above those on what has its letters in a longer name. */
async function memoriesFor(memories: Memories, place: Place, query: SearchQuery): Promise<readonly NodeSummary[]> {
  const { letters, file, symbol } = query;
  const kinds = query.kinds.length === 0 ? MEMORY_KINDS : query.kinds;
  const list = (whole: boolean): Promise<NodeSummary[]> =>
    memories.call(place, 'nodes', { ...{ letters, file, symbol, kinds, whole }, limit: MOST_MEMORIES });
  const [exact, all] = await Promise.all([symbol === '' ? [] : list(true), list(false)]);
  const first = new Set(exact.map(({ id }) => id));
  return [...exact, ...all.filter(({ id }) => !first.has(id))].slice(0, MOST_MEMORIES);
}

/** Recalled by the words, which may stand in other forms; on the code that is asked for, where any is. */
async function alikeOnCode(
  memories: Memories,
  place: Place,
  { kinds, file, symbol, letters }: SearchQuery,
): Promise<readonly RecalledMemory[]> {
  if (file === '' && symbol === '') return memories.recalled(place, letters, { kinds });
  const [recalled, onCode] = await Promise.all([
    memories.recalled(place, letters, { kinds }, MOST_TOKENS),
    memories.call<NodeSummary[]>(place, 'nodes', { kinds, file, symbol, limit: LONGEST_LIST }),
  ]);
  const ids = new Set(onCode.map(({ id }) => id));
  return recalled.filter(({ id }) => ids.has(id));
}

/** A kind that nothing is called by is searched for as a word, which finds nothing. */
function noSuchKind(letters: string): Item[] {
  const word = letters.split(' ').find((each) => /^:\p{L}/u.test(each));
  if (word === undefined) return [];
  const names = [...MEMORY_KINDS, 'entity', 'session'].map((kind) => `:${kind}`);
  return [
    {
      label: vscode.l10n.t('No kind is called "{0}"', withoutIcons(word.slice(1))),
      description: names.join(' '),
      iconPath: new vscode.ThemeIcon('info'),
      alwaysShow: true,
    },
  ];
}

async function teamItems(
  memories: Memories,
  place: Place,
  asked: Readonly<Record<string, unknown>>,
): Promise<readonly Item[]> {
  const note = await memories.team(place);
  if (!note) return [];
  const { items } = await memories.call<TeamList>(place, 'team', asked);
  return section(
    vscode.l10n.t('Team · {0}', withoutIcons(teamName(note.address))),
    items.map((one) => memoryItem(place, one, withoutIcons(one.by))),
  );
}

function section(label: string, items: readonly Item[]): Item[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

function marked(memory: NodeSummary, verdict: Verdict | undefined): NodeSummary {
  if (verdict !== 'changed' && verdict !== 'gone') return memory;
  return { ...memory, marks: [...(memory.marks ?? []), verdict === 'gone' ? 'code gone' : 'code changed'] };
}

/** @param note who wrote it, or why it is there */
function memoryItem(place: Place, memory: NodeSummary | RecalledMemory, note = ''): Item {
  const notes = [
    ...[kindName(memory.kind), ...markNames(memory), ...(note === '' ? [] : [note])],
    // A name is not true from some time on.
    ...(isStructural(memory.kind) ? [] : [shownTime(memory.valid_from)]),
  ];
  return {
    ...itemOf(place, memory.id, memory.content),
    description: notes.join(' · '),
    iconPath: kindIcon(memory.kind),
    buttons: [
      button('agentMemory.insertIntoChat', 'comment-discussion', vscode.l10n.t('Insert into Chat')),
      button('agentMemory.copyLink', 'link', vscode.l10n.t('Copy as Markdown Link')),
    ],
  };
}

function entityItem(place: Place, { id, content, degree }: ListedEntity): Item {
  return { ...itemOf(place, id, content), description: counted.memories(degree), iconPath: kindIcon('entity') };
}

function sessionItem(place: Place, session: HeldSession): Item {
  const { id, recorded_at } = session;
  return {
    ...itemOf(place, id, sessionName(session)),
    description: [kindName('session'), shownTime(recorded_at)].join(' · '),
    iconPath: kindIcon('session'),
  };
}

function itemOf({ folder, namespace }: Place, nodeId: string, content: string): Item & { argument: MemoryArgument } {
  const argument: MemoryArgument = { folder: folder.toString(), namespace, nodeId };
  return {
    label: withoutIcons(content),
    argument,
    open: () => vscode.commands.executeCommand('agentMemory.openMemory', argument),
    // The server has chosen by words in any order; the list must not hide what its own matching would miss.
    alwaysShow: true,
  };
}

/** The explorer has the same as rows, and what an agent gets byte for byte. */
function agentItem({ folder }: Place, asked: string): Item {
  return {
    // A label with the question in it would be sorted to the top.
    label: vscode.l10n.t('Ask Like an Agent'),
    description: withoutIcons(asked),
    iconPath: new vscode.ThemeIcon('sparkle'),
    alwaysShow: true,
    open: () =>
      vscode.commands.executeCommand('agentMemory.openExplorer', { folder: folder.toString(), view: 'search', asked }),
  };
}

function button(command: string, icon: string, tooltip: string): Button {
  return { command, iconPath: new vscode.ThemeIcon(icon), tooltip };
}
