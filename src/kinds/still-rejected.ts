/** What a memory in other words still rejects. Pure. */
import { TURNS_AWAY, turnedTo, withUntil, wordsOf } from './turned-to';

/** Before these it is said what is chosen; behind a verb, what goes. */
const CONTRASTS =
  /\b(?:instead of|rather than|over|and not|(?:swap|exchang|abandon|delet|deprecat|retir|disabl|forbid|prohibit|disallow|uninstall|discontinu|exclud|ignor|skip|kill)\w*|off|ban(?:s|ned)?|forget|(?:get|got) rid of|phas\w+ out|(?:giv\w+|gave) up|(?:end(?:s|ed)?|cut) (?:the )?support)\b|, not\b/i;
/** Words, and what may end a clause, or join what is chosen together. */
const WORD_OR_MARK = /[\p{L}\p{N}_]+|[,;:&+()–—]|[.!?](?!\S)/gu;
const END_OF_CLAUSE = / (?:[.!?;:()–—]|because|since|so|, as|which|that|what|while|when|where|if|though|although) /;
/** A colon may stand before what is chosen. */
const END_OF_CHOICE = / (?:[.!?;(]|because|since|so|, as|which|that|what|while|when|where|if|though|although) /;
const JOINS = '(?:and|or|with|plus|in|on|by|via|&|\\+)';
const ENDS_WITH_JOIN = new RegExp(` ${JOINS}(?: (?:an?|the|our))?$`);
const GOES_ON = new RegExp(`^(?:$|, |${JOINS} )`);
/** In characters: longer than what stands around a name to join it. */
const AROUND = 20;

/**
 * Without what the new words say before any reason, word for word, and the old ones did not: it is chosen now. Where the new
 * words hold all of the old ones, what was chosen is chosen still, and more is told of it: then only what is joined to them is
 * chosen as well.
 */
export function stillRejected(
  alternatives: readonly string[],
  { now, before }: { readonly now: string; readonly before: string },
): readonly string[] {
  const old = wordsOf(before);
  const isOld = (one: string): boolean => old.includes(wordsOf(one));
  const other = turnedTo(now, [before, ...alternatives]);
  if (other !== undefined) return withoutChosen(alternatives, other, () => false);
  const [told = ''] = withUntil(now).split(CONTRASTS, 1);
  if (TURNS_AWAY.test(told)) return alternatives;
  if (old.trim() !== '' && wordsOf(told).includes(old)) {
    const clause = clauseAfter(told, before);
    return alternatives.filter((one) => !joins(clause, one) || isOld(one));
  }
  return withoutChosen(alternatives, told, isOld);
}

function withoutChosen(
  alternatives: readonly string[],
  told: string,
  isOld: (one: string) => boolean,
): readonly string[] {
  const choice = choiceIn(told);
  return alternatives.filter((one) => !chooses(choice, one) || isOld(one));
}

/** Behind a comma something else may be said of it. */
function chooses(choice: string, one: string): boolean {
  const words = withoutEnd(wordsOf(one, WORD_OR_MARK));
  const at = words.trim() === '' ? -1 : choice.indexOf(words);
  return at >= 0 && (!choice.slice(0, at).includes(' ,') || joins(choice, one));
}

/** Without the reason, which may name anything. */
function choiceIn(now: string): string {
  const [choice = ''] = wordsOf(now, WORD_OR_MARK).split(END_OF_CHOICE, 1);
  return `${choice.trimEnd()} `;
}

/** What goes on behind the old words, up to a reason or another sentence. */
function clauseAfter(now: string, before: string): string {
  const [told, old] = [wordsOf(now, WORD_OR_MARK), withoutEnd(wordsOf(before, WORD_OR_MARK))];
  const at = told.indexOf(old);
  return at < 0 ? '' : (told.slice(at + old.length - 1).split(END_OF_CLAUSE, 1)[0] ?? '');
}

/** Whether it directly follows a word that joins, or a comma where the list goes on or ends. */
function joins(clause: string, one: string): boolean {
  const words = wordsOf(one);
  if (words.trim() === '') return false;
  const told = `${clause.trimEnd()} `;
  for (let at = told.indexOf(words); at >= 0; at = told.indexOf(words, at + 1)) {
    const before = told.slice(Math.max(0, at - AROUND), at);
    const end = at + words.length;
    if (ENDS_WITH_JOIN.test(before)) return true;
    if (before.endsWith(' ,') && GOES_ON.test(told.slice(end, end + AROUND))) return true;
  }
  return false;
}

/** Without the marks that it ends with. */
function withoutEnd(words: string): string {
  let end = words.length;
  while (/[.!?,;:]/.test(words.charAt(end - 2))) end -= 2;
  return words.slice(0, end);
}
