/** The groups of the help, and how each tool appears in them. */
import { counted } from '../base/counted';
import { shownId } from '../base/shown';
import { oneLine, quoted } from '../base/text';
import type { StalenessReport } from '../memory/code/staleness';
import type { Unresolved } from '../memory/code/touches';
import type { Memory } from '../memory/memory';
import type { ListedSession } from '../memory/sessions/list-sessions';
import type { Similar } from '../memory/similar/similar';
import type { Tool } from '../tools/define-tool';
import { WAITS } from './proposed';
import { type Restored, restoredWords, type Saying, type Undone, undoneWords } from './settled-words';
import { similarInWords } from './similar-memories';
import { stalenessForPeople } from './staleness-for-people';
import { unresolvedInWords } from './unresolved-names';

interface Meant {
  readonly load: () => Promise<Tool>;
  readonly input: Record<string, unknown>;
}

/** How a tool appears in the help. Only people at a terminal need this, so it is not in the tool's declaration. */
export interface Presentation {
  readonly group: string;
  readonly examples: readonly string[];
  /** Another tool that is meant by what was typed, and its input. */
  readonly meant?: (input: Readonly<Record<string, unknown>>) => Meant | undefined;
  /** What a person is told without asking for it: there is no option for it. */
  readonly always?: Readonly<Record<string, unknown>>;
  /** Said on standard error after the answer. */
  readonly note?: (value: unknown) => string | undefined;
  /** Whether what was asked for is not there: then the status is 1. */
  readonly isNothing?: (value: unknown) => boolean;
  /** In place of the answer, where a person reads it. */
  readonly forPeople?: (memory: Memory, value: unknown) => Promise<unknown>;
  /** In place of the answer's fields. @param input what was given */
  readonly said?: (value: unknown, input: Readonly<Record<string, unknown>>) => string;
  /** The same, with what has to be read from the store. */
  readonly saidFrom?: (value: unknown, saying: Saying) => Promise<string>;
}

/** In the order of the help. */
export const GROUPS = ['Remember and recall:', 'Sessions:', 'Keep it right:', 'Code:', 'The store:'] as const;
const [RECALL, SESSIONS, RIGHT, CODE, STORE] = GROUPS;
export const STORE_GROUP = STORE;

/** `src/store.ts:40` or `src/store.ts:40:5`, as compilers and searches print it. */
const LINE_OF_CODE = /^(\S+\.\w+):([1-9]\d{0,8})(?::\d{1,7})?$/;

const TOOLS: Readonly<Record<string, Presentation>> = {
  memory_store: {
    group: RECALL,
    examples: [
      'svc-memory store "The store is one SQLite file" --kind decision \\',
      '  --rationale "no server to run" --alternatives-rejected Postgres',
      'svc-memory store "CI runs on Node 24" --kind fact --entities CI',
    ],
    note: noteStored,
    said: sayStored,
  },
  memory_recall: {
    group: RECALL,
    examples: [
      'svc-memory recall "why sqlite" --budget-tokens 300',
      'svc-memory recall "project context"',
      'svc-memory recall "release steps" --kinds procedure --as-of 2026-03-31',
    ],
    isNothing: has('items', 0),
  },
  memory_about: {
    group: RECALL,
    examples: ['svc-memory about SQLite'],
    isNothing: (value) => has('entity', null)(value) || has('items', 0)(value),
  },
  memory_why: {
    group: RECALL,
    examples: ['svc-memory why "one SQLite file"', 'svc-memory why src/store.ts:40'],
    meant: ({ decision_ref }) => {
      const [, file_path, line] = LINE_OF_CODE.exec(String(decision_ref)) ?? [];
      if (file_path === undefined) return undefined;
      const load = async () => (await import('../tools/why-here')).whyHere;
      return { load, input: { file_path, line: Number(line) } };
    },
    isNothing: has('items', 0),
  },
  memory_timeline: {
    group: RECALL,
    examples: ['svc-memory timeline storage --since 2026-01-01'],
    isNothing: has('items', 0),
  },
  chronicle: { group: RECALL, examples: ['svc-memory chronicle --from 2026-01-01 --kinds decision'] },
  graph: { group: RECALL, examples: ['svc-memory graph SQLite --hops 2'], isNothing: has('roots', 0) },
  nodes: { group: RECALL, examples: ['svc-memory nodes --kinds decision --limit 10'] },
  node: {
    group: RECALL,
    examples: ['svc-memory node d_bakilomu', 'svc-memory node t:d_bakilomu'],
    always: { with_commit: true },
  },
  team: { group: RECALL, examples: ['svc-memory team --limit 10'], isNothing: has('items', 0) },
  entities: { group: RECALL, examples: ['svc-memory entities sql'] },
  memory_start_session: {
    group: SESSIONS,
    examples: ['svc-memory start-session "Move the store to SQLite"'],
    note: (value) =>
      isObject(value) && value.created === false
        ? 'The session that the command line opened last is still open and goes on; "svc-memory end-session" ends it.'
        : undefined,
  },
  memory_end_session: { group: SESSIONS, examples: ['svc-memory end-session "Moved; the tests pass"'] },
  memory_list_sessions: {
    group: SESSIONS,
    examples: ['svc-memory list-sessions --limit 10'],
    forPeople: namedSessions,
  },
  memory_clear_session: {
    group: SESSIONS,
    examples: ['svc-memory clear-session s_bakilomu --purge'],
    note: tellRemovedBackups,
    isNothing: (value) => has('count', 0)(value) && (value as Forgotten).hidden_ids === undefined,
    forPeople: withAway,
    said: sayForgotten,
  },
  memory_switch_namespace: {
    group: SESSIONS,
    examples: ['svc-memory recall "why sqlite" --namespace other', 'SVC_NAMESPACE=other svc-memory stats'],
    note: () =>
      'A namespace is active within one process, and this command was one. Give each command --namespace <name>, or set SVC_NAMESPACE.',
  },
  sessions: { group: SESSIONS, examples: ['svc-memory sessions --open --all-namespaces'] },
  namespaces: { group: SESSIONS, examples: ['svc-memory namespaces'] },
  memory_verify: { group: RIGHT, examples: ['svc-memory verify d_bakilomu confirm'] },
  memory_forget: {
    group: RIGHT,
    examples: ['svc-memory forget f_bakilomu', 'svc-memory forget --before 2025-01-01 --purge'],
    note: tellRemovedBackups,
    isNothing: has('count', 0),
    forPeople: withAway,
    said: sayForgotten,
  },
  audit: { group: RIGHT, examples: ['svc-memory audit', 'svc-memory audit --since 2026-03-01 --json'] },
  share: { group: RIGHT, examples: ['svc-memory share d_bakilomu f_fegisado'], note: noteIgnored },
  restore: {
    group: RIGHT,
    examples: ['svc-memory restore f_bakilomu'],
    // The tool answered it.
    saidFrom: (value, saying) => restoredWords(value as Restored, saying),
  },
  undo: {
    group: RIGHT,
    examples: ['svc-memory undo', 'svc-memory undo 42'],
    // The tool answered it.
    saidFrom: (value, saying) => undoneWords(value as Undone, saying),
  },
  link: { group: RIGHT, examples: ['svc-memory link d_bakilomu src/store.ts#open'] },
  history: { group: RIGHT, examples: ['svc-memory history f_bakilomu'], always: { with_commits: true } },
  memory_stats: { group: RIGHT, examples: ['svc-memory stats --json'] },
  memory_verify_staleness: {
    group: CODE,
    examples: ['svc-memory verify-staleness --no-queue'],
    // The tool answered it.
    forPeople: async (_, value) => stalenessForPeople(value as StalenessReport),
  },
  memory_for_code: {
    group: CODE,
    examples: ['svc-memory for-code src/store.ts', 'svc-memory for-code src/store.ts:40'],
    isNothing: has('symbols', 0),
  },
  check: { group: CODE, examples: [] },
  why_here: { group: CODE, examples: ['svc-memory why-here src/store.ts 40', 'svc-memory why-here src/store.ts:40'] },
  compare: { group: CODE, examples: ['svc-memory compare d_bakilomu'] },
  memory_to_code: {
    group: CODE,
    examples: ['svc-memory to-code d_bakilomu'],
    isNothing: (value) => Array.isArray(value) && value.length === 0,
  },
};

export function presentation(tool: string): Presentation {
  return TOOLS[tool] ?? { group: RIGHT, examples: [] };
}

/** For parameters whose names say enough to an agent: descriptions there are paid for in tokens. */
const PARAMETERS: Readonly<Record<string, string>> = {
  confidence: 'How sure it is',
  min_confidence: 'Only memories that are at least this sure',
  line: 'Only the functions, classes and constants of this line',
  limit: 'How many at most',
  status: 'Whether it proved right or wrong',
};

export function inPlainWords(parameter: string): string {
  return PARAMETERS[parameter] ?? '';
}

function tellRemovedBackups(value: unknown): string | undefined {
  const removed = isObject(value) ? value.removed_backups : undefined;
  if (typeof removed !== 'number') return undefined;
  return `${counted(removed, 'backup')} that held it ${removed === 1 ? 'was' : 'were'} deleted, too.`;
}

function noteIgnored(value: unknown): string | undefined {
  const rule = isObject(value) ? value.ignored_by : undefined;
  if (typeof rule !== 'string') return undefined;
  return `Git leaves this out by ${quoted(rule)}, so nobody else gets it. Take that rule out: .svc/.gitignore keeps the store out of Git by itself.`;
}

/** What `memory_store` answers. */
interface Stored {
  readonly node_id: string;
  readonly similar?: readonly Similar[];
  readonly unresolved?: readonly Unresolved[];
  /** Of the file that it was put into. */
  readonly path?: string;
  readonly standing?: 'proposed';
}

function noteStored(value: unknown): string | undefined {
  // The tool answered it.
  const { similar, unresolved, standing } = value as Stored;
  const waits = standing === 'proposed' ? [WAITS] : [];
  const sentences = [...waits, ...similarInWords(similar), ...unresolvedInWords(unresolved)];
  return sentences.length === 0 ? undefined : sentences.join('\n');
}

/** `Stored d_bakilomu (decision) on openStore, SQLite` */
function sayStored(value: unknown, { kind, entities }: Readonly<Record<string, unknown>>): string {
  const { node_id, similar = [], path } = value as Stored;
  const names = Array.isArray(entities) && entities.length > 0 ? ` on ${entities.join(', ')}` : '';
  const done = similar.some(({ relation }) => relation === 'same') ? 'Already stored as' : 'Stored';
  return oneLine(`${done} ${shownId(node_id)} (${String(kind)})${names}${path === undefined ? '' : `, in ${path}`}`);
}

/** By their first memory where nobody named them; forgotten ones are left out. */
async function namedSessions(memory: Memory, value: unknown): Promise<unknown> {
  const { topicsOf } = await import('../memory/sessions/session-names');
  // The tool answered it.
  const sessions = (value as readonly ListedSession[]).filter(({ tombstoned }) => tombstoned === 0);
  const names = await topicsOf(memory, sessions);
  return sessions.map(({ id, content, recorded_at, node_count, valid_until, marks }) => ({
    ...{ id, started_at: recorded_at, ended_at: valid_until, stored: node_count },
    name: [...(marks ?? []).map((mark) => `(${mark})`), names.get(id) ?? content].join(' '),
  }));
}

/** What `memory_forget` and `memory_clear_session` answer. */
interface Forgotten {
  readonly count: number;
  readonly mode: string;
  readonly ids: readonly string[];
  readonly shared_ids?: readonly string[];
  /** Of these, those whose files are not here. */
  readonly away_ids?: readonly string[];
  readonly hidden_ids?: readonly string[];
}

const SHOWN_IDS = 5;

async function withAway({ shared }: Memory, value: unknown): Promise<Forgotten> {
  const forgotten = value as Forgotten;
  return { ...forgotten, away_ids: (forgotten.shared_ids ?? []).filter((id) => !shared.has(id)) };
}

function sayForgotten(value: unknown, input: Readonly<Record<string, unknown>>): string {
  const {
    count,
    mode,
    ids,
    shared_ids: shared = [],
    hidden_ids: hidden = [],
    away_ids: away = [],
  } = value as Forgotten;
  if (shared.length > 0) {
    const done = [
      ...(count === 0 ? [] : [sayForgotten({ count, mode, ids }, input)]),
      ...(hidden.length === 0 ? [] : [`Forgotten, not deleted: ${shownIds(hidden)}, which has shared memories`]),
    ];
    const own = done.length === 0 ? 'Nothing was forgotten' : done.join('. ');
    const which = `${counted(shared.length, 'memory')} (${shownIds(shared)})`;
    const left = `${own}. Shared and left as ${shared.length === 1 ? 'it is' : 'they are'}: ${which}.`;
    if (away.length === 0) return `${left} Forget by id what you mean.`;
    const here = away.length < shared.length ? ' Forget by id what you mean.' : '';
    const [files, there] =
      away.length === 1
        ? [`The file of ${shownIds(away)} is`, 'that is']
        : [`The files of ${shownIds(away)} are`, 'they are'];
    return `${left}${here} ${files} not here, as on another branch: forget by id where ${there}.`;
  }
  const done = mode === 'purge' ? 'Deleted for good' : 'Forgotten';
  if (count === 0) {
    const { node_id, session_id, entity, before } = input;
    if (session_id !== undefined) return `There is no session ${quoted(String(session_id))}.`;
    const selectors = [
      ...(node_id === undefined ? [] : [quoted(String(node_id))]),
      ...(entity === undefined ? [] : [`about ${quoted(String(entity))}`]),
      ...(before === undefined ? [] : [`recorded before ${String(before)}`]),
    ];
    return oneLine(`There is no memory ${selectors.join(', or ')}.`);
  }
  const sessions = ids.filter((id) => id.startsWith('s_')).length;
  const what = [counted(count - sessions, 'memory'), ...(sessions > 0 ? [counted(sessions, 'session')] : [])];
  return `${done}: ${what.join(' and ')} (${shownIds(ids)})`;
}

function shownIds(ids: readonly string[]): string {
  return [...ids.slice(0, SHOWN_IDS).map(shownId), ...(ids.length > SHOWN_IDS ? ['…'] : [])].join(', ');
}

/** Whether a field of the answer is null, or a number, or a list so long. */
function has(field: string, wanted: number | null): (value: unknown) => boolean {
  return (value) => {
    const found = isObject(value) ? value[field] : undefined;
    return (Array.isArray(found) ? found.length : found) === wanted;
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
