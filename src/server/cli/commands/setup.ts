/** `svc-memory setup`: docs/behaviour.md, "Setting up agents". */
import { Argument, Command, Option } from 'commander';
import { locateStore } from '../../../store-place/locate';
import { HOST_NAMES, SETUP_IDS } from '../../agents/host-names';
import type { SetupAction, SetupPlace, SetupPlan } from '../../agents/setup';
import { SvcError } from '../../base/errors';
import { oneLine } from '../../base/text';
import { saysYes } from '../ask';
import type { Cli, ExitStatus } from '../cli';

const ABOUT = `Tell the agents of this machine and project of the memory: servers, hooks and, for those that need it, the block in AGENTS.md. Without names it is done for the agents that are found here. What would be written is shown first, and each agent is asked for.

Files of the project hold bare commands, so that they can be committed. Where svc-memory is not on the PATH, files in the home directory are written instead.

Names: ${Object.entries(HOST_NAMES)
  .map(([id, name]) => `${id} (${name})`)
  .join(', ')}, agents-md (the block in AGENTS.md), all.`;

const ALL = 'all';
const WRONG_USAGE = 2;

interface Options {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly remove?: true;
  readonly json?: true;
  readonly extension?: true;
}

export function setupCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  return new Command('setup')
    .summary('Set up the agents that are here')
    .description(ABOUT)
    .addArgument(new Argument('[agents...]', 'which agents').choices([...SETUP_IDS, ALL]))
    .option('--dry-run', 'only show what would be written')
    .option('--yes', 'write it without asking')
    .option('--remove', 'take out what setup has written, and leave the files as they were')
    .option('--json', 'print the answer as JSON')
    .addOption(new Option('--extension', 'the extension tells VS Code of the servers').hideHelp())
    .addHelpText(
      'after',
      '\nExamples:\n  svc-memory setup\n  svc-memory setup claude codex --dry-run\n  svc-memory setup --yes\n  svc-memory setup --remove\n',
    )
    .action(async (named: string[], options: Options) => {
      finish(await setUp(cli, named, options));
    });
}

/** What became of the plan for an agent. */
type Outcome = 'planned' | 'written' | 'declined' | 'nothing to do' | 'failed';

/** Plans, shows, asks and writes, one agent after the other: what the next one needs may be there by then. */
export async function setUp(cli: Cli, named: readonly string[], options: Options): Promise<ExitStatus> {
  const { foundAgents, planSetup } = await import('../../agents/setup');
  const place = await placeOf(cli, options.extension === true);
  const action: SetupAction = options.remove ? 'remove' : 'write';
  const found = foundAgents(place);
  const everywhere = named.includes(ALL) || (named.length === 0 && action === 'remove');
  const ids = SETUP_IDS.filter((id) => everywhere || named.includes(id) || (named.length === 0 && found.has(id)));
  if (ids.length === 0) return nobody(cli, options);
  const answers: object[] = [];
  let failed = false;
  let undecided = false;
  let changes = 0;
  for (const id of ids) {
    const plan = planSetup(place, id, action);
    const isQuiet = everywhere && plan.changes.length === 0 && plan.problem === undefined;
    if (!options.json && !isQuiet) await show(cli, plan, found.get(id));
    const outcome = await carryOut(cli, plan, action, options);
    changes += plan.changes.length;
    failed ||= outcome === 'failed';
    undecided ||= outcome === 'planned' && !options.dryRun;
    answers.push(answerOf(plan, found.get(id), outcome));
  }
  if (options.json) await cli.output.json({ agents: answers });
  else if (changes === 0 && !failed && everywhere) await cli.output.text('There is nothing to do.');
  else if (options.dryRun && changes > 0) await cli.output.text('Nothing was written: --dry-run only looks.');
  if (!undecided) return failed ? 1 : 0;
  cli.output.error('usage', 'there is no terminal to ask on. Nothing was written: add --yes to write all of this.');
  return WRONG_USAGE;
}

/** The agents that are found here and could be set up, in words. */
export async function agentsToSetUp(cli: Cli): Promise<string[]> {
  const { foundAgents, planSetup } = await import('../../agents/setup');
  const place = await placeOf(cli, false);
  const plans = [...foundAgents(place).keys()].map((id) => planSetup(place, id, 'write'));
  return plans.filter(({ changes }) => changes.length > 0).map(({ name }) => name);
}

async function placeOf({ around, programs, node, searchPath }: Cli, extension: boolean): Promise<SetupPlace> {
  const { clientRoot } = await import('../../agents/client-config');
  const root = clientRoot(locateStore(around).root, around.cwd);
  return { root, home: around.home, programs, node, searchPath, extension };
}

async function nobody({ output }: Cli, { json }: Options): Promise<ExitStatus> {
  if (json) await output.json({ agents: [] });
  else await output.text('No agent was found here. Name those that are to be set up: svc-memory setup claude');
  return 1;
}

async function carryOut(cli: Cli, plan: SetupPlan, action: SetupAction, options: Options): Promise<Outcome> {
  if (plan.problem) return failure(cli, plan, plan.problem);
  if (plan.changes.length === 0) return 'nothing to do';
  if (options.dryRun || !(options.yes || cli.ask)) return 'planned';
  const question = action === 'write' ? `Write this for ${plan.name}?` : `Take this out for ${plan.name}?`;
  if (!options.yes && cli.ask && !(await saysYes(cli.ask, `${question} [y/N] `))) return 'declined';
  try {
    plan.apply();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return failure(cli, plan, error);
  }
  for (const shown of options.json ? [] : new Set(plan.changes.map((change) => change.shown))) {
    await cli.output.text(`${action === 'write' ? 'Written:' : 'Removed from:'} ${shown}`);
  }
  return 'written';
}

function failure({ output }: Cli, { name }: SetupPlan, { code, said }: SvcError): 'failed' {
  output.error(code, `${name}: ${said}`);
  return 'failed';
}

async function show({ output }: Cli, { name, changes, notes, problem }: SetupPlan, sign?: string): Promise<void> {
  const lines = [`## ${name}${sign === undefined ? '' : ` (${sign})`}`];
  for (const { shown, part, lines: changed } of changes) {
    lines.push(`${shown}, ${PARTS[part]}:`, ...changed.map(({ sign: plus, line }) => `  ${plus} ${line}`));
  }
  lines.push(...notes.map(oneLine));
  if (changes.length === 0 && problem === undefined) lines.push('There is nothing to do.');
  await output.text(lines.join('\n'));
}

const PARTS: Readonly<Record<SetupPlan['changes'][number]['part'], string>> = {
  servers: 'the servers',
  hooks: 'the hooks',
  block: 'the block for agents',
};

function answerOf({ id, name, changes, notes, problem }: SetupPlan, sign: string | undefined, outcome: Outcome) {
  const files = changes.map(({ path, shown, part, lines }) => ({
    ...{ path, shown, part },
    lines: lines.map(({ sign: plus, line }) => `${plus} ${line}`),
  }));
  return { id, name, found: sign ?? null, outcome, files, notes, problem: problem?.said ?? null };
}
