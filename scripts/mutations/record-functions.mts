// A set-up file of Vitest: tells for each test which of the recorded functions ran during it.
import { afterEach, beforeEach } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Ran while the test did. */
    ran?: readonly string[];
    /** Ran before it and after the test before it: in the file itself, and in what is done before all tests. */
    ranBefore?: readonly string[];
  }
}

declare global {
  /** Where the sources put what runs (`withRecordedFunctions`). */
  var ranFunctions: Set<string> | undefined;
}

globalThis.ranFunctions = new Set();

function taken(): string[] {
  const ran = [...(globalThis.ranFunctions ?? [])];
  globalThis.ranFunctions?.clear();
  return ran;
}

beforeEach(({ task }) => {
  task.meta.ranBefore = taken();
});

afterEach(({ task }) => {
  task.meta.ran = taken();
});
