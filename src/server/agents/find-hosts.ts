/** Tells which hosts of agents this machine and this project have. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { lastingFolders, resolveCommand } from '../base/executables';
import type { Host } from './hosts';

export interface Machine {
  readonly root: string;
  readonly home: string;
  readonly searchPath: readonly string[];
}

/** By what a host is known to be here, in words; undefined where nothing tells of it. */
export function signOf({ signs }: Host, { root, home, searchPath }: Machine): string | undefined {
  const lasting = lastingFolders(searchPath);
  const command = signs.commands.find((name) => resolveCommand(name, root, lasting) !== undefined);
  if (command !== undefined) return `${command} is on the PATH`;
  const own = signs.project.find((name) => root !== home && existsSync(join(root, name)));
  if (own !== undefined) return `${own} is in the project`;
  const users = signs.home.find((name) => existsSync(join(home, name)));
  return users === undefined ? undefined : `~/${users} is there`;
}

/** The folders of VS Code's extensions, which a window on another machine keeps there. */
const EXTENSIONS = ['.vscode', '.vscode-insiders', '.vscode-server', '.vscode-server-insiders', '.vscode-oss'];

/** Whether the extension is installed for this user: it tells VS Code of the servers by itself. */
export function hasExtension(home: string): boolean {
  return EXTENSIONS.some((folder) => {
    try {
      return readdirSync(join(home, folder, 'extensions')).some((name) => name.startsWith('svc.svc-memory-'));
    } catch {
      return false;
    }
  });
}
