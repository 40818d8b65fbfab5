/** `svc-memory status`, and `svc-memory` alone. */
import { Command } from 'commander';
import { locateStore } from '../../../store-place/locate';
import { fileOf, type StorePlace, storeExists } from '../../../store-place/store-place';
import { counted } from '../../base/counted';
import { shownPath } from '../../base/text';
import type { Marked } from '../../memory/marks';
import type { AskGroups } from '../../memory/people/memory-groups';
import type { Project } from '../../project/open';
import type { Cli, ExitStatus, GlobalOptions } from '../cli';
import { addGlobalOptions, globalOptions } from '../tool-command';
import { lostStore, sharedFiles, withProject } from '../with-project';

const ABOUT =
  'Tell what is here: the store, what it holds, which memories are in doubt, what waits for a person, and what to do next. "svc-memory" alone does the same. Changes nothing.';

/** The count stops here, because each doubt is judged from its code. */
const MOST_DOUBTS = 100;

const INIT = 'svc-memory init';
const SETUP = 'svc-memory setup';
const RESTORE = 'svc-memory restore-backup';

/** What is here, as `--json` tells it. */
interface Status {
  readonly store: string;
  readonly why: string;
  /** That of all folders without one. */
  readonly is_home: boolean;
  readonly exists: boolean;
  /** The path of the store that this folder had, and that is not there any more. */
  readonly lost: string | null;
  readonly namespace: string | null;
  readonly namespaces: readonly string[];
  /** Files of shared memories that nobody reads, because this folder has no store. */
  readonly shared_not_read: number;
  /** Memories that hold, by kind, those that are there. */
  readonly memories: Readonly<Record<string, number>>;
  /** Memories that hold no longer; forgotten ones are not counted. */
  readonly closed: number;
  /** That memories are about. */
  readonly entities: number;
  readonly sessions: number;
  /** Of the newest session. */
  readonly newest_session:
    | (Marked & { readonly content: string; readonly recorded_at: string; readonly open: boolean })
    | null;
  /** Memories whose code has changed or is gone; at most 100 are counted. */
  readonly doubts: number;
  /** Those of them that are about nothing but whole files, which changed. */
  readonly doubts_of_files: number;
  /** Proposals that nobody has kept or dropped. */
  readonly proposals: number;
  /** Pairs of shared memories that took the place of the same one. */
  readonly forks: number;
  /** When it was made. */
  readonly newest_backup: string | null;
  /** Commands. */
  readonly next: readonly string[];
}

export function statusCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  const command = new Command('status')
    .summary('Tell what is here, and what to do next')
    .description(ABOUT)
    .option('--json', 'print the answer as JSON');
  return addGlobalOptions(command, 'namespace').action(async ({ json }: { json?: true }) => {
    const place = locateStore(cli.around);
    const lost = place.kind === 'home' ? ((await lostStore(cli)) ?? null) : null;
    const unread = await sharedFiles(cli);
    const absent = { lost, unread };
    const status = storeExists(place)
      ? await look(cli, place, absent, globalOptions(command))
      : nothingYet(place, absent);
    if (json) await cli.output.json(status);
    else await cli.output.text(await describe(status, cli.output.width));
    finish(0);
  });
}

/** What the folder has, and this store is not. */
interface AbsentHere {
  /** The path of a store. */
  readonly lost: string | null;
  /** How many files of shared memories. */
  readonly unread: number;
}

function nothingYet(place: StorePlace, absent: AbsentHere): Status {
  return {
    ...whichStore(place, absent),
    exists: false,
    namespace: null,
    namespaces: [],
    memories: {},
    closed: 0,
    entities: 0,
    sessions: 0,
    newest_session: null,
    doubts: 0,
    doubts_of_files: 0,
    proposals: 0,
    forks: 0,
    newest_backup: null,
    next: [...(absent.lost === null ? [] : [RESTORE]), INIT, SETUP],
  };
}

function whichStore(
  place: StorePlace,
  { lost, unread }: AbsentHere,
): Pick<Status, 'store' | 'why' | 'is_home' | 'lost' | 'shared_not_read'> {
  return {
    ...{ store: shownPath(fileOf(place)), why: place.reason, is_home: place.kind === 'home' },
    lost: lost === null ? null : shownPath(lost),
    shared_not_read: unread,
  };
}

function look(cli: Cli, place: StorePlace, absent: AbsentHere, options: GlobalOptions): Promise<Status> {
  return withProject(cli, options, async (project) => {
    const { entitiesInUse, kindCounts } = await import('../../memory/stats');
    const { memoryGroups } = await import('../../memory/people/memory-groups');
    const { listNamespaces, namespaceNumber } = await import('../../memory/namespaces');
    const { listSessions } = await import('../../memory/sessions/list-sessions');
    const { topicsOf } = await import('../../memory/sessions/session-names');
    const { proposalSources } = await import('../../memory/people/proposals');
    const { forks } = await import('../../memory/people/forks');
    const { reviewEntries } = await import('../../memory/people/review');
    const { isWholeFile } = await import('../../render/review');
    const { memory } = project;
    const { sql, scope } = memory;
    const ns = await namespaceNumber(sql, scope.namespace);
    const { entity: _, session, ...counts } = await kindCounts(sql, ns);
    const byKind = await memoryGroups(memory, ALL_BY_KIND);
    const all = sumOf(Object.values(counts));
    const entries = await reviewEntries(memory, MOST_DOUBTS);
    // One that is about a function and about the whole file is on the function.
    const onSymbols = new Set(entries.filter((entry) => !isWholeFile(entry)).map(({ node }) => node.id));
    const inAll = new Set(entries.map(({ node }) => node.id)).size;
    const doubts = entries.length === MOST_DOUBTS ? MOST_DOUBTS : inAll;
    const proposals = sumOf((await proposalSources(memory)).map(({ waiting }) => waiting));
    const forked = (await forks(memory)).length;
    const [newest] = await listSessions(memory, 1);
    const names = await topicsOf(memory, newest ? [newest] : []);
    const isEmpty = all === 0;
    return {
      ...whichStore(place, absent),
      exists: true,
      namespace: scope.namespace,
      namespaces: await listNamespaces(sql),
      memories: Object.fromEntries(byKind.map(({ name, memories }) => [name, memories])),
      closed: all - sumOf(byKind.map(({ memories }) => memories)),
      entities: await entitiesInUse(sql, ns),
      sessions: session,
      newest_session: newest
        ? {
            ...{
              content: names.get(newest.id) ?? newest.content,
              recorded_at: newest.recorded_at,
              open: newest.valid_until === null,
            },
            ...(newest.marks ? { marks: newest.marks } : {}),
          }
        : null,
      doubts,
      doubts_of_files: inAll - onSymbols.size,
      proposals,
      forks: forked,
      newest_backup: await newestBackup(cli, place),
      next: nextSteps(project, {
        ...{ isEmpty, isLost: absent.lost !== null, waits: doubts + proposals + forked > 0 },
        // What is known was found when somebody looked last.
        mayDoubt: !isEmpty && (await memory.code.built?.()) === true,
      }),
    };
  });
}

const ALL_BY_KIND: AskGroups = {
  ...{ by: 'kind', kinds: [], letters: '', file: '', symbol: '', sessionless: false, closed: false },
};

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

async function newestBackup({ around }: Cli, place: StorePlace): Promise<string | null> {
  const { backupsFor, newestOf } = await import('../../project/backups');
  const { realPlace } = await import('../../base/paths');
  return newestOf(backupsFor(around.home, realPlace(fileOf(place))))?.at ?? null;
}

function nextSteps(
  { access, place }: Project,
  { isEmpty, isLost, waits, mayDoubt }: Readonly<Record<'isEmpty' | 'isLost' | 'waits' | 'mayDoubt', boolean>>,
): string[] {
  return [
    ...(access === 'foreign' ? ['svc-memory trust'] : []),
    ...(isLost ? [RESTORE] : []),
    ...(place.kind === 'home' ? [INIT] : []),
    ...(mayDoubt ? [LOOK] : []),
    ...(waits ? ['svc-memory review'] : []),
    ...(isEmpty ? ['svc-memory import --from here', SETUP] : ['svc-memory recall <words>']),
  ];
}

const LOOK = 'svc-memory verify-staleness';

/** What a command that comes next is good for. */
const PURPOSES: Readonly<Record<string, string>> = {
  [RESTORE]: 'brings back the store that is lost',
  [INIT]: 'makes a store for this project',
  [SETUP]: 'tells your agents of it',
  'svc-memory trust': 'accepts this store, which came with the folder',
  [LOOK]: 'looks for memories whose code has changed',
  'svc-memory review': 'settles what waits',
  'svc-memory import --from here': 'brings what the project says already',
  'svc-memory recall <words>': 'finds what is remembered',
};

async function describe(status: Status, width: number): Promise<string> {
  const { listing } = await import('../listing');
  const { exists, namespace, namespaces, newest_session: newest, proposals, forks } = status;
  const parts: Record<string, unknown> = { store: storeLine(status) };
  if (status.lost !== null) parts.lost = `${status.lost} is not there any more, and a backup of it is`;
  if (status.shared_not_read > 0) {
    parts.shared = `${counted(status.shared_not_read, 'memory')} in .svc/memories, not read: there is no store here yet`;
  }
  if (exists) {
    if (namespaces.length > 1) parts.namespace = `${namespace}, one of ${namespaces.length}`;
    const held = Object.entries(status.memories).map(([kind, count]) => counted(count, kind));
    const past =
      status.closed === 0 ? [] : [`${status.closed} that ${status.closed === 1 ? 'holds' : 'hold'} no longer`];
    parts.memories = [...held, ...past].join(', ') || 'nothing yet';
    parts.about = `${counted(status.entities, 'entity')}, in ${counted(status.sessions, 'session')}`;
    if (newest) parts['newest session'] = shownSession(newest);
    parts['in doubt'] = inDoubt(status);
    parts.waiting = `${counted(proposals, 'proposal')}${forks === 0 ? '' : `, ${forks} rewritten in two ways`}`;
    // Where a store is lost, those that matter are not those of this one.
    if (status.lost === null) parts['newest backup'] = status.newest_backup?.slice(0, 10) ?? 'none';
  }
  const next = [...status.next, 'svc-memory --help'];
  const longest = Math.max(...next.map(({ length }) => length));
  const steps = next.map((step) => `  ${step.padEnd(longest)}  ${PURPOSES[step] ?? 'shows all commands'}`);
  return `${listing(parts, width)}\n\nNext:\n${steps.join('\n')}`;
}

/** As the editor counts them: some line of a file changes each day. */
function inDoubt({ doubts, doubts_of_files: ofFiles }: Status): string {
  const onSymbols = doubts - ofFiles;
  const most = doubts === MOST_DOUBTS ? `${onSymbols} or more memories` : counted(onSymbols, 'memory');
  const files = ofFiles > 0 ? `, and ${ofFiles} about a file of which some line has` : '';
  return `${most} known to be on code that has changed or is gone${files}`;
}

function shownSession({ content, recorded_at, open, marks = [] }: NonNullable<Status['newest_session']>): string {
  return `${[recorded_at.slice(0, 10), open ? 'open' : 'ended', ...marks].join(', ')}: ${content}`;
}

function storeLine({ store, exists, is_home }: Status): string {
  if (!exists) return 'none yet';
  return is_home ? `${store}, the one in the home directory: this folder has none` : store;
}
