/** Answers the hooks of agents' hosts. Apart from the command, because a host waits for it, and for all that is loaded. */
import { resolve } from 'node:path';
import { locateStore } from '../../../store-place/locate';
import { storeExists } from '../../../store-place/store-place';
import { bringsForeignText } from '../../agents/foreign-reading';
import { type HookEvent, type HookHost, type HookSays, hearsAfterTools, hookAnswer } from '../../agents/hook-hosts';
import { touchedFiles } from '../../agents/touched-code';
import { shownId } from '../../base/shown';
import { BRIEFED, RULES, WITHOUT_TOOLS } from '../../guidance/sentences';
import { DEFAULT_BUDGET_TOKENS, DEFAULT_HOPS } from '../../memory/limits';
import type { Memory } from '../../memory/memory';
import type { Project } from '../../project/open';
import type { ToldMemories } from '../../render/hook-lines';
import type { OfTeam, Telling } from '../../tools/told-by-hooks';
import type { Cli } from '../cli';
import { withProject } from '../with-project';
import { type HookInput, readHookInput } from './read-hook-input';

/** Longer ones are no answer of a host. */
const MAX_INPUT_BYTES = 1_000_000;
const ADVICE = [BRIEFED, RULES.edit, RULES.store, RULES.leaveOut, RULES.end].join('\n');

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

/** Answers a host. It never throws, and is told on standard error what failed. */
export async function answerHook(cli: Cli, event: HookEvent, host: HookHost): Promise<object> {
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
  return tellOnce(cli, asked, ({ toldOfPrompt }, telling) => toldOfPrompt(telling, prompt));
}

async function preToolUse(cli: Cli, asked: Asked): Promise<HookSays> {
  const { use, cwd = cli.around.cwd, host } = asked;
  const touched = use ? touchedFiles(use, hearsAfterTools(host)) : [];
  // It runs before every tool in some hosts.
  if (touched.length === 0) return {};
  const files = touched.map(({ path, pieces }) => ({ path: resolve(cwd, path), pieces }));
  return tellOnce(cli, asked, ({ toldAtEdit }, telling) => toldAtEdit(telling, files));
}

/** It opens no store for a note: it runs after every tool of an agent. */
async function postToolUse(cli: Cli, asked: Asked): Promise<HookSays> {
  const { session = ONE_SESSION, use, host } = asked;
  if (use && bringsForeignText(use)) {
    const { markSession } = await import('../../project/foreign-text');
    const place = locateStore(there(cli, asked).around);
    markSession(cli.around.home, session, place.url);
  }
  return hearsAfterTools(host) ? preToolUse(cli, asked) : {};
}

type Tellings = typeof import('../../tools/told-by-hooks');

/** Each memory comes once in a conversation. */
async function tellOnce(
  cli: Cli,
  asked: Asked,
  tell: (telling: Tellings, of: Telling) => Promise<ToldMemories | undefined>,
): Promise<HookSays> {
  const { conversation = ONE_SESSION } = asked;
  if (!storeExists(locateStore(there(cli, asked).around))) return {};
  const tellings = whileOpening(() => {
    cli.tokenizer();
    return import('../../tools/told-by-hooks');
  });
  const context = await inStore(cli, asked, async (project) => {
    const { noteShown, shownTo } = await import('../../project/shown-memories');
    const shown = [...shownTo(cli.around.home, conversation)];
    const told = await reading(cli, project, async (memory) =>
      tell(await tellings, { project, memory, shown, ofTeam: ofTeam(cli, project, TOLD_BUDGET_TOKENS) }),
    );
    if (told) noteShown(cli.around.home, conversation, told.ids);
    return told?.text;
  });
  return { context };
}

/** SQLite opens a store in a thread of its own, which takes as long as loading this does: it begins after that was asked for. */
function whileOpening<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const loaded = new Promise<void>((begin) => setImmediate(begin)).then(load);
  // Whoever needs it hears of a failure, and where nobody does there is none to tell.
  loaded.catch(() => undefined);
  return loaded;
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
    const { answerRecall } = await import('../../tools/answer-recall');
    const { printMemories } = await import('../../render/packed-memories');
    const packed = await reading(cli, project, (memory) =>
      answerRecall({ memory, project }, BRIEFING, ofTeam(cli, project, BRIEFING.budget_tokens)(BRIEFING)),
    );
    return `${printMemories(packed).trimEnd()}\n\n${advice}`;
  });
  if (context !== undefined) return { context };
  const { absentStore } = await import('../../project/absent-store');
  const { ABSENT_NOTICES } = await import('../../project/absent-notice');
  const absent = absentStore(there(cli, asked).around);
  return absent ? { context: ABSENT_NOTICES[absent] } : {};
}

/** What memory_recall takes where only this query is given. */
const BRIEFING = {
  ...{ query: 'project context', budget_tokens: DEFAULT_BUDGET_TOKENS, hops: DEFAULT_HOPS, min_confidence: 0 },
  ...{ kinds: [], as_of: undefined, namespace: undefined },
};

/** What hooks tell on a prompt is short. */
const TOLD_BUDGET_TOKENS = 150;

/** From the copy on this machine alone: a host waits for no server. What checks it is loaded where a team is asked. */
function ofTeam(cli: Cli, project: Project, budget_tokens: number): OfTeam {
  return async (question, wanted) => {
    try {
      if (!project.team()) return undefined;
      const { recallOfKept } = await import('../../tools/team-recall');
      const { namespace } = project.memory.scope;
      return await recallOfKept(project, { ...question, budget_tokens, namespace }, cli.signal, wanted);
    } catch (error) {
      cli.log(`the copy of the team's memory: ${String(error)}`);
      return undefined;
    }
  };
}

/** As a tool reads: not for ever, and what people do not see stays out of the answer. */
async function reading<Answer>(
  { signal }: Cli,
  { store, memory }: Project,
  read: (memory: Memory) => Promise<Answer>,
): Promise<Answer> {
  const { READ_LIMIT_MS, withinLimit } = await import('../../tools/within-limit');
  const { seenIn } = await import('../../base/seen-in');
  return seenIn(await withinLimit(store, READ_LIMIT_MS, signal, (sql) => read({ ...memory, sql })));
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
  asked: HookInput,
  work: (project: Project) => Promise<Result>,
): Promise<Result | undefined> {
  const own = there(cli, asked);
  return storeExists(locateStore(own.around))
    ? withProject(own, { doubtsWaitMs: DOUBTS_WAIT_MS, tellsLoss: true }, work)
    : undefined;
}

/** In the folder of the conversation. */
function there(cli: Cli, { cwd }: HookInput): Cli {
  return cwd === undefined ? cli : { ...cli, around: { ...cli.around, cwd } };
}
