/** `svc-memory login`. */
import { Command } from 'commander';
import { locateStore, storeAt } from '../../../store-place/locate';
import type { StorePlace } from '../../../store-place/store-place';
import { counted } from '../../base/counted';
import { notFound, unavailable } from '../../base/errors';
import { gitRoot } from '../../base/paths';
import type { namedTeam } from '../../project/team-memory';
import { saysYes } from '../ask';
import type { Cli, ExitStatus } from '../cli';
import { askingPerson, type PersonalAct, refuseAgents } from '../person';

const ABOUT = `Agree to ask the memory of a team that this project names, and see whether it lets you in. "team" in .svc/config.yaml holds its address, and may have come with the folder: so nothing is sent there until a person agrees, once for each address.

From then on each recall asks it, too: your question goes there, with your token. What you store stays here until you promote it. The token is that of SVC_MEMORY_TOKEN, or what the command in SVC_MEMORY_TOKEN_COMMAND prints; it is written nowhere.`;

const AGREEING: PersonalAct = {
  act: "agree to ask a team's memory",
  forUser: 'Ask your user to run "svc-memory login" in a terminal of their own',
  withoutTerminal: 'Run the command in a terminal, or pass --yes after you have looked at the address',
};

/** For the first copy of the team's memory, while a person waits. */
const COPY_LIMIT_MS = 20_000;

interface LoginOptions {
  readonly yes?: true;
  readonly forget?: true;
  readonly show?: true;
  readonly json?: true;
}

export function loginCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  return new Command('login')
    .summary("Agree to ask the memory of this project's team")
    .description(ABOUT)
    .option('--yes', 'do not ask')
    .option('--forget', 'no longer ask the team, and delete what is kept of it here')
    .option('--show', 'show the address, and whether it is asked; change nothing')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExamples:\n  svc-memory login\n  svc-memory login --forget\n')
    .action(async (options: LoginOptions) => {
      const { disagreeToTeam, namedTeam } = await import('../../project/team-memory');
      const { home } = cli.around;
      const place = locateStore(cli.around);
      const { address, agreed } = namedTeam(place, home);
      if (options.show && options.json) {
        await cli.output.json({ address: address ?? null, agreed });
      } else if (address === undefined || place.root === undefined) {
        refuseWithoutStore(cli, place, namedTeam);
        throw notFound(
          "This project names no team's memory",
          'Write "team: https://<server>/<project>" into .svc/config.yaml',
        );
      } else if (options.show) {
        await cli.output.text(`${address} is ${agreed ? '' : 'not '}asked.`);
      } else if (options.forget) {
        const waiting = await countWaiting(home, address);
        disagreeToTeam(place.root, home, address);
        await cli.output.text(`No longer asked: ${address}`);
        if (waiting > 0) cli.output.note(`Not sent, and not kept for it any more: ${counted(waiting, 'memory')}.`);
      } else {
        await logIn(cli, { root: place.root, address, agreed }, options);
      }
      finish(0);
    });
}

/** What a clone of a team's repository names counts once the folder has a store. @throws SvcError not_found */
function refuseWithoutStore({ around }: Cli, { kind }: StorePlace, named: typeof namedTeam): void {
  const folder = gitRoot(around.cwd) ?? around.cwd;
  const { address } = kind === 'home' ? named(storeAt(folder, around.home), around.home) : {};
  if (address === undefined) return;
  throw notFound(
    `This folder has no store yet, so it asks no team, although its .svc/config.yaml names ${address}`,
    'Make one with "svc-memory init", and log in then',
  );
}

async function countWaiting(home: string, address: string): Promise<number> {
  const { hasOutbox, Outbox } = await import('../../project/outbox');
  if (!hasOutbox(home, address)) return 0;
  const outbox = await Outbox.open(home, address).catch(() => undefined);
  try {
    return (await outbox?.list())?.length ?? 0;
  } finally {
    await outbox?.close();
  }
}

interface NamedTeam {
  readonly root: string;
  readonly address: string;
  readonly agreed: boolean;
}

async function logIn(cli: Cli, { root, address, agreed }: NamedTeam, { yes, json }: LoginOptions): Promise<void> {
  if (!agreed) {
    const { agreeToTeam } = await import('../../project/team-memory');
    await requireConsent(cli, address, yes === true);
    agreeToTeam(root, cli.around.home, address);
  }
  const { knownTeam } = await import('../../project/team-memory');
  const team = knownTeam(cli.connectTeam(address), cli.around.home, cli.log);
  try {
    const memories = memoriesIn(await team.call('memory_stats', {}));
    if (json) await cli.output.json({ address, memories });
    else await cli.output.text(`${address} answers: ${counted(memories, 'memory')}. Recalls ask it from now on.`);
    await team.copy.finish(COPY_LIMIT_MS);
  } finally {
    await team.close();
  }
}

async function requireConsent(cli: Cli, address: string, yes: boolean): Promise<void> {
  refuseAgents(cli, AGREEING);
  if (yes) return;
  const ask = askingPerson(cli, AGREEING);
  const question = `The .svc/config.yaml of this project names the memory of a team:\n  ${address}\nEach recall will send your question there, with your token. Ask it? [y/N] `;
  if (!(await saysYes(ask, question))) throw unavailable('Nothing was agreed to', 'The team is not asked');
}

function memoriesIn(value: unknown): number {
  const counts = typeof value === 'object' && value !== null && 'kind_counts' in value ? value.kind_counts : {};
  return Object.entries(counts ?? {}).reduce(
    (sum, [kind, count]) => (kind === 'entity' || kind === 'session' ? sum : sum + (Number(count) || 0)),
    0,
  );
}
