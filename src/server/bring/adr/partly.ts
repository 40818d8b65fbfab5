/** Tells of which records it is said that another one took their place in part: they still hold. Pure. */

/** adr-tools writes "Superceded by", others spell it in other ways. */
export const SUPERSEDE = 'super[sc]ee?de';
const RELATION = new RegExp(`\\b(?:${SUPERSEDE}|replace)([sd])\\b`, 'gi');
const BY_HALVES =
  '(?:partly|partially|mostly|largely|in (?:large |small |some )?parts?|to (?:an?|some) (?:\\p{L}{1,20} )?(?:extent|degree))';
const PART = '(?:parts?|portions?|pieces?|sections?|chapters?|paragraphs?|clauses?|points?|aspects?|half|some|most)';
/** What says how many of them: no "all parts of". */
const MANY =
  '(?:(?:the|an?|only|some|several|certain|most|many|few|large|small|big|major|minor|main|other|first|second|third|last|key|two|three|following)[ \\t]+){0,4}';
const PART_OF = `${MANY}(?:${PART}\\b[^\\n]{0,80}?\\b(?:of|in|from|on|about)\\b|(?:§|section|chapter|paragraph|clause|point)s?[ \\t]?\\d)`;
const RIGHT_BEFORE = new RegExp(`\\b${BY_HALVES}[ \\t*_]*$`, 'iu');
/** "Parts of it are …", but no "As part of …". */
const SUBJECT = new RegExp(
  `^[^\\p{L}§]*(?:(?:and|but|now)[ \\t]+)?${MANY}(?:\\p{L}+[ \\t]+){0,2}?(?<!\\b(?:as|all)[ \\t]+(?:an?[ \\t]+)?)(?:${PART}\\b|§)`,
  'iu',
);
/** Not a reason: "partly because …", nor what is made in part: "the partially built …". */
const BEHIND = new RegExp(
  `\\b${BY_HALVES}(?![ \\t]+(?!(?:by|in|on|with|and|from|of|the|our|adrs?|records?|decisions?|${SUPERSEDE}[sd]|replace[sd])\\b)\\p{L})|\\bexcept\\b`,
  'iu',
);
/** Right behind the verb that replaces. */
const OF_IT = new RegExp(`^[ \\t:*_[]*(?:the[ \\t]+(?:\\p{L}+[ \\t]+){1,2}?(?<!\\bas[ \\t]+))?${PART_OF}`, 'iu');
/** Behind the record. */
const ITS = new RegExp(
  `[\\])\\d][ \\t,(:–—-]*(?:only[ \\t]+)?${PART_OF}|['’]s ${PART}\\b|\\b(?:only|just) (?:the )?${PART}\\b`,
  'i',
);
/** A name may be about anything. */
const NAME = /\[(?!(?:the )?(?:parts?|sections?|§)\b)[^[\]\n]*\]|(?<=\d[\])]{0,2}):[ \t].*/gi;
const END_OF_SENTENCE = /(?<!\bno)[.;](?=\s|$)/i;
const END_OF_CLAUSE = /[.;:,(–—]|\s-\s/;
/** A record in a list of those that were replaced. */
const ITEM = /^[ \t]*(?:[-*+][ \t]|\[|adr[- ]?\d)/i;

/** Without what a text says to be superseded in part, by its sentences. */
export function withoutPartly(text: string): string {
  return text.replace(/[^\n]+/g, withoutPartlyIn);
}

function withoutPartlyIn(line: string): string {
  const found = [...line.matchAll(RELATION)];
  if (found.length === 0) return ITEM.test(line) && BEHIND.test(line.replace(NAME, '')) ? '' : line;
  let left = '';
  let from = 0;
  found.forEach(({ 0: word, 1: ending, index }, i) => {
    const front = line.slice(from, index);
    const end = index + word.length;
    const next = found[i + 1]?.index;
    const behind = line.slice(end, next);
    const [told = ''] = (next === undefined ? behind : behind.replace(RIGHT_BEFORE, '')).split(END_OF_SENTENCE, 1);
    left += front;
    const isPartly = isBefore(front) || isSaidBehind(told, ending?.toLowerCase() === 's');
    if (!isPartly) left += word;
    from = isPartly ? end + told.length : end;
  });
  return left + line.slice(from);
}

function isBefore(front: string): boolean {
  const clause = front.split(END_OF_CLAUSE).at(-1) ?? '';
  return RIGHT_BEFORE.test(front) || SUBJECT.test(clause);
}

/** A section behind a successor is one of the successor. */
function isSaidBehind(told: string, replaces: boolean): boolean {
  const plain = told.replace(NAME, '[]');
  return BEHIND.test(plain) || (replaces && (OF_IT.test(told) || ITS.test(plain)));
}
