/**
 * What any process changed in the files of shared memories: for the history, and for the undoing of commands, each of which ends
 * at once.
 */
import { conflict, notFound } from '../base/errors';
import { FIRST_NUMBER_OF_FILE } from '../base/file-numbers';
import { requireNothingForeign } from '../memory/foreign-turn';
import type { FoundEvent } from '../memory/history/node-history';
import type { Action } from '../memory/history/operations';
import type { TakenBack } from '../memory/history/taken-back';
import type { OperationRow } from '../memory/history/undo';
import type { Memory } from '../memory/memory';
import { readMemory } from '../shared/read-memory';
import { type Along, alongOf, undoAlong } from './along';
import { EDIT, type KeptEdit, MOST_EDITS, readEdits, writeEdits } from './edit-rows';
import {
  type Change,
  concerns,
  eventFor,
  isAsLeft,
  type Noted,
  noted,
  requireAsLeft,
  writeChange,
} from './file-change';
import type { Project } from './open';

/** The client of a command line. */
const COMMAND_LINE = 'cli';

/** What an undoing in a file answers, as `undo` does. */
interface UndoneKept {
  readonly undone: number;
  readonly tool: string;
  readonly at: string;
  readonly operation: number;
  readonly node_ids: readonly string[];
  readonly forgotten_ids: readonly string[];
}

/** Whether what was done in files by other processes before this one is taken back by it. */
export function isCommand({ holder }: Pick<Memory, 'holder'>): boolean {
  return holder().client === COMMAND_LINE;
}

/** Keeps a change that was made. It was made, so nothing of this fails. @returns its number */
export async function keepChange(project: Project, memory: Memory, change: Change): Promise<number | undefined> {
  try {
    const rows = await project.shared.rows();
    const { root: _, ...kept } = change;
    const edit = { ...kept, ...(await stamp(memory)), undoes: null, undone_by: null, turns: 0 };
    return await rows?.transact(async (sql) => {
      const number = Math.max(FIRST_NUMBER_OF_FILE - 1, ...(await readEdits(sql)).keys()) + 1;
      await writeEdits(sql, [{ ...edit, number }]);
      return number;
    });
  } catch (error) {
    project.log(`the change of ${change.path} was not kept for undo: ${String(error)}`);
    return undefined;
  }
}

/** Keeps which operation of the store goes with a change. It was made, so nothing of this fails. */
export async function keepAlong(project: Project, number: number, along: Along): Promise<void> {
  try {
    const rows = await project.shared.rows();
    await rows?.transact(async (sql) => {
      const edit = (await readEdits(sql)).get(number);
      if (edit) await writeEdits(sql, [{ ...edit, along }]);
    });
  } catch (error) {
    project.log(`what goes with operation ${number} was not kept for undo: ${String(error)}`);
  }
}

/** The change in a file that an operation of the store goes with. */
export async function keptWith(project: Project, memory: Memory, operation: number): Promise<number | undefined> {
  const along = await alongOf(memory, operation);
  const isSame = (one: Along | undefined): boolean => one?.operation === operation && one.stamp === along?.stamp;
  return (await editsIn(project, memory)).find((edit) => isSame(edit.along))?.number;
}

async function stamp(memory: Memory): Promise<Noted & Pick<KeptEdit, 'namespace' | 'follows'>> {
  const row = await memory.sql.get<{ last: number }>('SELECT coalesce(max(id), 0) AS last FROM mem_operations');
  return { ...noted(memory), namespace: memory.scope.namespace, follows: row?.last ?? 0 };
}

/** The last change of a command in this working tree and namespace that is not taken back, if it is newer than an operation. */
export async function lastKept(
  project: Project,
  memory: Memory,
  operation: Pick<OperationRow, 'id' | 'at'> | undefined,
): Promise<number | undefined> {
  const { host } = memory.holder();
  const last = (await editsIn(project, memory))
    .filter((edit) => edit.client === COMMAND_LINE && edit.host === host && edit.undone_by === null && edit.turns === 0)
    .at(-1);
  if (!last || !operation || last.along?.operation === operation.id) return last?.number;
  const isOlder = last.at < operation.at || (last.at === operation.at && last.follows < operation.id);
  return isOlder ? undefined : last.number;
}

/**
 * Takes back a change by its number, or does it again.
 * @throws SvcError not_found; conflict where it was taken back, or the file is not as it was left; unavailable
 */
export async function undoKept(project: Project, memory: Memory, number: number): Promise<UndoneKept> {
  const { store, shared, place } = project;
  if (store.refuseWriting) throw store.refuseWriting;
  const { root } = place;
  const rows = await shared.rows();
  if (!rows || root === undefined) throw unknown(number);
  requireNothingForeign(memory);
  const stamped = await stamp(memory);
  const standing = (all: ReadonlyMap<number, KeptEdit>): KeptEdit => {
    const edit = all.get(number);
    if (!edit || edit.namespace !== memory.scope.namespace) throw unknown(number);
    if (edit.undone_by !== null) {
      throw conflict(`Operation ${number} was already undone`, `To redo it, undo operation ${edit.undone_by}`);
    }
    requireAsLeft({ ...edit, root }, FROM_GIT);
    return edit;
  };
  // First: the store may refuse it.
  const inStore = await undoAlong(project, standing(await readEdits(rows)).along);
  const [found, undoing] = await rows.transact(async (sql) => {
    const all = await readEdits(sql);
    const edit = standing(all);
    const turned = turnOf(all, edit, { ...stamped, along: inStore?.along });
    await writeEdits(sql, [...turnedRound(all, edit, turned.number), turned]);
    // Last: what cannot be written is not noted, either.
    writeChange({ ...turned, root });
    return [edit, turned] as const;
  });
  await shared.refresh();
  const { id, tool, at, after } = undoing;
  const answer = { undone: number, tool: found.turns > 0 ? 'undo' : tool, at: found.at ?? at ?? '' };
  const forgotten_ids = after === undefined ? [id] : [];
  const node_ids = [...new Set([...idsOf(undoing), ...(inStore?.node_ids ?? [])])];
  return { ...answer, operation: undoing.number, node_ids, forgotten_ids };
}

/** Keeps that the process has turned round what it did itself. It was done, so nothing of this fails. @returns its number */
export async function keepTurn(
  project: Project,
  memory: Memory,
  number: number,
  along: Along | undefined,
): Promise<number | undefined> {
  try {
    const rows = await project.shared.rows();
    const stamped = await stamp(memory);
    return await rows?.transact(async (sql) => {
      const all = await readEdits(sql);
      const edit = all.get(number);
      if (!edit || edit.undone_by !== null) return undefined;
      const turned = turnOf(all, edit, { ...stamped, along });
      await writeEdits(sql, [...turnedRound(all, edit, turned.number), turned]);
      return turned.number;
    });
  } catch (error) {
    project.log(`what became of operation ${number} was not kept for its history: ${String(error)}`);
    return undefined;
  }
}

type Stamp = Awaited<ReturnType<typeof stamp>> & Pick<KeptEdit, 'along'>;

function turnOf(all: ReadonlyMap<number, KeptEdit>, edit: KeptEdit, stamped: Stamp): KeptEdit {
  return {
    ...{ ...edit, ...stamped, before: edit.after, after: edit.before },
    ...{ number: Math.max(...all.keys()) + 1, undoes: edit.number, turns: edit.turns + 1, isBack: undefined },
  };
}

/** As in the store: what it had taken back stands again; what that one had taken back does not; and so on. */
function turnedRound(all: ReadonlyMap<number, KeptEdit>, edit: KeptEdit, operation: number): KeptEdit[] {
  const chain: KeptEdit[] = [];
  for (let one: KeptEdit | undefined = edit; one && chain.length < MOST_EDITS; ) {
    chain.push(one);
    one = one.undoes === null ? undefined : all.get(one.undoes);
  }
  return chain.map((one, i) => ({ ...one, undone_by: i % 2 === 1 ? null : (chain[i - 1]?.number ?? operation) }));
}

/** What an undoing took back, or did again. */
export async function takenBackInFile(
  project: Project,
  memory: Memory,
  { operation, node_ids: ids }: Pick<UndoneKept, 'operation' | 'node_ids'>,
): Promise<TakenBack> {
  const edit = (await editsIn(project, memory)).find(({ number }) => number === operation);
  if (!edit) throw unknown(operation);
  return { did: edit.action, isAgain: edit.turns % 2 === 0, ids };
}

/** Of what is replaced, the new one is the same memory in other words; of two that are kept, both are meant. */
function idsOf({ id, older, action }: KeptEdit): string[] {
  if (older === undefined) return [id];
  return action === 'keep' ? [older, id] : [older];
}

/** What a memory said whose file is no longer there. */
export async function contentKept(project: Project, memory: Memory, nodeId: string): Promise<string | undefined> {
  const edit = (await editsIn(project, memory)).findLast(({ id }) => id === nodeId);
  const found = readMemory(edit?.after ?? edit?.before ?? '');
  return 'memory' in found ? found.memory.content : undefined;
}

/**
 * For the history of a memory.
 * @param ownNumber by which the process itself knows what it did
 */
export async function keptEditsOf(
  project: Project,
  memory: Memory,
  nodeId: string,
  ownNumber: (kept: number) => number | undefined = () => undefined,
): Promise<FoundEvent[]> {
  const shown = (number: number): number => ownNumber(number) ?? number;
  return (await editsIn(project, memory))
    .filter((edit) => concerns(edit, nodeId))
    .map((edit) => {
      const { number, turns, tool, at, client, host, pid, undone_by, undoes, along } = edit;
      return {
        ...{ at, client, host, pid, operation: shown(number), moved: null },
        undone_by: undone_by === null ? null : shown(undone_by),
        undoes: undoes === null ? null : shown(undoes),
        along: along?.operation,
        tool: turns > 0 ? 'undo' : tool,
        ...eventFor(edit, nodeId),
        ...(turns === 0 ? {} : { action: turns % 2 === 1 ? ('undo' as const) : ('redo' as const) }),
      };
    });
}

/** The file of a memory that some program here has removed. */
interface Removal {
  readonly id: string;
  readonly at: string;
  readonly path: string;
  /** What it said last. */
  readonly text: string;
  /** It was there again since. */
  readonly isBack: boolean;
}

/** The files that some program here has removed, where that was not taken back, oldest first. */
export async function removals(project: Project, memory: Memory): Promise<Removal[]> {
  const last = new Map<string, KeptEdit>();
  for (const edit of await editsIn(project, memory)) {
    last.delete(edit.id);
    last.set(edit.id, edit);
  }
  return [...last.values()].flatMap(({ id, at, path, before, after, undone_by, isBack = false }) =>
    before !== undefined && after === undefined && undone_by === null ? [{ id, at, path, text: before, isBack }] : [],
  );
}

/**
 * Forgets what was done in the files of these memories, or of all: nothing of what is deleted for good stays there, nor in the
 * index of words of a file that is gone.
 */
export async function eraseKept(project: Pick<Project, 'shared'>, ids?: readonly string[]): Promise<void> {
  const rows = await project.shared.rows();
  if (!rows) return;
  await rows.transact(async (sql) => {
    const numbers = [...(await readEdits(sql)).values()].flatMap(({ number, id, older }) =>
      !ids || ids.includes(id) || (older !== undefined && ids.includes(older)) ? [`${EDIT}${number}`] : [],
    );
    await sql.run('DELETE FROM mem_flags WHERE name IN (SELECT value FROM json_each($names))', {
      names: JSON.stringify(numbers),
    });
    await sql.run(`INSERT INTO mem_fts (mem_fts) VALUES ('optimize')`);
  });
  await rows.erase();
}

/** A change that a person may mean by the last one. */
export interface KeptChange {
  readonly operation: number;
  readonly at: string;
  readonly client: string;
  readonly did: Action;
  readonly content: string;
  readonly memories: number;
}

interface Kept {
  readonly change: KeptChange;
  readonly isOfThisProgram: boolean;
  /** The operation of the store that goes with it. */
  readonly along: number | undefined;
}

/** The changes that stand and can be taken back, the newest first, but for those that the process did itself, which it knows. */
export async function keptChanges(project: Project, memory: Memory): Promise<Kept[]> {
  const { root } = project.place;
  const { pid, host, client } = memory.holder();
  const stands = (edit: KeptEdit): boolean =>
    edit.undone_by === null && edit.turns === 0 && !(edit.pid === pid && edit.host === host);
  return (await editsIn(project, memory))
    .filter((edit) => stands(edit) && root !== undefined && isAsLeft({ ...edit, root }))
    .map((edit) => {
      const read = readMemory(edit.after ?? edit.before ?? '');
      const content = 'memory' in read ? read.memory.content : '';
      const { number: operation, at, action: did } = edit;
      const isOfThisProgram = edit.client === client && edit.host === host;
      return {
        change: { operation, at, client: edit.client ?? '', did, content, memories: 1 },
        isOfThisProgram,
        along: edit.along?.operation,
      };
    })
    .reverse();
}

/** Of this working tree and namespace, oldest first. */
async function editsIn({ shared }: Project, { scope }: Memory): Promise<KeptEdit[]> {
  const rows = await shared.rows();
  return rows ? [...(await readEdits(rows)).values()].filter(({ namespace }) => namespace === scope.namespace) : [];
}

function unknown(number: number): Error {
  return notFound(
    `There is no operation ${number} in this namespace`,
    'Use a number from "history" of a memory, in the namespace and the working tree of that memory',
  );
}

const FROM_GIT =
  'Nothing was taken back. Git has what was committed of the file, and "history" of another memory has what else can be undone';
