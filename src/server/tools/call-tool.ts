import type * as z from 'zod/v4';
import { invalidInput, SvcError } from '../base/errors';
import { cut, oneLine, quoted } from '../base/text';
import type { Project } from '../project/open';
import type { Tool } from './define-tool';
import { describeIssue, parameterNames, withoutNulls } from './input';

/** What a call gives back, the same at every door. */
export type ToolAnswer =
  | { readonly ok: true; readonly text: string; readonly value: unknown }
  | { readonly ok: false; readonly text: string; readonly code: SvcError['code'] };

export interface CallOptions {
  readonly progress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Finds, parses, runs and renders a tool. The one place where a writing tool's transaction is opened and where errors
 * become answers: it never throws.
 */
export async function callTool(
  registry: readonly Tool[],
  project: Project,
  name: string,
  input: unknown,
  options: CallOptions = {},
): Promise<ToolAnswer> {
  try {
    const tool = registry.find((candidate) => candidate.name === name);
    if (!tool) {
      throw invalidInput(
        `There is no tool ${quoted(name)}`,
        `The tools are ${registry.map((candidate) => candidate.name).join(', ')}`,
      );
    }
    const value = await run(tool, project, parse(tool, input), {
      progress: options.progress ?? (() => {}),
      signal: options.signal ?? new AbortController().signal,
    });
    return { ok: true, text: tool.render ? tool.render(value) : JSON.stringify(value), value };
  } catch (error) {
    return refusal(error, project);
  }
}

async function run(
  tool: Tool,
  project: Project,
  input: Record<string, unknown>,
  options: Required<CallOptions>,
): Promise<unknown> {
  if (tool.effect === 'read') return tool.run({ memory: project.memory, project, ...options }, input);
  const output = await project.write((memory) => tool.run({ memory, project, ...options }, input));
  await tool.settled?.(project, output);
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

/** Anything but a SvcError is a bug: the caller learns that, the log learns the rest. */
function refusal(error: unknown, project: Project): ToolAnswer {
  if (error instanceof SvcError) return { ok: false, text: error.message, code: error.code };
  project.log(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const name = error instanceof Error ? cut(oneLine(error.name), 40) : 'unknown error';
  return {
    ok: false,
    code: 'internal',
    text: `internal: This is a defect of svc-memory (${name}). Nothing was changed; the log on standard error tells more.`,
  };
}
