/** Calls tools on behalf of prompts, resources and completions. */
import type { Log } from '../base/log';
import type { Project } from '../project/open';
import { callTool } from '../tools/call-tool';
import type { Effect, Tool } from '../tools/define-tool';
import { internalError, invalidParams, ProtocolError, resourceNotFound } from './protocol-error';

/** A tool's answer that is needed for something else: a prompt, a resource, a completion. */
export interface Asked {
  readonly text: string;
  readonly value: unknown;
}

/** @throws ProtocolError with the tool's words when it refuses */
export type Ask = (tool: string, input: Record<string, unknown>) => Promise<Asked>;

/** All entries of the registry, those for people, too. */
export function askTools(registry: readonly Tool[], project: (effect: Effect) => Promise<Project>, log: Log): Ask {
  return async (tool, input) => {
    const answer = await callTool(registry, project, tool, input, { log });
    if (answer.ok) return answer;
    switch (answer.code) {
      case 'not_found':
        throw resourceNotFound(answer.text);
      case 'invalid_input':
      case 'conflict':
        throw invalidParams(answer.text);
      default:
        throw internalError(answer.text);
    }
  };
}

/** What `read` gives, or `instead` where the tools refuse: for lists that are a convenience. */
export async function orElse<Result>(instead: Result, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ProtocolError) return instead;
    throw error;
  }
}
