// Starts Git from a small process. Node makes a copy of itself for each program that it starts; in a process that has run
// a hundred test files this takes several times as long as Git takes to answer.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';
import type { StartProgram } from '../../src/server/git/run-git';

interface Starter {
  /** A folder for what is put in and what comes out. */
  readonly folder: string;
  /** Runs a line of a shell in turn. @returns its exit status */
  run(line: string): Promise<number>;
}

let starter: Starter | undefined;
let starts = 0;
let answers: Map<string, ReturnType<StartProgram>> | undefined;

/** While `work` runs, what Git was asked before is not asked again: for work in which no repository changes. */
export async function withSameAnswers<Result>(work: () => Promise<Result>): Promise<Result> {
  answers = new Map();
  return work().finally(() => {
    answers = undefined;
  });
}

export const startedSmall: StartProgram = (program, args, around) => {
  // An index of its own is another one each time.
  if (!answers || around.env.GIT_INDEX_FILE !== undefined) return start(program, args, around);
  const question = JSON.stringify([program, args, around]);
  const answer = answers.get(question) ?? start(program, args, around);
  answers.set(question, answer);
  return answer;
};

/** With the environment of the tests; fails where the program does. @returns what it printed */
export async function startSmall(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { status, out, err } = await start(program, args, { cwd, env: process.env, input: '' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${err}`);
  return out.toString();
}

const start: StartProgram = async (program, args, { cwd, env, input }) => {
  starter ??= openStarter();
  const { folder, run } = starter;
  const file = join(folder, String(++starts));
  const [given, out, err] = [`${file}.in`, `${file}.out`, `${file}.err`];
  if (input !== '') await writeFile(given, input);
  const variables = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const command = ['exec', 'env', '-i', ...[...variables, program, ...args].map(quotedForShell)].join(' ');
  const from = input === '' ? '/dev/null' : given;
  const status = await run(`(cd ${quotedForShell(cwd)} && ${command}) <${from} >${out} 2>${err}`);
  const answer = { status, out: await readFile(out), err: await readFile(err, 'utf8') };
  await Promise.all([given, out, err].map((file) => rm(file, { force: true })));
  return answer;
};

function openStarter(): Starter {
  const shell = spawn('/bin/sh', { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: ((status: number) => void)[] = [];
  createInterface({ input: shell.stdout }).on('line', (status) => waiting.shift()?.(Number(status)));
  return {
    folder: mkdtempSync(join(inject('madeOnceFolder'), 'starts-')),
    run: (line) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        shell.stdin.write(`${line}\necho $?\n`);
      }),
  };
}

function quotedForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
