/** Reads the environment of the extension's process. */
import { homedir, userInfo } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';

/** The only file of the extension that reads what its process was given. */

/** Where commands are looked for. */
export function searchPath(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** A HOME that is empty, or relative, is no home directory. */
export function homeFolder(): string {
  const named = homedir();
  return isAbsolute(named) ? named : userInfo().homedir;
}

/** Whether a variable has a value; what it is concerns only the programs that we start. */
export function isSet(variable: string): boolean {
  return (process.env[variable] ?? '') !== '';
}

/** The host that a base URL leads to, without the password that may stand in it; `otherwise` where none is set. */
export function hostIn(variable: string, otherwise: string): string {
  const url = process.env[variable] ?? '';
  return url === '' ? otherwise : URL.canParse(url) ? new URL(url).host : '?';
}

/** For programs that we start: they look for git, and for the keys of providers, where a terminal would. */
export function programEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
