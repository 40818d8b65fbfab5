/** Prints why a line of code is there. */
import { shownCommit, shownDay, shownId, shownWord } from '../base/shown';
import { cut, oneLine } from '../base/text';
import type { Verdict } from '../memory/code/touches';
import type { NodeDetails } from '../memory/people/node-details';
import { linePrefix } from './line';

export interface ShownWhy {
  readonly file_path: string;
  readonly line: number;
  readonly symbol: string | null;
  readonly commit: {
    readonly id: string;
    readonly author: string;
    readonly date: string;
    readonly subject: string;
    readonly body: string;
  } | null;
  readonly memories: readonly (Pick<
    NodeDetails,
    'id' | 'kind' | 'content' | 'confidence' | 'valid_from' | 'valid_until' | 'tombstoned' | 'marks'
  > &
    Pick<NodeDetails, 'rationale' | 'alternatives_rejected' | 'superseded_by'> & {
      readonly found: 'code' | 'file' | 'time' | 'words';
      readonly verdict: Verdict | null;
      readonly doubted_elsewhere: boolean;
    })[];
}

const HEADINGS = {
  code: 'Remembered on this code',
  file: 'Remembered on the whole file',
  time: 'Decided about when that commit was made',
  words: 'The nearest decisions',
} as const;
const MAX_SUBJECT = 120;
const MAX_BODY = 400;

/** Where the line comes from, then the memories, each with what was rejected and whether it still holds. */
export function renderWhyHere({ file_path, line, symbol, commit, memories }: ShownWhy): string {
  const place = `${oneLine(file_path)}:${line}${symbol === null ? '' : ` in ${oneLine(symbol)}`}`;
  const origin =
    commit === null
      ? 'not committed'
      : `${shownCommit(commit.id)} ${shownDay(commit.date)} ${oneLine(commit.author)}: ${cut(oneLine(commit.subject), MAX_SUBJECT)}${commit.body === '' ? '' : `\n  it says: ${cut(oneLine(commit.body), MAX_BODY)}`}`;
  // Where something is listed, a reader sees that no decision is among it.
  const nothing = memories.some(({ found }) => found === 'code' || found === 'file')
    ? []
    : ['Nothing is remembered on this code.'];
  const groups = (['code', 'file', 'time', 'words'] as const).flatMap((found) => {
    const those = memories.filter((one) => one.found === found);
    return those.length === 0 ? [] : [[`${HEADINGS[found]}:`, ...those.flatMap(linesOf)].join('\n')];
  });
  return [`${place}\n${origin}`, ...nothing, ...groups].join('\n\n');
}

function linesOf(memory: ShownWhy['memories'][number]): string[] {
  const { kind, content, rationale, alternatives_rejected: rejected } = memory;
  return [
    `${linePrefix(memory)}${shownWord(kind)}: ${oneLine(content)}`,
    ...(rationale === null ? [] : [`  because ${oneLine(rationale)}`]),
    ...(rejected.length === 0 ? [] : [`  rejected: ${rejected.map(oneLine).join('; ')}`]),
    ...standing(memory),
  ];
}

/** Nothing is said of what nobody has looked at. */
function standing({
  valid_until,
  superseded_by,
  verdict,
  doubted_elsewhere,
  marks,
}: ShownWhy['memories'][number]): string[] {
  const [by] = superseded_by;
  if (marks?.includes('proposed')) return ['  only proposed: nobody has kept it'];
  if (by) return [`  superseded by ${shownId(by.id)}: ${oneLine(by.content)}`];
  if (valid_until !== null) return [`  no longer holds since ${shownDay(valid_until)}`];
  if (verdict === 'changed') return ['  in doubt: the code has changed since'];
  if (verdict === 'other version') return ['  this branch has another version of the code'];
  if (doubted_elsewhere) return ['  in doubt: other code of it has changed or is gone; this code is as it was'];
  return verdict === 'unchanged' || verdict === 'moved' ? ['  holds: the code is as it was last seen to fit'] : [];
}
