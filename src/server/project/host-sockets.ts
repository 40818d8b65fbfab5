/** The sockets at which MCP servers offer the model of their client. */
import { createHash } from 'node:crypto';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_FOLDER } from '../../store-place/locate';
import { makeFolders } from '../base/make-folders';

/**
 * The sockets at which MCP servers of a project offer the model of their client to `svc ingest`. Each server has a
 * socket of its own, named after the project, in a folder that only its user may enter. The name of the socket is the
 * only announcement.
 */

const FOLDER = 'run';
const PIPES = '\\\\.\\pipe\\';
/** The longest path that every system takes for a socket, in bytes. */
const MAX_PATH = 100;

/** The socket of a server that starts now. @returns undefined where its path would be too long for a socket */
export async function newHostSocket(home: string, root: string, pid: number): Promise<string | undefined> {
  const name = `${prefixOf(root)}${pid}`;
  if (process.platform === 'win32') return `${PIPES}${name}`;
  const folder = join(home, STORE_FOLDER, FOLDER);
  const path = join(folder, `${name}.sock`);
  if (Buffer.byteLength(path) > MAX_PATH) return undefined;
  makeFolders(folder, 0o700);
  return path;
}

/** The sockets that were announced for this project, newest first. Some may no longer answer. */
export function announcedHosts(home: string, root: string): readonly string[] {
  const folder = process.platform === 'win32' ? PIPES : join(home, STORE_FOLDER, FOLDER);
  const prefix = prefixOf(root);
  let names: string[];
  try {
    // A folder that others may write to says nothing that can be trusted.
    if (process.platform !== 'win32' && (statSync(folder).mode & 0o022) !== 0) return [];
    names = readdirSync(folder).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
  const paths = names.map((name) => (process.platform === 'win32' ? `${PIPES}${name}` : join(folder, name)));
  return paths.sort((a, b) => madeAt(b) - madeAt(a));
}

function prefixOf(root: string): string {
  return `svc-${createHash('sha256').update(real(root)).digest('hex').slice(0, 12)}-`;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function madeAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
