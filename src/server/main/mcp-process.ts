/** The process around an MCP server. */
import { missingSqlite } from '../db/drivers';
import type { TransportEvents } from '../mcp/serve';
import { StdioTransport } from '../mcp/stdio-transport';
import { isAskedAbout } from './about-server';
import {
  chooseSqlite,
  endWith,
  firstNamespace,
  gitHost,
  keepCompiledCode,
  processHolder,
  processSurroundings,
  stderrLog,
  tokenizer,
} from './process';
import { releaseMemoryWhenIdle } from './release-memory';

/** What both servers take from their process. */
export type McpProcess = Awaited<ReturnType<typeof begin>>;

/**
 * Serves one client until its input ends or the process gets a signal to end.
 * @param about what it serves, for `--help`
 */
export function runMcpProcess(program: string, about: string, work: (process: McpProcess) => Promise<void>): void {
  const run = async (): Promise<void> => {
    if (await isAskedAbout(program, about)) return;
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
  const around = processSurroundings();
  return {
    around,
    log,
    /** What opening a project takes, but its place. */
    opening: { home: around.home, git: gitHost(), namespace: firstNamespace(), tokenizer, assets: __dirname, log },
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
