/** `svc-memory init`. */
import { Command } from 'commander';
import { fileOf, isNamedByVariable, type StorePlace } from '../../../store-place/store-place';
import type { Registration } from '../../agents/register-servers';
import { quoted } from '../../base/text';
import { saysYes } from '../ask';
import type { Cli, ExitStatus } from '../cli';
import { addGlobalOptions } from '../tool-command';

const ABOUT = `Make the store of this project: .svc/memory.db, and a .svc/.gitignore that keeps it out of version control.

Where: the file that SVC_MEMORY_DB names, when it is set. Otherwise the root of the git repository that the current folder lies in, or the current folder itself when it already has a .svc or lies in no repository. A store that is already there is left as it is.`;

export function initCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  const command = new Command('init')
    .summary('Make the store of this project')
    .description(ABOUT)
    .option('--register', 'add the servers of this package to .mcp.json, too')
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', '\nExamples:\n  svc-memory init\n  svc-memory init --register\n');
  return addGlobalOptions(command).action(async ({ register, json }: { register?: true; json?: true }) => {
    const { initStore } = await import('../../project/init-store');
    const { place, created } = await initStore(cli.around, cli);
    if (!json)
      await cli.output.text(`${created ? 'Created the store' : 'The store is already there:'} ${fileOf(place)}`);
    const registered = register ? await registration(cli, place) : undefined;
    if (registered && !json) await tellRegistered(cli, registered);
    if (registered) adviseOn(cli, place, registered.servers);
    if (!json && !register) await offerSetup(cli);
    if (json) await cli.output.json({ path: fileOf(place), created, registered: registered ?? null });
    finish(0);
  });
}

/** What a store is for: that the agents which are here use it. */
async function offerSetup(cli: Cli): Promise<void> {
  const { agentsToSetUp, setUp } = await import('./setup');
  const agents = await agentsToSetUp(cli);
  if (agents.length === 0) return;
  const found = agents.join(', ');
  if (!cli.ask) cli.output.note(`Found here: ${found}. "svc-memory setup" tells them of the memory.`);
  else if (await saysYes(cli.ask, `Tell the agents that are here of it (${found})? [y/N] `)) await setUp(cli, [], {});
}

interface Registered {
  /** Of `.mcp.json`. */
  readonly path: string;
  readonly servers: readonly Registration[];
}

async function registration(cli: Cli, place: StorePlace): Promise<Registered> {
  const { clientRoot } = await import('../../agents/client-config');
  const { registerServers } = await import('../../agents/register-servers');
  return registerServers({ ...cli, root: clientRoot(place.root, cli.around.cwd) });
}

async function tellRegistered(cli: Cli, { path, servers }: Registered): Promise<void> {
  for (const { server, command, outcome } of servers) {
    const name = quoted(server);
    if (outcome === 'written') await cli.output.text(`Registered ${name} in ${path}`);
    if (outcome === 'kept') await cli.output.text(`${name} is already registered in ${path}`);
    if (outcome === 'missing') {
      await cli.output.text(`${name} is not registered: this version has no program ${command}`);
    }
  }
}

function adviseOn(cli: Cli, place: StorePlace, servers: readonly Registration[]): void {
  if (servers.some(({ outcome }) => outcome === 'written')) {
    cli.output.note('Reload the editor; the servers appear by themselves.');
  }
  if (isNamedByVariable(place)) {
    cli.output.note(
      'This store was named by SVC_MEMORY_DB: set it for the editor, too, or its servers use another one.',
    );
  }
  if (/[\\/]_npx[\\/]/.test(cli.programs)) {
    cli.output.note(
      'The programs lie in the cache of npx, which is emptied now and then: npm install --global svc-memory',
    );
  }
}
