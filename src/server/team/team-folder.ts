/** The folder of a team's server: a database for each project, the tokens, and the log of who wrote what. */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type StorePlace, urlOf } from '../../store-place/store-place';
import { conflict, notFound, wrongUsage } from '../base/errors';
import { quoted, shownPath } from '../base/text';

/** It is part of an address and of a path. */
const PROJECT_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const PRIVATE_FOLDER = 0o700;

/** What a server serves, and nothing else on its machine. */
export class TeamFolder {
  constructor(readonly path: string) {}

  get tokensFile(): string {
    return join(this.path, 'tokens.json');
  }

  get auditFile(): string {
    return join(this.path, 'audit.jsonl');
  }

  /** @throws SvcError not_found for a folder that holds no project */
  requireProjects(): readonly string[] {
    const names = this.projects();
    if (names.length > 0) return names;
    throw notFound(
      `${shownPath(this.path)} holds no project`,
      `Make one: svc-memory admin add-project ${shownPath(this.path)} <name>`,
    );
  }

  /** By name. */
  projects(): readonly string[] {
    const folder = this.projectsFolder;
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => PROJECT_NAME.test(name) && statSync(join(folder, name)).isDirectory())
      .sort();
  }

  has(project: string): boolean {
    return PROJECT_NAME.test(project) && existsSync(join(this.projectsFolder, project));
  }

  /** @throws SvcError invalid_input for what is no name of a project, conflict for one that is there */
  makeProject(project: string): StorePlace {
    checkProjectName(project);
    if (this.has(project)) throw conflict(`There is a project ${quoted(project)} already`, 'Give another name');
    mkdirSync(this.path, { recursive: true, mode: PRIVATE_FOLDER });
    mkdirSync(join(this.projectsFolder, project), { recursive: true, mode: PRIVATE_FOLDER });
    return this.placeOf(project);
  }

  /** Whoever runs the server names the folder, so the store needs no other sign of whose it is. Code is not here. */
  placeOf(project: string): StorePlace {
    const file = join(this.projectsFolder, project, 'memory.db');
    return { url: urlOf(file), kind: 'named', root: undefined, reason: `the project ${quoted(project)} of the server` };
  }

  private get projectsFolder(): string {
    return join(this.path, 'projects');
  }
}

/** @throws SvcError invalid_input */
export function checkProjectName(project: string): string {
  if (PROJECT_NAME.test(project)) return project;
  throw wrongUsage(
    `${quoted(project)} is no name for a project`,
    'Use up to 63 small letters, digits and "-", beginning with a letter or a digit',
  );
}
