import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type CommandLine, commandLineIn, type Ran } from './command-line';
import { commandLineHere } from './command-line-here';
import { madeOnce } from './made-once';
import { type ConnectedServer, connectServer, type Place, withPlace, writeFiles } from './stdio-client';

export const SVC_FILE = resolve(__dirname, '../../dist/svc.js');
export const GRAPH_SERVER_FILE = resolve(__dirname, '../../dist/svc-mcp.js');

/** What `svc build --json` prints. */
export interface BuildSummary {
  readonly root: string;
  readonly graph: string;
  readonly files: number;
  readonly symbols: number;
  readonly indexed: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly skipped_files: readonly { readonly path: string; readonly reason: string }[];
  readonly linked: number;
  readonly reanchored: number;
}

/** A folder with sources, and the built programs in it. */
export interface CodeProject extends CommandLine {
  svc(args: readonly string[], cwd?: string): Promise<Ran>;
  /** A build that must succeed. */
  build(...args: string[]): Promise<BuildSummary>;
  /** Writes a file as an editor would, later than everything before. */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Starts the memory server; it is ended with the project. */
  memoryServer(): Promise<ConnectedServer>;
  graphServer(): Promise<ConnectedServer>;
}

const HOUR_SECONDS = 3_600;
const REPOSITORY = { '.git/HEAD': 'ref: refs/heads/main\n' };

/** Puts what several tests begin with into folders of their own; see `madeOnce`. */
export type Beginning = (place: Place) => Promise<void>;

const withStore: Beginning = madeOnce(async (place) => {
  await writeFiles(place, REPOSITORY);
  await commandLineIn(place).ok('init');
});

/**
 * Runs `work` in a repository of its own with these files, whose store has been made.
 * @param commandLine `commandLineHere` for suites with hundreds of commands
 */
export function withCodeProject(
  files: Readonly<Record<string, string>>,
  work: (project: CodeProject) => Promise<void>,
  begin: Beginning = withStore,
  commandLine: (place: Place) => CommandLine = commandLineIn,
): Promise<void> {
  return withPlace({ files: { ...REPOSITORY, ...files } }, async (place) => {
    await begin(place);
    const { project, close } = openCodeProject(commandLine(place));
    try {
      await work(project);
    } finally {
      await close();
    }
  });
}

/** The same, for suites with hundreds of commands: see `commandLineHere`. */
export function withCodeProjectHere(
  files: Readonly<Record<string, string>>,
  work: (project: CodeProject) => Promise<void>,
): Promise<void> {
  return withCodeProject(files, work, withStore, commandLineHere);
}

/** A beginning for `withCodeProject`: a repository with these files and a store, after `work`. */
export function codeProjectOnce(
  files: Readonly<Record<string, string>>,
  work: (project: CodeProject) => Promise<void>,
): Beginning {
  return madeOnce(async (place) => {
    await writeFiles(place, files);
    await withStore(place);
    const { project, close } = openCodeProject(commandLineIn(place));
    await work(project).finally(close);
  });
}

function openCodeProject(place: CommandLine): { project: CodeProject; close(): Promise<void> } {
  const servers: ConnectedServer[] = [];
  const start = async (server?: string): Promise<ConnectedServer> => {
    const started = await connectServer(place, server === undefined ? {} : { server });
    servers.push(started);
    return started;
  };
  const svc: CodeProject['svc'] = (args, cwd) => place.run(args, { program: SVC_FILE, ...(cwd ? { cwd } : {}) });
  let later = Date.now() / 1000;
  const project: CodeProject = {
    ...place,
    svc,
    async build(...args) {
      const { status, out, err } = await svc(['build', '--json', ...args]);
      if (status !== 0) throw new Error(`svc build ended with ${status}: ${err}`);
      return JSON.parse(out) as BuildSummary;
    },
    async write(path, text) {
      const file = join(place.folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      later += HOUR_SECONDS;
      await utimes(file, later, later);
    },
    remove: (path) => rm(join(place.folder, path)),
    memoryServer: () => start(),
    graphServer: () => start(GRAPH_SERVER_FILE),
  };
  const close = async (): Promise<void> => {
    for (const server of servers) await server.close();
  };
  return { project, close };
}
