import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { findGit } from '../../src/server/git/run-git';
import { OPEN, withRepository } from '../support/check-repository';
import { connectServer } from '../support/stdio-client';

const PATIENCE = 60_000;

it('the first recall after an edit says that the code changed: it was judged before anybody asked', () =>
  withRepository(async (repository) => {
    // A Git that writes down its starts: what is not as it was is asked of Git last.
    const bin = join(repository.home, 'bin');
    const log = join(repository.home, 'starts');
    const { PATH = '' } = process.env;
    const real = findGit(PATH.split(delimiter), repository.folder);
    mkdirSync(bin);
    writeFileSync(log, '');
    writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$*" >>'${log}'\nexec '${real}' "$@"\n`);
    chmodSync(join(bin, 'git'), 0o755);
    const server = await connectServer(repository, { env: { PATH: `${bin}${delimiter}${PATH}` } });
    try {
      const recalled = async (): Promise<string | undefined> =>
        (await server.text('memory_recall', { query: 'opens slowly' }))
          .split('\n')
          .find((line) => line.startsWith('- [') && line.includes('opens slowly'));
      expect(await recalled()).not.toContain('code changed');
      expect(readFileSync(log, 'utf8')).toBe('');
      await repository.write('src/open.ts', OPEN.replace('main', 'other'));
      await expect.poll(() => readFileSync(log, 'utf8'), { timeout: PATIENCE }).toContain('cat-file');
      expect(await recalled()).toContain(' · code changed — opens slowly');
    } finally {
      await server.close();
    }
  }));
