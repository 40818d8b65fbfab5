/** The option by which a person insists on storing what looks like a secret. */
import type { Command } from 'commander';
import type { Cli } from './cli';
import { askingPerson } from './person';

const INSISTING = {
  act: 'store what looks like a secret',
  forUser: 'Store where the secret is kept, and leave its value out',
  withoutTerminal: 'Run the command in a terminal, or leave --allow-secret out and store where the secret is kept',
};

export function addAllowSecret(command: Command): Command {
  return command.option('--allow-secret', 'store what looks like a secret all the same (only people can)');
}

/** @throws SvcError unavailable where the option was given, and nobody is at a terminal */
export function allowsSecret(cli: Cli, options: Readonly<Record<string, unknown>>): boolean {
  if (options.allowSecret !== true) return false;
  askingPerson(cli, INSISTING);
  return true;
}
