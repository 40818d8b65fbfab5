/** The folder of a team's server: a database for each project, the tokens, and the log of who wrote what. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type StorePlace, urlOf } from '../../store-place/store-place';
import { conflict, notFound, wrongUsage } from '../base/errors';
import { quoted, shownPath } from '../base/text';
import type { Engine } from '../engine/address';

/** It is part of an address and of a path. */
const PROJECT_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/** In the folder of a project: the name of its database in an engine. */
const DATABASE_NAME = 'engine-database';

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
  requireFree(project: string): void {
    checkProjectName(project);
    if (this.has(project)) throw conflict(`There is a project ${quoted(project)} already`, 'Give another name');
  }

  /** @throws SvcError as `requireFree` */
  makeProject(project: string): StorePlace {
    this.requireFree(project);
    mkdirSync(this.path, { recursive: true, mode: PRIVATE_FOLDER });
    mkdirSync(join(this.projectsFolder, project), { recursive: true, mode: PRIVATE_FOLDER });
    return this.placeOf(project);
  }

  /** The operator of the server names the folder, so the store needs no other sign of whose it is. Code is not here. */
  placeOf(project: string): StorePlace {
    const file = join(this.projectsFolder, project, 'memory.db');
    return { url: urlOf(file), kind: 'named', root: undefined, reason: `the project ${quoted(project)} of the server` };
  }

  /** What the database of a project in an engine is called. @throws SvcError invalid_input where it is no name */
  databaseOf(project: string): string {
    if (!this.isInEngine(project)) throw notInEngine(project);
    return checkProjectName(readFileSync(this.databaseNameFile(project), 'utf8').trim());
  }

  isInEngine(project: string): boolean {
    return existsSync(this.databaseNameFile(project));
  }

  /** From the next start of a server on. */
  useDatabase(project: string, name: string): void {
    const file = this.databaseNameFile(project);
    writeFileSync(`${file}.new`, `${name}\n`, { mode: PRIVATE_FILE });
    renameSync(`${file}.new`, file);
  }

  placeIn({ shown }: Engine, project: string): StorePlace {
    const url = `${shown}/${this.databaseOf(project)}`;
    return { url, kind: 'named', root: undefined, reason: `the project ${quoted(project)} of the server` };
  }

  /** @throws SvcError invalid_input for a project that is not there */
  requireProject(project: string): void {
    if (this.has(checkProjectName(project))) return;
    throw wrongUsage(
      `There is no project ${quoted(project)}`,
      `The projects are ${this.projects().join(', ') || 'none yet: make one with "svc-memory admin add-project"'}`,
    );
  }

  private databaseNameFile(project: string): string {
    return join(this.projectsFolder, project, DATABASE_NAME);
  }

  private get projectsFolder(): string {
    return join(this.path, 'projects');
  }
}

/** @throws SvcError invalid_input */
function checkProjectName(project: string): string {
  if (PROJECT_NAME.test(project)) return project;
  throw wrongUsage(
    `${quoted(project)} is no name for a project`,
    'Use up to 63 small letters, digits and "-", beginning with a letter or a digit',
  );
}

function notInEngine(project: string): Error {
  return notFound(
    `The project ${quoted(project)} is in a file, and not in the engine that SVC_MEMORY_DB names`,
    'Serve its folder without SVC_MEMORY_DB, or make a project with another name in the engine',
  );
}

/** For whoever runs the server: the databases are elsewhere. */
export function engineNotNamed(project: string): Error {
  return notFound(
    `The project ${quoted(project)} is in an engine, and SVC_MEMORY_DB names none`,
    'Set it to the address of the engine, such as http://127.0.0.1:8080 or libsql://engine.example',
  );
}
