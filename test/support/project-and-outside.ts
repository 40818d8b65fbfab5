import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

export interface ProjectAndOutside {
  /** The folder of a project. */
  readonly root: string;
  /** What it lies in. */
  readonly base: string;
}

/** Before each test of a file: an empty folder in another one. @param fill what else lies in them */
export function projectAndOutside(fill: (folders: ProjectAndOutside) => void): ProjectAndOutside {
  const folders = { base: '', root: '' };
  beforeEach(() => {
    folders.base = realpathSync(mkdtempSync(join(tmpdir(), 'svc-files-')));
    folders.root = join(folders.base, 'project');
    mkdirSync(folders.root);
    fill(folders);
  });
  afterEach(() => rmSync(folders.base, { recursive: true }));
  return folders;
}
