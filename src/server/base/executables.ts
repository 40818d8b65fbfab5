/** Finds the programs that a command stands for. */
import { accessSync, constants, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/**
 * The folders of PATH as an editor will have them: npm and npx put their own in front while they run, and the extension
 * puts one of its own behind those of the integrated terminal.
 */
export function lastingFolders(searchPath: readonly string[]): string[] {
  return searchPath.filter(
    (folder) =>
      !(basename(folder) === '.bin' && basename(dirname(folder)) === 'node_modules') &&
      basename(folder) !== TERMINAL_FOLDER,
  );
}

/** As scripts/terminal-commands.mjs makes it. */
const TERMINAL_FOLDER = 'terminal-bin';

/**
 * The executable file that a command stands for, as a shell in `folder` would find it.
 * @returns undefined when the command is not found
 */
export function resolveCommand(command: string, folder: string, searchPath: readonly string[]): string | undefined {
  const candidates =
    isAbsolute(command) || /[\\/]/.test(command)
      ? [resolve(folder, command)]
      : searchPath.filter((one) => one !== '').map((one) => join(one, command));
  return candidates.flatMap(withExtensions).find(isExecutable);
}

function withExtensions(path: string): string[] {
  return process.platform === 'win32' ? [path, `${path}.cmd`, `${path}.exe`, `${path}.bat`] : [path];
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
