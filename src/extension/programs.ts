/** Runs the command lines that come with the extension. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type * as vscode from 'vscode';
import type { FromEditor, ProgramLine } from '../protocol/program-lines';
import type { Editor } from './editor';
import { programEnvironment } from './environment';
import type { MemoryFolder } from './folders';
import { readProgramLine } from './program-lines';
import { serverEnvironment } from './server-environment';

/** Somebody has clicked. */
const FROM_EDITOR: FromEditor = '--from-editor';

export interface RunProgram {
  readonly program: 'svc' | 'svc-memory';
  readonly arguments: readonly string[];
  readonly folder: MemoryFolder;
  /** In place of what the folder's servers get; an undefined value takes one away. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly token?: vscode.CancellationToken;
  readonly onProgress?: (progress: ProgramProgress) => void;
}

/** How far a program has come, in its words. */
export type ProgramProgress = Extract<ProgramLine, { type: 'progress' }>;

/** By which a store knows what it did. */
export interface ProgramProcess {
  readonly pid: number;
  /** When it was started, in ISO-8601 in UTC. */
  readonly since: string;
}

export interface Ended {
  readonly process: ProgramProcess;
  /** null when it was ended by a signal. */
  readonly status: number | null;
  readonly output: string;
  /** What it wrote to standard error, one line after the other. */
  readonly lines: readonly string[];
  /** Of these, what it says was wrong and what to do. */
  readonly refusals: readonly string[];
}

const running = new Set<ChildProcess>();

/**
 * Runs one of the command lines that come with the extension, in a folder. Cancelling sends SIGINT, on which they keep
 * what is done and end.
 * @throws Error when the program cannot be started
 */
export function runProgram(editor: Editor, options: RunProgram): Promise<Ended> {
  const { program, folder, token, onProgress } = options;
  const environment: Record<string, string | undefined> = {
    ...programEnvironment(),
    ...serverEnvironment(folder, editor.namespaces.of(folder.uri)),
    SVC_PROGRESS: 'lines',
    ...options.environment,
  };
  editor.log.info(`Runs ${program} ${options.arguments.join(' ')} in ${folder.path}`);
  const since = new Date().toISOString();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [editor.program(program), FROM_EDITOR, ...options.arguments], {
      cwd: folder.path,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    running.add(child);
    const cancelling = token?.onCancellationRequested(() => child.kill('SIGINT'));
    const lines: string[] = [];
    const refusals: string[] = [];
    const output: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => output.push(piece));
    createInterface({ input: child.stderr }).on('line', (line) => {
      const said = readProgramLine(line);
      if (said?.type === 'progress') return onProgress?.(said);
      if (said?.type === 'error') refusals.push(said.message);
      const text = said === undefined ? line : said.type === 'error' ? `${said.code}: ${said.message}` : said.text;
      lines.push(text);
      editor.log.info(`${program}: ${text}`);
    });
    child.once('error', (error) => {
      running.delete(child);
      reject(error);
    });
    child.once('close', (status) => {
      running.delete(child);
      cancelling?.dispose();
      const text = Buffer.concat(output).toString('utf8');
      resolve({ process: { pid: child.pid ?? 0, since }, status, output: text, lines, refusals });
    });
  });
}

/** Ends what still runs: nothing is to go on when the window is gone. */
export function stopPrograms(): void {
  for (const child of running) child.kill('SIGINT');
}

/** Why it failed: in its own words, or in all that was written where it could not say so. */
export function failureOf({ status, lines, refusals }: Ended): string {
  const said = lines.filter((line) => line.trim() !== '');
  return (refusals.length > 0 ? refusals : said).join(' ') || `exit status ${status}`;
}
