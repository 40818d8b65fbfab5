/** Opens a project. */

import { fileOf, isFile, type StorePlace } from '../../store-place/store-place';
import type { Clock } from '../base/clock';
import { type IdSource, randomSuffix } from '../base/ids';
import type { Log } from '../base/log';
import { codeIndex } from '../code/code-index';
import { documentIndex } from '../code/document-index';
import { emptyCodeIndex } from '../code/empty-code-index';
import type { CodeHandle } from '../code/handle';
import type { DoubtOptions } from '../code/look-up-doubts';
import { pastSymbols } from '../code/past-symbols';
import type { Store } from '../db/store';
import { openExtractor } from '../graph/open-extractor';
import type { SourceThreads } from '../graph/source-thread';
import type { CodeIndex } from '../memory/code/touches';
import { DEFAULT_NAMESPACE } from '../memory/limits';
import type { Holder, Memory, Scope } from '../memory/memory';
import { checkNamespace } from '../memory/namespaces';
import { KEEP_ALL } from '../memory/origins';
import { newVocabulary, type Vocabulary } from '../memory/recall/vocabulary';
import type { TokenCounter } from '../render/tokens';
import type { AbsentStore } from './absent-notice';
import { codeGraph } from './code-graph';
import type { Keep } from './config';
import { finishErase } from './erase';
import { keepOutOfGit } from './keep-out-of-git';
import type { ReadKeeping } from './keeping';
import { type OpenedStore, openStore } from './open-store';
import { SessionLeases } from './session-leases';
import { NO_SHARED, type ProjectShared, sharedMemories } from './shared-memories';
import type { Access, Owner } from './store-access';
import type { StoreBackups } from './store-backups';
import { type ConnectTeam, type KnownTeam, NO_TEAM, projectTeam } from './team-memory';
import { UseCounter } from './use-counter';
import { WITHOUT_USES } from './without-uses';
import { writeWith } from './write';

export interface OpenProject extends Owner {
  readonly place: StorePlace;
  readonly holder: () => Holder;
  /** What becomes of what agents store; all of it is kept where this is missing. Asked at each write. */
  readonly keeping?: ReadKeeping;
  readonly log: Log;
  /** Loaded on first use: the tokenizer's table is 4 MB. */
  readonly tokenizer: () => TokenCounter;
  readonly namespace?: string | undefined;
  readonly clock?: Clock;
  readonly newSuffix?: IdSource;
  readonly code?: CodeIndex;
  /** What is known of the words of the store, where several projects stand on one. */
  readonly vocabulary?: Vocabulary;
  /** The folder of the built programs, with the grammars beside them; without it there is no code index. */
  readonly assets?: string;
  /** Threads that take sources apart for several projects, and outlive each of them. */
  readonly threads?: SourceThreads;
  /** The root of the code graph where it is not that of the store. */
  readonly graphRoot?: string;
  /** How long an answer waits for doubts of code; a moment where this is missing. */
  readonly doubtsWaitMs?: number | undefined;
  /** Called when a doubt is known that an answer did not wait for. */
  readonly whenDoubtsLate?: () => void;
  /** What was asked about is judged again as soon as it changes, for as long as the project is open: `aheadUntil`. */
  readonly judgesAhead?: boolean;
  /** How long what Git said holds, where the process hears of each change in the folder: `pastSymbols`. */
  readonly pastKeptMs?: number;
  /** Asks the memory of a team that the project names; without it none is asked. */
  readonly askTeam?: { readonly connect: ConnectTeam; readonly log: Log };
  /** What the project has in place of this store, which is another one. */
  readonly absent?: () => AbsentStore | undefined;
  /** How long a store that nobody accepted is read in all, in milliseconds; without end where each call has a limit. */
  readonly foreignLimitMs?: number;
}

/** One opened project: its store, the state of this process in it, and what belongs to closing it. */
export interface Project extends CodeHandle {
  readonly place: StorePlace;
  /** Of the user. */
  readonly home: string;
  readonly store: Store;
  readonly access: Access;
  /**
   * It is to be opened again: what is read is a copy of a store that was changed, or accepted, since, or another file lies
   * in its place.
   */
  readonly isOld: () => boolean;
  /** What the project has in place of this store, which is another one. */
  readonly absent: () => AbsentStore | undefined;
  /** False in a window of the editor that is not trusted. */
  readonly trusted: boolean;
  /** What stands in files of the repository. */
  readonly shared: ProjectShared;
  /** The memory of a team that this person has agreed to ask. */
  readonly team: () => KnownTeam | undefined;
  readonly log: Log;
  /** What the person, and more strictly the project, want of agents. */
  readonly keep: () => Keep;
  readonly tokenizer: () => TokenCounter;
  readonly uses: Pick<UseCounter, 'note' | 'flush'>;
  readonly leases: Pick<SessionLeases, 'note'>;
  /** The copies of a store that is written. */
  readonly backups: StoreBackups | undefined;
  /** Keeps the folder of the store out of version control. */
  readonly prepareFolder: () => void;
  /** Called before each write. */
  readonly beforeWrite: () => Promise<void>;
  close(): Promise<void>;
}

/** @throws SvcError unavailable when the store cannot be opened, invalid_input for a namespace that is no name */
export async function openProject(options: OpenProject): Promise<Project> {
  const scope = firstScope(options);
  return projectOn(await openStore(options.place, options), options, scope);
}

/** @throws SvcError invalid_input for a namespace that is no name */
function firstScope({ namespace }: OpenProject): Scope {
  return {
    namespace: checkNamespace(namespace ?? DEFAULT_NAMESPACE, '"namespace" (SVC_NAMESPACE or --namespace)'),
    session: undefined,
  };
}

/**
 * A project on a store that is open. Several may stand on one store; who opened it closes it.
 * @param scope where it begins; it is changed by what is called
 */
export function projectOn(opened: OpenedStore, options: OpenProject, scope = firstScope(options)): Project {
  const { place, log } = options;
  const { store, access, backups, isOld } = opened;
  const root = options.graphRoot ?? place.root;
  const graph = root === undefined ? undefined : codeGraph(root, options, log);
  const extractor = options.assets === undefined ? undefined : openExtractor(options.assets, options.threads);
  // Git is not asked in a folder that nobody trusts.
  const git = options.trusted === false ? undefined : options.git;
  const past = graph && extractor && pastSymbols(graph.root, extractor.extract, git, options.pastKeptMs);
  const ended = new AbortController();
  const doubts: DoubtOptions = {
    ...{ waitMs: options.doubtsWaitMs, whenLate: options.whenDoubtsLate },
    aheadUntil: options.judgesAhead ? ended.signal : undefined,
  };
  const code =
    graph && extractor && past ? codeIndex(graph, extractor.extract, past, doubts) : emptyCodeIndex(place.root);
  const alone: Omit<Memory, 'shared'> = {
    sql: store,
    scope,
    clock: options.clock ?? Date.now,
    newSuffix: options.newSuffix ?? randomSuffix,
    holder: options.holder,
    keeping: options.keeping?.keeping ?? (() => KEEP_ALL),
    code: options.code ?? code,
    vocabulary: options.vocabulary ?? newVocabulary(),
    documents: graph && documentIndex(graph),
    foreign: access === 'foreign',
  };
  const { home, trusted = true } = options;
  const shared =
    place.root === undefined
      ? NO_SHARED
      : sharedMemories({ root: place.root, home, store, memory: alone, clock: alone.clock, log, trusted });
  const memory: Memory = { ...alone, shared };
  const { askTeam } = options;
  // What came with a folder leads nobody's questions anywhere.
  const team = askTeam && access !== 'foreign' ? projectTeam({ place, home, ...askTeam }) : NO_TEAM;
  const uses = access === 'own' ? new UseCounter(store, log) : WITHOUT_USES;
  const leases = new SessionLeases({ store, memory, log, isOld });
  // A store that is no file lies in no folder.
  let kept = access !== 'own' || !isFile(place);
  const prepareFolder = (): void => {
    if (!kept) keepOutOfGit(fileOf(place), log);
    kept = true;
  };
  const beforeWrite = async (): Promise<void> => {
    prepareFolder();
    await backups?.daily();
  };
  const { foreignLimitMs } = options;
  const limit =
    access === 'foreign' && foreignLimitMs !== undefined
      ? setTimeout(() => store.endReading(), foreignLimitMs).unref()
      : undefined;
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    clearTimeout(limit);
    ended.abort();
    try {
      await leases.close();
      await uses.flush();
      await backups?.finish();
      // Whatever a purge could not wait for: it is finished by every later open or close.
      if (access === 'own' && !store.left && !isOld()) await finishErase({ store, backups }, 0);
    } finally {
      // Each of them, whatever becomes of the others.
      await team.close().catch((error: unknown) => log(`the team's memory: ${String(error)}`));
      await shared.close().catch((error: unknown) => log(`shared memories: ${String(error)}`));
      await extractor?.close();
      await graph?.close().catch((error: unknown) => log(`the code graph: ${String(error)}`));
      await opened.close();
    }
  };
  return {
    place,
    home,
    store,
    access,
    isOld: () => isOld() || shared.isOld(),
    absent: options.absent ?? (() => undefined),
    trusted,
    shared,
    team: team.team,
    memory,
    graph,
    extractor,
    past,
    git: options.git,
    keep: options.keeping?.keep ?? (() => 'keep'),
    log,
    tokenizer: options.tokenizer,
    uses,
    leases,
    write: writeWith({ store, beforeWrite, leases }, memory, scope),
    backups,
    prepareFolder,
    beforeWrite,
    async close() {
      closing ??= closeAll();
      await closing;
    },
  };
}
