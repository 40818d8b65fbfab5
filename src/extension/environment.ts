import { homedir } from 'node:os';
import { delimiter } from 'node:path';

/** The only file of the extension that reads what its process was given. */

/** Where commands are looked for. */
export function searchPath(): string[] {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}

export function homeFolder(): string {
  return homedir();
}

/** Whether a variable has a value; what it is concerns only the programs that we start. */
export function isSet(variable: string): boolean {
  return (process.env[variable] ?? '') !== '';
}

/** For programs that we start: they look for git, and for the keys of providers, where a terminal would. */
export function programEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
