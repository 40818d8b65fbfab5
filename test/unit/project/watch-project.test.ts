import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { silent } from '../../../src/server/base/log';
import { openProject } from '../../../src/server/project/open';
import { watchProject } from '../../../src/server/project/watch-project';
import { urlOf } from '../../../src/store-place/store-place';
import { testHolder } from '../../support/holder';
import { removeFolder } from '../../support/remove-folder';

/** Longer than a watch waits before it looks by itself. */
const LONGEST_MS = 5_000;

afterEach(() => {
  vi.useRealTimers();
});

it('a branch that comes is told of by the next look of its own, not by each write; a commit at once, and as one change', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-memory-watch-'));
  const refs = join(folder, '.git', 'refs', 'heads');
  await mkdir(refs, { recursive: true });
  await writeFile(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  const commit = (digit: string): Promise<void> => writeFile(join(refs, 'main'), `${digit.repeat(40)}\n`);
  await commit('1');
  const project = await openProject({
    place: { url: urlOf(join(folder, '.svc', 'memory.db')), kind: 'named', reason: 'test', root: folder },
    ...{ home: join(folder, 'home'), holder: testHolder, log: silent },
    tokenizer: () => ({ count: () => 1, fits: () => true }),
  });
  await project.write(async () => undefined);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let told = 0;
  const watch = watchProject(project, () => told++);
  try {
    await watch.check();
    await mkdir(join(refs, 'other'));
    for (let write = 0; write < 3; write++) await watch.check();
    expect(told).toBe(0);
    vi.advanceTimersByTime(LONGEST_MS);
    await watch.check();
    expect(told).toBe(1);
    await mkdir(join(refs, 'third'));
    await commit('2');
    await watch.check();
    expect(told).toBe(2);
    vi.advanceTimersByTime(LONGEST_MS);
    await watch.check();
    expect(told).toBe(2);
  } finally {
    watch.close();
    vi.useRealTimers();
    await project.close();
    await removeFolder(folder);
  }
});
