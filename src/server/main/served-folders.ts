/** The folders that a server's process serves, as its environment says it. */
import { isAbsolute } from 'node:path';
import type { Surroundings } from '../../store-place/locate';
import type { Log } from '../base/log';
import { cut, oneLine } from '../base/text';
import { processSurroundings, type Variables, variable } from './process';

/** A folder, and the environment that a server of its own would have. */
export interface FolderProcess {
  /** '' for the one folder of a process that was told of no others. */
  readonly name: string;
  readonly around: Surroundings;
  readonly variables: Variables;
}

/** An editor has as many folders as fit into its window; more were written by something else. */
const MAX_FOLDERS = 50;
const MAX_NAME = 60;

/**
 * The folders that SVC_FOLDERS lists, for a window with several of them; else the working folder alone.
 * @param log is told of a list that cannot be read
 */
export function servedFolders(log: Log): readonly [FolderProcess, ...FolderProcess[]] {
  const listed = variable('SVC_FOLDERS');
  if (listed !== undefined) {
    const folders = readFolders(listed);
    if (folders) return folders;
    log('SVC_FOLDERS cannot be read: the working folder is served alone');
  }
  return [{ name: '', around: processSurroundings(), variables: variable }];
}

/** `[{ name, path, environment }]`, as the extension writes it. */
function readFolders(text: string): readonly [FolderProcess, ...FolderProcess[]] | undefined {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(list) || list.length > MAX_FOLDERS) return undefined;
  const [first, ...others] = list.flatMap((each: unknown) => folderOf(each) ?? []);
  const names = new Set([first, ...others].map((folder) => folder?.name));
  return first && names.size === list.length ? [first, ...others] : undefined;
}

function folderOf(value: unknown): FolderProcess | undefined {
  if (!isObject(value)) return undefined;
  const { name, path, environment } = value;
  if (typeof name !== 'string' || typeof path !== 'string' || !isAbsolute(path) || !isObject(environment)) {
    return undefined;
  }
  const shown = cut(oneLine(name), MAX_NAME);
  const variables = (wanted: string): string | undefined => {
    const set = environment[wanted];
    return typeof set === 'string' && set.trim() !== '' ? set : undefined;
  };
  return shown === '' ? undefined : { name: shown, around: processSurroundings(path, variables), variables };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
