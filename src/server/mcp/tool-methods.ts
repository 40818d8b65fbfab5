/** Answers `tools/list` and `tools/call`. */

import { CALL_KEY, VALUE_KEY } from '../base/call-meta';
import { invalidInput, SvcError } from '../base/errors';
import type { Log } from '../base/log';
import { quoted } from '../base/text';
import type { Project } from '../project/open';
import { callTool, refused, type ToolAnswer } from '../tools/call-tool';
import type { Effect, Tool } from '../tools/define-tool';
import { askToKeep, type ClientAbilities } from './ask-to-keep';
import type { Folders } from './folders';
import { reportProgress } from './progress';
import { invalidParams } from './protocol-error';
import type { Call, Methods } from './serve';
import { withFolder } from './several-folders';
import { describeTool } from './tool-list';
import { toolResult } from './tool-result';

export interface ToolMethods {
  readonly methods: Methods;
  /** Resolves when the writes that were asked for so far are done. */
  readonly written: () => Promise<unknown>;
}

/** What a door adds that several people use. */
export interface SharedDoor {
  /** What may be called by who knows of it; what agents are offered is part of it. */
  readonly callable: readonly Tool[];
  /** Why this caller may not call a tool. */
  readonly refuse: (tool: Tool) => SvcError | undefined;
  /** Called with each answer. */
  readonly answered: (tool: Tool, answer: ToolAnswer, ms: number) => void;
}

const MAX_CALL_KEY = 100;

/** Tools as the methods of an MCP server. @param offered those that agents are offered */
export function toolMethods(
  offered: readonly Tool[],
  log: Log,
  folders: Folders,
  client: ClientAbilities,
  door?: SharedDoor,
): ToolMethods {
  const tools = door?.callable ?? offered;
  // A request sees what the calls before it wrote, also when a client does not wait for their answers.
  let writes: Promise<unknown> = Promise.resolve();
  const methods: Methods = {
    'tools/list': async () => ({ tools: offered.map((tool) => withFolder(describeTool(tool), folders.names)) }),
    'tools/call': async (params, call) => {
      const tool = tools.find((candidate) => candidate.name === params.name);
      if (!tool) {
        const names = tools.map((candidate) => candidate.name).join(', ');
        throw invalidParams(`There is no tool ${quoted(String(params.name))}. The tools are ${names}.`);
      }
      const progress = progressOf(call);
      const before = writes;
      const began = performance.now();
      const answering = before.then(async () => {
        try {
          const refusal = door?.refuse(tool);
          if (refusal) throw refusal;
          const { folder, input } = folders.addressed(params.arguments ?? {});
          const project = (effect: Effect): Promise<Project> => folders.open(effect, folder);
          const kept = await askedFirst(tool, project, client, call, input);
          return await callTool(tools, project, tool.name, input, {
            signal: call.signal,
            log,
            kept,
            callKey: door && callKeyOf(call),
            ...(progress ? { progress: progress.report } : {}),
          });
        } catch (error) {
          if (error instanceof SvcError) return refused(error);
          throw error;
        }
      });
      if (tool.effect !== 'read') writes = answering;
      const answer = await answering;
      await progress?.finish();
      door?.answered(tool, answer, performance.now() - began);
      const result = toolResult(answer, tool.output !== undefined);
      const isValueAsked = door !== undefined && answer.ok && call._meta?.[VALUE_KEY] === true;
      return isValueAsked ? { ...result, _meta: { [VALUE_KEY]: answer.value } } : result;
    },
  };
  return { methods, written: () => writes };
}

/** @throws SvcError invalid_input for what is no key */
function callKeyOf(call: Call): string | undefined {
  const key = call._meta?.[CALL_KEY];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key !== '' && key.length <= MAX_CALL_KEY) return key;
  throw invalidInput(
    `"${CALL_KEY}" in _meta is not a text of at most ${MAX_CALL_KEY} characters`,
    'Make a new key for each call, such as a UUID',
  );
}

/** The tool whose memories a user may be asked about one by one. */
const ASKED_ABOUT = 'memory_store';

/**
 * Whether a person has kept it. Later calls of this client wait for the answer, as for any write.
 * @throws SvcError when the person refuses it
 */
async function askedFirst(
  { name }: Tool,
  project: (effect: Effect) => Promise<Project>,
  client: ClientAbilities,
  call: Call,
  input: unknown,
): Promise<boolean> {
  if (name !== ASKED_ABOUT || !client.asksUser()) return false;
  // The call itself reports a store that cannot be opened.
  const opened = await project('write').catch(() => undefined);
  return opened ? askToKeep(opened, call, input) : false;
}

/** Where the caller asked to be told how far the work has come. */
function progressOf(call: Call) {
  const progressToken = call._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return reportProgress((progress, total) =>
    call.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total } }),
  );
}
