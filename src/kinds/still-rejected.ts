/** What a memory in other words still rejects. Pure. */

/** What turns a choice away: then it may be named because it is rejected. */
const TURNS_AWAY =
  /\b(?:not|no|never|none|without|nor|cannot|instead|rather|over|than|against|from|but|except|before|formerly|previously|earlier|stop\w*|reject\w*|drop\w*|avoid\w*|remov\w*|replac\w*)\b|n['’]t\b/i;
/** A number behind it says until when. */
const UNTIL = /\bbefore (?=v?\d)/gi;
/** Words that turn one thing away for another: the other stands behind them. */
const TURNED = [
  /\b(?:replac|swap|exchang)\w*\b[^.!?;]*?\b(?:with|by|for|in favou?r of)\b/i,
  /\b(?:drop|abandon|remov|leav)\w*\b[^.!?;]*?\b(?:for|in favou?r of|and (?:now )?(?:use|take|adopt|keep|go with|(?:move|switch|change) to))\b/i,
  /\bfrom\b[^.!?;]*?\bto\b/i,
  /^\W*(?:(?:we|i|you|do|should|will|must|are|is|it)\s+){0,3}(?:no longer|not|never|don['’]t|stop(?:ped)?)\b[^.!?;]*?(?:\bbut\b|[;.])/i,
  /\binstead of\b[^.!?;,]*,/i,
];
const REASON = /\b(?:because|since)\b|, as\b/i;
/** Before these it is said what is chosen. */
const CONTRASTS = /\b(?:instead of|rather than|over|and not)\b|, not\b/i;
const WORD = /[\p{L}\p{N}_]+/gu;
/** And what may end a clause, or join what is chosen together. */
const WORD_OR_MARK = /[\p{L}\p{N}_]+|[,;:&+()–—]|[.!?](?!\S)/gu;
const END_OF_CLAUSE = / (?:[.!?;:()–—]|because|since|so|, as|which|that|what|while|when|where|if|though|although) /;
/** A colon may stand before what is chosen. */
const END_OF_CHOICE = / (?:[.!?;(]|because|since|so|, as|which|that|what|while|when|where|if|though|although) /;
const JOINS = '(?:and|or|with|plus|in|on|by|via|&|\\+)';
const ENDS_WITH_JOIN = new RegExp(` ${JOINS}(?: (?:an?|the|our))?$`);
const GOES_ON = new RegExp(`^(?:$|, |${JOINS} )`);
/** In characters: it is said at once. */
const LONGEST_TURN = 1_000;
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
  const other = turnedTo(now);
  if (other !== undefined) return withoutChosen(alternatives, other, () => false);
  const [told = ''] = now.replace(UNTIL, 'until ').split(CONTRASTS, 1);
  if (TURNS_AWAY.test(told)) return alternatives;
  if (old.trim() !== '' && wordsOf(told).includes(old)) {
    const clause = clauseAfter(told, before);
    return alternatives.filter((one) => !joins(clause, one) || isOld(one));
  }
  return withoutChosen(alternatives, told, isOld);
}

/** What is chosen in the place of something that is turned away: `Postgres` of "Replace SQLite with Postgres, not MySQL". */
export function turnedTo(now: string): string | undefined {
  const [start = ''] = now.slice(0, LONGEST_TURN).replace(UNTIL, 'until ').split(REASON, 1);
  const behind = TURNED.flatMap((words) => {
    const found = words.exec(start);
    return found ? [start.slice(found.index + found[0].length)] : [];
  });
  const [other] = behind.sort((a, b) => a.length - b.length);
  const [chosen = ''] = other?.split(TURNS_AWAY, 1) ?? [];
  return chosen.trim() === '' ? undefined : chosen;
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

function wordsOf(text: string, pieces = WORD): string {
  return ` ${(text.toLowerCase().match(pieces) ?? []).join(' ')} `;
}
