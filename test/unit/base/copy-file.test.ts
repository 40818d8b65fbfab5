import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyLiveFile } from '../../../src/server/base/copy-file';

const LONG_BYTES = 256 * 1024 * 1024;

function inFolder(work: (original: string, copy: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-copy-test-'));
    try {
      await work(join(folder, 'original'), join(folder, 'copy'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
}

it(
  'copies a file to its end, for this user alone',
  inFolder(async (original, copy) => {
    writeFileSync(original, 'x'.repeat(3_000_000), { mode: 0o644 });
    await copyLiveFile(original, copy, false);
    expect(readFileSync(copy)).toEqual(readFileSync(original));
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    writeFileSync(original, 'short');
    await copyLiveFile(original, copy, true);
    expect(readFileSync(copy, 'utf8')).toBe('short');
    await expect(copyLiveFile(original, copy, false)).rejects.toThrow('EEXIST');
  }),
);

it(
  'copies nothing that nobody waits for any more',
  inFolder(async (original, copy) => {
    writeFileSync(original, '');
    truncateSync(original, LONG_BYTES);
    await expect(copyLiveFile(original, copy, false, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(existsSync(copy)).toBe(false);
  }),
);

it(
  'comes to an end where the file gets shorter meanwhile, as a log does that is emptied',
  inFolder(async (original, copy) => {
    writeFileSync(original, '');
    truncateSync(original, LONG_BYTES);
    const copying = copyLiveFile(original, copy, false);
    while ((statSync(copy, { throwIfNoEntry: false })?.size ?? 0) === 0) await new Promise(setImmediate);
    truncateSync(original, 0);
    await copying;
    expect(statSync(copy).size).toBeLessThan(LONG_BYTES);
  }),
);
