import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { commonFolder } from '../../src/server/base/work-trees';
import { type RefreshReport, refreshCode } from '../../src/server/code/refresh-code';
import { openSourceThreads } from '../../src/server/graph/source-thread';
import { lensesForFile } from '../../src/server/memory/code/lenses';
import { memoriesForCode } from '../../src/server/memory/code/memories-of-file';
import { checkStaleness } from '../../src/server/memory/code/staleness';
import type { CodeLocation } from '../../src/server/memory/code/touches';
import { nodeHistory } from '../../src/server/memory/history/node-history';
import { type IndexReport, indexCode } from '../../src/server/project/index-code';
import { openProject, type Project } from '../../src/server/project/open';
import { callTool } from '../../src/server/tools/call-tool';
import { GRAPH_TOOLS } from '../../src/server/tools/graph-registry';
import { MEMORY_TOOLS } from '../../src/server/tools/registry';
import { locateStore } from '../../src/store-place/locate';
import { type StorePlace, urlOf } from '../../src/store-place/store-place';
import { testHolder } from './holder';
import { madeOnce } from './made-once';
import { removeFolder } from './remove-folder';
import { startedSmall, startSmall } from './small-starter';
import { type Place, writeFiles } from './stdio-client';

const TOOLS = [...MEMORY_TOOLS, ...GRAPH_TOOLS];

/** The built programs' folder, for its grammars. */
export const ASSETS = resolve(__dirname, '../../dist');

/** A process opens hundreds of projects, and the start of a thread takes longer than most of them. */
export const THREADS = openSourceThreads(1, { assets: ASSETS });

/** A git repository with sources, and a project opened on it in this process. */
export interface FollowedRepository {
  readonly folder: string;
  readonly project: Project;
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  /** Replaces a piece of a file that must be there. */
  edit(path: string, from: string, to: string): Promise<void>;
  move(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  git(...args: string[]): void;
  /** All that is in the folder. */
  commit(): void;
  build(): Promise<IndexReport>;
  /** As an editor does after files were saved. */
  refresh(...paths: string[]): Promise<RefreshReport>;
  /** Stores a memory and returns its id. */
  remember(...entities: string[]): Promise<string>;
  /** Calls a tool that must succeed. */
  call<Value>(tool: string, input: unknown): Promise<Value>;
  /** The same, for its answer as it is sent. */
  text(tool: string, input: unknown): Promise<string>;
  /**
   * Where the memory is shown and how it is judged, as `path name verdict` by path; what is nowhere must be reported,
   * and says so: `gone`. Lenses follow to another file once the graph has seen it; till then the staleness check tells.
   */
  shown(id: string, seen: boolean): Promise<string[]>;
  /** What is recorded of its being put on another place, as `why: from → to`. */
  history(id: string): Promise<string[]>;
}

export async function withFollowedRepository(
  files: Readonly<Record<string, string>>,
  work: (repository: FollowedRepository) => Promise<void>,
): Promise<void> {
  await inFolders((place) => withCommitted(place, files, work));
}

/**
 * For many tests that begin with the same files: each gets a copy of a repository that was built once.
 * @param prepare what else all of them begin with
 */
export function builtOnce<Prepared = void>(
  files: Readonly<Record<string, string>>,
  prepare?: (repository: FollowedRepository) => Promise<Prepared>,
): (work: (repository: FollowedRepository, prepared: Prepared | undefined) => Promise<void>) => Promise<void> {
  let prepared: Prepared | undefined;
  const begin = madeOnce((place) =>
    withCommitted(place, files, async (repository) => {
      await repository.build();
      prepared = await prepare?.(repository);
    }),
  );
  return (work) =>
    inFolders(async (place) => {
      await begin(place);
      // The index knows files by what a copy does not keep.
      await startSmall('git', ['update-index', '--refresh'], place.folder);
      await withOpened(place, (repository) => work(repository, prepared));
    });
}

async function inFolders(work: (place: Place) => Promise<void>): Promise<void> {
  const base = await mkdtemp(join(tmpdir(), 'svc-follow-'));
  const place = { folder: join(base, 'repository'), home: join(base, 'home') };
  await mkdir(place.folder);
  await work(place).finally(() => removeFolder(base));
}

async function withCommitted(
  place: Place,
  files: Readonly<Record<string, string>>,
  work: (repository: FollowedRepository) => Promise<void>,
): Promise<void> {
  await writeFiles(place, { '.gitignore': '.svc/\n', ...files });
  const git = gitIn(place);
  git('init', '--initial-branch=main');
  git('add', '-A');
  git('commit', '-m', 'start');
  await withOpened(place, work);
}

/** The same for a folder that is there, until it is closed. A work tree of Git has the store of its repository. */
export async function openFollowed(place: Place): Promise<FollowedRepository & { close(): Promise<void> }> {
  const { folder, home } = place;
  const around = { cwd: folder, home, storeFile: undefined, projectRoot: undefined };
  return open(place, commonFolder(folder) === undefined ? undefined : locateStore(around));
}

function gitIn({ folder }: Place): FollowedRepository['git'] {
  return (...args) => {
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@localhost', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  };
}

async function withOpened(place: Place, work: (repository: FollowedRepository) => Promise<void>): Promise<void> {
  const repository = await openFollowed(place);
  await work(repository).finally(() => repository.close());
}

async function open(place: Place, store: StorePlace | undefined): ReturnType<typeof openFollowed> {
  const { folder, home } = place;
  const write = (path: string, text: string): Promise<void> => writeFiles(place, { [path]: text });
  const common = {
    holder: testHolder,
    log: (message: string) => console.error(message),
    tokenizer: () => ({ count: (text: string) => text.length, fits: () => true }),
    assets: ASSETS,
    threads: THREADS,
    git: {
      searchPath: (process.env.PATH ?? '').split(delimiter),
      environment: { HOME: dirname(home), GIT_CONFIG_NOSYSTEM: '1' },
      start: startedSmall,
    },
  };
  const path = join(folder, '.svc', 'memory.db');
  const remembered = new Map<string, number>();
  const project = await openProject({
    ...common,
    home,
    place: store ?? { url: urlOf(path), kind: 'project', reason: 'test', root: folder },
  });
  const answered = async (tool: string, input: unknown) => {
    const answer = await callTool(TOOLS, project, tool, input);
    if (!answer.ok) throw new Error(`${tool} refused: ${answer.text}`);
    return answer;
  };
  // The test states the shape that it expects; a wrong one fails its assertions.
  const call = async <Value>(tool: string, input: unknown) => (await answered(tool, input)).value as Value;
  const git = gitIn(place);
  return {
    folder,
    project,
    write,
    git,
    commit() {
      git('add', '-A');
      git('commit', '-m', 'next');
    },
    call,
    text: async (tool, input) => (await answered(tool, input)).text,
    read: (path) => readFile(join(folder, path), 'utf8'),
    async edit(path, from, to) {
      const text = await readFile(join(folder, path), 'utf8');
      if (!text.includes(from)) throw new Error(`${path} does not hold ${from}`);
      await write(path, text.replace(from, to));
    },
    async move(from, to) {
      await mkdir(dirname(join(folder, to)), { recursive: true });
      await rename(join(folder, from), join(folder, to));
    },
    remove: (path) => rm(join(folder, path), { recursive: true }),
    build: () =>
      indexCode({
        ...common,
        around: { cwd: folder, home, storeFile: undefined, projectRoot: undefined },
        path: undefined,
        signal: new AbortController().signal,
        onProgress: () => {},
      }),
    refresh: (...paths) => refreshCode(project, paths),
    async remember(...entities) {
      const about = `about ${entities.join(' and ')}`;
      const before = remembered.get(about) ?? 0;
      remembered.set(about, before + 1);
      // What is said already is not stored a second time.
      const input = { content: before === 0 ? about : `${about} (${before + 1})`, kind: 'fact', entities };
      return (await call<{ node_id: string }>('memory_store', input)).node_id;
    },
    async shown(id, seen) {
      const { doubts } = await checkStaleness(project.memory);
      const own = doubts.filter((doubt) => doubt.node_id === id);
      const places = await call<CodeLocation[]>('memory_to_code', { memory_id: id });
      const shown = own.filter(({ verdict }) => verdict === 'gone').map(({ verdict }) => verdict as string);
      for (const { file_path, graph_node_id, start_line } of places) {
        const forCode = await memoriesForCode(project.memory, file_path, start_line);
        const symbol = forCode.symbols.find(
          (one) =>
            graph_node_id === `${one.code_type}:${file_path}:${one.name}:${start_line}` &&
            one.memories.some((memory) => memory.id === id),
        );
        const lens = (await lensesForFile(project.memory, file_path)).find(
          (one) => one.start_line === start_line && one.name === symbol?.name && one.node_ids.includes(id),
        );
        const told = own.find((doubt) => doubt.file_path !== file_path)?.verdict;
        shown.push(`${file_path} ${symbol?.name} ${lens?.verdict ?? (seen ? undefined : told)}`);
      }
      return shown.sort();
    },
    async history(id) {
      const { events } = await nodeHistory(project.memory, id);
      return events.flatMap(({ moved }) => (moved ? [`${moved.why}: ${moved.from} → ${moved.to}`] : []));
    },
    close: () => project.close(),
  };
}
