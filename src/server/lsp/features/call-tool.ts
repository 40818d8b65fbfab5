/** Lets the window call tools. */
import type { CallToolParams, CallToolResult } from '../../../protocol/requests';
import { endSentence } from '../../base/errors';
import { isNumberOfFile } from '../../base/file-numbers';
import { undoKept } from '../../project/kept-edits';
import { isDamage } from '../../project/lost-store';
import type { Project } from '../../project/open';
import { withShares } from '../../project/shared-along';
import { editWith, takeNumber, undoEdit } from '../../project/shared-edits';
import { callTool, type ToolAnswer } from '../../tools/call-tool';
import { GRAPH_TOOLS } from '../../tools/graph-registry';
import { MEMORY_TOOLS } from '../../tools/registry';
import { noteDamage } from '../damage';
import { type Editor, onRequest } from '../editor';
import type { Folder } from '../folder';
import { noteOwn, undoOwn } from '../own-operations';
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
    let used: Project | undefined;
    const open = (): Promise<Project> => {
      if (!writes) return folder.reading(namespace, params.agent);
      return params.agent === undefined
        ? folder.project(namespace, true)
        : folder.projectForAgent(namespace, true, params.agent);
    };
    const project = async (): Promise<Project> => {
      used = await open();
      return used;
    };
    const asked = params.agent === undefined && params.name === 'undo' ? params.arguments?.operation : undefined;
    const edit = typeof asked === 'number' ? await editMeant(await project(), asked) : undefined;
    if (used && edit !== undefined) {
      const value = edit < 0 ? await undoEdit(used, edit) : await undoKept(used, used.memory, edit);
      await folder.check();
      return { ok: true, text: JSON.stringify(value), value, operation: value.operation };
    }
    const call = (name: string, input: Readonly<Record<string, unknown>>) =>
      callTool(tools, project, name, input, { signal, log: editor.log });
    const answer =
      typeof asked === 'number'
        ? await undoOwn(folder, await project(), (operation) => call('undo', { ...params.arguments, operation }), {
            operation: asked,
            isRead: params.isRead === true,
          })
        : await noted(
            folder,
            () => used,
            () => call(params.name, params.arguments ?? {}),
          );
    // What was written here is on the code before the answer is out.
    if (writes && answer.ok) await folder.check();
    if (answer.ok) {
      // What goes with a change in a file is taken back with it.
      const operation = editOf(used, answer.value) ?? answer.operation ?? null;
      return { ok: true, text: answer.text, value: answer.value, operation };
    }
    const { code, said, problem } = answer;
    if (!isDamage(problem)) return { ok: false, error: { code, message: said } };
    if (used && noteDamage(used, problem)) editor.changed(folder, ['memory', 'graph', 'review']);
    // The window has a button for what to do; an agent has none.
    return { ok: false, error: { code, message: params.agent === undefined ? endSentence(problem.problem) : said } };
  } catch (error) {
    return { ok: false, error: refusal(error, editor.log) };
  }
}

/** The change in a file that a number means, or that goes with the operation of the store that it means. */
async function editMeant(project: Project, asked: number): Promise<number | undefined> {
  return asked < 0 || isNumberOfFile(asked) ? asked : editWith(project, asked);
}

/** What this window does is noted with what is shared along. */
async function noted(
  folder: Folder,
  used: () => Project | undefined,
  call: () => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const [answer, shares] = await withShares(call);
  const project = used();
  if (answer.ok && answer.operation !== undefined && project) {
    await noteOwn(folder, project, answer.operation, { shares });
  }
  return answer;
}

/** By which a window takes back what was changed in the file of a shared memory. */
function editOf(project: Project | undefined, value: unknown): number | undefined {
  const { path, paths = [path] } = (value ?? {}) as { readonly path?: unknown; readonly paths?: readonly unknown[] };
  const [only] = paths;
  return project && typeof only === 'string' ? takeNumber(project, only) : undefined;
}
