import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    // Suites start real processes on real stores: the time is for a slow machine, not for a slow test.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
