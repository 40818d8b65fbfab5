// Vitest's global set-up for `made-once.ts`: the folder of what tests share, which is removed when all of them have ended.
// A process that runs tests cannot: it is killed when nothing is left to run.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type {} from './made-once';
import { removeFolder } from './remove-folder';

export default function setUp(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-made-once-'));
  project.provide('madeOnceFolder', folder);
  return () => removeFolder(folder);
}
