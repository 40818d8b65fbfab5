import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import packageJson from './package.json' with { type: 'json' };
import { HAS_ENGINE } from './scripts/engine-program.mjs';
import { LongestFirst } from './scripts/longest-first.mjs';
import { stop } from './scripts/setup.mjs';

const majorOf = (version: string) => Number(version.split('.')[0]);
const needed = majorOf(packageJson.devDependencies.node);
// On an older one, what fails says nothing of Node.
if (majorOf(process.versions.node) < needed) {
  stop(
    `The tests need Node ${needed}, and this is Node ${process.versions.node}: run "npm test -- <filter>", which takes the right one.`,
  );
}

/** Where the SQLite of Node could differ from the module that is compiled. The rest of it is for `npm run test:long`. */
const SECOND_DRIVER = [
  'test/unit/db/*.test.ts',
  'test/tools/{call-tool,memory-forget,memory-recall,memory-store,namespaces,purge,undo}.test.ts',
  'test/stdio/{copy-of-the-file,handshake,many-processes,tools,working-folder}.test.ts',
];

/**
 * Not for a store in an engine: files of backups and of a working tree, the bytes of a file, what another program writes into
 * it, and temporary tables, which an engine has none of.
 */
const ABOUT_FILES = [
  'test/tools/{daily-backups,purge,shared-files,shared-beside,share-policy,hostile-store,long-import}.test.ts',
];
/** The rest of the tools is for `npm run test:long`. */
const ON_ENGINE =
  process.env.LONG === '1'
    ? ['test/tools/*.test.ts']
    : ['test/tools/{memory-recall,memory-store,memory-forget,namespaces,sessions,undo}.test.ts'];

/** What `npm test` found that this machine cannot run. A project's own list would take the place of the flag. */
const LEFT_OUT = (process.env.LEFT_OUT ?? '').split(',').filter((suites) => suites !== '');

/** Tests wait for processes much of the time, so there is one more of them than cores. */
const WORKERS = availableParallelism() + 1;

export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts', 'test/support/made-once-folder.ts'],
    setupFiles: ['test/support/choose-sqlite.ts'],
    sequence: { sequencer: LongestFirst },
    // Suites start real processes on real stores: the time is for a slow machine, not for a slow test.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A process for each file would load the same sources 250 times, half of the time of short tests.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: ['test/workbench/**', 'test/installations/**', 'test/long/**', 'test/agents/**', ...LEFT_OUT],
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: 'second-driver',
          include: SECOND_DRIVER,
          env: { SVC_SQLITE: 'node' },
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        test: {
          name: 'engine',
          include: HAS_ENGINE ? ON_ENGINE : [],
          exclude: ABOUT_FILES,
          env: { SVC_STORE: 'engine' },
          ...(HAS_ENGINE ? { globalSetup: ['test/support/engine-for-all.ts'] } : {}),
          maxWorkers: WORKERS,
        },
      },
      {
        extends: true,
        // They download, so `npm test` runs them where everything is required.
        test: {
          name: 'installations',
          include: ['test/installations/*.test.ts'],
          // Beside the others, which needs the same number.
          maxWorkers: WORKERS,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        extends: true,
        // `npm run test:long`, one after another: they compile.
        test: {
          name: 'long',
          include: ['test/long/*.test.ts'],
          fileParallelism: false,
          testTimeout: 1_800_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        // `npm run test:agents`, one after another: they are programs of others.
        test: {
          name: 'agents',
          include: ['test/agents/*.test.ts'],
          fileParallelism: false,
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'workbench',
          include: ['test/workbench/*.test.ts'],
          setupFiles: ['test/workbench/support/after-failure.ts'],
          exclude: LEFT_OUT,
          // An editor with a browser takes 3 GB, and waits half of the time: three at once, and after everything else.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          testTimeout: 600_000,
          hookTimeout: 600_000,
          // A busy machine draws late: a hover that was missed is looked for again.
          retry: 1,
        },
      },
    ],
  },
});
