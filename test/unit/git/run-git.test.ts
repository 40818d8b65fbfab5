import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { openRepository } from '../../../src/server/git/open-repository';
import { removeFolder } from '../../support/remove-folder';

test('a repository whose settings name a pipe keeps nobody waiting: Git is ended, and the reader told why', async () => {
  const root = await mkdtemp(join(tmpdir(), 'svc-run-git-'));
  try {
    execFileSync('git', ['init', '--quiet', root]);
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await appendFile(join(root, '.git', 'config'), `[include]\n\tpath = ${join(root, 'pipe')}\n`);
    const searchPath = (process.env.PATH ?? '').split(delimiter);
    const host = { searchPath, environment: process.env, limitMs: 500 };
    await expect(openRepository({ root, host, signal: new AbortController().signal })).rejects.toThrow(
      /^unavailable: Git did not answer within 0\.5 seconds in .* was stopped/,
    );
  } finally {
    await removeFolder(root);
  }
});
