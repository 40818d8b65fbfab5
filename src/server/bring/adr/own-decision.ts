/**
 * Reads the decision of a record of ours. As it is written, the heading, the choice and one option of the list are one text;
 * then people edit some of them. What the outcome chooses is chosen, all else in the list is rejected, and what somebody wrote
 * beside the choice is a reason. Pure.
 */
import { stillRejected } from '../../../kinds/still-rejected';
import { oneLine } from '../../base/text';
import { trimLines } from '../markdown';
import { type Adr, CHOSEN, DETAILS } from './adr';
import { type Asked, choiceBehind, choiceIn } from './chosen-option';
import { readEscaped } from './escaped-lines';
import { likenessIn, namedBy, sameAs } from './named-options';
import { nameOf, type Option, wordsOf } from './options';
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
}

export function ownDecision({
  title,
  outcome,
  details,
  asked,
}: OwnRecord): Pick<Adr, 'content' | 'rationale' | 'alternatives_rejected'> {
  const { choice = title, why } = outcomeIn(outcome, title, asked);
  const byTitle = namedBy(title, asked);
  const byChoice = namedBy(choice, asked);
  const isAlike = likenessIn(asked.options)(title, choice);
  const isOne = byChoice.length === 0 ? isAlike : byChoice.some((one) => byTitle.includes(one));
  // The heading still names what was chosen before.
  const isTurned = byTitle.length > 0 && !isOne;
  const chosen = byChoice.length > 0 || isTurned ? byChoice : byTitle;
  const said = isTurned ? choice : saidBy(title, choice, isAlike ? asked.options : undefined);
  const whole = details === undefined ? '' : readEscaped(details);
  const isWhole = whole !== '' && !isTurned;
  const isKnown = wordsOf(title) === wordsOf(choice) || says(whole, said);
  const rejected = asked.options.filter((one) => !chosen.includes(one)).map(({ text }) => text);
  const rationale = joined(readEscaped(why), isTurned ? titled(DETAILS, whole) : '');
  return {
    content: isWhole ? joined(isKnown ? '' : said, whole) : said,
    rationale: rationale === '' ? undefined : rationale,
    // New words may choose what the list has as another option.
    alternatives_rejected: [...stillRejected(rejected, { now: start(said), before: start(chosen[0]?.text ?? title) })],
  };
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

const LABEL = /^[ \t]*(?:[-*+][ \t]+)?[*_]*chosen option\b(?=[*_]*(?::|\s+is\b|\s*["“]))/im;
/** What somebody has crossed out and left there. */
const CROSSED_OUT = /^([^:\n]*:[*_]*[ \t]*)(?:~~[^~\n]+~~[,; \t]*)+/;

/** What the outcome chooses, where it does, and all else that it says. */
function outcomeIn(body: string, title: string, asked: Asked): { readonly choice?: string; readonly why: string } {
  const at = body.search(LABEL);
  if (at < 0) {
    const { option } = choiceIn(body, asked);
    return { ...(option ? { choice: nameOf(option) } : {}), why: body };
  }
  const told = body.slice(at);
  const names = [title, ...asked.options.map(({ text }) => text)];
  const found = writtenIn(told, names) ?? choiceBehind(told.replace(CROSSED_OUT, '$1'), names, asked.options);
  if (!found) return { why: body };
  const why = joined(body.slice(0, at).trim(), reasonIn(found.after));
  return /[\p{L}\p{N}]/u.test(found.choice) ? { choice: oneLine(found.choice), why } : { why };
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
