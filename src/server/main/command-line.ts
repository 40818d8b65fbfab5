import { delimiter } from 'node:path';
import { createInterface } from 'node:readline/promises';
import packageJson from '../../../package.json';
import { openOutput } from '../cli/output';
import { runProgram } from '../cli/run-program';
import { firstNamespace, processHolder, processSurroundings, stderrLog, tokenizer, variable } from './process';

/** How long a command may take to stop by itself after Ctrl-C. A store survives a process that is killed. */
const STOP_PATIENCE_MS = 1_000;
const INTERRUPTED = 130;

/** Runs the command line of this process: what `svc-memory` and `svc` share. */
export async function runCommandLine(name: string, build: Parameters<typeof runProgram>[1]): Promise<void> {
  const output = openOutput({
    out: process.stdout,
    err: process.stderr,
    noColour: variable('NO_COLOR') !== undefined || variable('TERM') === 'dumb',
    progressLines: variable('SVC_PROGRESS') === 'lines',
  });
  const stop = new AbortController();
  process.on('SIGINT', () => {
    if (stop.signal.aborted) process.exit(INTERRUPTED);
    stop.abort();
    setTimeout(() => process.exit(INTERRUPTED), STOP_PATIENCE_MS).unref();
  });
  process.exitCode = await runProgram(
    {
      around: processSurroundings(),
      version: packageJson.version,
      namespace: firstNamespace(),
      holder: () => processHolder('cli'),
      tokenizer,
      output,
      log: variable('SVC_DEBUG') === undefined ? () => {} : stderrLog(name),
      stdin: readStandardInput,
      ask: process.stdin.isTTY && process.stderr.isTTY ? (question) => askPerson(question, stop.signal) : undefined,
      llm: {
        hostSocket: variable('SVC_MCP_HOST'),
        anthropic: { key: variable('ANTHROPIC_API_KEY'), baseUrl: variable('ANTHROPIC_BASE_URL') },
        openai: { key: variable('OPENAI_API_KEY'), baseUrl: variable('OPENAI_BASE_URL') },
        ollamaHost: variable('OLLAMA_HOST'),
      },
      signal: stop.signal,
      programs: __dirname,
      node: process.execPath,
      searchPath: (variable('PATH') ?? '').split(delimiter),
    },
    build,
    process.argv.slice(2),
  );
}

async function readStandardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // Without an encoding, standard input gives buffers.
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** One line of whoever sits at the terminal; standard output is for what the command prints. */
async function askPerson(question: string, signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // The terminal is in a mode in which Ctrl-C is a key.
    terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    return await terminal.question(question, { signal });
  } finally {
    terminal.close();
  }
}
