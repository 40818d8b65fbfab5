/** Lets the window call tools. */
import type { CallToolParams, CallToolResult } from '../../../protocol/requests';
import type { Project } from '../../project/open';
import { callTool } from '../../tools/call-tool';
import { GRAPH_TOOLS } from '../../tools/graph-registry';
import { MEMORY_TOOLS } from '../../tools/registry';
import { type Editor, onRequest } from '../editor';
import { refusal, untrusted, untrustedForGit } from '../refusal';

const TOOLS = [...MEMORY_TOOLS, ...GRAPH_TOOLS];

/** `svc/callTool`: the registry, for the editor. */
export function offerTools(editor: Editor): void {
  onRequest(editor, 'svc/callTool', (params, signal) => callInFolder(editor, params, signal));
}

async function callInFolder(editor: Editor, params: CallToolParams, signal: AbortSignal): Promise<CallToolResult> {
  try {
    const folder = editor.folders.get(params.folder);
    const settings = editor.settings();
    // What only people may do is no agent's.
    const tools = params.agent === undefined ? TOOLS : TOOLS.filter(({ audience }) => audience !== 'human');
    const tool = tools.find(({ name }) => name === params.name);
    const writes = tool?.effect !== 'read';
    if (!settings.trusted && (writes || tool.runsGit)) throw writes ? untrusted() : untrustedForGit();
    const namespace = params.namespace ?? settings.folder(folder.uri).namespace;
    const project = (): Promise<Project> => {
      if (!writes) return folder.reading(namespace, params.agent);
      return params.agent === undefined
        ? folder.project(namespace, true)
        : folder.projectForAgent(namespace, true, params.agent);
    };
    const answer = await callTool(tools, project, params.name, params.arguments ?? {}, { signal, log: editor.log });
    // What was written here is on the code before the answer is out.
    if (writes && answer.ok) await folder.check();
    return answer.ok
      ? { ok: true, text: answer.text, value: answer.value, operation: answer.operation ?? null }
      : { ok: false, error: { code: answer.code, message: answer.said } };
  } catch (error) {
    return { ok: false, error: refusal(error, editor.log) };
  }
}
