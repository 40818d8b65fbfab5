/** What words choose in the place of something that they turn away. Pure. */

/** What turns a choice away: then it may be named because it is rejected. */
export const TURNS_AWAY =
  /\b(?:not|no|never|none|without|nor|cannot|instead|rather|over|than|against|from|but|except|before|formerly|previously|earlier|stop\w*|reject\w*|drop\w*|avoid\w*|remov\w*|replac\w*)\b|n['’]t\b/i;
const CHOOSES = '(?:use|take|adopt|keep|choose|pick|select|prefer|go with|(?:move|switch|change|migrate) to)';
/** What goes, what takes its place, and where a sentence ends, in the order in which they stand. */
const SIGNS = new RegExp(
  '(?<verb>\\b(?:replac|swap|exchang|drop|abandon|remov|leav)\\w*)|(?<from>\\bfrom\\b)|(?<to>\\bto\\b)|(?<by>\\b(?:with|by)\\b)|' +
    `(?<for>\\bfor\\b)|(?<said>\\bin favou?r of\\b|\\band (?:now |then |we )?${CHOOSES}\\b)|(?<end>[.!?;:](?!\\S)|\\bbut\\b)`,
  'gi',
);
const REPLACES = /^(?:replac|swap|exchang)/i;
/** Before such a verb: nothing is turned away. */
const DENIES =
  /\b(?:no|not|never|nor|neither|cannot|without|avoid\w*|instead of|rather than|against|refus\w*|stop\w*)\b|n['’]t\b/i;
/** A sentence that turns something away, and a contrast or another sentence that chooses. */
const NOT_THIS = new RegExp(
  "^\\W*(?:(?:we|i|you|do|should|will|must|are|is|it)\\s+){0,3}(?:no longer|not|never|cannot|[a-z]{1,6}n['’]t|stop(?:ped)?)\\b[^.!?;]*?" +
    `(?:\\bbut\\b|[.;]\\s+(?:(?:we|i|you|please|now|instead|so|then|will|should|must|shall)[\\s,]+){0,4}(?=${CHOOSES}\\b))`,
  'i',
);
/** The choice stands behind a comma: before a verb, else behind the last one. */
const INSTEAD = new RegExp(
  `(?:^\\W*|[.!?;:,–—(]\\s*)instead of\\b(?:[^.!?;]*?,(?=\\s*(?:(?:we|i|you|will|should|must|now)\\s+){0,3}${CHOOSES}\\b)|[^.!?;]*,)`,
  'i',
);
/** Where more is said of it than that it is chosen, nobody can tell. */
const UNSURE =
  /\b(?:only|out|away|too|also|either|is|are|was|were|has|had|does|did|would|could|can|might|may be|needs?)\b/i;
const END_OF_NAMES = /[.!?;,:(]|\b(?:because|since|so|which|that|what|while|when|where|if|though|although)\b/i;
const REASON = /\b(?:because|since)\b|, as\b/i;
/** A number behind it says until when. */
const UNTIL = /\bbefore (?=v?\d)/gi;
const WORD = /[\p{L}\p{N}_]+/gu;
const ARTICLES = /^ (?:(?:the|an?|our|its|all|using) )*/;
/** Between them and the end of a text stands what it chooses: "We keep everything in one …". */
const LEADS =
  /(?:^| )(?:we|is|are|to|use[sd]?|using|keeps?|takes?|adopt|choose|pick|an?|the|our|one|in|on|with|by|as|and|or|via) $/;
/** In characters: it is said at once. */
const LONGEST_TURN = 1_000;
/** The same of the name of one thing. */
const LONGEST_NAME = 100;
/** In characters: longer than a word that leads to a name. */
const BESIDE = 10;

/** "before 2.0" turns nothing away. */
export function withUntil(text: string): string {
  return text.replace(UNTIL, 'until ');
}

export function wordsOf(text: string, pieces = WORD): string {
  return ` ${(text.toLowerCase().match(pieces) ?? []).join(' ')} `;
}

/**
 * What is chosen in the place of something that is turned away: `Postgres` of "Replace SQLite with Postgres, not MySQL".
 * @param choices the things that one may turn away for another. "Drop SQLite for Postgres" chooses, where SQLite is one of them;
 * "Drop the code for SQLite" does not
 */
export function turnedTo(now: string, choices: readonly string[]): string | undefined {
  const [start = ''] = withUntil(now.slice(0, LONGEST_TURN)).split(REASON, 1);
  const behind = [...exchanges(start, choices), ...[NOT_THIS, INSTEAD].flatMap((words) => endOf(words, start))];
  const last = Math.max(...behind);
  const [chosen = ''] = behind.length === 0 ? [] : start.slice(last).split(TURNS_AWAY, 1);
  const [names = ''] = chosen.split(END_OF_NAMES, 1);
  return chosen.trim() === '' || UNSURE.test(names) ? undefined : chosen;
}

function endOf(words: RegExp, text: string): number[] {
  const found = words.exec(text);
  return found ? [found.index + found[0].length] : [];
}

/** Where what takes the place of something begins, from sign to sign. */
function exchanges(text: string, choices: readonly string[]): number[] {
  const held = choices.map((one) => wordsOf(one.slice(0, LONGEST_TURN)));
  const isHeld = (from: number, to: number): boolean => isOneOf(text.slice(from, to), held);
  const found: number[] = [];
  let sentence = 0;
  let verb: { readonly end: number; readonly replaces: boolean; by?: number; isKnown: boolean } | undefined;
  let from: number | undefined;
  const close = (): void => {
    if (verb?.by !== undefined) found.push(verb.by);
    verb = undefined;
  };
  for (const { 0: sign, index, groups = {} } of text.matchAll(SIGNS)) {
    const end = index + sign.length;
    const kind = Object.keys(groups).find((one) => groups[one] !== undefined);
    if (kind === 'end') {
      close();
      [sentence, from] = [end, undefined];
      continue;
    }
    // What is not done chooses nothing.
    if (DENIES.test(text.slice(sentence, index))) continue;
    switch (kind) {
      case 'verb':
        close();
        verb = { end, replaces: REPLACES.test(sign), isKnown: false };
        break;
      case 'from':
        if (!verb) from ??= end;
        break;
      case 'to':
        if (from !== undefined) found.push(end);
        from = undefined;
        break;
      case 'said':
        if (verb) found.push(end);
        break;
      case 'for':
        if (verb && isHeld(verb.end, index)) found.push(end);
        break;
      case 'by':
        if (!verb?.replaces || verb.isKnown) break;
        // "Replace what comes with SQLite by Postgres": the last one, where nobody knows what goes.
        verb.by = end;
        verb.isKnown = isHeld(verb.end, index);
    }
  }
  close();
  return found;
}

/** Whether it names what a text chooses, not only something of it: no "code" of "generated code". */
function isOneOf(name: string, held: readonly string[]): boolean {
  if (name.length > LONGEST_NAME) return false;
  const words = wordsOf(name).replace(ARTICLES, ' ');
  if (words.trim() === '') return false;
  return held.some((one) => {
    for (let at = one.indexOf(words); at >= 0; at = one.indexOf(words, at + 1)) {
      const isLed = at === 0 || LEADS.test(one.slice(Math.max(0, at - BESIDE), at + 1));
      if (isLed && !one.startsWith('for ', at + words.length)) return true;
    }
    return false;
  });
}
