/** `svc-memory trust`. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { locateStore } from '../../../store-place/locate';
import { fileOf } from '../../../store-place/store-place';
import { counted } from '../../base/counted';
import { notFound, unavailable } from '../../base/errors';
import { oneLine, shownPath } from '../../base/text';
import type { StoreAccount } from '../../project/trust-store';
import { saysYes } from '../ask';
import type { Cli, ExitStatus } from '../cli';
import { askingPerson, type PersonalAct, refuseAgents } from '../person';
import { sharedFiles } from '../with-project';

const ABOUT = `Accept a store, and shared memories in .svc/memories, that came with a folder. A store that this machine did not make may hold anything, and what it holds is told to agents. So it is read and marked as foreign, and nothing is written to it, until a person accepts it here.

Look at it first: "svc-memory nodes", "svc-memory timeline <topic>".`;

const HOW: Readonly<Record<string, string>> = { made: 'made here', adopted: 'made here', accepted: 'accepted' };

interface TrustOptions {
  readonly list?: true;
  readonly revoke?: string | true;
  readonly yes?: true;
}

export function trustCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  return new Command('trust')
    .summary('Accept a store that came with a folder')
    .description(ABOUT)
    .option('--list', 'show the stores that are known, and change nothing')
    .option('--revoke [path]', 'take back what was accepted: the store of this folder, or the one at this path')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExamples:\n  svc-memory trust\n  svc-memory trust --list\n  svc-memory trust --revoke\n')
    .action(async ({ list, revoke, yes }: TrustOptions) => {
      if (list) await listStores(cli);
      else if (revoke !== undefined)
        await revokeOne(cli, revoke === true ? fileOf(locateStore(cli.around)) : resolve(cli.around.cwd, revoke));
      else await accept(cli, yes === true);
      finish(0);
    });
}

async function accept(cli: Cli, yes: boolean): Promise<void> {
  const { accountOf, acceptShared, acceptStore } = await import('../../project/trust-store');
  const place = locateStore(cli.around);
  const { around, git, holder, log, tokenizer, foreignLimitMs, output } = cli;
  const unread = await sharedFiles(cli);
  if (unread > 0) {
    throw notFound(
      `This folder has ${counted(unread, 'shared memory')} in .svc/memories, and no store that reads them`,
      'Run "svc-memory init" first, then "svc-memory trust"',
    );
  }
  const account = await accountOf({ place, home: around.home, git, holder, log, tokenizer, foreignLimitMs });
  const { known, shared } = account;
  if (known && shared.known) {
    await output.text(`This store is yours already: ${shownPath(fileOf(place))}`);
    return;
  }
  await requirePerson(cli, account, yes);
  if (!known) {
    await acceptStore(place, { home: around.home, git });
    await output.text(`Accepted: ${shownPath(fileOf(place))}`);
  }
  if (!shared.known && place.root !== undefined) {
    acceptShared(place.root, around.home, 'accepted');
    await output.text(
      `Accepted: ${counted(shared.memories, 'shared memory')} of this folder, and those that come to it`,
    );
  }
  output.note('Agents read and write it now like any other. "svc-memory trust --revoke" takes that back.');
}

const ACCEPTING: PersonalAct = {
  act: 'accept a store',
  forUser: 'Ask your user to run "svc-memory trust" in a terminal of their own',
  withoutTerminal: 'Run the command in a terminal, or pass --yes after you have looked at the store',
};

/** A foreign store could tell the agent that reads it to accept the store. */
async function requirePerson(cli: Cli, account: StoreAccount, yes: boolean): Promise<void> {
  refuseAgents(cli, ACCEPTING);
  if (yes) return;
  const ask = askingPerson(cli, ACCEPTING);
  if (!(await saysYes(ask, `${describeStore(account)}\nAccept it? [y/N] `))) {
    throw unavailable('Nothing was accepted', 'The store is still read as foreign');
  }
}

function describeStore({ path, known, memories, writers, from, to, shared }: StoreAccount): string {
  const files = shared.known ? '' : `${counted(shared.memories, 'shared memory')} in .svc/memories`;
  if (known) return files;
  const when = from && to ? `, ${oneLine(from).slice(0, 10)} to ${oneLine(to).slice(0, 10)}` : '';
  const who = writers.length > 0 ? `\n  written by ${writers.map(oneLine).join(', ')}` : '';
  return `${shownPath(path)}\n  ${counted(memories, 'memory')}${when}${who}${files === '' ? '' : `\n${files}`}`;
}

async function listStores(cli: Cli): Promise<void> {
  const { acceptedStores } = await import('../../project/trust-store');
  const known = acceptedStores(cli.around.home);
  const lines = known.map(({ path, how, since }) => {
    return `${oneLine(since).slice(0, 10)}  ${(HOW[how] ?? 'accepted').padEnd(9)}  ${shownPath(path)}`;
  });
  await cli.output.text(lines.join('\n') || 'No store is known yet.');
}

async function revokeOne(cli: Cli, path: string): Promise<void> {
  const { revokeStore } = await import('../../project/trust-store');
  revokeStore(path, cli.around.home);
  await cli.output.text(`No longer known: ${shownPath(path)}`);
  cli.output.note('It is read as foreign from now on, and nothing is written to it.');
}
