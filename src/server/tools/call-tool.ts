import type * as z from 'zod/v4';
import { invalidInput, SvcError, unavailable } from '../base/errors';
import { type Log, silent } from '../base/log';
import { cut, oneLine, quoted } from '../base/text';
import type { Project } from '../project/open';
import type { Effect, Tool, ToolContext } from './define-tool';
import { describeIssue, parameterNames, withoutNulls } from './input';

/** What a call gives back, the same at every door. */
export type ToolAnswer =
  | { readonly ok: true; readonly text: string; readonly value: unknown }
  | { readonly ok: false; readonly text: string; readonly code: SvcError['code'] };

export interface CallOptions {
  readonly progress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
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
    const value = await run(tool, opened, parsed, {
      progress: options.progress ?? (() => {}),
      signal: options.signal ?? new AbortController().signal,
    });
    return { ok: true, text: tool.render ? tool.render(value) : JSON.stringify(value), value };
  } catch (error) {
    return refusal(options.signal?.aborted ? CANCELLED : error, log);
  }
}

const CANCELLED = unavailable('The call was cancelled', 'Nothing was changed. Call again if it is still wanted');

async function run(
  tool: Tool,
  project: Project,
  input: Record<string, unknown>,
  options: Pick<ToolContext, 'progress' | 'signal'>,
): Promise<unknown> {
  // A copy, so that what only reads stays in the namespace that it began in.
  const memory = { ...project.memory, scope: { ...project.memory.scope } };
  if (tool.effect === 'read') return tool.run({ memory, project, ...options }, input);
  const gathered = await tool.gather?.({ memory, project, ...options }, input);
  const output = await project.write(
    (writable) => tool.run({ memory: writable, project, ...options }, input, gathered),
    tool.name,
  );
  // It is written: a failure from here on must not be told as if nothing had been changed.
  await tool.settled?.(project, output).catch((error: unknown) => {
    project.log(`after ${tool.name}: ${described(error)}`);
  });
  return output;
}

/** @throws SvcError invalid_input that names the parameter, what was expected and the known parameters */
function parse(tool: Tool, input: unknown): Record<string, unknown> {
  if (input !== undefined && (typeof input !== 'object' || input === null || Array.isArray(input))) {
    throw invalidInput(
      `The arguments of ${tool.name} are no object`,
      `Its parameters are ${parameterNames(tool.input)}`,
    );
  }
  const given = withoutNulls(input ?? {});
  const parsed: z.ZodSafeParseResult<Record<string, unknown>> = tool.input.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalidInput(
    issue ? describeIssue(issue, given) : `The arguments of ${tool.name} are not valid`,
    `The parameters of ${tool.name} are ${parameterNames(tool.input)}`,
  );
}

/** For the log. */
function described(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Anything but a SvcError is a bug: the caller learns that, the log learns the rest. */
function refusal(error: unknown, log: Log): ToolAnswer {
  if (error instanceof SvcError) return { ok: false, text: error.message, code: error.code };
  log(`internal error: ${described(error)}`);
  const name = error instanceof Error ? cut(oneLine(error.name), 40) : 'unknown error';
  return {
    ok: false,
    code: 'internal',
    text: `internal: This is a defect of svc-memory (${name}). Nothing was changed; the log on standard error tells more.`,
  };
}
