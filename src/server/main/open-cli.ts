/** What this process hands to its command line. */
import { version } from '../../../package.json';
import type { FromEditor } from '../../protocol/program-lines';
import { readStream } from '../base/read-stream';
import type { Cli } from '../cli/cli';
import { openOutput } from '../cli/output';
import { INTERRUPTED } from '../cli/tell-error';
import { missingSqlite } from '../db/drivers';
import { teamConnector } from './load-team';
import {
  chooseSqlite,
  EDITOR_CLIENT,
  firstNamespace,
  gitHost,
  keepSetting,
  processHolder,
  processSurroundings,
  searchPath,
  startedByAgent,
  stderrLog,
  takeVariable,
  tokenizer,
  variable,
} from './process';

/** How long a command may take to stop by itself after Ctrl-C. A store survives a process that is killed. */
const STOP_PATIENCE_MS = 1_000;
const FROM_EDITOR: FromEditor = '--from-editor';
/** Whatever a stranger wrote into a store, a command that reads it ends. */
const FOREIGN_LIMIT_MS = 30_000;

/** @param stopsByItself its commands end on signals in their own way */
export function openCli(name: string, stopsByItself = false): Cli {
  chooseSqlite();
  const output = openOutput({
    out: process.stdout,
    err: process.stderr,
    noColour: variable('NO_COLOR') !== undefined || variable('TERM') === 'dumb',
    progressLines: variable('SVC_PROGRESS') === 'lines',
  });
  const stop = new AbortController();
  if (!stopsByItself) {
    process.on('SIGINT', () => {
      if (stop.signal.aborted) process.exit(INTERRUPTED);
      stop.abort();
      setTimeout(() => process.exit(INTERRUPTED), STOP_PATIENCE_MS).unref();
    });
  }
  return {
    // Only when a command asks for it: help needs no working folder.
    get around() {
      return processSurroundings();
    },
    version,
    missing: missingSqlite,
    namespace: firstNamespace(),
    holder: () => processHolder(isOfEditor() ? EDITOR_CLIENT : 'cli', isPerson() ? 'person' : 'agent'),
    keep: keepSetting(),
    tokenizer,
    output,
    log: variable('SVC_DEBUG') === undefined ? () => {} : stderrLog(name),
    stdin: (max) => readStream(process.stdin, max),
    ask: sitsAtTerminal() ? (question) => askPerson(question, stop.signal) : undefined,
    startedByAgent: startedByAgent(),
    llm: {
      hostSocket: variable('SVC_MCP_HOST'),
      hostToken: takeVariable('SVC_MCP_HOST_TOKEN'),
      anthropic: { key: variable('ANTHROPIC_API_KEY'), baseUrl: variable('ANTHROPIC_BASE_URL') },
      openai: { key: variable('OPENAI_API_KEY'), baseUrl: variable('OPENAI_BASE_URL') },
      ollamaHost: variable('OLLAMA_HOST'),
    },
    signal: stop.signal,
    programs: __dirname,
    node: process.execPath,
    searchPath: searchPath(),
    git: gitHost(),
    connectTeam: teamConnector(),
    github: {
      apiUrl: variable('GITHUB_API_URL'),
      repository: variable('GITHUB_REPOSITORY'),
      ref: variable('GITHUB_REF'),
      token: takeVariable('GITHUB_TOKEN'),
    },
    foreignLimitMs: FOREIGN_LIMIT_MS,
  };
}

/** At a terminal, or in the editor, which says so of the programs that it runs: docs/behaviour.md, "Who is a person". */
function isPerson(): boolean {
  return sitsAtTerminal() || isOfEditor();
}

/** An agent with a shell may say so, too. */
function isOfEditor(): boolean {
  return isFromEditor(process.argv) && !startedByAgent();
}

function isFromEditor([, , first]: readonly string[]): boolean {
  return first === FROM_EDITOR;
}

/** Without what the editor puts before them. */
export function argumentsOf(argv: readonly string[]): string[] {
  return argv.slice(isFromEditor(argv) ? 3 : 2);
}

function sitsAtTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !startedByAgent();
}

/** One line from the person at the terminal; standard output is for what the command prints. */
async function askPerson(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // The terminal is in a mode in which Ctrl-C is a key.
    terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    return await terminal.question(question, { signal });
  } finally {
    terminal.close();
  }
}
