/** Leads a person through what waits, one memory after the other. */
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { Comparison } from '../../../protocol/tool-values';
import type { Editor } from '../../editor';
import type { ForeignStores } from '../../foreign-stores';
import type { Memories, Place } from '../../memories';
import { described } from '../../output';
import { requireOwnStore, requireTrust } from '../require-trust';
import { supersede } from '../rewrite-memory';
import { tellRefusal } from '../tell-done';
import { codeDocuments, type Page } from './code-documents';
import {
  cameTooEarly,
  changedMeanwhile,
  type Decision,
  done,
  settledElsewhere,
  summary,
  takenBack,
} from './decided-words';
import { keysOfStart } from './keys-of-start';
import { openCodeOf } from './open-code';
import { isInDoubt, isSameCode, isSettledSince, lookAt, slowly, vouches } from './reading';
import type { Progress } from './review-header';
import { coming, type Decided, decidedIn, forget, progressOf, type Queue, renew, type Step, type Walk } from './walk';

export interface ReviewFlow extends vscode.Disposable {
  /**
   * Shows the code of a memory, then and now. Where it waits, it can be decided about, and the next one comes.
   * @param asked is being read: keys for the first page may come at once
   * @param nodeId the first one that waits, where it is missing
   */
  show(asked: Promise<Queue>, nodeId?: string): Promise<void>;
}

interface Current {
  readonly compared: Comparison;
  readonly walk: Walk;
  readonly nodeId: string;
  /** Which of its symbols is shown. */
  readonly symbol: number;
  readonly waits: boolean;
  /** When its page came. */
  readonly inDoubt: boolean;
  /** As the tab says it, whose title stays: what is settled elsewhere meanwhile is left out from the next page on. */
  readonly progress: Progress | undefined;
}

const TOLD_MS = 4_000;
const TOLD_OF_KEY_MS = 2_000;
const READ_AHEAD = 4;
/** As long as nobody has read what has just come. */
const READ_MS = 1_000;

/** @param follow called with each memory that is shown */
export function reviewFlow(
  editor: Editor,
  memories: Memories,
  foreign: ForeignStores,
  follow: (nodeId: string) => void,
): ReviewFlow {
  const documents = codeDocuments();
  const keys = keysOfStart();
  let current: Current | undefined;
  /** What comes next is read while a person looks at this one: a few, because storing a decision may hold up one. */
  const ahead = new Map<string, Promise<Comparison>>();
  let busy = false;
  /** When other code took the place of what is shown, in milliseconds. */
  let renewedAt = Number.NEGATIVE_INFINITY;
  /** Code changed while one page took the place of another. */
  let behind = false;
  /** What was decided last, with the key that takes it back: as long as there is a page for it. */
  let told: vscode.Disposable | undefined;
  /** A key for what is on the screen already, and a row that was clicked, while the editor is not done with showing it. */
  const held: { key?: (() => Promise<void>) | undefined; row?: (() => Promise<void>) | undefined } = {};
  /** What was decided is stored in the order of the keys, while the person looks at the next one. */
  let storing: Promise<unknown> = Promise.resolve();
  /** How much of it is not stored yet. */
  let unstored = 0;

  const compare = (queue: Queue, nodeId: string): Promise<Comparison> => {
    const known = ahead.get(nodeId) ?? lookAt(memories, queue.place, nodeId);
    // It is asked for again where it is refused.
    known.catch(() => ahead.delete(nodeId));
    return known;
  };
  const draw = async (seen: Omit<Current, 'progress'>): Promise<void> => {
    const now = { ...seen, progress: seen.waits ? progressOf(seen.walk) : undefined };
    const { compared, symbol, waits, progress } = now;
    await vscode.commands.executeCommand('setContext', 'agentMemory.reviewing', waits);
    current = now;
    renewedAt = Number.NEGATIVE_INFINITY;
    follow(now.nodeId);
    await documents.show(compared, compared.symbols[symbol], progress);
  };
  const followOnce = async (): Promise<void> => {
    const before = current;
    behind = busy;
    if (!before || busy) return;
    ahead.delete(before.nodeId);
    const compared = await compare(before.walk.queue, before.nodeId).catch(() => undefined);
    behind = busy;
    if (!compared || current !== before || busy) return;
    const symbol = Math.min(before.symbol, Math.max(0, compared.symbols.length - 1));
    const wasOpen = isInDoubt(before.compared) || before.progress?.settled === true;
    const settled = wasOpen && isSettledSince(before.compared, compared);
    const progress = before.progress && { ...before.progress, settled };
    current = { ...before, compared, symbol, progress };
    if (isDeepStrictEqual(compared, before.compared)) return;
    if (!isSameCode(compared, before.compared)) renewedAt = performance.now();
    documents.renew(compared, compared.symbols[symbol], progress);
  };
  let asked = 0;
  /** What is shown is of the code as it is, also where that is written, or brought back, beside it. */
  const followCode = async (): Promise<void> => {
    asked += 1;
    // What is read at this moment may be older.
    if (asked > 1) return;
    for (let read = 0; read < asked; ) {
      read = asked;
      await followOnce().catch((error: unknown) => editor.log.warn(`Review does not follow: ${described(error)}`));
    }
    asked = 0;
  };
  const open = async (walk: Walk, nodeId: string): Promise<void> => {
    const compared = await compare(walk.queue, nodeId);
    await draw({ walk, nodeId, compared, symbol: 0, waits: walk.order.includes(nodeId), inDoubt: isInDoubt(compared) });
    const next = coming(walk, nodeId).slice(0, READ_AHEAD);
    for (const id of ahead.keys()) if (!next.includes(id)) ahead.delete(id);
    for (const id of next) ahead.set(id, compare(walk.queue, id));
  };
  const goOn = async ({ walk, nodeId }: Current): Promise<void> => {
    const [known] = coming(walk, nodeId);
    if (known !== undefined) return open(walk, known);
    await storing;
    await renew(walk);
    const [next] = coming(walk, nodeId);
    if (next !== undefined) return open(walk, next);
    current = undefined;
    told?.dispose();
    // First, because the next key would be written into the code that stands behind.
    await vscode.commands.executeCommand(`${walk.queue.view}.focus`);
    // Nor is it meant for what was left for later.
    await vscode.commands.executeCommand('list.clear');
    await documents.close();
    void tellEnd(walk);
  };
  const tellEnd = async (walk: Walk): Promise<void> => {
    // All of it was settled somewhere else.
    if (walk.steps.length === 0) return;
    const decided = decidedIn(walk);
    const last = decided.at(-1);
    const button = vscode.l10n.t('Undo the Last One');
    const chosen = await vscode.window.showInformationMessage(
      summary(decided, walk.steps.length - decided.length),
      ...(last ? [button] : []),
    );
    if (chosen === button && last) await showRow(() => takeBack(walk, last));
  };

  const store = (
    { walk, nodeId, compared, inDoubt }: Current,
    decision: Exclude<Decision, 'rewrite'>,
  ): Promise<number | null> => {
    const { place } = walk.queue;
    const [tool, input] =
      decision === 'dismiss'
        ? ['settle', { action: 'dismiss', node_id: nodeId }]
        : ['memory_verify', { node_id: nodeId, status: decision }];
    let isUnseen = false;
    const stored = storing.then(async () => {
      const now = await lookAt(memories, place, nodeId);
      // Nobody vouches for code that came between the look and the key.
      isUnseen = vouches(decision) && !isSameCode(now, compared);
      if (isUnseen) throw new Error(changedMeanwhile(compared.node.content));
      // Somebody may have settled it, or brought its code back, since its page came.
      if (inDoubt && !isInDoubt(now)) throw new Error(settledElsewhere());
      return (await memories.act(place, tool, input)).operation;
    });
    unstored += 1;
    storing = stored.then(
      async () => {
        unstored -= 1;
        // What waits now is asked once, when nobody decides any more.
        if (unstored === 0) await renew(walk).catch(() => undefined);
      },
      async (error: unknown) => {
        unstored -= 1;
        // It waits again, after the others.
        forget(walk, nodeId);
        editor.log.warn(`${decision}: ${described(error)}`);
        told?.dispose();
        await renew(walk).catch(() => undefined);
        if (isUnseen || walk.order.includes(nodeId)) tellRefusal(error);
        else vscode.window.showInformationMessage(settledElsewhere());
      },
    );
    return stored;
  };
  const tell = (words: string): void => {
    told?.dispose();
    told = vscode.window.setStatusBarMessage(words, TOLD_MS);
  };
  const take = (walk: Walk, step: Step): void => {
    forget(walk, step.nodeId);
    walk.steps.push(step);
    tell(done(step));
  };
  const rewrite = async (place: Place, nodeId: string): Promise<Pick<Decided, 'operation' | 'inFile'> | undefined> => {
    const outcome = await supersede(memories, { place, nodeId });
    return (
      outcome && { inFile: outcome.inFile === true, operation: Promise.resolve(outcome.done[0]?.operation ?? null) }
    );
  };
  const decide = async (decision: Decision): Promise<void> => {
    const now = current;
    if (!now?.waits || !requireTrust()) return;
    const { walk, nodeId, compared } = now;
    // The key was on its way before anybody could read it.
    if (vouches(decision) && performance.now() - renewedAt < READ_MS) {
      vscode.window.showInformationMessage(changedMeanwhile(compared.node.content));
      return;
    }
    if (!(await requireOwnStore(memories, foreign, walk.queue.place))) return;
    const { place } = walk.queue;
    const stored = decision === 'rewrite' ? await rewrite(place, nodeId) : { operation: store(now, decision) };
    if (!stored) return;
    take(walk, { nodeId, decision, ...stored });
    const isLast = coming(walk, nodeId).length === 0;
    await slowly(goOn(now), isLast ? 'stored' : 'read');
  };
  /** Undoes a step, and shows once more what it was about. */
  const takeBack = async (walk: Walk, last: Step): Promise<void> => {
    if (last.decision !== 'later') {
      const operation = await last.operation.catch(() => null);
      // What waits is being asked still: the answer must not take out again what comes back here.
      await storing;
      if (typeof operation !== 'number') return;
      await memories.call(walk.queue.place, 'undo', { operation });
    }
    forget(walk, last.nodeId);
    tell(takenBack(last));
    if (last.decision !== 'later' && !walk.order.includes(last.nodeId)) walk.order.unshift(last.nodeId);
    await slowly(open(walk, last.nodeId), 'read');
  };
  const undo = async (): Promise<void> => {
    const last = current?.walk.steps.at(-1);
    if (current && last) await takeBack(current.walk, last);
  };
  const later = async (): Promise<void> => {
    if (!current?.waits) return;
    take(current.walk, { nodeId: current.nodeId, decision: 'later' });
    await slowly(goOn(current), 'read');
  };
  const otherSymbol = async (): Promise<void> => {
    const count = current?.compared.symbols.length ?? 0;
    if (current && count > 1) await draw({ ...current, symbol: (current.symbol + 1) % count });
  };
  const openCode = async (): Promise<void> => {
    const symbol = current?.compared.symbols[current.symbol];
    if (current && symbol) await openCodeOf(memories, current.walk.queue.place, symbol);
  };
  const commands: Readonly<Record<string, () => Promise<void>>> = {
    reviewStillTrue: () => decide('confirm'),
    reviewNoLongerTrue: () => decide('refute'),
    reviewRewrite: () => decide('rewrite'),
    reviewIgnore: () => decide('dismiss'),
    reviewLater: later,
    reviewUndo: undo,
    reviewOtherPlace: otherSymbol,
    reviewOpenCode: openCode,
  };
  const running = async (name: string, run: () => Promise<void>): Promise<void> => {
    busy = true;
    try {
      await run();
    } catch (error) {
      editor.log.warn(`${name}: ${described(error)}`);
      tellRefusal(error);
    } finally {
      busy = false;
    }
    if (behind) void followCode();
    const first = held.key ? 'key' : 'row';
    const next = held[first];
    held[first] = undefined;
    await next?.();
  };
  /** A row that is clicked says by itself what is meant. */
  const showRow = (run: () => Promise<void>): Promise<void> => {
    if (!busy) return running('show', run);
    held.row = () => running('show', run);
    return Promise.resolve();
  };
  /**
   * A key that is pressed twice in a hurry is meant for what is on the screen, not for what comes; one for what has come
   * waits until the editor is done.
   * @param page that it was pressed on; undefined where nobody says so, as for a button
   */
  const once = (name: string, run: () => Promise<void>, page: Page | undefined): Promise<void> => {
    const isForPage = page === documents.page();
    if (!busy && (page === undefined || isForPage)) return running(name, run);
    if (documents.isSeen(page)) held.key = () => running(name, run);
    // One that comes right after another one was given up is for the same page still.
    else if (isForPage) held.key = () => once(name, run, page);
    else if (page !== undefined) vscode.window.setStatusBarMessage(cameTooEarly(), TOLD_OF_KEY_MS);
    return Promise.resolve();
  };
  const all = vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) =>
      vscode.commands.registerCommand(`agentMemory.${name}`, (given?: { readonly page?: Page }) =>
        once(name, run, given?.page),
      ),
    ),
    ...[documents, keys],
    documents.onDidClose(() => {
      current = undefined;
      told?.dispose();
      vscode.commands.executeCommand('setContext', 'agentMemory.reviewing', false);
    }),
    memories.onDidChange(({ what }) => {
      // The code of the next one may have changed, too; so may what was confirmed, in a list.
      if (what.includes('graph')) ahead.clear();
      if (what.includes('graph') || what.includes('memory')) void followCode();
    }),
  );
  const begin = async (queue: Queue, nodeId?: string): Promise<void> => {
    const known = current?.walk.queue.key === queue.key ? current.walk : undefined;
    const walk = known ?? { queue, order: [], steps: [] };
    await renew(walk);
    const first = nodeId ?? coming(walk, undefined)[0];
    if (first !== undefined) await open(walk, first);
    else queue.tellNothing();
  };
  return {
    show: (asked, nodeId) =>
      keys.during(async () => {
        const queue = await asked;
        // Where something else is being done, this begins after it.
        await showRow(() => keys.during(() => begin(queue, nodeId)));
      }),
    dispose: () => all.dispose(),
  };
}
