/** Puts memories on code: from the cursor, or by dragging a row onto it. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Editor } from '../editor';
import type { ForeignStores } from '../foreign-stores';
import type { Memories } from '../memories';
import { described } from '../output';
import { plainLine } from '../stored-text';
import { isOfTeam } from '../team-words';
import { meantPosition } from './meant-position';
import { type Target, targetsOf } from './memory-targets';
import { codePath, symbolAt } from './palette/symbol-at';
import { requireOwnStore, requireTrust } from './require-trust';
import type { Outcome } from './rewrite-memory';
import type { Row } from './side-bar/row';
import { doneBy, tellDone, tellRefusal, withFiles } from './tell-done';
import type { UnderWay } from './under-way';

/** What a dragged row carries; nothing else in the editor takes it. */
const DRAGGED = 'application/vnd.svc-memory.memories';

/** Its author, its time and its text stay as they are. */
async function anchor(
  memories: Memories,
  { place, nodeId }: Target,
  document: vscode.TextDocument,
  symbol: string | undefined,
): Promise<Outcome & { readonly code: string }> {
  const path = codePath(place, document.uri);
  if (path === undefined) throw new Error(vscode.l10n.t('This code is outside the folder of the memory.'));
  const code = symbol === undefined ? path : `${path}#${symbol}`;
  const { value, operation } = await memories.act<{ path?: string }>(place, 'link', { node_id: nodeId, code });
  return { target: { place, nodeId }, inFile: value.path !== undefined, done: doneBy(place, operation), code };
}

/** The command "Put on the Code Here": the memory is about what the cursor is in. */
export async function anchorAtCursor(memories: Memories, target: Target): Promise<Outcome | undefined> {
  const active = vscode.window.activeTextEditor;
  if (active?.document.uri.scheme !== 'file') {
    throw new Error(vscode.l10n.t('Open the file, and put the cursor into the function that the memory is about.'));
  }
  const symbol = await symbolAt({ memories }, active.document, meantPosition(active));
  const put = await anchor(memories, target, active.document, symbol);
  if (put.done.length > 0) return put;
  tellThereAlready(put.code);
  return undefined;
}

/** Nothing was done, so there is nothing to take back. */
function tellThereAlready(code: string): void {
  vscode.window.showInformationMessage(vscode.l10n.t('It was on {0} already.', plainLine(code)));
}

const LONGEST_SEARCH_MS = 5_000;

async function tooLate(): Promise<never> {
  await sleep(LONGEST_SEARCH_MS);
  throw new Error(vscode.l10n.t('The function at this place could not be found in time. Try again.'));
}

/** For a view whose rows can be dragged. */
export function dragOntoCode(editor: Editor): vscode.TreeDragAndDropController<Row> {
  return {
    dragMimeTypes: [DRAGGED],
    dropMimeTypes: [],
    handleDrag(rows, carried) {
      const targets = targetsOf(editor, rows[0], rows).filter(({ nodeId }) => !isOfTeam(nodeId));
      const named = targets.map(({ place, nodeId }) => ({
        ...{ folder: place.folder.toString(), namespace: place.namespace, nodeId },
      }));
      if (named.length > 0) carried.set(DRAGGED, new vscode.DataTransferItem(JSON.stringify(named)));
    },
  };
}

/** A row that is dropped on code is about that code from then on. Nothing is written into the file. */
export function dropOnCode(
  editor: Editor,
  memories: Memories,
  foreign: ForeignStores,
  inHand: UnderWay,
): vscode.Disposable {
  const putAll = async (
    targets: readonly Target[],
    document: vscode.TextDocument,
    symbol: string | undefined,
  ): Promise<void> => {
    const put: Awaited<ReturnType<typeof anchor>>[] = [];
    try {
      for (const target of targets) {
        if (!(await requireOwnStore(memories, foreign, target.place))) break;
        put.push(await anchor(memories, target, document, symbol));
      }
    } catch (error) {
      editor.log.warn(`A memory was not put on code: ${described(error)}`);
      tellRefusal(error);
    }
    const changed = put.filter((one) => one.done.length > 0);
    const [first] = changed;
    const done = changed.flatMap((one) => one.done);
    if (first === undefined) {
      if (put[0]) tellThereAlready(put[0].code);
      return;
    }
    memories.steps.noteStep(done);
    const words =
      changed.length === 1
        ? vscode.l10n.t('The memory was put on {0}.', plainLine(first.code))
        : vscode.l10n.t('{0} memories were put on {1}.', changed.length, plainLine(first.code));
    const isInFile = changed.some(({ inFile }) => inFile);
    tellDone(memories, withFiles(words, isInFile), done);
  };
  const dropped = async (
    targets: readonly Target[],
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<void> => {
    if (!requireTrust()) return;
    try {
      // Another extension may be asked, which may never answer.
      const named = Promise.race([symbolAt({ memories }, document, position), tooLate()]);
      await inHand.during(named.then((symbol) => putAll(targets, document, symbol)));
    } catch (error) {
      tellRefusal(error);
    }
  };
  return vscode.languages.registerDocumentDropEditProvider(
    { scheme: 'file' },
    {
      async provideDocumentDropEdits(document, position, carried) {
        const text = await carried.get(DRAGGED)?.asString();
        if (text === undefined) return undefined;
        const targets = (JSON.parse(text) as unknown[]).flatMap((each) => targetsOf(editor, each, undefined));
        void dropped(targets, document, position);
        return new vscode.DocumentDropEdit('', vscode.l10n.t('Put the Memory on This Code'));
      },
    },
    {
      dropMimeTypes: [DRAGGED],
      providedDropEditKinds: [vscode.DocumentDropOrPasteEditKind.Empty.append('agentMemory')],
    },
  );
}
