import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts'],
    // Suites start real processes on real stores: the time is for a slow machine, not for a slow test.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: ['test/workbench/**'],
          // They wait for processes most of the time, so no core is kept free as it is by default.
          maxWorkers: '100%',
        },
      },
      {
        extends: true,
        test: {
          name: 'workbench',
          include: ['test/workbench/*.test.ts'],
          // An editor with a browser takes both cores and 3 GB: one at a time, and after everything else.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // A busy machine draws late: a hover that was missed is looked for again.
          retry: 1,
        },
      },
    ],
  },
});
