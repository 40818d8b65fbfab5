/** The folders that one client works in, and which of them a call is about. */
import { isAbsolute } from 'node:path';
import { invalidInput } from '../base/errors';
import { isInside } from '../base/paths';
import { quoted } from '../base/text';
import type { Project } from '../project/open';
import type { Effect } from '../tools/define-tool';
import type { LazyProject } from './lazy-project';

/** A folder of the client, with how its project is opened. */
export interface ServedFolder {
  /** Tells it from the others; '' where there is only one. */
  readonly name: string;
  readonly path: string;
  /** @param client the name that the client gave itself */
  readonly openProject: (roots: readonly string[], client: () => string) => Promise<Project>;
  /** What is read while the store is not there yet; undefined when it is. */
  readonly openStandIn?: (() => Promise<Project | undefined>) | undefined;
  readonly close?: (() => Promise<void>) | undefined;
}

/** The parameter that every tool has where there are several folders. */
export const FOLDER = 'folder';

/** A call without the word that says which folder it is about. */
export interface Addressed<Input> {
  readonly folder: string | undefined;
  readonly input: Input;
}

/** The projects of the folders, each opened when it is first needed. */
export class Folders {
  /** What calls may name; empty where there is only one folder. */
  readonly names: readonly string[];
  private readonly projects: ReadonlyMap<string, LazyProject>;

  /** @param open opens the project of a folder for this client */
  constructor(
    private readonly folders: readonly ServedFolder[],
    open: (folder: ServedFolder) => LazyProject,
  ) {
    this.names = folders.length > 1 ? folders.map(({ name }) => name) : [];
    this.projects = new Map(folders.map((folder) => [folder.name, open(folder)]));
  }

  /** @param folder the first one where it is undefined */
  async open(effect: Effect, folder?: string): Promise<Project> {
    const project = this.projects.get(folder ?? this.folders[0]?.name ?? '');
    if (!project) throw this.unknown(folder);
    return project.open(effect);
  }

  /**
   * Takes the folder out of the arguments of a call. Without one, an absolute path says which is meant.
   * @throws SvcError invalid_input for a folder that is not served
   */
  addressed<Input>(input: Input): Addressed<Input> {
    if (this.names.length === 0 || typeof input !== 'object' || input === null) return { folder: undefined, input };
    const { [FOLDER]: named, ...rest } = input as Record<string, unknown>;
    if (named !== undefined && named !== null && !this.names.some((name) => name === named)) throw this.unknown(named);
    return { folder: typeof named === 'string' ? named : this.folderOf(rest.file_path), input: rest as Input };
  }

  /** Opens the first one ahead of need. */
  prepare(): void {
    this.projects.values().next().value?.prepare();
  }

  async close(): Promise<void> {
    await Promise.all([...this.projects.values()].map((project) => project.close()));
    await Promise.all(this.folders.map(({ close }) => close?.()));
  }

  private folderOf(path: unknown): string | undefined {
    if (typeof path !== 'string' || !isAbsolute(path)) return undefined;
    return this.folders.find((folder) => isInside(folder.path, path))?.name;
  }

  private unknown(named: unknown) {
    const names = this.names.map(quoted).join(', ');
    return invalidInput(`"${FOLDER}" is ${quoted(String(named))}, which is no folder here`, `The folders are ${names}`);
  }
}
