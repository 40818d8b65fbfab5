/** `svc-memory admin`: for whoever runs a server. */
import { Command } from 'commander';
import { wrongUsage } from '../../base/errors';
import { oneLine, quoted, shownPath } from '../../base/text';
import type { Role } from '../../team/roles';
import type { TeamProgram } from '../../team/team-program';
import type { KeptToken } from '../../team/tokens';
import type { Cli, ExitStatus } from '../cli';
import { requireTeam } from './serve';

const ABOUT =
  'Run the server of a team: make projects, hand out tokens and take them back, and bring its databases up to date.';

const DAYS = '90';

interface TokenOptions {
  readonly person?: string;
  readonly role?: readonly string[];
  readonly days: string;
  readonly list?: true;
  readonly revoke?: string;
  readonly json?: true;
}

/** @param team undefined in the command line that only lists it */
export function adminCommand(cli: Cli, finish: (status: ExitStatus) => void, team?: TeamProgram): Command {
  const command = new Command('admin').summary('Run the server of a team').description(ABOUT);
  command
    .command('add-project')
    .description('Make a project: a database of its own, with an address of its own.')
    .argument('<folder>', 'of the server; it is made when it is not there')
    .argument('<name>', 'small letters, digits and "-"')
    .action(async (folder: string, name: string) => {
      await requireTeam(team).addProject(folder, name);
      await cli.output.text(
        `Made the project ${name}. Hand out a token: svc-memory admin token ${shownPath(folder)} --person <name> --role ${name}=writer`,
      );
      finish(0);
    });
  command
    .command('token')
    .description(
      'Hand out a token, list those that are valid, or take one back. A token is printed once and kept nowhere: only its hash is.',
    )
    .argument('<folder>', 'of the server')
    .option('--person <name>', 'whose it is: what comes with it is hers')
    .option('--role <project=role...>', 'reader, writer or maintainer of a project; of several, give several')
    .option('--days <number>', 'how long it is valid', DAYS)
    .option('--list', 'show the tokens, and hand out none')
    .option('--revoke <id>', 'take one back; it lets nobody in from now on')
    .option('--json', 'print the answer as JSON')
    .action(async (folder: string, options: TokenOptions) => {
      await token(cli, requireTeam(team), folder, options);
      finish(0);
    });
  command
    .command('migrate')
    .description(
      'Bring the databases of all projects to the schema of this program, after a copy of each (in an engine, a database beside it). Stop the servers first: a server never does it by itself.',
    )
    .argument('<folder>', 'of the server')
    .action(async (folder: string) => {
      const names = await requireTeam(team).migrate(folder);
      await cli.output.text(`Up to date: ${names.join(', ')}`);
      finish(0);
    });
  command
    .command('erase')
    .description(
      'Take what was purged out of the logs of a project in an engine: all of it is copied into a new database, and the old one is deleted. Nobody can write meanwhile. In a file a purge leaves nothing.',
    )
    .argument('<folder>', 'of the server')
    .argument('<name>', 'of the project')
    .action(async (folder: string, name: string) => {
      await requireTeam(team).erase(folder, name);
      await cli.output.text(
        `Erased what was purged from ${name}. Copies that you have made of the engine still hold it.`,
      );
      finish(0);
    });
  return command;
}

async function token({ output }: Cli, team: TeamProgram, folder: string, options: TokenOptions): Promise<void> {
  const { person, role = [], days, list, revoke, json } = options;
  if (list) {
    const tokens = team.listTokens(folder).map(({ hash: _, ...shown }) => shown);
    if (json) await output.json(tokens);
    else await output.text(tokens.length === 0 ? 'There are no tokens yet.' : tokens.map(lineOf).join('\n'));
  } else if (revoke !== undefined) {
    const { id, person: whose } = team.revokeToken(folder, revoke);
    await output.text(`Took back the token ${id} of ${oneLine(whose)}`);
  } else {
    if (person === undefined || role.length === 0) {
      throw wrongUsage(
        'Whose the token is, or what it is for, is missing',
        'Give --person and --role, or --list, or --revoke',
      );
    }
    const made = team.addToken(folder, { person, roles: rolesIn(role), days: Number(days) });
    if (json) await output.json({ token: made.token, id: made.kept.id, expires: made.kept.expires });
    else {
      await output.text(made.token);
      output.note(
        `The token of ${oneLine(person)}, valid until ${made.kept.expires.slice(0, 10)}. It is not shown again.`,
      );
    }
  }
}

function lineOf({ id, person, roles, expires }: Omit<KeptToken, 'hash'>): string {
  const shown = Object.entries(roles).map(([project, role]) => `${project}=${role}`);
  return `${id}  ${oneLine(person)}  ${shown.join(' ')}  until ${expires.slice(0, 10)}`;
}

/** @throws SvcError invalid_input */
function rolesIn(given: readonly string[]): Record<string, Role> {
  return Object.fromEntries(
    given.map((text) => {
      const [, project, role] = /^([^=]+)=(reader|writer|maintainer)$/.exec(text) ?? [];
      if (project !== undefined && role !== undefined) return [project, role as Role];
      throw wrongUsage(`--role is ${quoted(text)}`, 'Give <project>=reader, <project>=writer or <project>=maintainer');
    }),
  );
}
