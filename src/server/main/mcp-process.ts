/** The process around an MCP server. */
import type { Log } from '../base/log';
import { missingSqlite } from '../db/drivers';
import type { TransportEvents } from '../mcp/serve';
import { StdioTransport } from '../mcp/stdio-transport';
import { aboutMcpServer, isAskedAbout } from './about-server';
import {
  chooseSqlite,
  endWith,
  firstNamespace,
  gitHost,
  keepCompiledCode,
  processHolder,
  stderrLog,
  tokenizer,
} from './process';
import { releaseMemoryWhenIdle } from './release-memory';
import { type FolderProcess, servedFolders } from './served-folders';
import { toolChoice } from './tool-choice';

/** What both servers take from their process. */
export type McpProcess = Awaited<ReturnType<typeof begin>>;

/**
 * Serves one client until its input ends or the process gets a signal to end.
 * @param about what it serves, for `--help`
 */
export function runMcpProcess(program: string, about: string, work: (process: McpProcess) => Promise<void>): void {
  const run = async (): Promise<void> => {
    if (await isAskedAbout(program, aboutMcpServer(program, about))) return;
    await work(await begin(program));
  };
  run().then(
    () => process.exit(0),
    (error: unknown) => endWith(program, error),
  );
}

async function begin(program: string) {
  const log = stderrLog(program);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort());
  chooseSqlite();
  keepCompiledCode();
  const configLog = tellingOnce(log);
  const folders = servedFolders(log);
  const [{ around }] = folders;
  return {
    folders,
    /** Which tools agents are offered. */
    choice: toolChoice(around, configLog),
    log,
    configLog,
    /** What opening the project of a folder takes, but its place. */
    opening: ({ variables }: FolderProcess) => ({
      ...{ home: around.home, git: gitHost(), namespace: firstNamespace(variables), tokenizer, assets: __dirname, log },
    }),
    /** Of sessions. @param client as it calls itself */
    holder: (client = program) => processHolder(client),
    /** The way to the one client of this process. */
    transport: (events: TransportEvents) =>
      new StdioTransport({ input: process.stdin, output: process.stdout, ...events }),
    /** What serving takes of the process. */
    serving: {
      missing: await missingSqlite(),
      stop: stop.signal,
      onRequest: releaseMemoryWhenIdle(),
      log,
    },
  };
}

/** A mistake in a project's configuration is told once, however often it is read. */
function tellingOnce(log: Log): Log {
  const told = new Set<string>();
  return (message) => {
    if (!told.has(message)) log(message);
    told.add(message);
  };
}
