/** `svc-memory hook`, which the hosts of agents run. */
import { Argument, Command, Option } from 'commander';
import { HOOK_EVENTS, HOOK_HOSTS, type HookEvent, type HookHost } from '../../agents/hook-hosts';
import type { Cli, ExitStatus } from '../cli';
import { DEFAULT_HOST } from '../hook/asked-hook';

const ABOUT = `Answer the hook of an agent's host: JSON on standard input, JSON on standard output. "svc-memory hooks install" configures them.

session-start and subagent-start give the briefing to a conversation that begins. pre-tool-use, before an edit, gives what is remembered about that function and file, and user-prompt-submit what is remembered about something that the prompt names: at most three memories, each once in a conversation, and nothing where there is none. pre-compact lets them come again. post-tool-use notes that the agent has read foreign text (a web page, an issue, a dependency's file): what it stores after that waits for a person, until user-prompt-submit says that its user spoke again. stop reminds, once for each session, that a session which memories were stored in has not been ended. A host is never kept from going on by a failure here: it is told on standard error.`;

export function hookCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  return new Command('hook')
    .summary("Answer a hook of an agent's host")
    .description(ABOUT)
    .addArgument(new Argument('<event>', 'what happened').choices(HOOK_EVENTS))
    .addOption(new Option('--host <host>', 'whose form the answer has').choices(HOOK_HOSTS).default(DEFAULT_HOST))
    .addHelpText('after', '\nExamples:\n  echo \'{"cwd": "/my/project"}\' | svc-memory hook session-start\n')
    .action(async (event: HookEvent, { host }: { host: HookHost }) => {
      const { answerHook } = await import('../hook/answer-hook');
      await cli.output.json(await answerHook(cli, event, host));
      finish(0);
    });
}
