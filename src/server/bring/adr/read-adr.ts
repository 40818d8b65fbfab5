/** Reads records of architecture decisions: MADR, in all its versions, and Nygard's form. Pure. */
import { oneLine } from '../../base/text';
import { dateOf, fitContent, fitRationale } from '../fit';
import { fieldList, fieldText, type Page, type Part, pageOf, partsOf, trimLines, withoutComments } from '../markdown';
import { addedIn } from './added-sections';
import { type Adr, CHOSEN, DETAILS, OWN_FIELDS } from './adr';
import { type Asked, type Choice, choiceIn, spokenOf } from './chosen-option';
import { bare, isMarked, nameOf, type Option, optionsIn, wordsOf } from './options';
import { type OwnRecord, ownDecision } from './own-decision';
import { ALTERNATIVES, belowIn, deeper, OPTIONS, paragraphOf, section, textOf, wholeOf } from './sections';
import { statusIn, supersededIn } from './status';
import { joined, titled, together } from './told';

const CHOSEN_NUMBER = new RegExp(`${CHOSEN} "\\d{1,5}[.:)]?\\s`, 'i');
const DECISION = /^decision(?: outcome)?$/i;

/** @returns undefined for a page that is no record of a decision */
export function readAdr(text: string): Adr | undefined {
  return adrOf(pageOf(text));
}

/** The same of a page that was taken apart. */
export function adrOf(page: Page): Adr | undefined {
  const { id, parts, title } = outlineOf(page);
  const outcome = section(parts, DECISION);
  if (title === '' || !outcome) return undefined;
  const plain = title.replace(/^(?:ADR[- ]?)?\d{1,5}[.:)]?\s+(?=\S)/i, '');
  // In a record of ours a number belongs to the text where what is chosen begins with one, or somebody has put it there.
  const isNumbered =
    outcome.body.includes(`"${title.slice(0, title.length - plain.length)}`) ||
    (CHOSEN_NUMBER.test(outcome.body) && !/^\d/.test(plain));
  const status = statusText(page, parts);
  return {
    ...(id === undefined
      ? decided(parts, plain, outcome)
      : ownDecision({ ...ownRecord(parts, outcome), title: isNumbered ? title : plain })),
    ...{ status: statusIn(status), valid_from: fromOf(page, parts) },
    supersedes: supersededIn(status),
    id,
    valid_until: dateOf(fieldText(page, OWN_FIELDS.until)),
    confidence: shareOf(fieldText(page, OWN_FIELDS.confidence)),
    about: fieldList(page, OWN_FIELDS.about),
  };
}

/** Why a page is no record of a decision, as the end of a sentence; nothing where it does not look like one, either. */
export function whyNoAdr(text: string, isNumbered: boolean): string | undefined {
  const page = pageOf(text);
  const { parts, title } = outlineOf(page);
  const status = statusText(page, parts);
  if (!isNumbered && status === '') return undefined;
  if (statusIn(status).is === 'undecided') return 'is not decided yet';
  return title === '' ? 'has no title' : 'has no section "Decision" or "Decision outcome"';
}

/** Whether a page would be a record of a decision if it had a title. */
export function isUntitled(page: Page): boolean {
  const { parts, title } = outlineOf(page);
  return title === '' && section(parts, DECISION) !== undefined;
}

function outlineOf(page: Page) {
  const id = fieldText(page, OWN_FIELDS.id);
  const parts = partsOf(id === undefined ? withoutComments(page.body) : page.body);
  return { id, parts, title: parts.find(({ depth }) => depth === 1)?.title ?? fieldText(page, 'title') ?? '' };
}

function ownRecord(parts: readonly Part[], outcome: Part): Omit<OwnRecord, 'title'> {
  const details = section(parts, new RegExp(`^${DETAILS}$`));
  return {
    added: addedIn(parts, outcome),
    outcome: outcome.body,
    details: details && wholeOf(parts, details),
    asked: askedIn(parts),
  };
}

type Decided = Pick<Adr, 'content' | 'rationale' | 'alternatives_rejected'>;

/** What is chosen is said in the content where the title does not say it. */
function decided(parts: readonly Part[], title: string, outcome: Part): Decided {
  const asked = askedIn(parts);
  const { option, said, because, rest } = choiceOf(outcome.body, belowIn(parts, outcome), asked);
  const rejected = rejectedOf(asked, option, [title, said]);
  const context = textOf(parts, /^context\b/i);
  const consequences = textOf(parts, /^(?:positive |negative )?consequences$/i);
  const open = asked.options.filter((one) => one !== option && !rejected.includes(one));
  const considered = open.map(({ text }) => `* ${bare(text)}`).join('\n');
  const rationale = [
    ...[because, trimLines(rest), titled('Considered options', considered)],
    ...[titled('Context', context), titled('Consequences', consequences), unlistedIn(parts, asked)],
  ];
  return {
    content: fitContent(together(title, said)),
    rationale: fitRationale(rationale.filter((one) => one !== undefined && one !== '').join('\n\n')),
    alternatives_rejected: rejected.map((one) => withReason(parts, one)),
  };
}

/** What stands under headings of their own gives reasons, or says all of it where nothing stands above them. */
function choiceOf(body: string, below: readonly string[], asked: Asked): Choice {
  const told = withoutComments(body).trim();
  const [first = '', ...others] = told === '' ? below : [told];
  const { option, said, rest, ...reason } = choiceIn(first, asked);
  const isOne = [...spokenOf(others, asked.options)].every((one) => one === option);
  return {
    ...reason,
    option: isOne ? option : undefined,
    said: [said, ...others.map(paragraphOf)].join('\n'),
    rest: joined(
      ...[rest, ...(told === '' ? others.map((one) => one.slice(paragraphOf(one).length)) : below)].map(trimLines),
    ),
  };
}

/** Below "Considered options" the chosen one stands as well. */
function askedIn(parts: readonly Part[]): Asked {
  const { part, areAll } = listIn(parts);
  return { options: part ? optionsOf(parts, part) : [], areAll };
}

function listIn(parts: readonly Part[]) {
  const all = section(parts, OPTIONS);
  return { part: all ?? section(parts, ALTERNATIVES), areAll: all !== undefined };
}

/** The items of the list, or else what has a heading of its own. */
function optionsOf(parts: readonly Part[], part: Part): Option[] {
  const items = optionsIn(part.body);
  if (items.length > 0) return items;
  return deeper(parts, part)
    .filter(({ depth, title }) => depth === part.depth + 1 && title !== '')
    .map(({ title, body }) => ({ text: body === '' ? title : `${title}:\n\n${body}`, number: undefined }));
}

/** What cannot be read as options, such as a table. */
function unlistedIn(parts: readonly Part[], { options }: Asked): string {
  const { part } = listIn(parts);
  return part && options.length === 0 ? titled(part.title, joined(part.body, ...belowIn(parts, part))) : '';
}

/** The options that were not chosen for certain. */
function rejectedOf({ options, areAll }: Asked, chosen: Option | undefined, said: readonly string[]): Option[] {
  if (areAll) return chosen === undefined ? [] : options.filter((one) => one !== chosen);
  const spoken = spokenOf(said, options);
  return options.filter((one) => one !== chosen && !isMarked(one) && !spoken.has(one));
}

/** Why it is bad, which MADR says under a heading for each option, or else all that stands in the list. */
function withReason(parts: readonly Part[], option: Option): string {
  const name = nameOf(option);
  const said = parts.find(({ depth, title }) => depth === 3 && wordsOf(title) === wordsOf(name))?.body;
  const bad = /^[ \t]*[-*+][ \t]+bad,?[ \t]+(?:because[ \t]+)?(.+)$/im.exec(said ?? option.text)?.[1];
  return bad === undefined ? bare(option.text) : `${name}: ${oneLine(bad)}`;
}

function statusText(page: Page, parts: readonly Part[]): string {
  return fieldText(page, 'status') ?? section(parts, /^status$/i)?.body ?? lineOf(parts, 'status') ?? '';
}

function fromOf(page: Page, parts: readonly Part[]): string | undefined {
  return (
    dateOf(fieldText(page, OWN_FIELDS.from)) ??
    dateOf(fieldText(page, 'date')) ??
    dateOf(lineOf(parts, 'date')) ??
    dateOf(section(parts, /^date$/i)?.body)
  );
}

/** `* Date: 2026-01-31`, as MADR 2 and Nygard have it above the first section. */
function lineOf(parts: readonly Part[], name: string): string | undefined {
  for (const { depth, body } of parts.slice(0, 2)) {
    const line = depth > 1 ? null : new RegExp(`^[-*\\s]*\\**${name}\\**:[*\\s]*(.+)$`, 'im').exec(body);
    if (line) return line[1]?.trim();
  }
  return undefined;
}

function shareOf(text: string | undefined): number | undefined {
  const share = Number(text);
  return text !== undefined && share >= 0 && share <= 1 ? share : undefined;
}
