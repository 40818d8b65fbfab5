/** `svc-memory hook`, which the hosts of agents run. */
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { Argument, Command } from 'commander';
import { locateStore } from '../../../store-place/locate';
import { storeExists } from '../../../store-place/store-place';
import { shownId } from '../../base/shown';
import type { Project } from '../../project/open';
import type { Cli, ExitStatus } from '../cli';
import { withProject } from '../with-project';

const ABOUT = `Answer the hook of an agent's host: JSON on standard input, JSON on standard output. "svc-memory hooks install" configures them.

session-start gives the briefing to a conversation that begins. stop reminds, once for each session, that a session which memories were stored in has not been ended. A host is never kept from going on by a failure here: it is told on standard error.`;

/** Longer ones are no answer of a host. */
const MAX_INPUT_BYTES = 1_000_000;
const ADVICE =
  'Recall with memory_recall before deciding, store decisions and facts worth keeping with memory_store, and end with memory_end_session.';

/**
 * What hosts send and read (November 2026), as far as it is used here. All send `cwd`.
 * - Claude Code, VS Code and the Copilot CLI (configured in PascalCase): SessionStart reads
 *   `hookSpecificOutput.additionalContext`; newer Copilot hosts a bare `additionalContext`.
 * - Stop: `stop_hook_active` is true when the agent goes on because of a Stop hook already. Claude Code and Copilot
 *   read `decision: 'block'` with `reason`, VS Code reads them inside `hookSpecificOutput`.
 */
interface HookInput {
  readonly cwd?: string;
  readonly stop_hook_active?: boolean;
}

const ANSWERS = { 'session-start': sessionStart, stop } as const;
type Event = keyof typeof ANSWERS;

export function hookCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  return new Command('hook')
    .summary("Answer a hook of an agent's host")
    .description(ABOUT)
    .addArgument(new Argument('<event>', 'what happened').choices(Object.keys(ANSWERS)))
    .addHelpText('after', '\nExamples:\n  echo \'{"cwd": "/my/project"}\' | svc-memory hook session-start\n')
    .action(async (event: Event) => {
      await cli.output.json(await answerHook(cli, ANSWERS[event]));
      finish(0);
    });
}

type Answer = (cli: Cli, input: HookInput) => Promise<object>;

async function answerHook(cli: Cli, answer: Answer): Promise<object> {
  try {
    return await answer(cli, readInput(await cli.stdin(MAX_INPUT_BYTES)));
  } catch (error) {
    cli.output.note(`svc-memory hook: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  }
}

function readInput(sent: Buffer | undefined): HookInput {
  if (!sent) return {};
  try {
    const input: unknown = JSON.parse(sent.toString('utf8'));
    if (typeof input !== 'object' || input === null) return {};
    const { cwd, stop_hook_active, stopHookActive } = input as Record<string, unknown>;
    return {
      ...(typeof cwd === 'string' && isAbsolute(cwd) && isFolder(cwd) ? { cwd } : {}),
      stop_hook_active: stop_hook_active === true || stopHookActive === true,
    };
  } catch {
    return {};
  }
}

async function sessionStart(cli: Cli, input: HookInput): Promise<object> {
  const additionalContext = await inStore(cli, input, async (project) => {
    const { callTool } = await import('../../tools/call-tool');
    const { memoryRecall } = await import('../../tools/memory-recall');
    const answer = await callTool([memoryRecall], project, memoryRecall.name, { query: 'project context' });
    return answer.ok ? `${answer.text.trimEnd()}\n\n${ADVICE}` : undefined;
  });
  if (additionalContext === undefined) return {};
  return { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext }, additionalContext };
}

async function stop(cli: Cli, input: HookInput): Promise<object> {
  // The agent goes on because of a hook: asking again would keep it from ever ending.
  if (input.stop_hook_active === true) return {};
  const session = await inStore(cli, input, async (project) => {
    const { remindOfSession } = await import('../../project/remind-of-session');
    return remindOfSession(project);
  });
  if (session === undefined) return {};
  const decision = {
    decision: 'block',
    reason: `Memories were stored in the session ${shownId(session)}, which is still open. If the task is done, call memory_end_session with a summary of what came out of it, then finish. If the task goes on, just finish.`,
  };
  return { ...decision, hookSpecificOutput: { hookEventName: 'Stop', ...decision } };
}

/** Nothing is made for a project that has no memory. */
async function inStore<Result>(
  cli: Cli,
  { cwd }: HookInput,
  work: (project: Project) => Promise<Result>,
): Promise<Result | undefined> {
  const there = cwd === undefined ? cli : { ...cli, around: { ...cli.around, cwd } };
  return storeExists(locateStore(there.around)) ? withProject(there, {}, work) : undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
