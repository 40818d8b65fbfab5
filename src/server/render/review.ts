/** Prints what waits for review. */
import { shownId, shownShare, shownWord } from '../base/shown';
import { cut, oneLine } from '../base/text';
import type { Mark } from '../memory/marks';
import type { Fork } from '../memory/people/forks';
import type { Proposal, ProposalSource } from '../memory/people/proposals';
import type { NearDuplicatePair, ReviewEntry } from '../memory/people/review';
import { marksOf } from './line';
import { originName } from './origin';

export interface ShownReview {
  readonly entries: readonly (ReviewEntry & { readonly change: string })[];
  readonly proposals: readonly Proposal[];
  readonly sources: readonly ProposalSource[];
  readonly forks: readonly Fork[];
  readonly near_duplicates: readonly NearDuplicatePair[];
  readonly near: readonly NearDuplicatePair[];
  readonly more: boolean;
}

const WIDTH = 80;
/** What differs after so many characters is not seen. */
const TOLD_APART = 40;

/** What waits, in lines no wider than a terminal: where to look, what happened there, what is remembered. */
export function renderReview(
  { entries, proposals, sources, forks, near_duplicates, near, more }: ShownReview,
  width = WIDTH,
): string {
  const listed = [...entries, ...proposals, ...forks, ...near_duplicates, ...near];
  if (listed.length === 0) return 'Nothing waits for review.';
  const namespaces = new Set(listed.map(({ namespace }) => namespace));
  const line = (text: string): string => cut(text, width);
  const inNamespace = (namespace: string): string => (namespaces.size > 1 ? ` · ${oneLine(namespace)}` : '');
  const number = Math.max(1, ...entries.map(({ id }) => String(id).length));
  const blocks: string[] = [];
  if (entries.length > 0) {
    const memories = new Set(entries.map(({ node }) => node.id)).size;
    const onSymbols = new Set(entries.filter((entry) => !isWholeFile(entry)).map(({ node }) => node.id)).size;
    const where = memories === entries.length ? '' : `, in ${entries.length} places`;
    // The editor's badge does not count these. What is not listed may be on symbols, too.
    const onFiles = more || memories === onSymbols ? '' : `, ${memories - onSymbols} on whole files alone`;
    blocks.push(`## Memories on code that is not as it was (${memories}${where}${onFiles})`);
    for (const entry of entries) {
      const { id, node, verdict, was, now, change, namespace } = entry;
      const { file_path, name } = now ?? was;
      const place = `${oneLine(file_path)}${now ? `:${now.start_line}` : ''}`;
      const symbol = isWholeFile(entry) ? ' (whole file)' : was.code_type === 'file' ? '' : ` ${oneLine(name)}`;
      const indent = ' '.repeat(number + 2);
      blocks.push(
        [
          line(`${String(id).padStart(number)}  ${verdict}  ${place}${symbol}${inNamespace(namespace)}`),
          line(`${indent}${change}`),
          line(`${indent}[${shownId(node.id)}] ${shownWord(node.kind)}: ${oneLine(node.content)}`),
        ].join('\n'),
      );
    }
  }
  for (const { source, namespace, origin, waiting } of sources) {
    const title = `## Proposed by ${originName(origin)} (${waiting}) · source ${source}`;
    const own = proposals.filter((one) => one.source === source && one.namespace === namespace);
    const lines = own.flatMap(({ node, replaces, near: others = [] }) => [
      line(`- [${shownId(node.id)}] ${shownWord(node.kind)}: ${oneLine(node.content)}`),
      ...(replaces.length === 0 ? [] : [line(`  in place of ${replaces.map(shownId).join(', ')}`)]),
      ...others.map(({ id, marks, content }) =>
        line(`  says nearly the same as [${shownId(id)}]${marksOf(marks)} ${oneLine(content)}`),
      ),
      ...ofCode(node.marks).map((what) => `  ${what}`),
    ]);
    blocks.push([line(`${title}${inNamespace(namespace)}`), ...lines].join('\n'));
  }
  if (forks.length > 0) blocks.push(`## Rewritten in two ways (${forks.length})`);
  for (const { older, newer, replaced, namespace } of forks) {
    const [one, other] = toldApart(withReasons(older), withReasons(newer));
    blocks.push(
      [
        line(`- [${shownId(older.id)}] ${one}`),
        line(`  [${shownId(newer.id)}]${inNamespace(namespace)} ${other}`),
        line(`  both in place of [${shownId(replaced.id)}] ${oneLine(replaced.content)}`),
      ].join('\n'),
    );
  }
  for (const [title, pairs] of [
    ['Near-duplicates', near_duplicates],
    ['Say nearly the same', near],
  ] as const) {
    if (pairs.length === 0) continue;
    blocks.push(`## ${title} (${pairs.length})`);
    for (const { older, newer, similarity, namespace } of pairs) {
      blocks.push(
        [
          line(`- [${shownId(older.id)}] ${oneLine(older.content)}`),
          line(
            `  [${shownId(newer.id)}] (${shownShare(similarity)})${inNamespace(namespace)} ${oneLine(newer.content)}`,
          ),
        ].join('\n'),
      );
    }
  }
  if (more) blocks.push('There are more; the counts are of these. --limit lists them, too.');
  return blocks.join('\n\n');
}

function withReasons({ content, reasons = [] }: Fork['newer']): string {
  return [content, ...reasons].join(' · ');
}

/** Each on one line. Where these would read the same up to their ends, they begin before the word in which they differ. */
function toldApart(one: string, other: string): readonly [string, string] {
  const [a, b] = [oneLine(one), oneLine(other)];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  const start = a.lastIndexOf(' ', same - 1);
  const isAlike = same < TOLD_APART || start <= 0 || a === b;
  return isAlike ? [a, b] : [`…${a.slice(start)}`, `…${b.slice(start)}`];
}

/** Some line of a file changes each day: nobody is called for it. */
export function isWholeFile({ verdict, was }: Pick<ReviewEntry, 'verdict' | 'was'>): boolean {
  return verdict !== 'gone' && was.code_type === 'file';
}

function ofCode(marks: readonly Mark[] = []): string[] {
  if (marks.includes('code gone')) return ['its code is gone'];
  if (marks.includes('code changed')) return ['its code has changed since'];
  return marks.includes('code of another branch') ? ['this branch has another version of its code'] : [];
}
