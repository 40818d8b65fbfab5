/** Prints the history of a node. */
import { shownCommit, shownDay, shownId, shownSecond, shownShare, shownWord } from '../base/shown';
import { oneLine } from '../base/text';
import type { HistoryEvent, NodeHistory, NodeState } from '../memory/history/node-history';

/** What happened to one node, one event a line, oldest first. */
export function renderHistory({ node_id, events }: NodeHistory): string {
  return [`## History of ${shownId(node_id)}`, ...events.map(line)].join('\n');
}

const WORDS: Readonly<Record<HistoryEvent['action'], string>> = {
  store: 'stored',
  confirm: 'confirmed',
  refute: 'refuted',
  forget: 'forgotten',
  supersede: 'superseded',
  end: 'ended',
  dismiss: 'change ignored',
  keep: 'kept beside',
  accept: 'kept',
  fill: 'stored again, and filled in',
  link: 'put on code',
  restore: 'restored',
  share: 'shared with the repository',
  // Not of the memory itself.
  undo: 'a change was undone',
  redo: 'a change was done again',
  anchor: 'its code went',
  commit: 'changed in its file',
  replace: 'took the place of',
};

function line(event: HistoryEvent): string {
  const { at, operation, undone_by, moved } = event;
  const place = moved ? ` from ${oneLine(moved.from)} to ${oneLine(moved.to)} (${oneLine(moved.why)})` : '';
  const number =
    operation === null ? '' : ` · operation ${operation}${undone_by === null ? '' : `, undone by ${undone_by}`}`;
  return `- ${shownSecond(at)} ${wordsOf(event)}${otherOf(event)}${place}${changeOf(event)}${byWhom(event)}${number}`;
}

/** What was undone says `otherOf` where it was done with another memory. */
function wordsOf({ action, of, other_id, filled }: HistoryEvent): string {
  const also = filled ? ', and filled in' : '';
  if (of === null) return `${WORDS[action]}${also}`;
  if (other_id !== null) return WORDS[action];
  return `${action === 'undo' ? 'undone' : 'done again'}: ${WORDS[of]}${also}`;
}

/** The other memory, and what it is to this one from then on. */
function otherOf({ action, of, other_id, before }: HistoryEvent): string {
  if (other_id === null) return '';
  const other = shownId(other_id);
  if (action === 'replace') return ` ${other}`;
  if (of === 'replace')
    return action === 'undo' ? `, no longer in the place of ${other}` : `, in the place of ${other}`;
  // What is kept beside another is as it was before; what is superseded is closed.
  const isKept = of === null ? before === null : of === 'keep';
  const since = `${isKept ? 'kept beside' : 'superseded by'} ${other}`;
  if (action === 'undo') return `, no longer ${since}`;
  if (action === 'redo') return `, ${since}`;
  if (action === 'supersede') return ` by ${other}`;
  return action === 'keep' ? ` ${other}` : `, ${since}`;
}

function changeOf({ action, of, before, after }: HistoryEvent): string {
  if (!before || !after) return '';
  const parts = [
    ...(before.confidence === after.confidence ? [] : [`conf ${conf(before)} → ${conf(after)}`]),
    ...(before.valid_until === after.valid_until
      ? []
      : [after.valid_until === null ? 'open again' : `closed ${shownDay(after.valid_until)}`]),
    ...(before.standing === after.standing ? [] : [`${shownWord(before.standing)} → ${shownWord(after.standing)}`]),
    // What is shared leaves the store, and is seen as before.
    ...(before.tombstoned === after.tombstoned || action === 'share' || of === 'share'
      ? []
      : [after.tombstoned === 1 ? 'hidden' : 'back']),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function conf({ confidence }: NodeState): string {
  return shownShare(confidence);
}

function byWhom({ client, tool, pid, host, commit }: HistoryEvent): string {
  if (commit) return ` · ${oneLine(commit.author)}, ${shownCommit(commit.id)}`;
  if (client === null) return '';
  const process = pid === null || host === null ? '' : ` (${pid} on ${oneLine(host)})`;
  return ` · ${oneLine(client)}${process}${tool === null ? '' : `, ${oneLine(tool)}`}`;
}
