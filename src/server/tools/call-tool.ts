/** Runs a tool: from its arguments to its answer. */
import type * as z from 'zod/v4';
import { invalidInput, SvcError, unavailable } from '../base/errors';
import { type Log, silent } from '../base/log';
import { parametersOf, phrase, type Speech, tool as toolNamed } from '../base/phrase';
import { seenIn } from '../base/seen-in';
import { cut, escapeControls, oneLine, quoted } from '../base/text';
import type { WritableMemory } from '../memory/memory';
import { answeredBefore, keepAnswer } from '../memory/team/calls';
import type { Project } from '../project/open';
import type { Effect, Tool, ToolContext } from './define-tool';
import { describeIssue, parameterNames, withoutNulls } from './input';
import { readLoosely } from './loose-arguments';
import { refuseSecrets } from './refuse-secrets';
import { READ_LIMIT_MS, withinLimit } from './within-limit';

/** What a call gives back, the same at every door. */
export type ToolAnswer = AnsweredCall | RefusedCall;

export interface AnsweredCall {
  readonly ok: true;
  readonly text: string;
  readonly value: unknown;
  /** What `undo` takes to take back all that the call did; not there where nothing can be. */
  readonly operation?: number;
}

export interface RefusedCall {
  readonly ok: false;
  readonly code: SvcError['code'];
  /** What an agent reads: the code, what is wrong, what to do. */
  readonly text: string;
  /** The same for people, without the code. */
  readonly said: string;
  /** The same in the words of a door that calls tools and parameters by other names. */
  readonly saidIn: (speech: Speech) => string;
  /** The parameter that is wrong. */
  readonly parameter?: string;
  /** For who calls in the same process; missing where it is none of ours. */
  readonly problem?: SvcError;
  /** The name of an error that is none of ours. */
  readonly defect?: string;
}

export interface CallOptions {
  readonly progress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
  /** A person at the command line insists on storing what looks like a secret. No parameter of a tool says so. */
  readonly allowSecret?: boolean;
  /** How long a reading tool may take, in milliseconds. */
  readonly readLimitMs?: number;
  /** A person has said that what this call stores is to be kept. */
  readonly kept?: boolean;
  /** Made by the caller: a writing call that comes with it once more gets the first answer, and does nothing. */
  readonly callKey?: string | undefined;
  /** Where a defect is told when there is no project, because opening it is what failed. */
  readonly log?: Log;
}

/**
 * Finds, parses, runs and renders a tool. The one place where a writing tool's transaction is opened and where errors
 * become answers: it never throws.
 * @param project a door opens it only now, so that a store that cannot be opened is an answer, too
 */
export async function callTool(
  registry: readonly Tool[],
  project: Project | ((effect: Effect) => Promise<Project>),
  name: string,
  input: unknown,
  options: CallOptions = {},
): Promise<ToolAnswer> {
  let log = options.log ?? silent;
  try {
    const tool = registry.find((candidate) => candidate.name === name);
    if (!tool) {
      throw invalidInput(
        `There is no tool ${quoted(name)}`,
        `The tools are ${registry.map((candidate) => candidate.name).join(', ')}`,
      );
    }
    const parsed = parse(tool, input);
    const opened = typeof project === 'function' ? await project(tool.effect) : project;
    log = opened.log;
    options.signal?.throwIfAborted();
    await opened.shared.refresh();
    let operation: number | undefined;
    const noted = (made: number): void => {
      operation = made;
    };
    const value = seenIn(
      // What a store holds from elsewhere, or from before invisible text was taken out, is answered as it is seen.
      await run(tool, opened, parsed, options.readLimitMs ?? READ_LIMIT_MS, {
        progress: options.progress ?? (() => {}),
        signal: options.signal ?? new AbortController().signal,
        allowSecret: options.allowSecret ?? false,
        noted,
        kept: options.kept ?? false,
        callKey: options.callKey,
      }),
    );
    const text = tool.render ? tool.render(value) : escapeControls(JSON.stringify(value));
    return { ok: true, text, value, ...(operation === undefined ? {} : { operation }) };
  } catch (error) {
    return refusal(options.signal?.aborted ? CANCELLED : error, log);
  }
}

const CANCELLED = unavailable('The call was cancelled', 'Nothing was changed. Call again if you still need it');

interface Running {
  readonly noted: (operation: number) => void;
  readonly kept: boolean;
  readonly callKey: string | undefined;
}

async function run(
  tool: Tool,
  project: Project,
  input: Record<string, unknown>,
  readLimitMs: number,
  { noted, kept, callKey, ...options }: Omit<ToolContext, 'memory' | 'project'> & Running,
): Promise<unknown> {
  // A copy, so that what only reads stays in the namespace that it began in.
  const memory = { ...project.memory, scope: { ...project.memory.scope } };
  if (tool.effect === 'read') {
    // A whole working tree may take longer than a store may.
    if (tool.runsGit) return tool.run({ memory, project, ...options }, input);
    return withinLimit(project.store, readLimitMs, options.signal, (sql, signal) =>
      tool.run({ memory: { ...memory, sql }, project, ...options, signal }, input),
    );
  }
  if (tool.stores && !options.allowSecret) refuseSecrets(tool.stores, input, memory.scope.namespace);
  const gathered = await tool.gather?.({ memory, project, ...options }, input);
  let output: unknown;
  let operation: number | undefined;
  let isRepeated = false;
  try {
    output = await project.write(
      async (writable) => {
        const before = callKey === undefined ? undefined : await answeredBefore(writable, callKey, tool.name);
        isRepeated = before !== undefined;
        if (before) return before.answer;
        const context = { memory: kept ? withoutProposing(writable) : writable, project, ...options };
        const made = await tool.run(context, input, gathered);
        if (callKey !== undefined) await keepAnswer(writable, callKey, tool.name, made);
        return made;
      },
      tool.name,
      (made) => {
        operation = made;
        noted(made);
      },
    );
  } finally {
    await tool.tidyUp?.(project, gathered).catch((error: unknown) => {
      project.log(`tidying up ${tool.name}: ${described(error)}`);
    });
  }
  // It is written: a failure from here on must not be told as if nothing had been changed.
  if (!tool.settled || isRepeated) return output;
  return tool.settled(project, output, gathered, operation).catch((error: unknown) => {
    project.log(`after ${tool.name}: ${described(error)}`);
    return output;
  });
}

function withoutProposing(memory: WritableMemory): WritableMemory {
  return { ...memory, keeping: () => ({ ...memory.keeping(), proposed: false }) };
}

/** @throws SvcError invalid_input that names the parameter, what was expected and the known parameters */
function parse(tool: Tool, input: unknown): Record<string, unknown> {
  if (input !== undefined && (typeof input !== 'object' || input === null || Array.isArray(input))) {
    throw invalidInput(
      phrase`The arguments of ${toolNamed(tool.name)} are not an object`,
      `Its parameters are ${parameterNames(tool.input)}`,
    );
  }
  const given = readLoosely(tool.input, withoutNulls(input ?? {}));
  const parsed: z.ZodSafeParseResult<Record<string, unknown>> = tool.input.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalidInput(
    issue ? describeIssue(issue, given) : phrase`The arguments of ${toolNamed(tool.name)} are not valid`,
    phrase`${parametersOf(tool.name, parameterNames(tool.input))}`,
  );
}

/** For the log. */
function described(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** An error of ours as an answer. */
export function refused(error: SvcError): RefusedCall {
  const { code, message: text, said, parameter } = error;
  const saidIn = (speech: Speech): string => error.saidIn(speech);
  return { ok: false, code, text, said, saidIn, problem: error, ...(parameter === undefined ? {} : { parameter }) };
}

/** Anything but a SvcError is a bug: the caller learns that, the log learns the rest. */
function refusal(error: unknown, log: Log): RefusedCall {
  if (error instanceof SvcError) return refused(error);
  log(`internal error: ${described(error)}`);
  const defect = error instanceof Error ? cut(oneLine(error.name), 40) : 'unknown error';
  const said = `Internal error in svc-memory (${defect}). Nothing was changed. See the log on standard error for details.`;
  return { ok: false, code: 'internal', text: `internal: ${said}`, said, saidIn: () => said, defect };
}
