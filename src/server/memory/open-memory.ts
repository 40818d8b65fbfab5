/** Finds memories that can still be changed. */
import { isStructural } from '../../kinds/kinds';
import { conflict, invalidInput } from '../base/errors';
import { parameter as named, phrase, tool } from '../base/phrase';
import { shownId, shownTime } from '../base/shown';
import type { Reader } from '../db/sql';
import { isSharedOut } from './history/undone-share';
import { ANY_MEMORY, one } from './node-kinds';
import { findNode, type NodeRow, unknownNode } from './nodes';

/** What decides whether a node can still be changed. */
export type NodeStanding = Pick<NodeRow, 'seq' | 'kind' | 'tombstoned' | 'valid_until'>;

/**
 * The open memory with this id; entities and sessions are no memories.
 * @throws SvcError not_found, conflict when it is closed, tombstoned or shared in a file that is not here, invalid_input for
 * an entity or a session
 */
export async function openMemory(sql: Reader, ns: number, id: string, parameter: string): Promise<NodeRow> {
  return requireOpenMemory(sql, await findNode(sql, ns, id), id, parameter);
}

/** The same for what was found by this id. @throws SvcError as `openMemory` */
export async function requireOpenMemory<Node extends NodeStanding>(
  sql: Reader,
  found: Node | undefined,
  id: string,
  parameter: string,
): Promise<Node> {
  if (!found) throw unknownNode(id, parameter);
  if (found.tombstoned === 1) {
    await requireHere(sql, found, id, parameter);
    throw conflict(
      phrase`${shownId(id)} given as ${named(parameter)} has been forgotten`,
      'Use the id of an open memory',
    );
  }
  if (found.valid_until !== null) {
    throw conflict(
      phrase`${shownId(id)} given as ${named(parameter)} was closed at ${shownTime(found.valid_until)}`,
      phrase`Use the id of an open memory. ${tool('memory_timeline')} shows what superseded this one`,
    );
  }
  if (isStructural(found.kind)) {
    throw invalidInput(
      phrase`${shownId(id)} given as ${named(parameter)} is ${one(found.kind)}, not a memory`,
      `Use the id of a ${ANY_MEMORY}`,
    );
  }
  return found;
}

/** @throws SvcError conflict when it is shared, and its file is not here, as on another branch */
export async function requireHere(
  sql: Reader,
  { seq, tombstoned }: Pick<NodeRow, 'seq' | 'tombstoned'>,
  id: string,
  parameter: string,
): Promise<void> {
  if (tombstoned === 0 || !(await isSharedOut(sql, seq))) return;
  throw conflict(
    phrase`${shownId(id)} given as ${named(parameter)} is shared, and its file is not here`,
    'It was forgotten here, cannot be read, or is on another branch: change it where its file is, or restore it',
  );
}
