import { mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { unseenFiles } from '../../../src/server/code/unseen-files';
import type { Reader } from '../../../src/server/db/sql';

const root = mkdtempSync(join(tmpdir(), 'svc-unseen-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A code graph that has seen no file. */
const graph: Reader = {
  all: async <Row>(_: string, { files } = {} as Readonly<Record<string, unknown>>) =>
    (JSON.parse(String(files)) as unknown[]).map((_, i) => ({ i }) as Row),
  get: async () => undefined,
};

it('of the files that the code graph has not seen, the newest are taken apart, up to 5 MB, and the others looked into', async () => {
  const names = Array.from({ length: 7 }, (_, i) => `${i}.ts`);
  for (const [i, name] of names.entries()) {
    writeFileSync(join(root, name), '');
    truncateSync(join(root, name), 1_000_000);
    utimesSync(join(root, name), 1_000 + i, 1_000 + i);
  }
  expect(await unseenFiles(root)(graph)).toEqual({
    newest: ['6.ts', '5.ts', '4.ts', '3.ts', '2.ts'],
    others: ['1.ts', '0.ts'],
  });
});
