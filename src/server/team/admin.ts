/** What whoever runs a server does: projects, tokens, schemas. */
import { fileOf } from '../../store-place/store-place';
import { wrongUsage } from '../base/errors';
import { isBlank, oneLine, quoted } from '../base/text';
import { openStore } from '../project/open-store';
import type { Owner } from '../project/store-access';

import { checkProjectName, type TeamFolder } from './team-folder';
import { type KeptToken, type NewToken, Tokens } from './tokens';

/** @returns the file of its store */
export async function addProject(folder: TeamFolder, name: string, owner: Owner): Promise<string> {
  const place = folder.makeProject(name);
  await (await openStore(place, owner)).close();
  return fileOf(place);
}

/**
 * Brings the stores of all projects to the schema of this program, each after a copy of it was made beside it.
 * @returns their names
 */
export async function migrateProjects(folder: TeamFolder, owner: Owner): Promise<readonly string[]> {
  const names = folder.requireProjects();
  for (const name of names) await (await openStore(folder.placeOf(name), owner)).close();
  return names;
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
  for (const project of Object.keys(roles)) {
    if (folder.has(checkProjectName(project))) continue;
    throw wrongUsage(
      `There is no project ${quoted(project)}`,
      `The projects are ${folder.projects().join(', ') || 'none yet: make one with "svc-memory admin add-project"'}`,
    );
  }
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
