// The runner and what it answers: which tests run which functions, and whether any test notices a change.
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../setup.mjs';
import type { Answer, RanTest, Task } from './runner.mts';

/** Where tests run the sources in their own process. Others start the built programs, which nothing changes. */
const TESTS = ['test/unit/**/*.test.ts', 'test/tools/*.test.ts', 'test/graph/*.test.ts'];
const IN_THIS_PROCESS = /\/(?:followed-repository|judge-refactorings|code-history)'/;
const runsSources = (file: string): boolean =>
  !file.startsWith('test/graph/') || IN_THIS_PROCESS.test(readFileSync(join(ROOT, file), 'utf8'));
/** What the functions that a test runs depend on, beside its own file. */
const GROUND = [
  'src/{server,kinds,question,protocol}/**/*.ts',
  'test/support/**/*.ts',
  'scripts/mutations/{syntax,record-functions}.mts',
];
/** A change that lets tests say nothing for so long lets them run for ever. */
const SILENCE_MS = 90_000;
/** So long the tests may take that are asked about a change. */
const MOST_MS = 30_000;

/** A run that was cut short is tried again. */
const MOST_TRIES = 3;

/** A test and the functions that run during it. */
export interface KnownTest {
  readonly file: string;
  readonly id: string;
  readonly name: string;
  /** In milliseconds. */
  readonly duration: number;
  readonly functions: ReadonlySet<string>;
}

export interface Verdict {
  /** `too long` counts as noticed; `not run` says that no test runs the place. */
  readonly fate: 'noticed' | 'too long' | 'survived' | 'not run';
  /** The test that noticed it. */
  readonly by?: string;
}

/** A runner in a process of its own. */
class Runner {
  private child: ChildProcess | undefined;
  private readonly env: Readonly<Record<string, string>>;

  constructor(env: Readonly<Record<string, string>>) {
    this.env = env;
  }

  /** @param onTest called after each test @returns undefined when it said nothing for too long, or ended */
  async perform(task: Task, onTest: (test: RanTest) => void): Promise<Extract<Answer, { kind: 'done' }> | undefined> {
    this.child ??= fork(join(import.meta.dirname, 'runner.mts'), {
      cwd: ROOT,
      env: { ...process.env, ...this.env },
      // A group of its own, so that its workers end with it.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const { child } = this;
    const answer = await new Promise<Extract<Answer, { kind: 'done' }> | undefined>((done) => {
      const tooLong = (): void => done(undefined);
      let silence = setTimeout(tooLong, SILENCE_MS);
      child.removeAllListeners().once('exit', tooLong);
      child.on('message', (message: Answer) => {
        clearTimeout(silence);
        if (message.kind === 'done') return done(message);
        silence = setTimeout(tooLong, SILENCE_MS);
        onTest(message.test);
      });
      child.send(task);
    });
    if (!answer) this.end();
    return answer;
  }

  end(): void {
    if (this.child?.pid === undefined) return;
    try {
      process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
    this.child = undefined;
  }
}

/** What was found out before, so that only tests that are new run again. */
interface Kept {
  readonly ground: string;
  readonly functions: string[];
  readonly files: Record<string, { readonly hash: string; readonly tests: readonly KeptTest[] }>;
}
type KeptTest = readonly [id: string, name: string, duration: number, functions: readonly number[]];

const KEPT = join(ROOT, 'node_modules/.cache/mutations/functions-of-tests.json');

/** Runs all tests once, unless that was done with these sources, and says which functions each of them runs. */
export async function functionsOfTests(say: (line: string) => void): Promise<KnownTest[]> {
  const ground = hashOf(GROUND.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).sort());
  let kept: Kept = { ground, functions: [], files: {} };
  try {
    const before = JSON.parse(readFileSync(KEPT, 'utf8')) as Kept;
    if (before.ground === ground) kept = before;
  } catch {
    // Nothing is kept yet.
  }
  const files = TESTS.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .filter(runsSources)
    .sort();
  const open = files.filter((file) => kept.files[file]?.hash !== hashOf([file]));
  if (open.length > 0) {
    say(`Which test runs which function: ${open.length} files of tests`);
    await record(kept, open, say);
  }
  return files.flatMap((file) =>
    (kept.files[file]?.tests ?? []).map(([id, name, duration, functions]) => ({
      file: join(ROOT, file),
      id,
      name,
      duration,
      functions: new Set(functions.map((i) => kept.functions[i] ?? '')),
    })),
  );
}

async function record(kept: Kept, files: readonly string[], say: (line: string) => void): Promise<void> {
  const numbers = new Map(kept.functions.map((name, i) => [name, i]));
  const numberOf = (name: string): number => {
    const number = numbers.get(name) ?? kept.functions.push(name) - 1;
    numbers.set(name, number);
    return number;
  };
  const ran = new Map<string, RanTest[]>(files.map((file) => [join(ROOT, file), []]));
  const runner = new Runner({ RECORD_FUNCTIONS: '1' });
  const done = await runner.perform({ tests: [...ran.keys()].map((file) => ({ file })) }, (test) =>
    ran.get(test.file)?.push(test),
  );
  runner.end();
  for (const file of files) {
    const tests = ran.get(join(ROOT, file)) ?? [];
    if (tests.length === 0 || tests.some(({ passed }) => !passed)) continue;
    // What runs outside of a test may matter to each of them.
    const outside = tests.flatMap(({ ranBefore }) => ranBefore);
    kept.files[file] = {
      hash: hashOf([file]),
      tests: tests.map((test): KeptTest => {
        const functions = [...new Set([...test.ran, ...outside])].map(numberOf);
        return [test.id, test.name, test.duration, functions];
      }),
    };
  }
  keep(kept);
  for (const [file, tests] of ran) {
    const failed = tests.find(({ passed }) => !passed);
    if (failed || tests.length === 0)
      say(`Left out, because it fails without any change: ${file} ${failed?.name ?? ''}`);
  }
  if (!done) throw new Error('The tests ended before their end: see whether "npm test" passes');
}

function keep(kept: Kept): void {
  mkdirSync(dirname(KEPT), { recursive: true });
  writeFileSync(KEPT, JSON.stringify(kept));
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

/** Runs the tests of changes, one change after another. */
export function openMutatedTests(known: readonly KnownTest[]) {
  const runner = new Runner({});
  return {
    /**
     * @param file the file that is changed
     * @param text its text with the change
     * @param functions one of which a test has to run so that it may notice the change
     */
    async verdictOn(file: string, text: string, functions: ReadonlySet<string>): Promise<Verdict> {
      const tests = testsOf(known, functions);
      if (tests.length === 0) return { fate: 'not run' };
      for (let tries = 1; tries <= MOST_TRIES; tries++) {
        let by: string | undefined;
        const done = await runner.perform({ tests, changed: { file, text } }, ({ passed, name }) => {
          if (!passed) by ??= name;
        });
        if (!done) return { fate: 'too long' };
        if (done.passed && done.isWhole) return { fate: 'survived' };
        // What the change broke may still be there in this process, and would fail the next change.
        runner.end();
        if (by !== undefined) return { fate: 'noticed', by };
        // Without a test that failed, only an error that always comes is of the change.
        if (!done.passed && tries === MOST_TRIES) return { fate: 'noticed', by: done.errors[0] ?? '' };
      }
      throw new Error(`The tests of ${file} do not come to an end`);
    },
    close: () => runner.end(),
  };
}

/**
 * The tests that run one of the functions, as far as the time goes: half of it for those that run the fewest functions
 * beside it, half for those of files of which the greatest part runs it, because these are about it.
 */
function testsOf(known: readonly KnownTest[], functions: ReadonlySet<string>): Task['tests'] {
  const running = known.filter((test) => [...functions].some((one) => test.functions.has(one)));
  const [all, own] = [countedByFile(known), countedByFile(running)];
  const share = ({ file }: KnownTest): number => (own.get(file) ?? 0) / (all.get(file) ?? 1);
  const narrow = running.toSorted((a, b) => a.functions.size - b.functions.size || a.duration - b.duration);
  const devoted = running.toSorted((a, b) => share(b) - share(a) || a.duration - b.duration);
  const files = new Map<string, string[]>();
  for (const test of new Set([...withinTime(narrow), ...withinTime(devoted)])) {
    files.set(test.file, [...(files.get(test.file) ?? []), test.id]);
  }
  return [...files].map(([file, ids]) => ({ file, ids }));
}

/** The first ones, at least one, that take half of the time. */
function withinTime(tests: readonly KnownTest[]): readonly KnownTest[] {
  let sum = 0;
  const beyond = tests.findIndex(({ duration }) => {
    sum += duration;
    return sum > MOST_MS / 2;
  });
  return tests.slice(0, beyond < 0 ? undefined : Math.max(1, beyond));
}

function countedByFile(tests: readonly KnownTest[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { file } of tests) counts.set(file, (counts.get(file) ?? 0) + 1);
  return counts;
}
