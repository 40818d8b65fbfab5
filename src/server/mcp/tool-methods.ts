/** Answers `tools/list` and `tools/call`. */

import { SvcError } from '../base/errors';
import type { Log } from '../base/log';
import { quoted } from '../base/text';
import type { Project } from '../project/open';
import { callTool, refused } from '../tools/call-tool';
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

/** Tools as the methods of an MCP server. @param tools those that agents are offered */
export function toolMethods(tools: readonly Tool[], log: Log, folders: Folders, client: ClientAbilities): ToolMethods {
  // A request sees what the calls before it wrote, also when a client does not wait for their answers.
  let writes: Promise<unknown> = Promise.resolve();
  const methods: Methods = {
    'tools/list': async () => ({ tools: tools.map((tool) => withFolder(describeTool(tool), folders.names)) }),
    'tools/call': async (params, call) => {
      const tool = tools.find((candidate) => candidate.name === params.name);
      if (!tool) {
        const names = tools.map((candidate) => candidate.name).join(', ');
        throw invalidParams(`There is no tool ${quoted(String(params.name))}. The tools are ${names}.`);
      }
      const progress = progressOf(call);
      const before = writes;
      const answering = before.then(async () => {
        try {
          const { folder, input } = folders.addressed(params.arguments ?? {});
          const project = (effect: Effect): Promise<Project> => folders.open(effect, folder);
          const kept = await askedFirst(tool, project, client, call, input);
          return await callTool(tools, project, tool.name, input, {
            signal: call.signal,
            log,
            kept,
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
      return toolResult(answer, tool.output !== undefined);
    },
  };
  return { methods, written: () => writes };
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
