/** `svc-memory promote`. */
import { Command } from 'commander';
import { counted } from '../../base/counted';
import { notFound, type SvcError, unavailable, wrongUsage } from '../../base/errors';
import { shownId, shownMinute } from '../../base/shown';
import { cut, oneLine, quoted } from '../../base/text';
import type { NodeDetails } from '../../memory/people/node-details';
import type { Project } from '../../project/open';
import type { Outbox, Queued, SendingRun, Waiting } from '../../project/outbox';
import type { KnownTeam } from '../../project/team-memory';
import type { Sent } from '../../tools/promoting';
import { saysYes } from '../ask';
import type { Cli, ExitStatus, GlobalOptions } from '../cli';
import { askingPerson, type PersonalAct, refuseAgents } from '../person';
import { addGlobalOptions } from '../tool-command';
import { withProject } from '../with-project';

const ABOUT = `Copy memories into the memory of this project's team, for everybody in it. What is sent is shown first. The own ones stay as they are; a recall that finds both tells one of them.

What looks like a secret is refused. So is what is closed, and what waits in Review: keep it first.

While the team does not answer, they wait, and are sent in order by the next "promote", by "promote --send", or after the next answer of the team. What the team refuses then is listed by "promote --waiting" with the reason, and is not sent again by itself.`;

const PROMOTING: PersonalAct = {
  act: 'send memories to a team',
  forUser: 'Ask your user to run "svc-memory promote" in a terminal of their own',
  withoutTerminal: 'Run the command in a terminal, or pass --yes',
};
const MAX_SHOWN = 100;

interface PromoteOptions extends GlobalOptions {
  readonly yes?: true;
  readonly show?: true;
  readonly send?: true;
  readonly waiting?: true;
  readonly drop?: string;
  readonly json?: true;
}

export function promoteCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  const command = new Command('promote')
    .summary('Copy memories into the memory of your team')
    .description(ABOUT)
    .argument('[id...]', 'ids of memories')
    .option('--yes', 'do not ask')
    .option('--show', 'show what would be sent; send nothing')
    .option('--send', 'send what waits')
    .option('--waiting', 'list what waits or was refused; send nothing')
    .option('--drop <number>', 'drop an entry of that list; the memory stays here')
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  svc-memory promote d_bakilomu\n  svc-memory promote d_bakilomu f_fegisado --yes\n  svc-memory promote --waiting\n',
    );
  return addGlobalOptions(command).action(async (ids: string[], options: PromoteOptions) => {
    const drop = requireOneWay(ids, options);
    if (!options.waiting) refuseAgents(cli, PROMOTING);
    await withProject(cli, options, async (project) => {
      const team = project.team();
      if (!team) throw NO_TEAM;
      if (options.waiting || drop !== undefined || options.send) {
        await withOutbox(project, team, async (outbox) => {
          if (drop !== undefined) await dropEntry(outbox, drop);
          if (options.send) await tellRun(cli, options, outbox, await outbox.send(team), []);
          else if (options.json) await cli.output.json({ entries: (await outbox.list()).map(entry) });
          else await cli.output.text(listed(await outbox.list()));
        });
      } else await promote(cli, options, { project, team }, ids);
    });
    finish(0);
  });
}

/** @returns the number to drop @throws SvcError invalid_input */
function requireOneWay(ids: readonly string[], { show, send, waiting, drop }: PromoteOptions): number | undefined {
  if (show && ids.length === 0) throw wrongUsage('--show is for memories', 'Give their ids');
  const ways = [ids.length > 0, send === true, waiting === true, drop !== undefined].filter(Boolean).length;
  if (ways !== 1) throw wrongUsage('Give ids of memories, or one of --send, --waiting and --drop', 'Nothing was done');
  if (drop === undefined || /^\d{1,9}$/.test(drop)) return drop === undefined ? undefined : Number(drop);
  throw wrongUsage(`--drop is ${quoted(drop)}`, 'Give a number of "svc-memory promote --waiting"');
}

interface OfTeam {
  readonly project: Project;
  readonly team: KnownTeam;
}

async function promote(cli: Cli, options: PromoteOptions, { project, team }: OfTeam, ids: string[]): Promise<void> {
  const { nodeDetails } = await import('../../memory/people/node-details');
  const { toSend } = await import('../../tools/promoting');
  const memories: NodeDetails[] = [];
  for (const id of new Set(ids)) memories.push(await nodeDetails(project.memory, id));
  const sent = memories.map(toSend);
  if (options.show) {
    if (options.json) await cli.output.json({ address: team.address, memories: sent });
    else await cli.output.text(sent.map(shown).join('\n'));
    return;
  }
  if (!options.yes) {
    const ask = askingPerson(cli, PROMOTING);
    const question = `${sent.map(shown).join('\n')}\nSend this to ${team.address}, for everybody in it? [y/N] `;
    if (!(await saysYes(ask, question))) throw unavailable('Nothing was sent', 'The memories are yours alone still');
  }
  const { namespace } = project.memory.scope;
  await withOutbox(project, team, async (outbox) => {
    const queued = await outbox.queue(
      sent.map((input, i) => ({ node_id: memories[i]?.id ?? '', input: { ...input, namespace } })),
    );
    await tellRun(cli, options, outbox, await outbox.send(team), queued);
  });
}

async function withOutbox(
  { home }: Project,
  { address }: KnownTeam,
  work: (outbox: Outbox) => Promise<void>,
): Promise<void> {
  const { Outbox: Opened } = await import('../../project/outbox');
  const outbox = await Opened.open(home, address);
  try {
    await work(outbox);
  } finally {
    await outbox.close();
  }
}

/**
 * Says what became of them. What the person who waits here is told is not kept.
 * @param asked those that this command is about
 * @throws SvcError the refusal of one of them, and where the server lets nobody in
 */
async function tellRun(
  cli: Cli,
  { json }: PromoteOptions,
  outbox: Outbox,
  { sent, stopped }: SendingRun,
  asked: readonly Queued[],
): Promise<void> {
  const { failureOf } = await import('../../base/team-error');
  const left = await outbox.list();
  const gone = asked.filter(({ n }) => !left.some((one) => one.n === n) && !sent.some((one) => one.n === n));
  if (!json) {
    for (const { node_id, team_id } of sent)
      await cli.output.text(`Sent ${shownId(node_id)}: it is ${shownId(team_id)} in the team's memory`);
    // An agent's server sends what waits, too.
    for (const { node_id } of gone) await cli.output.text(`Sent ${shownId(node_id)}: another program was faster`);
  }
  const own = left.filter((one) => one.refused !== null && asked.some(({ n }) => n === one.n));
  for (const { n } of own) await outbox.drop(n);
  if (own.length > 0) throw refusalOf(own);
  if (stopped && failureOf(stopped) !== 'silent') {
    for (const { n, isNew } of asked) if (isNew) await outbox.drop(n);
    throw stopped;
  }
  const waiting = left.filter((one) => one.refused === null);
  const refused = left.filter((one) => one.refused !== null);
  if (json) {
    const promoted = sent.map(({ node_id, team_id }) => ({ node_id, team_id }));
    await cli.output.json({ promoted, waiting: waiting.map(entry), refused: refused.map(entry) });
    return;
  }
  if (waiting.length > 0) {
    await cli.output.text(
      `The team's memory does not answer: ${counted(waiting.length, 'memory')} wait${waiting.length === 1 ? 's' : ''} here, and will be sent when it does.`,
    );
  } else if (sent.length + gone.length === 0) await cli.output.text('Nothing waits.');
  if (refused.length > 0) {
    cli.output.note(
      `The team has refused ${counted(refused.length, 'memory')}: "svc-memory promote --waiting" says why.`,
    );
  }
}

/** What the server said of each of them. */
function refusalOf(own: readonly Waiting[]): SvcError {
  const said = own.map(({ node_id, refused }) => `${shownId(node_id)}: ${oneLine(refused ?? '')}`);
  return unavailable(said.join(' '), 'What was refused does not wait');
}

/** @throws SvcError not_found */
async function dropEntry(outbox: Outbox, n: number): Promise<void> {
  if (await outbox.drop(n)) return;
  throw notFound(`There is no entry ${n}`, 'Look at "svc-memory promote --waiting"');
}

function entry({ n, node_id, input, queued_at, refused }: Waiting): object {
  const { kind, content } = input;
  return { n, node_id, kind, content, queued_at, refused };
}

function listed(all: readonly Waiting[]): string {
  if (all.length === 0) return 'Nothing waits.';
  return all
    .map(({ n, node_id, input, queued_at, refused }) => {
      const what = `${n}  ${shownId(node_id)}  ${cut(oneLine(String(input.content)), MAX_SHOWN)}`;
      return refused === null
        ? `${what}\n   waits since ${shownMinute(queued_at)} UTC`
        : `${what}\n   refused: ${oneLine(refused)}`;
    })
    .join('\n');
}

const NO_TEAM = notFound(
  "There is no team's memory that you have agreed to ask",
  'Write "team: https://<server>/<project>" into .svc/config.yaml, and run "svc-memory login"',
);

function shown({ kind, content, rationale, alternatives_rejected, entities }: Sent): string {
  return [
    `${kind}: ${content}`,
    ...(rationale === undefined ? [] : [`- why: ${rationale}`]),
    ...(alternatives_rejected ?? []).map((option) => `- rejected: ${option}`),
    ...(entities.length === 0 ? [] : [`- about: ${entities.join(', ')}`]),
  ]
    .map(oneLine)
    .join('\n');
}
