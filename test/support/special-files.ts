import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Longer than any of these commands takes; one that waits for a pipe is ended, and the test tells so. */
const PATIENCE_MS = 60_000;
export const BRIEFLY = { signal: { name: 'SIGKILL', afterMs: PATIENCE_MS } } as const;

/** Makes a named pipe: a process that opens it to read waits without an end. */
export function makePipe(path: string): void {
  execFileSync('mkfifo', [path]);
}

/** Less than a test may take, so that it is told what it waited for. */
const RELEASE_SECONDS = 20;

/**
 * One for code that runs in the test itself: should that wait, it is let go in the end, and the test fails. Who waits
 * stops the test and its clock, so another process does both.
 */
export function makeReleasedPipe(path: string): void {
  makePipe(path);
  const scratch = mkdtempSync(join(tmpdir(), 'svc-pipe-'));
  const mark = join(scratch, 'released');
  const release = `sleep ${RELEASE_SECONDS}; test -p "$0" && : >"$1" && exec 3<>"$0"`;
  const releaser = spawn('sh', ['-c', release, path, mark], { detached: true, stdio: 'ignore' });
  releaser.unref();
  onTestFinished(() => {
    releaser.kill();
    const waited = existsSync(mark);
    rmSync(scratch, { recursive: true });
    if (waited) throw new Error(`Something waited for the pipe ${path}`);
  });
}
