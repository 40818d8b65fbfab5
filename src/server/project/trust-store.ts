/** Describes a foreign store to a person, and accepts it. */
import { realpathSync } from 'node:fs';
import { fileOf, type StorePlace, storeExists } from '../../store-place/store-place';
import type { Clock } from '../base/clock';
import { notFound, unavailable } from '../base/errors';
import { quoted, shownPath } from '../base/text';
import { openFile } from '../db/open-file';
import { MEMORY_MIGRATIONS } from '../memory/migrations/index';
import { STRUCTURAL_KINDS_SQL } from '../memory/node-kinds';
import { forgetStore, type KnownStore, knownStores, rememberStore } from './known-stores';
import { type OpenProject, openProject } from './open';
import { MEMORY_FILE } from './open-store';
import { treeOf } from './shared-memories';
import { accessTo, lookAt, type Owner } from './store-access';

/** What a person should know of a store before accepting it. */
export interface StoreAccount {
  readonly path: string;
  /** The store needs no acceptance: it was made here or accepted before, or SVC_MEMORY_DB names it. */
  readonly known: boolean;
  /** All namespaces, without entities and sessions. */
  readonly memories: number;
  /** The programs that wrote it, as they called themselves, most busy first. */
  readonly writers: readonly string[];
  /** When the first and the last memory was recorded; null without any. */
  readonly from: string | null;
  readonly to: string | null;
  /** What stands in files of the folder. */
  readonly shared: { readonly known: boolean; readonly memories: number };
}

const MOST_WRITERS = 5;

/** @throws SvcError not_found without a store, unavailable when it cannot be read */
export async function accountOf(options: OpenProject): Promise<StoreAccount> {
  const { place } = options;
  if (!storeExists(place)) {
    throw notFound(
      `There is no store at ${shownPath(fileOf(place))}`,
      'Run this in the folder of the project whose store you want to accept',
    );
  }
  const project = await openProject(options);
  try {
    const { sql } = project.memory;
    const { shared } = project;
    await shared.refresh();
    const row = await sql.get<{ memories: number; first: string | null; last: string | null }>(
      `SELECT count(*) AS memories, min(recorded_at) AS first, max(recorded_at) AS last FROM main.mem_nodes
       WHERE kind NOT IN (${STRUCTURAL_KINDS_SQL})`,
    );
    const writers = await sql.all<{ client: string }>(
      'SELECT client FROM mem_operations GROUP BY client ORDER BY count(*) DESC LIMIT $most',
      { most: MOST_WRITERS },
    );
    return {
      path: fileOf(place),
      known: project.access !== 'foreign',
      memories: row?.memories ?? 0,
      writers: writers.map(({ client }) => client),
      from: row?.first ?? null,
      to: row?.last ?? null,
      shared: { known: !shared.foreign || shared.count === 0, memories: shared.count },
    };
  } finally {
    await project.close();
  }
}

/**
 * A person accepts a store: from now on it is used like one that this machine made.
 * @throws SvcError unavailable when it cannot be used, or the home directory cannot be written
 */
export async function acceptStore(place: StorePlace, owner: Owner): Promise<void> {
  // Throws for a file that should not be accepted.
  await accessTo(place, MEMORY_FILE, owner);
  const { home } = owner;
  const path = realpathSync(fileOf(place));
  const remember = (id: string): void => {
    if (!rememberStore(home, { path, id, how: 'accepted', what: MEMORY_FILE.what })) throw homeless(home);
  };
  const { id } = await lookAt(path, MEMORY_FILE);
  if (id !== undefined) {
    remember(id);
    return;
  }
  const identity = { table: MEMORY_FILE.ids, made: remember };
  const store = await openFile({ path, migrations: MEMORY_MIGRATIONS, create: false, identity });
  await store.close();
}

/** From now on the files of shared memories in this folder count as this project's. @throws SvcError unavailable */
export function acceptShared(root: string, home: string, how: 'made' | 'accepted', clock?: Clock): void {
  const { path, id } = treeOf(root);
  if (!rememberStore(home, { path, id, how, what: 'shared memories' }, clock)) throw homeless(home);
}

/** The stores of memories that are known, without code graphs. */
export function acceptedStores(home: string): KnownStore[] {
  return knownStores(home).filter(({ what }) => what !== 'code graph');
}

/** @throws SvcError not_found when it is not known */
export function revokeStore(path: string, home: string): void {
  if (forgetStore(home, realOf(path))) return;
  throw notFound(`${quoted(path)} is not a known store`, '"svc-memory trust --list" shows those that are');
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It may be known and gone.
    return path;
  }
}

const homeless = (home: string): Error =>
  unavailable(
    `${shownPath(home)} cannot be written, but the list of accepted stores is kept there`,
    'Give this user the right to write there, or set SVC_MEMORY_DB to the store',
  );
