/** `svc-memory hook`, which the hosts of agents run. */
import { resolve } from 'node:path';
import { Argument, Command, Option } from 'commander';
import { locateStore } from '../../../store-place/locate';
import { storeExists } from '../../../store-place/store-place';
import { bringsForeignText } from '../../agents/foreign-reading';
import {
  HOOK_EVENTS,
  HOOK_HOSTS,
  type HookEvent,
  type HookHost,
  type HookSays,
  hearsAfterTools,
  hookAnswer,
} from '../../agents/hook-hosts';
import { touchedFiles } from '../../agents/touched-code';
import { shownId } from '../../base/shown';
import { BRIEFED, RULES, WITHOUT_TOOLS } from '../../guidance/sentences';
import type { Project } from '../../project/open';
import type { Tool } from '../../tools/define-tool';
import type { Cli, ExitStatus } from '../cli';
import { type HookInput, readHookInput } from '../hook/read-hook-input';
import { withProject } from '../with-project';

const ABOUT = `Answer the hook of an agent's host: JSON on standard input, JSON on standard output. "svc-memory hooks install" configures them.

session-start and subagent-start give the briefing to a conversation that begins. pre-tool-use, before an edit, gives what is remembered about that function and file, and user-prompt-submit what is remembered about something that the prompt names: at most three memories, each once in a conversation, and nothing where there is none. pre-compact lets them come again. post-tool-use notes that the agent has read foreign text (a web page, an issue, a dependency's file): what it stores after that waits for a person, until user-prompt-submit says that its user spoke again. stop reminds, once for each session, that a session which memories were stored in has not been ended. A host is never kept from going on by a failure here: it is told on standard error.`;

/** Longer ones are no answer of a host. */
const MAX_INPUT_BYTES = 1_000_000;
const ADVICE = [BRIEFED, RULES.edit, RULES.store, RULES.leaveOut, RULES.end].join('\n');

export function hookCommand(cli: Cli, finish: (status: ExitStatus) => void): Command {
  return new Command('hook')
    .summary("Answer a hook of an agent's host")
    .description(ABOUT)
    .addArgument(new Argument('<event>', 'what happened').choices(HOOK_EVENTS))
    .addOption(new Option('--host <host>', 'whose form the answer has').choices(HOOK_HOSTS).default('claude'))
    .addHelpText('after', '\nExamples:\n  echo \'{"cwd": "/my/project"}\' | svc-memory hook session-start\n')
    .action(async (event: HookEvent, { host }: { host: HookHost }) => {
      await cli.output.json(await answerHook(cli, event, host));
      finish(0);
    });
}

interface Asked extends HookInput {
  readonly host: HookHost;
}

type Answer = (cli: Cli, asked: Asked) => Promise<HookSays>;

const ANSWERS: Readonly<Record<HookEvent, Answer>> = {
  'session-start': sessionStart,
  'user-prompt-submit': userPromptSubmit,
  'pre-tool-use': preToolUse,
  'post-tool-use': postToolUse,
  'pre-compact': preCompact,
  'subagent-start': subagentStart,
  stop,
};

async function answerHook(cli: Cli, event: HookEvent, host: HookHost): Promise<object> {
  try {
    const input = readHookInput(await cli.stdin(MAX_INPUT_BYTES));
    return hookAnswer(host, event, await ANSWERS[event](cli, { ...input, host }), input.event);
  } catch (error) {
    cli.output.note(`svc-memory hook: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  }
}

/** The host waits for the answer, and with it whoever talks to the model. */
const DOUBTS_WAIT_MS = 200;

/** A host that names no session has one for all. */
const ONE_SESSION = 'the only one';

async function userPromptSubmit(cli: Cli, asked: Asked): Promise<HookSays> {
  const { session = ONE_SESSION, prompt = '' } = asked;
  const { clearMark } = await import('../../project/foreign-text');
  clearMark(cli.around.home, session);
  if (prompt.trim() === '') return {};
  const { toldOfPrompt } = await import('../../tools/told-by-hooks');
  return tellOnce(cli, asked, toldOfPrompt, { prompt });
}

async function preToolUse(cli: Cli, asked: Asked): Promise<HookSays> {
  const { use, cwd = cli.around.cwd, host } = asked;
  const touched = use ? touchedFiles(use, hearsAfterTools(host)) : [];
  // It runs before every tool in some hosts.
  if (touched.length === 0) return {};
  const { toldAtEdit } = await import('../../tools/told-by-hooks');
  const files = touched.map(({ path, pieces }) => ({ path: resolve(cwd, path), pieces: [...pieces] }));
  return tellOnce(cli, asked, toldAtEdit, { files });
}

/** It opens no store for a note: it runs after every tool of an agent. */
async function postToolUse(cli: Cli, asked: Asked): Promise<HookSays> {
  const { cwd, session = ONE_SESSION, use, host } = asked;
  if (use && bringsForeignText(use)) {
    const { markSession } = await import('../../project/foreign-text');
    const place = locateStore(cwd === undefined ? cli.around : { ...cli.around, cwd });
    markSession(cli.around.home, session, place.url);
  }
  return hearsAfterTools(host) ? preToolUse(cli, asked) : {};
}

/** Each memory comes once in a conversation. */
async function tellOnce(cli: Cli, asked: Asked, tool: Tool, input: object): Promise<HookSays> {
  const { conversation = ONE_SESSION } = asked;
  const context = await inStore(cli, asked, async (project) => {
    const { callTool } = await import('../../tools/call-tool');
    const { noteShown, shownTo } = await import('../../project/shown-memories');
    const shown = [...shownTo(cli.around.home, conversation)];
    const answer = await callTool([tool], project, tool.name, { ...input, shown });
    if (!answer.ok) throw new Error(answer.text);
    // Its output is declared in tools/told-by-hooks.
    const told = answer.value as { readonly text: string; readonly ids: readonly string[] } | null;
    if (told) noteShown(cli.around.home, conversation, told.ids);
    return told?.text;
  });
  return { context };
}

async function preCompact(cli: Cli, { conversation = ONE_SESSION }: Asked): Promise<HookSays> {
  const { forgetShown } = await import('../../project/shown-memories');
  forgetShown(cli.around.home, conversation);
  return {};
}

async function sessionStart(cli: Cli, asked: Asked): Promise<HookSays> {
  // A conversation that is gone on with still has before it what it was shown.
  if (asked.source !== 'resume') await preCompact(cli, asked);
  return briefing(cli, asked, ADVICE);
}

async function subagentStart(cli: Cli, asked: Asked): Promise<HookSays> {
  return briefing(cli, asked, [ADVICE, WITHOUT_TOOLS].join('\n'));
}

async function briefing(cli: Cli, asked: Asked, advice: string): Promise<HookSays> {
  const context = await inStore(cli, asked, async (project) => {
    const { callTool } = await import('../../tools/call-tool');
    const { memoryRecall } = await import('../../tools/memory-recall');
    const answer = await callTool([memoryRecall], project, memoryRecall.name, { query: 'project context' });
    return answer.ok ? `${answer.text.trimEnd()}\n\n${advice}` : undefined;
  });
  return { context };
}

async function stop(cli: Cli, asked: Asked): Promise<HookSays> {
  // The agent goes on because of a hook: asking again would keep it from ever ending.
  if (asked.stop_hook_active === true) return {};
  const session = await inStore(cli, asked, async (project) => {
    const { remindOfSession } = await import('../../project/remind-of-session');
    return remindOfSession(project);
  });
  if (session === undefined) return {};
  return {
    goOn: `Memories were stored in the session ${shownId(session)}, which is still open. If the task is done, call memory_end_session with a summary of what came out of it, then finish. If the task goes on, just finish.`,
  };
}

/** Nothing is made for a project that has no memory. */
async function inStore<Result>(
  cli: Cli,
  { cwd }: HookInput,
  work: (project: Project) => Promise<Result>,
): Promise<Result | undefined> {
  const there = cwd === undefined ? cli : { ...cli, around: { ...cli.around, cwd } };
  return storeExists(locateStore(there.around))
    ? withProject(there, { doubtsWaitMs: DOUBTS_WAIT_MS }, work)
    : undefined;
}
