/** Offers the tools of the memory to the editor's chat. */
import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { isStructural } from '../../../kinds/kinds';
import type { CodeMemories, ExplainedDecisions, RecalledMemories } from '../../../protocol/tool-values';
import { isInside } from '../../../server/base/paths';
import type { Editor } from '../../editor';
import { type MemoryFolder, memoryFolders } from '../../folders';
import type { LanguageServer } from '../../language-client';
import type { Place } from '../../memories';
import { placeIn } from '../../place';
import { setting } from '../../settings';
import { CHAT_TOOLS, type ChatTool } from './offered';
import { type Given, progressOf, questionOf, textOf } from './sentences';
import { openTrace, type Trace } from './trace';

/** The parameter of each tool that says which folder of several is meant; as in the servers. */
const FOLDER = 'folder';
/** What the sentence on links takes of a budget, with some to spare. */
const LINK_TOKENS = 40;
const SMALLEST_WITH_LINKS = 120;
const USUAL_BUDGET = 500;

const NO_STORE = 'Nothing is remembered here yet: the memory of this folder begins with the first memory_store.';

/** Registers what package.json contributes as `languageModelTools`; which of them are offered is said there. */
export function chatTools(editor: Editor, server: LanguageServer): vscode.Disposable {
  const trace = openTrace(editor, server);
  return vscode.Disposable.from(
    trace,
    ...Object.entries(CHAT_TOOLS).map(([name, tool]) =>
      vscode.lm.registerTool<Given>(name, {
        async prepareInvocation({ input }) {
          const place = (): Place => placeOf(editor, input).place;
          const contents = await contentsOf(server, place, input);
          const waits = tool === 'memory_store' && (await agentsWait(server, place));
          const question = questionOf(tool, input, { content: (id) => contents.get(id), waits });
          return {
            invocationMessage: progressOf(tool, input),
            ...(question ? { confirmationMessages: question } : {}),
          };
        },
        async invoke({ input }, token) {
          const text = await answer(editor, server, trace, tool, input, token);
          return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
        },
      }),
    ),
  );
}

/** What the named memories say, so that a person sees more than ids; a call without them is refused later, and says why. */
async function contentsOf(
  server: LanguageServer,
  place: () => Place,
  { node_id, supersedes }: Given,
): Promise<ReadonlyMap<string, string>> {
  const ids = [node_id, supersedes].map(textOf).filter((id) => id !== '');
  const found = ids.map(async (id): Promise<[string, string][]> => {
    try {
      const { content } = await server.call<{ content: string }>(place(), 'node', { id });
      return [[id, content]];
    } catch {
      return [];
    }
  });
  return new Map((await Promise.all(found)).flat());
}

/** Allowing a call is no keeping: an editor may be told to allow all of them. */
async function agentsWait(server: LanguageServer, place: () => Place): Promise<boolean> {
  if (setting('keep') !== 'keep') return true;
  try {
    return (await server.state(place())).agents_wait;
  } catch {
    return false;
  }
}

async function answer(
  editor: Editor,
  server: LanguageServer,
  trace: Trace,
  tool: ChatTool,
  given: Given,
  token: vscode.CancellationToken,
): Promise<string> {
  const { folder, place, input } = placeOf(editor, given);
  const reads = tool !== 'memory_store' && tool !== 'memory_start_session';
  // Reading makes no store.
  if (reads && !folder.store.exists && !(await server.team(place).catch(() => null))) return NO_STORE;
  const { link, asked } = withLinks(editor, tool, input);
  const result = await server.request(
    'svc/callTool',
    {
      ...{ folder: place.folder.toString(), namespace: place.namespace },
      ...{ name: tool, arguments: asked, agent: vscode.env.appName },
    },
    token,
  );
  // The model reads the message of an error, and can mend its call.
  if (!result.ok) throw new Error(result.error.message);
  const ids = idsIn(tool, result.value);
  if (ids) trace.note(place, ids);
  return link === undefined ? result.text : `${result.text}\n${link}`;
}

/** Of the memories that an answer says something of; undefined for a tool that does not read. */
function idsIn(tool: ChatTool, value: unknown): string[] | undefined {
  switch (tool) {
    case 'memory_recall':
      return (value as RecalledMemories).items.filter(({ kind }) => !isStructural(kind)).map(({ id }) => id);
    case 'memory_for_code':
      return (value as CodeMemories).symbols.flatMap(({ memories }) => memories.map(({ id }) => id));
    case 'memory_why':
      return (value as ExplainedDecisions).items.flatMap(({ id, outcomes, supersedes }) => [
        id,
        ...[...outcomes, ...supersedes].map((linked) => linked.id),
      ]);
    default:
      return undefined;
  }
}

/** With what an agent needs to name memories so that a person can open them, within the budget. */
function withLinks({ context }: Editor, tool: ChatTool, input: Given): { link: string | undefined; asked: Given } {
  const address = `${vscode.env.uriScheme}://${context.extension.id}/memory/<id>`;
  const link = `To name a memory to the user, link it: [words](${address})`;
  if (tool !== 'memory_recall') return { link: tool === 'memory_end_session' ? undefined : link, asked: input };
  const budget = input.budget_tokens ?? USUAL_BUDGET;
  if (typeof budget !== 'number' || budget < SMALLEST_WITH_LINKS) return { link: undefined, asked: input };
  return { link, asked: { ...input, budget_tokens: budget - LINK_TOKENS } };
}

interface Addressed {
  readonly folder: MemoryFolder;
  readonly place: Place;
  /** Without the word that says which folder is meant. */
  readonly input: Given;
}

/** @throws Error for a folder that is not here */
function placeOf(editor: Editor, { [FOLDER]: named, ...input }: Given): Addressed {
  const folders = memoryFolders();
  const [first] = folders;
  if (!first) throw new Error('No folder is open, and a memory belongs to one.');
  const path = input.file_path;
  const holds =
    typeof path === 'string' && isAbsolute(path) ? folders.find((one) => isInside(one.path, path)) : undefined;
  const folder = named === undefined || named === null ? (holds ?? first) : folders.find(({ name }) => name === named);
  if (!folder) {
    const names = folders.map(({ name }) => JSON.stringify(name)).join(', ');
    throw new Error(`"${FOLDER}" is ${JSON.stringify(named)}, which is no folder here. The folders are ${names}.`);
  }
  return { folder, place: placeIn(editor, folder.uri), input };
}
