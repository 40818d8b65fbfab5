/** What the server refuses in words for agents, or in numbers that nobody sees, in words for people. */
import * as vscode from 'vscode';
import type { NodeDetails } from '../protocol/tool-values';
import type { Memories, Place } from './memories';
import type { OwnChanges } from './own-changes';

const missingWords = (): string =>
  vscode.l10n.t(
    'This memory is not here. It may be in another namespace or in a file of another branch, or it was deleted for good.',
  );

const removedWords = (): string =>
  vscode.l10n.t('This memory has been forgotten: its file was removed from .svc/memories.');

/** As the server says of the file of a shared memory. */
const EDITED_FILE = /^(\.svc\/memories\/\S+) was changed since\b/;
const FILE_ELSEWHERE = /^The file of \S+ is not here\b/;

/** How this window has taken it back already is said first: a message with its button stays. */
function overWords(operation: unknown, place: Place, own: OwnChanges, message: string): string {
  if (typeof operation !== 'number') return vscode.l10n.t('There is nothing here to undo.');
  const isRedo = own.isUndoing(place, operation);
  const edited = EDITED_FILE.exec(message)?.[1];
  if (edited) {
    return isRedo
      ? vscode.l10n.t('Not redone: {0} was changed since. Take back that change first, and redo again.', edited)
      : vscode.l10n.t('Not undone: {0} was changed since. Take back that change first, and undo again.', edited);
  }
  if (FILE_ELSEWHERE.test(message)) {
    return isRedo
      ? vscode.l10n.t('Not redone: the file of this memory is not here, as on another branch.')
      : vscode.l10n.t('Not undone: the file of this memory is not here, as on another branch.');
  }
  const by = own.overBy(place, operation);
  if (by === 'redone') return vscode.l10n.t('That was done again already.');
  if (by === 'undone') return vscode.l10n.t('That was undone already.');
  return isRedo
    ? vscode.l10n.t(
        'This can no longer be redone. It was done again before, or its file is not on this branch, or what it changed, or the whole store, has been changed since.',
      )
    : vscode.l10n.t(
        'This can no longer be undone. It was undone before, or its file is not on this branch, or what it changed, or the whole store, has been changed since.',
      );
}

/** What the server refused. @param code of its error */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    message: string,
    readonly code: string,
    /** What was to be taken back is taken back already, by this window. */
    readonly isOver = false,
  ) {
    super(message);
  }
}

interface Refused {
  /** Of the tool. */
  readonly name: string;
  readonly place: Place;
  /** Of what was to be undone. */
  readonly operation: unknown;
}

/** What a tool refused: the server says it in words for agents, and in numbers that nobody sees here. */
export function refusalOf(
  { code, message }: { readonly code: string; readonly message: string },
  { name, place, operation }: Refused,
  own: OwnChanges,
): Refusal {
  const isMissing = code === 'not_found' && (name === 'node' || name === 'history');
  if (name !== 'undo' || (code !== 'conflict' && code !== 'not_found')) {
    const isRemoved = code === 'conflict' && name === 'node';
    return new Refusal(isMissing ? missingWords() : isRemoved ? removedWords() : message, code);
  }
  // It is asked for no more, unless it can be tried again once its file is as it was, or is here.
  if (!EDITED_FILE.test(message) && !FILE_ELSEWHERE.test(message)) own.drop(place, operation);
  const isOver = typeof operation === 'number' && own.overBy(place, operation) !== undefined;
  return new Refusal(overWords(operation, place, own, message), code, isOver);
}

/** That a memory is not open any more, where that is why it was refused. @returns any other error as it is */
export async function inOwnWords(
  memories: Memories,
  { place, nodeId }: { readonly place: Place; readonly nodeId: string },
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Refusal) || error.code !== 'conflict') return error;
  const memory = await memories.call<NodeDetails>(place, 'node', { id: nodeId }).catch(() => undefined);
  if (memory?.away) {
    return new Refusal(
      vscode.l10n.t('This memory is shared, and its file is not here, as on another branch.'),
      error.code,
    );
  }
  if (memory?.tombstoned === 1) return new Refusal(vscode.l10n.t('This memory has been forgotten.'), error.code);
  if (memory?.valid_until) return new Refusal(vscode.l10n.t('This memory has been closed.'), error.code);
  return error;
}
