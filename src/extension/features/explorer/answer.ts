/** Answers the questions of the explorer's page. */
import * as vscode from 'vscode';
import type { Answer, ExplorerTools, FromExplorer, Recalled, ShownFolder } from '../../../protocol/explorer';
import type { NamespaceCounts } from '../../../protocol/tool-values';
import type { Editor } from '../../editor';
import type { LanguageServer } from '../../language-client';
import type { Place } from '../../memories';
import { placeIn } from '../../place';
import { Refusal } from '../../refusal-words';
import { teamLine } from '../../team-words';
import { agreesToWholeStep } from '../undo-whole-step';

type Ask = Extract<FromExplorer, { type: 'ask' }>;

/** The tools that a page may call. Nothing that deletes for good is among them: `forget` can be undone. */
const TOOLS: Readonly<Record<keyof ExplorerTools, true>> = {
  node: true,
  chronicle: true,
  entities: true,
  graph: true,
  audit: true,
  history: true,
  undo: true,
  restore: true,
  memory_verify: true,
  memory_store: true,
  memory_forget: true,
  settle: true,
};

/** Answers a question of the explorer; a refusal is an answer, too. */
export async function answer(editor: Editor, server: LanguageServer, ask: Ask): Promise<Answer<unknown>> {
  try {
    const place = placeAsked(editor, ask);
    switch (ask.what) {
      case 'folder':
        return { ok: true, value: await folder(editor, server, place), operation: null };
      case 'recall':
        return { ok: true, value: await recall(server, place, ask.input), operation: null };
      default:
        if (!Object.hasOwn(TOOLS, ask.what)) throw new Error(`The explorer may not call ${ask.what}.`);
        if (!(await agrees(server, place, ask))) return { ok: false, message: '' };
        return { ok: true, ...(await server.act(place, ask.what, withoutPurge(ask.input))) };
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, message, ...(error instanceof Refusal ? { code: error.code } : {}) };
  }
}

/** Whose memory is meant. */
export function placeAsked(
  editor: Editor,
  { folder, namespace }: { readonly folder: string; readonly namespace?: string },
): Place {
  const uri = vscode.Uri.parse(folder);
  return namespace ? { folder: uri, namespace } : placeIn(editor, uri);
}

async function folder(editor: Editor, server: LanguageServer, { folder }: Place): Promise<ShownFolder> {
  const place = placeIn(editor, folder);
  const { store, problem, lost } = await server.state(place);
  const team = problem === null && (store.exists || lost === null) ? await server.team(place) : null;
  // What a team remembers is shown before anything of one's own is there.
  const usable = problem === null && (store.exists || team !== null);
  const namespaces = usable ? await server.call<NamespaceCounts[]>(place, 'namespaces') : [];
  return {
    activeNamespace: place.namespace,
    namespaces: namespaces.map(({ name }) => name),
    storePath: store.path,
    storeExists: store.exists || team !== null,
    problem,
    lost,
    access: store.access,
    trusted: vscode.workspace.isTrusted,
    teamLine: (team && teamLine(team)?.sentence) ?? null,
  };
}

/** Exactly what an agent would get, but without counting the memories as used. */
async function recall(server: LanguageServer, { folder, namespace }: Place, input: Ask['input']): Promise<Recalled> {
  const { query, budget_tokens, ...options } = input;
  const found = await server.request('svc/recallPreview', {
    folder: folder.toString(),
    namespace,
    query: String(query),
    budgetTokens: Number(budget_tokens),
    options,
  });
  if (!found.ok) throw new Error(found.error.message);
  return found;
}

/** Of a history the page has read the number alone. */
async function agrees(server: LanguageServer, place: Place, { what, input }: Ask): Promise<boolean> {
  const { operation, isRead } = input;
  if (what !== 'undo' || isRead !== true || typeof operation !== 'number') return true;
  return agreesToWholeStep(server, place, operation);
}

function withoutPurge(input: Ask['input']): Ask['input'] {
  const { purge: _, ...rest } = input;
  return rest;
}
