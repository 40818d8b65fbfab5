/** `svc-memory promote`. */
import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { notFound, unavailable } from '../../base/errors';
import { shownId } from '../../base/shown';
import { oneLine } from '../../base/text';
import type { NodeDetails } from '../../memory/people/node-details';
import type { Sent } from '../../tools/promoting';
import { saysYes } from '../ask';
import type { Cli, ExitStatus, GlobalOptions } from '../cli';
import { askingPerson, type PersonalAct, refuseAgents } from '../person';
import { addGlobalOptions } from '../tool-command';
import { withProject } from '../with-project';

const ABOUT = `Copy memories into the memory of this project's team, for everybody in it. What is sent is shown first. The own ones stay as they are; a recall that finds both tells one of them.

What looks like a secret is refused. So is what is closed, and what waits in Review: keep it first.`;

const PROMOTING: PersonalAct = {
  act: 'send memories to a team',
  forUser: 'Ask your user to run "svc-memory promote" in a terminal of their own',
  withoutTerminal: 'Run the command in a terminal, or pass --yes',
};

interface PromoteOptions extends GlobalOptions {
  readonly yes?: true;
  readonly json?: true;
}

export function promoteCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  const command = new Command('promote')
    .summary('Copy memories into the memory of your team')
    .description(ABOUT)
    .argument('<id...>', 'ids of memories')
    .option('--yes', 'do not ask')
    .option('--json', 'print the answer as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  svc-memory promote d_bakilomu\n  svc-memory promote d_bakilomu f_fegisado --yes\n',
    );
  return addGlobalOptions(command).action(async (ids: string[], options: PromoteOptions) => {
    refuseAgents(cli, PROMOTING);
    const { nodeDetails } = await import('../../memory/people/node-details');
    const { sendToTeam, toSend } = await import('../../tools/promoting');
    await withProject(cli, options, async (project) => {
      const team = project.team();
      if (!team) throw NO_TEAM;
      const memories: NodeDetails[] = [];
      for (const id of new Set(ids)) memories.push(await nodeDetails(project.memory, id));
      const sent = memories.map(toSend);
      if (!options.yes) {
        const ask = askingPerson(cli, PROMOTING);
        const question = `${sent.map(shown).join('\n')}\nSend this to ${team.address}, for everybody in it? [y/N] `;
        if (!(await saysYes(ask, question)))
          throw unavailable('Nothing was sent', 'The memories are yours alone still');
      }
      const promoted: { readonly node_id: string; readonly team_id: string }[] = [];
      for (const [i, input] of sent.entries()) {
        const node_id = memories[i]?.id ?? '';
        const team_id = await sendToTeam(team, { ...input, namespace: project.memory.scope.namespace }, randomUUID());
        promoted.push({ node_id, team_id });
        if (!options.json)
          await cli.output.text(`Sent ${shownId(node_id)}: it is ${shownId(team_id)} in the team's memory`);
      }
      if (options.json) await cli.output.json({ promoted });
    });
    finish(0);
  });
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
