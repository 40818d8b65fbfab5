/** What whoever runs a server does: projects, tokens, schemas. */
import { randomBytes } from 'node:crypto';
import { unavailable, wrongUsage } from '../base/errors';
import { isBlank, oneLine, quoted } from '../base/text';
import type { Engine } from '../engine/address';
import { createDatabase, type EngineAdmin } from '../engine/admin-api';
import { openStore } from '../project/open-store';
import type { Owner } from '../project/store-access';

import { migrateOnEngine, renewOnEngine } from './engine-projects';
import { engineNotNamed, type TeamFolder } from './team-folder';
import { type KeptToken, type NewToken, Tokens } from './tokens';

/** Where databases are that are not in the folder, and how they are made there. */
export interface EngineAccess {
  readonly engine: Engine;
  readonly admin: EngineAdmin | undefined;
}

export async function addProject(
  folder: TeamFolder,
  name: string,
  owner: Owner,
  access: EngineAccess | undefined,
): Promise<void> {
  if (access) return addInEngine(folder, name, access);
  const place = folder.makeProject(name);
  await (await openStore(place, owner)).close();
}

async function addInEngine(folder: TeamFolder, name: string, { engine, admin }: EngineAccess): Promise<void> {
  folder.requireFree(name);
  await createDatabase(requireAdmin(admin), name);
  await migrateOnEngine(engine, requireAdmin(admin), name);
  folder.makeProject(name);
  folder.useDatabase(name, name);
}

function requireAdmin(admin: EngineAdmin | undefined): EngineAdmin {
  if (admin) return admin;
  throw unavailable(
    'Databases of an engine are made over its address for administrators, and SVC_MEMORY_DB_ADMIN is not set',
    'Set it to what --admin-listen-addr of the engine says, such as http://127.0.0.1:8081',
  );
}

/**
 * Brings the stores of all projects to the schema of this program, each after a copy of it was made beside it.
 * @returns their names
 */
export async function migrateProjects(
  folder: TeamFolder,
  owner: Owner,
  access: EngineAccess | undefined,
): Promise<readonly string[]> {
  const names = folder.requireProjects();
  for (const name of names) {
    if (access) await migrateOnEngine(access.engine, requireAdmin(access.admin), folder.databaseOf(name));
    else await (await openStore(folder.placeOf(name), owner)).close();
  }
  return names;
}

/**
 * Takes what was purged out of the logs of a project's database, by putting a new one in its place.
 * @throws SvcError invalid_input for no project, and where its store is a file: a purge leaves nothing there
 */
export async function eraseProject(
  folder: TeamFolder,
  project: string,
  access: EngineAccess | undefined,
): Promise<void> {
  folder.requireProject(project);
  if (!access && folder.isInEngine(project)) throw engineNotNamed(project);
  if (!access) {
    throw wrongUsage(
      `The store of ${quoted(project)} is a file, in which a purge leaves nothing`,
      'Nothing was changed. This is for projects in an engine, which SVC_MEMORY_DB names',
    );
  }
  const name = folder.databaseOf(project);
  const renewed = `${project.slice(0, 50)}-${randomBytes(4).toString('hex')}`;
  await renewOnEngine(access.engine, requireAdmin(access.admin), {
    ...{ name, renewed },
    switchTo: () => folder.useDatabase(project, renewed),
  });
}

const MAX_PERSON = 60;
const MAX_DAYS = 366;

/** @throws SvcError invalid_input for what is no name of a person, no project of this server or no number of days */
export function addToken(
  folder: TeamFolder,
  { person, roles, days }: NewToken,
  now: number,
): { readonly token: string; readonly kept: KeptToken } {
  if (isBlank(person) || oneLine(person) !== person || person.length > MAX_PERSON || person.includes('·')) {
    throw wrongUsage(
      `${quoted(person)} is no name for a person`,
      `Use up to ${MAX_PERSON} characters in one line, without "·"`,
    );
  }
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS) {
    throw wrongUsage(`A token is valid for 1 to ${MAX_DAYS} days`, 'Give another number with --days');
  }
  for (const project of Object.keys(roles)) folder.requireProject(project);
  return new Tokens(folder.tokensFile).add({ person, roles, days }, now);
}

/** Those that were handed out and not taken back. */
export function listTokens(folder: TeamFolder): readonly KeptToken[] {
  return new Tokens(folder.tokensFile).list();
}

/** @throws SvcError not_found */
export function revokeToken(folder: TeamFolder, id: string): KeptToken {
  return new Tokens(folder.tokensFile).revoke(id);
}
