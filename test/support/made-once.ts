/** Projects that many tests begin with: made once in each process, and copied for each of them. */
import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { identityOf } from '../../src/server/db/at-place';
import { knownStores, rememberStore } from '../../src/server/project/known-stores';
import { startSmall } from './small-starter';
import { openSqlite } from './sqlite';
import type { Place } from './stdio-client';

declare module 'vitest' {
  interface ProvidedContext {
    /** Absolute; `made-once-folder.ts` makes it. */
    madeOnceFolder: string;
  }
}

/**
 * @param make is called once in a process, by the first test that needs it, with folders that are there
 * @returns puts a copy into other folders, as if it had been made there
 */
export function madeOnce(make: (place: Place) => Promise<void>): (place: Place) => Promise<void> {
  let made: Promise<Place> | undefined;
  const start = async (): Promise<Place> => {
    const base = await mkdtemp(join(inject('madeOnceFolder'), 'made-'));
    const place = { folder: join(base, 'project'), home: join(base, 'home') };
    await mkdir(place.folder);
    await mkdir(place.home);
    await make(place);
    return place;
  };
  return async (place) => {
    made ??= start();
    await copyPlace(await made, place);
  };
}

async function copyPlace(from: Place, to: Place): Promise<void> {
  // Times to the last digit: builds and Git go by them.
  await startSmall('cp', ['-a', `${from.folder}/.`, to.folder], to.folder);
  const [before, after] = [realpathSync(from.folder), realpathSync(to.folder)];
  for (const known of knownStores(from.home)) {
    const path = known.path.replace(before, after);
    const { file, ...entry } = known;
    const now = file === undefined ? undefined : identityOf(path);
    rememberStore(to.home, { ...entry, path, ...(now === undefined ? {} : { file: now }) });
    if (known.what === 'code graph') await moveGraph(path, before, after);
  }
}

/** A code graph notes which store follows it. */
async function moveGraph(path: string, before: string, after: string): Promise<void> {
  const graph = await openSqlite(path);
  await graph.all(`UPDATE graph_facts SET value = replace(value, '${before}', '${after}') WHERE name = 'followed_by'`);
  await graph.close();
}
