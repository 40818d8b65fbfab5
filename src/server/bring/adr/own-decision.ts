/**
 * Reads the decision of a record of ours. As it is written, the heading, the choice and one option of the list are one text;
 * then people edit some of them. What the outcome chooses is chosen, all else in the list is rejected, and what somebody wrote
 * beside the choice is a reason. Pure.
 */
import { stillRejected } from '../../../kinds/still-rejected';
import { turnedTo } from '../../../kinds/turned-to';
import { oneLine } from '../../base/text';
import { trimLines } from '../markdown';
import { type Adr, CHOSEN, DETAILS } from './adr';
import { type Asked, beforeContrary, choiceBehind, choiceIn, tellingWords } from './chosen-option';
import { readEscaped } from './escaped-lines';
import { leftOpen } from './left-open';
import { likenessIn, namedBy, sameAs } from './named-options';
import { bare, nameOf, type Option, wordsOf } from './options';
import { joined, says, titled, together } from './told';

/** In characters. */
const LONGEST_SAID = 1_000;

export interface OwnRecord {
  readonly title: string;
  /** The section that says what was decided. */
  readonly outcome: string;
  /** The whole text of what is no title. */
  readonly details: string | undefined;
  readonly asked: Asked;
  /** What sections say that people have added. */
  readonly added: string;
}

export function ownDecision({
  title,
  outcome,
  details,
  asked,
  added,
}: OwnRecord): Pick<Adr, 'content' | 'rationale' | 'alternatives_rejected'> {
  const { choice = title, why, open } = outcomeIn(outcome, title, asked);
  const byTitle = meantBy(title, asked);
  const byChoice = meantBy(choice, asked);
  const isAlike = likenessIn(asked.options)(title, choice);
  const isOne = byChoice.length === 0 ? isAlike : byChoice.some((one) => byTitle.includes(one));
  // The heading still names what was chosen before.
  const isTurned = byTitle.length > 0 && !isOne;
  const chosen = byChoice.length > 0 || isTurned ? byChoice : byTitle;
  const said = isTurned ? choice : saidBy(title, choice, isAlike ? asked.options : undefined);
  const whole = details === undefined ? '' : readEscaped(details);
  const isWhole = whole !== '' && !isTurned;
  const isKnown = wordsOf(title) === wordsOf(choice) || says(whole, said);
  const others = asked.options.filter((one) => !chosen.includes(one) && !open.includes(one));
  const rejected = others.map(({ text }) => text);
  const rationale = joined(readEscaped(why), isTurned ? titled(DETAILS, whole) : '', added);
  return {
    content: isWhole ? joined(isKnown ? '' : said, whole) : said,
    rationale: rationale === '' ? undefined : rationale,
    // New words may choose what the list has as another option.
    alternatives_rejected: [...stillRejected(rejected, { now: start(said), before: start(chosen[0]?.text ?? title) })],
  };
}

/** Words may turn one option away for another: "Replace SQLite with Postgres". */
function meantBy(text: string, asked: Asked): readonly Option[] {
  const isOption = sameAs(text, asked.options) !== undefined;
  return namedBy((isOption ? undefined : turnedTo(text, asked.options.map(nameOf))) ?? text, asked);
}

/**
 * Of what was corrected the list still has the old words; without a list it is the heading that people see and correct. Where
 * that tells nothing, both are said.
 * @param options undefined where neither is a correction of the other
 */
function saidBy(title: string, choice: string, options: readonly Option[] | undefined): string {
  if (!options || says(title, choice) || says(choice, title)) return together(title, choice);
  if (options.length === 0) return title;
  const [isOld, isOldChoice] = [title, choice].map((text) => sameAs(text, options) !== undefined);
  if (isOld === isOldChoice) return together(title, choice);
  return isOld ? choice : title;
}

/** A choice is said at once. */
function start(text: string): string {
  return text.slice(0, LONGEST_SAID);
}

const LABEL = /^[ \t]*(?:[-*+][ \t]+)?[*_]*chosen options?\b(?=[*_]*(?::|\s+(?:is|are)\b|\s*["“]))/im;
/** As of an update, in whatever line. */
const LATER_LABEL = /\bchosen options?\b[*_]*:/i;
/** The same in a sentence, which may say something else as well. */
const WE_CHOSE =
  /^\s*[*_]*(?:we|i)\s+(?:have\s+|will\s+|now\s+)?(?:chosen?|choose|use|take|took|pick(?:ed)?|select(?:ed)?|(?:go|went)\s+with|decided\s+(?:on|for|to\s+(?:use|go\s+with)))\b/i;
/** What somebody has crossed out and left there. */
const CROSSED_OUT = /^([^:\n]*:[*_]*[ \t]*)(?:~~[^~\n]+~~[,; \t]*)+/;
const END_OF_BESIDE = /[.!?]["'”’*_)]*(?:\s|$)|\n[ \t]*\n|\b(?:because|since)\b/i;

interface Outcome {
  readonly choice?: string;
  /** All else that it says. */
  readonly why: string;
  /** Options that it speaks of beside the choice: nobody can tell that they are rejected. */
  readonly open: readonly Option[];
}

/** What the outcome chooses, where it does. */
function outcomeIn(body: string, title: string, asked: Asked): Outcome {
  const at = body.search(LABEL);
  if (at < 0) return toldFreely(body, asked);
  const told = body.slice(at).replace(LABEL, (label) => label.replace(/s$/i, ''));
  const names = [title, ...asked.options.map(({ text }) => text)];
  const found = writtenIn(told, names) ?? choiceBehind(told.replace(CROSSED_OUT, '$1'), names, asked.options);
  if (!found) return { why: body, open: leftOpen(body, asked.options) };
  const why = joined(body.slice(0, at).trim(), reasonIn(found.after));
  const [beside = ''] = found.after.split(END_OF_BESIDE, 1);
  const more = found.after.split('\n').filter((line) => LATER_LABEL.test(line));
  const open = leftOpen([beside, ...more].join('\n\n'), asked.options);
  return /[\p{L}\p{N}]/u.test(found.choice) ? { choice: oneLine(found.choice), why, open } : { why, open };
}

/** A sentence chooses what it names and nothing else is said of. */
function toldFreely(body: string, asked: Asked): Outcome {
  const open = leftOpen(body, asked.options);
  const { option } = choiceIn(body, asked);
  if (option) return { choice: nameOf(option), why: body, open };
  const found = WE_CHOSE.test(body) ? choiceBehind(body.replace(WE_CHOSE, CHOSEN), [], asked.options) : undefined;
  const choice = bare(beforeContrary(found?.choice ?? ''));
  const named = new Set(namedBy(choice, asked).flatMap((one) => [...tellingWords(nameOf(one))]));
  const isAll = named.size > 0 && [...tellingWords(choice)].every((word) => named.has(word));
  return { ...(isAll ? { choice } : {}), why: body, open };
}

/** As `write-adr` writes it: a name may have quotes in it. */
function writtenIn(told: string, names: readonly string[]) {
  for (const choice of names) {
    const exact = `${CHOSEN} "${choice}"`;
    if (told.startsWith(exact) && /^(?:$|\n|,\s+because\b)/.test(told.slice(exact.length))) {
      return { choice, after: told.slice(exact.length) };
    }
  }
  return undefined;
}

function reasonIn(after: string): string {
  return trimLines(after.replace(/^[*_]*[ \t.,:;!–—-]*\s*(?:because\b:?\s*)?/i, ''));
}
