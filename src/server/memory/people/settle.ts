/** Does what a person decided in review. */

import { conflict, invalidInput, notFound, type SvcError } from '../../base/errors';
import { parameter, phrase } from '../../base/phrase';
import { shownId, shownTime } from '../../base/shown';
import { closeSupersededNodes } from '../close-superseded-nodes';
import type { PlacedTouch } from '../code/touches';
import { insertEdges } from '../edges';
import { requireOwnWord } from '../foreign-turn';
import { forget, forgetAll } from '../forget';
import { operationOf, recorded } from '../history/operations';
import { applySideEffects } from '../history/side-effects';
import type { Memory, WritableMemory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { openMemory } from '../open-memory';
import { linksTo, takeCode } from '../similar/take-code';
import { takeReasons } from '../similar/take-reasons';
import { type Located, locateMemory, newTexts, verify, waitingFor } from '../verify';
import { isListed } from './review';
import { editProposal, keepProposals, requirePerson, requireWaiting, waitingOf } from './settle-proposals';

export const SETTLE_ACTIONS = ['confirm', 'refute', 'forget', 'dismiss', 'merge', 'keep', 'drop', 'edit'] as const;
export type SettleAction = (typeof SETTLE_ACTIONS)[number];

/** What a person decided: about an entry of the queue, a memory, a pair of near-duplicates, or proposals. */
export interface Decision {
  readonly action: SettleAction;
  /** Number of an entry. */
  readonly entry: number | undefined;
  readonly node_id: string | undefined;
  /** For `merge`, and for `keep` of both: the other one of the pair. */
  readonly other_id: string | undefined;
  /** For `keep` and `drop`: the number of a source, all of which waits. */
  readonly source: number | undefined;
  /** For `edit`: what is stored in the place of a proposal. */
  readonly content: string | undefined;
}

export interface Settled {
  /** The first of them, where a whole source was settled. */
  readonly node_id: string;
  /** How many memories were settled. */
  readonly count: number;
  /** Id of what `edit` stored. */
  readonly stored?: string;
  /** What it rejects no more. */
  readonly chosen_now?: readonly string[];
  readonly action: SettleAction;
  /** Entries of the queue that no longer wait. */
  readonly entries: number[];
  /** What undo takes. */
  readonly operation: number;
}

/** The memory that is meant, and where its code stands. */
export interface Looked {
  readonly node_id: string;
  /** The file of the entry; undefined when the memory was named. */
  readonly file_path: string | undefined;
  readonly located: readonly Located[];
  /** For `merge`: the links that the other one gets to its code. */
  readonly links: readonly PlacedTouch[];
}

/**
 * Finds what is to be settled and looks at its code; reads working files, so it belongs before the transaction.
 * @throws SvcError not_found, conflict for an entry that does not wait, invalid_input when it is not said what is meant
 */
export async function lookAt(
  memory: Memory,
  { action, entry, node_id, other_id, source, content }: Decision,
): Promise<Looked> {
  requireFitting(action, { source, content, other_id });
  if (source !== undefined && entry === undefined && node_id === undefined) return NOTHING_TO_LOOK_AT;
  if ((entry === undefined) === (node_id === undefined)) {
    throw invalidInput(
      entry === undefined
        ? phrase`Neither ${parameter('entry')} nor ${parameter('node_id')} is given`
        : phrase`Both ${parameter('entry')} and ${parameter('node_id')} are given`,
      'Give the number of an entry of the review queue, or the id of a memory',
    );
  }
  const isPair = action === 'merge' || other_id !== undefined;
  if (isPair && (node_id === undefined || other_id === undefined)) {
    throw invalidInput(
      `The action ${action} needs a pair`,
      phrase`Give the ids of both memories, ${parameter('node_id')} and ${parameter('other_id')}`,
    );
  }
  const waiting = entry === undefined ? undefined : await waitingEntry(memory, entry);
  const id = waiting?.node_id ?? node_id ?? '';
  if (entry !== undefined) await requireListed(memory, entry, id);
  const needsCode = action === 'confirm' || action === 'dismiss' || action === 'merge';
  const located = needsCode ? await locateMemory(memory, id) : [];
  const links = action === 'merge' ? await linksTo(memory, located) : [];
  return { node_id: id, file_path: waiting?.file_path, located, links };
}

const NOTHING_TO_LOOK_AT: Looked = { node_id: '', file_path: undefined, located: [], links: [] };

/** @throws SvcError invalid_input for what the action does not take, or lacks */
function requireFitting(
  action: SettleAction,
  { source, content, other_id }: Pick<Decision, 'source' | 'content' | 'other_id'>,
): void {
  const given = { source, content, other_id };
  for (const [name, actions] of TAKEN_BY) {
    if (given[name] === undefined || actions.includes(action)) continue;
    throw invalidInput(
      phrase`The action ${action} does not take ${parameter(name)}`,
      `Leave it out, or use the action ${actions.join(' or ')}`,
    );
  }
  if (action === 'edit' && content === undefined) {
    throw invalidInput(phrase`The action edit needs ${parameter('content')}`, 'Give the text that is to be kept');
  }
}

const TAKEN_BY: readonly (readonly ['source' | 'content' | 'other_id', readonly SettleAction[]])[] = [
  ['source', ['keep', 'drop']],
  ['content', ['edit']],
  ['other_id', ['merge', 'keep']],
];

async function waitingEntry(memory: Memory, entry: number): Promise<{ node_id: string; file_path: string }> {
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  const row = await memory.sql.get<{ node_id: string; file_path: string; settled_at: string | null }>(
    `SELECT q.node_id, q.file_path, q.settled_at FROM mem_review_queue AS q JOIN mem_nodes AS n ON n.id = q.node_id
     WHERE q.id = $entry AND +(n.seq >> 32) = $ns`,
    { entry, ns },
  );
  if (!row) throw notFound(`There is no entry ${entry} in the review queue`, 'Use a number from "review"');
  if (row.settled_at !== null) {
    throw conflict(`Entry ${entry} was settled at ${shownTime(row.settled_at)}`, 'Use a number from "review"');
  }
  return row;
}

/**
 * An entry that a review does not list now is refused, so that an old or a guessed number decides nothing.
 * @throws SvcError conflict
 */
async function requireListed(memory: Memory, entry: number, id: string): Promise<void> {
  await openMemory(memory.sql, await namespaceNumber(memory.sql, memory.scope.namespace), id, 'node_id');
  if (await isListed(memory, entry)) return;
  // Somebody may have settled it just now.
  await waitingEntry(memory, entry);
  throw notWaiting(id);
}

/**
 * Does what was decided.
 * @throws SvcError not_found, or conflict for a memory that is closed or forgotten
 */
export async function settle(memory: WritableMemory, decision: Decision, looked: Looked): Promise<Settled> {
  const { action, source } = decision;
  const { node_id } = looked;
  const ns = await namespaceNumber(memory.sql, memory.scope.namespace);
  if (source !== undefined && (action === 'keep' || action === 'drop')) return settleSource(memory, ns, action, source);
  const node = await openMemory(memory.sql, ns, node_id, 'node_id');
  const { seq } = node;
  // Another process may have been faster since it was looked at.
  if (decision.entry !== undefined) await waitingEntry(memory, decision.entry);
  const entries = await entriesToSettle(memory, ns, decision, looked);
  let edited: Awaited<ReturnType<typeof editProposal>> | undefined;
  switch (action) {
    case 'confirm':
    case 'refute':
      await verify(memory, node_id, action, looked.located);
      break;
    case 'forget':
      await forget(memory, { node_id, entity: undefined, before: undefined }, false);
      break;
    case 'dismiss': {
      await requireOwnWord(memory, [node]);
      if (entries.length === 0) throw notWaiting(node_id);
      const side = { settled: entries, noted: seenIn(looked), accepted: newTexts(meant(looked)) };
      await recorded(memory, ns, 'dismiss', [{ seq, side }], () =>
        applySideEffects(memory, ns, { seq, id: node_id }, side),
      );
      break;
    }
    case 'drop':
      await requireWaiting(memory, ns, node);
      await forget(memory, { node_id, entity: undefined, before: undefined }, false);
      break;
    case 'edit':
      await requireWaiting(memory, ns, node);
      requirePerson(memory);
      edited = await editProposal(memory, ns, node, decision.content ?? '');
      break;
    default: {
      if (decision.other_id === undefined) {
        await requireWaiting(memory, ns, node);
        requirePerson(memory);
        await keepProposals(memory, ns, [node], 'confirmed');
        break;
      }
      const other = await openMemory(memory.sql, ns, decision.other_id, 'other_id');
      if (other.seq === seq) throw invalidInput('Both are the same memory', 'Give the ids of two memories');
      if (action === 'merge') {
        await requireOwnWord(memory, [node]);
        await merge(memory, ns, seq, other, looked.links);
      } else await keep(memory, ns, { seq, id: node_id }, other);
    }
  }
  const operation = await operationOf(memory, ns);
  return { node_id, action, count: 1, entries, operation, ...edited };
}

export function notWaiting(nodeId: string): SvcError {
  return conflict(`${shownId(nodeId)} does not wait for review`, 'Use an entry from "review"');
}

/** All that wait of a source, in one act. */
async function settleSource(
  memory: WritableMemory,
  ns: number,
  action: 'keep' | 'drop',
  source: number,
): Promise<Settled> {
  if (action === 'keep') requirePerson(memory);
  const waiting = await waitingOf(memory, ns, source);
  // Nobody has looked at each of them.
  if (action === 'keep') await keepProposals(memory, ns, waiting, 'stored');
  else await forgetAll(memory, ns, waiting);
  const [first] = waiting;
  return {
    ...{ node_id: first?.id ?? '', action, count: waiting.length, entries: [] },
    operation: await operationOf(memory, ns),
  };
}

/** What no longer waits: an entry stands for its file; a verification for the memory. */
async function entriesToSettle(
  memory: Memory,
  ns: number,
  { action, entry }: Decision,
  { node_id, file_path }: Looked,
): Promise<number[]> {
  if (action === 'merge' || action === 'keep' || action === 'edit') return [];
  if (action !== 'dismiss' || entry === undefined) return waitingFor(memory, node_id);
  const rows = await memory.sql.all<{ id: number }>(
    `SELECT q.id FROM mem_review_queue AS q JOIN mem_nodes AS n ON n.id = q.node_id
     WHERE q.node_id = $node_id AND q.settled_at IS NULL AND +(n.seq >> 32) = $ns AND q.file_path = $file
     ORDER BY q.id`,
    { node_id, ns, file: file_path ?? '' },
  );
  return rows.map(({ id }) => id);
}

/** The text that was there when it was dismissed: only another one brings the entry back. */
function seenIn(looked: Looked): [string, string][] {
  const files = new Map<string, string[]>();
  for (const { key, now } of meant(looked)) {
    files.set(key.file_path, [...(files.get(key.file_path) ?? []), now.symbol?.hash ?? '']);
  }
  return [...files].map(([file, hashes]) => [file, hashes.join(' ')]);
}

/** The links that were made in the entry's file; all of them where no entry is meant. */
export function meant({ file_path, located }: Looked): readonly Located[] {
  if (file_path === undefined) return located;
  return located.filter(({ key }) => key.file_path === file_path);
}

interface OpenMemory {
  readonly seq: number;
  readonly id: string;
  readonly valid_from: string;
}

async function merge(
  memory: WritableMemory,
  ns: number,
  closed: number,
  kept: OpenMemory,
  links: readonly PlacedTouch[],
): Promise<void> {
  await takeReasons(memory, ns, [{ newer: kept.seq, older: closed }]);
  await takeCode(memory, ns, { newer: kept, older: closed }, links);
  await insertEdges(memory.sql, [{ type: 'SUPERSEDES', src: kept.seq, dst: closed }]);
  await closeSupersededNodes(memory, ns, [{ seq: closed, by: kept.seq, validFrom: kept.valid_from }]);
}

async function keep(
  memory: WritableMemory,
  ns: number,
  node: Pick<OpenMemory, 'seq' | 'id'>,
  other: OpenMemory,
): Promise<void> {
  const side = { kept_beside: other.id };
  const changes = [
    { seq: node.seq, side },
    { seq: other.seq, side: { kept_beside: node.id } },
  ];
  await recorded(memory, ns, 'keep', changes, () => applySideEffects(memory, ns, node, side));
}
