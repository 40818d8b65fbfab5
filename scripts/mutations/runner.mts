// Runs tests in this process's Vitest, on sources that are changed on their way into it. A process of its own, so that it
// can be ended when a change lets it run for ever. Started by `mutated-tests.mts`, which it answers by messages.
import { createVitest, type TestCase, type TestSpecification, type Vitest } from 'vitest/node';
import { ROOT } from '../setup.mjs';
import { readSource, withRecordedFunctions } from './syntax.mts';

/** What the runner is asked for: the tests of each file, of all files in this order. */
export interface Task {
  /** Absolute paths of tests, with the ids of those that are wanted; without ids, all of them. */
  readonly tests: readonly { readonly file: string; readonly ids?: readonly string[] }[];
  /** The file that is changed, and its text. */
  readonly changed?: { readonly file: string; readonly text: string };
}

export interface RanTest {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly passed: boolean;
  /** In milliseconds. */
  readonly duration: number;
  readonly ran: readonly string[];
  readonly ranBefore: readonly string[];
}

/** What the runner answers: that a test has ended, and at last whether all of them passed. */
export type Answer =
  | { readonly kind: 'test'; readonly test: RanTest }
  /** Not `isWhole`: without a failure it tells nothing, because not all tests ran to their ends. */
  | { readonly kind: 'done'; readonly passed: boolean; readonly isWhole: boolean; readonly errors: readonly string[] };

const RECORDS = process.env.RECORD_FUNCTIONS === '1';
const IS_RECORDED = /\/src\/server\/(?:memory|code|render)\/.*(?<!\.d)\.ts$/;
const HERE = import.meta.dirname;

let changed: Task['changed'];
/** Nothing more is learned after a failure. What comes too late for one run would end the next one. */
let cancelling: Promise<void> = Promise.resolve();

/** Vitest sorts files by what it knows of earlier runs; here the order is that of the task. */
class InTheOrderGiven {
  shard = async (files: TestSpecification[]): Promise<TestSpecification[]> => files;
  sort = async (files: TestSpecification[]): Promise<TestSpecification[]> => files;
}

const say = (answer: Answer): void => void process.send?.(answer);

function ranTest(test: TestCase): RanTest {
  const { ran = [], ranBefore = [] } = test.meta();
  return {
    id: test.id,
    name: test.fullName,
    file: test.module.moduleId,
    passed: test.result().state !== 'failed',
    duration: test.diagnostic()?.duration ?? 0,
    ran,
    ranBefore,
  };
}

async function start(): Promise<Vitest> {
  // Nothing is written: a snapshot that is missing fails.
  process.env.CI = '1';
  const vitest: Vitest = await createVitest(
    {
      config: false,
      root: ROOT,
      watch: false,
      include: ['test/**/*.test.ts'],
      globalSetup: ['test/support/made-once-folder.ts'],
      setupFiles: ['test/support/choose-sqlite.ts', ...(RECORDS ? [`${HERE}/record-functions.mts`] : [])],
      pool: 'forks',
      maxWorkers: 1,
      // Vitest would keep what it read of a changed source.
      fsModuleCache: false,
      isolate: RECORDS,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      sequence: { sequencer: InTheOrderGiven },
      reporters: [
        {
          onTestCaseResult: (test) => {
            say({ kind: 'test', test: ranTest(test) });
            if (test.result().state === 'failed' && !RECORDS) cancelling = vitest.cancelCurrentRun('test-failure');
          },
        },
      ],
    },
    {
      plugins: [
        {
          name: 'changed-source',
          enforce: 'pre',
          transform(text, id) {
            if (RECORDS && IS_RECORDED.test(id))
              return withRecordedFunctions(readSource(id.slice(ROOT.length + 1), text));
            return changed?.file === id ? changed.text : undefined;
          },
        },
      ],
    },
  );
  return vitest;
}

async function perform(vitest: Vitest, task: Task): Promise<void> {
  const project = vitest.getRootProject();
  const before = changed;
  changed = task.changed;
  for (const file of new Set([before?.file, changed?.file])) if (file !== undefined) vitest.invalidateFile(file);
  const specifications = task.tests.map(({ file, ids }) =>
    project.createSpecification(file, ids === undefined ? undefined : { testIds: [...ids] }),
  );
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  await cancelling;
  // What ends a file before its tests begin is an error of the file.
  const errors = [...unhandledErrors, ...testModules.flatMap((module) => module.errors())].map((error) =>
    String((error as { message?: unknown }).message ?? error),
  );
  const states = testModules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
  const failed = states.includes('failed') || errors.length > 0;
  const isWhole = testModules.length === specifications.length && testModules.every((module) => module.ok());
  say({ kind: 'done', passed: !failed, isWhole, errors });
}

const vitest = await start();
let work = Promise.resolve();
process.on('message', (task: Task) => {
  work = work.then(() => perform(vitest, task));
});
process.on('disconnect', () => process.exit());
