/** The command lines `svc-memory serve` and `svc-memory admin`: a bundle of their own, which the other commands do not load. */
import type { Command } from 'commander';
import type { TeamProgram } from '../team/team-program';
import type { Cli, ExitStatus } from './cli';
import { adminCommand } from './commands/admin';
import { serveCommand } from './commands/serve';
import { newProgram, own } from './new-program';
import { PROGRAM } from './program-name';

/** As in the whole command line, which has its help. */
export function buildTeamProgram(
  cli: Cli,
  finish: (status: ExitStatus) => void,
  print: (text: string) => void,
  team: TeamProgram,
): Command {
  const program = newProgram(cli, PROGRAM, '', print);
  for (const make of [serveCommand, adminCommand]) program.addCommand(own(program, make(cli, finish, team)));
  return program;
}
