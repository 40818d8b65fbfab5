/** What a memory in other words still rejects. Pure. */

/** What turns a choice away: then it may be named because it is rejected. */
const TURNS_AWAY =
  /\b(?:not|no|never|none|without|nor|cannot|instead|rather|over|than|against|from|but|except|before|formerly|previously|earlier|stop\w*|reject\w*|drop\w*|avoid\w*|remov\w*|replac\w*)\b|n['’]t\b/i;
const WORD = /[\p{L}\p{N}_]+/gu;
/** And what may end a clause, or join what is chosen together. */
const WORD_OR_MARK = /[\p{L}\p{N}_]+|[,;:&+()–—]|[.!?](?!\S)/gu;
const END_OF_CLAUSE = / (?:[.!?;:()–—]|because|since|so|, as|which|that|what|while|when|where|if|though|although) /;
/** A colon may stand before what is chosen. */
const END_OF_CHOICE = / (?:[.!?;(]|because|since|so|, as|which|that|what|while|when|where|if|though|although) /;
const JOINS = 'and|or|with|plus|in|on|by|via|&|\\+';

/**
 * Without what the new words say before any reason, word for word, and the old ones did not: it is chosen now. Where the new
 * words hold all of the old ones, what was chosen is chosen still, and more is told of it: then only what is joined to them is
 * chosen as well.
 */
export function stillRejected(
  alternatives: readonly string[],
  { now, before }: { readonly now: string; readonly before: string },
): readonly string[] {
  if (TURNS_AWAY.test(now)) return alternatives;
  const isChosen = says(now, before)
    ? (one: string) => joins(clauseAfter(now, before), one)
    : (one: string) => says(choiceIn(now), one);
  return alternatives.filter((one) => !isChosen(one) || says(before, one));
}

function says(text: string, other: string): boolean {
  const words = wordsOf(other);
  return words.trim() !== '' && wordsOf(text).includes(words);
}

/** Without the reason, which may name anything. */
function choiceIn(now: string): string {
  return wordsOf(now, WORD_OR_MARK).split(END_OF_CHOICE, 1)[0] ?? '';
}

/** What goes on behind the old words, up to a reason or another sentence. */
function clauseAfter(now: string, before: string): string {
  const [told, old] = [wordsOf(now, WORD_OR_MARK), wordsOf(before, WORD_OR_MARK).replace(/(?: [.!?])+ $/, ' ')];
  const at = told.indexOf(old);
  return at < 0 ? '' : (told.slice(at + old.length - 1).split(END_OF_CLAUSE, 1)[0] ?? '');
}

/** Whether it directly follows a word that joins, or a comma where the list goes on or ends. */
function joins(clause: string, one: string): boolean {
  const words = wordsOf(one);
  if (words.trim() === '') return false;
  const joined = ` (?:(?:${JOINS}) (?:(?:an?|the|our) )?${words.trim()} |, ${words.trim()} (?:$|,|${JOINS}))`;
  return new RegExp(joined).test(`${clause.trimEnd()} `);
}

function wordsOf(text: string, pieces = WORD): string {
  return ` ${(text.toLowerCase().match(pieces) ?? []).join(' ')} `;
}
