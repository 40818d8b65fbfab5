/** Reads records of architecture decisions: MADR, in all its versions, and Nygard's form. Pure. */
import { oneLine } from '../../base/text';
import { dateOf, fitContent, fitRationale } from '../fit';
import { fieldList, fieldText, type Page, type Part, pageOf, partsOf, trimLines, withoutComments } from '../markdown';
import { type Adr, type AdrStatus, CHOSEN, DETAILS, OWN_FIELDS } from './adr';
import { readEscaped } from './escaped-lines';

/** What is chosen is said in the content where the title does not say it. */
const MAX_OPTION = 300;
const MAX_OPTIONS = 20;

/** @returns undefined for a page that is no record of a decision */
export function readAdr(text: string): Adr | undefined {
  return adrOf(pageOf(text));
}

/** The same of a page that was taken apart. */
export function adrOf(page: Page): Adr | undefined {
  const id = fieldText(page, OWN_FIELDS.id);
  const parts = partsOf(id === undefined ? withoutComments(page.body) : page.body);
  const title = parts.find(({ depth }) => depth === 1)?.title ?? fieldText(page, 'title');
  const outcome = section(parts, /^decision(?: outcome)?$/i);
  if (title === undefined || title === '' || !outcome) return undefined;
  const plain = title.replace(/^(?:ADR[- ]?)?\d{1,5}[.:)]?\s+(?=\S)/i, '');
  return {
    ...(id === undefined ? decided(parts, plain, outcome) : ownDecision(parts, title, outcome)),
    ...{ status: statusOf(page, parts), valid_from: fromOf(page, parts) },
    supersedes: supersededIn(page, parts),
    id,
    valid_until: dateOf(fieldText(page, OWN_FIELDS.until)),
    confidence: shareOf(fieldText(page, OWN_FIELDS.confidence)),
    about: fieldList(page, OWN_FIELDS.about),
  };
}

type Decided = Pick<Adr, 'content' | 'rationale' | 'alternatives_rejected'>;

/** As `write-adr` writes it: nothing is cut, and nothing is added. */
function ownDecision(parts: readonly Part[], title: string, { body }: Part): Decided {
  const details = section(parts, new RegExp(`^${DETAILS}$`))?.body;
  const given = body.startsWith(`${CHOSEN} "${title}"`) ? body.slice(`${CHOSEN} "${title}"`.length) : '';
  const rationale = readEscaped(given.replace(/^, because\s*/, ''));
  return {
    content: details === undefined ? title : readEscaped(details),
    rationale: rationale === '' ? undefined : rationale,
    alternatives_rejected: without(optionsOf(parts), title),
  };
}

function decided(parts: readonly Part[], title: string, outcome: Part): Decided {
  const told = withoutComments(outcome.body).trim();
  const options = optionsOf(parts);
  const { option, because, rest } = chosenIn(told, options);
  const rejected = rejectedOf(parts, options, option ?? firstParagraph(told), option !== undefined);
  const context = textOf(parts, /^context\b/i);
  const consequences = textOf(parts, /^(?:positive |negative )?consequences$/i);
  const said = option ?? firstParagraph(told);
  const considered = rejected ? '' : options.map((one) => `* ${bare(one)}`).join('\n');
  const rationale = [
    ...[because, rest, titled('Considered options', considered)],
    ...[titled('Context', context), titled('Consequences', consequences)],
  ];
  return {
    content: fitContent(says(title, said) ? title : says(said, title) ? oneLine(said) : `${title}: ${oneLine(said)}`),
    rationale: fitRationale(rationale.filter((one) => one !== undefined && one !== '').join('\n\n')),
    alternatives_rejected: (rejected ?? []).map((one) => withReason(parts, one)),
  };
}

/** A list begins on a line of its own. */
function titled(title: string, text: string): string {
  return text === '' ? '' : `${title}:${/^[-*+][ \t]/.test(text) ? '\n' : ' '}${text}`;
}

/**
 * `Chosen option: "SQLite", because …`, with quotes, stars or backticks around the option, or none; also `Chosen: SQLite`, and
 * `Option 1.` for the first one of the list.
 */
function chosenIn(text: string, options: readonly string[]): { option?: string; because?: string; rest: string } {
  const start = /^\s*(?:[-*+][ \t]+)?\**(?:chosen option:?|(?:chosen|accepted|decision|selected):)\**:?\s*/i.exec(text);
  const told = text.slice(start?.[0].length ?? 0);
  const numbered = /^\s*\**option #?(\d{1,2})(?:\**[.,:;)]+\**(?:\s|$)|\**\s*$|\**,?\s+(?=because\b))/i.exec(told);
  const named = numbered ? options[Number(numbered[1]) - 1] : undefined;
  if (numbered && named !== undefined) {
    const further = told.slice(numbered[0].length).trim();
    return { option: bare(named), rest: further.replace(/^because\b[\s:]*/i, '') };
  }
  const paragraph = firstParagraph(told);
  const [choice = ''] = paragraph.split(END_OF_CHOICE, 1);
  const number = start || CHOOSES.test(choice) ? /\boption #?(\d{1,2})\b/i.exec(choice)?.[1] : undefined;
  const meant = number === undefined ? undefined : options[Number(number) - 1];
  if (meant !== undefined) return { option: bare(meant), rest: trimLines(told) };
  if (!start) return { rest: rest(text, paragraph) };
  const at = /,?\s+because\b/i.exec(paragraph);
  const option = bare(at ? paragraph.slice(0, at.index) : paragraph);
  const because = at ? paragraph.slice(at.index + at[0].length).replace(/^[\s:]+/, '') : undefined;
  const further = rest(told, paragraph);
  return { option, ...(because === undefined ? {} : { because }), rest: further };
}

/** Where what is chosen ends; behind it stands why, or what was not chosen. */
const END_OF_CHOICE =
  /[.;]\W?\s|\b(?:because|not|no|never|reject\w*|instead|rather|over|than|against|without|drop\w*)\b/i;
const CHOOSES =
  /\b(?:choose|chose|chosen|pick(?:ed)?|take|took|adopt(?:ed)?|use|go with|went with|decided (?:on|for)|select(?:ed)?)\b/i;
/** The share of the words of one text that the other one has, from which on an option is the one that is spoken of. */
const SAME_OPTION = 0.5;

/**
 * The options but the one chosen.
 * @param said what is said to be chosen
 * @param isNamed whether that is named as an option
 * @returns undefined where nobody can tell which one it is: a chosen option must not be called rejected
 */
function rejectedOf(
  parts: readonly Part[],
  options: readonly string[],
  said: string,
  isNamed: boolean,
): readonly string[] | undefined {
  const named = without(options, isNamed ? said : '');
  // Below "Alternatives", what is chosen need not stand.
  if (named.length < options.length || !section(parts, CONSIDERED)) return named;
  const [choice = ''] = said.split(END_OF_CHOICE, 1);
  if (!isNamed && !CHOOSES.test(choice)) return undefined;
  const likeness = options.map((one) => Math.max(shareIn(one, choice), shareIn(choice, one)));
  const most = Math.max(0, ...likeness);
  if (most === 0 && isNamed) return options;
  const like = options.filter((_, i) => likeness[i] === most);
  return most < SAME_OPTION || like.length > 1 ? undefined : options.filter((one) => one !== like[0]);
}

const LITTLE = new Set('a an the of in to and or with for on by as is it our we use will option chosen'.split(' '));

/** Of the words of a text that say something, how large a share another one has. */
function shareIn(text: string, other: string): number {
  const words = tellingWords(text);
  const others = tellingWords(other);
  const common = [...words].filter((word) => others.has(word)).length;
  return words.size === 0 ? 0 : common / words.size;
}

function tellingWords(text: string): Set<string> {
  return new Set((text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => !LITTLE.has(word)));
}

function rest(text: string, paragraph: string): string {
  return trimLines(text.trimStart().slice(paragraph.length));
}

function firstParagraph(text: string): string {
  return text.trim().split(/\n[ \t]*\n/, 1)[0] ?? '';
}

/** The text of an option, out of links and of quotes around all of it. */
function bare(option: string): string {
  let plain = oneLine(option.slice(0, MAX_OPTION)).replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  for (;;) {
    const text = plain.replace(/[,.;\s]+$/, '').trimStart();
    const inside =
      /^(?:"([^"]+)"|'([^']+)'|“([^”]+)”|\*([^*]+)\*|\*\*([^*]+)\*\*|_([^_]+)_|__([^_]+)__|`([^`]+)`)$/.exec(text);
    const next = inside?.slice(1).find((one) => one !== undefined);
    if (next === undefined) return text;
    plain = next;
  }
}

/** The same for all ways to mark its words. */
function wordsOf(option: string): string {
  return bare(option)
    .replace(/["'“”*_`]/g, '')
    .toLowerCase();
}

/** Whether the title tells already what was chosen. */
function says(title: string, chosen: string): boolean {
  const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const known = new Set(words(title));
  const asked = words(chosen);
  return asked.length === 0 || asked.every((word) => known.has(word));
}

const CONSIDERED = /^considered options|^options considered/i;

function optionsOf(parts: readonly Part[]): string[] {
  return optionsIn((section(parts, CONSIDERED) ?? section(parts, /^alternatives(?: considered)?$/i))?.body ?? '');
}

/** The items of a list, as `writeItem` writes them. */
export function optionsIn(body: string): string[] {
  const items: string[][] = [];
  for (const line of body.split('\n')) {
    const item = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/.exec(line)?.[1];
    if (item !== undefined) items.push([item]);
    else if (line === '' || /^[ \t]/.test(line)) items.at(-1)?.push(line.replace(/^ {1,4}|^\t/, ''));
  }
  return items.map((lines) => trimLines(lines.join('\n'))).filter((one) => /[\p{L}\p{N}]/u.test(one));
}

/** Without the first one that is the option chosen. */
function without(options: readonly string[], chosen: string): string[] {
  const at = options.findIndex((one) => one === chosen || wordsOf(one) === wordsOf(chosen));
  return options.filter((_, i) => i !== at);
}

/** What MADR says of each option under a heading of its own: why it is bad. */
function withReason(parts: readonly Part[], option: string): string {
  const name = bare(option);
  const said = parts.find(({ depth, title }) => depth === 3 && wordsOf(title) === wordsOf(name));
  const bad = /^[ \t]*[-*+][ \t]+bad,?[ \t]+(?:because[ \t]+)?(.+)$/im.exec(said?.body ?? '')?.[1];
  return bad === undefined ? name : `${name}: ${oneLine(bad)}`;
}

function statusOf(page: Page, parts: readonly Part[]): AdrStatus {
  const status = currentStatus(statusText(page, parts));
  // Of a template that nobody has filled in: `[proposed | accepted | …]`.
  if (/\|/.test(status)) return { is: 'undecided' };
  if (/superse(?:d|c)ed\b|replaced by/i.test(status)) return { is: 'superseded', by: recordsIn(status, /by/i) };
  if (/\b(?:rejected|declined)\b/i.test(status)) return { is: 'rejected' };
  if (/\b(?:deprecated|obsolete|withdrawn)\b/i.test(status)) return { is: 'deprecated' };
  return { is: /^\W*(?:proposed|draft|pending|open|in review|wip)\b/i.test(status) ? 'undecided' : 'accepted' };
}

/** Where each line has its date, the last one counts. */
function currentStatus(text: string): string {
  const dated = text.split('\n').flatMap((line) => /^\s*\d{4}-\d\d-\d\d[:\s]+(\w.*)$/.exec(line)?.[1] ?? []);
  return dated.at(-1) ?? text;
}

function statusText(page: Page, parts: readonly Part[]): string {
  return fieldText(page, 'status') ?? section(parts, /^status$/i)?.body ?? lineOf(parts, 'status') ?? '';
}

/** `Supersedes [1. …](0001-….md)` in the status; MADR has a field for it in some versions. */
function supersededIn(page: Page, parts: readonly Part[]): string[] {
  const lines = statusText(page, parts)
    .split('\n')
    .filter((line) => /\bsupersedes\b/i.test(line));
  return lines.flatMap((line) => recordsIn(line, /supersedes/i));
}

/** Files that links lead to, else numbers, after a word. */
function recordsIn(text: string, after: RegExp): string[] {
  const told = text.slice(Math.max(0, text.search(after)), 1_000);
  const files = [...told.matchAll(/\]\(([^)\s#]+\.(?:md|markdown|adoc))/gi)].map(([, file = '']) => file);
  if (files.length > 0) return files;
  return [...told.matchAll(/\d{1,5}/g)].slice(0, MAX_OPTIONS).map(([number]) => number);
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

function section(parts: readonly Part[], title: RegExp): Part | undefined {
  return parts.find((part) => part.depth > 1 && title.test(part.title));
}

function textOf(parts: readonly Part[], title: RegExp): string {
  const bodies = parts.filter((part) => part.depth > 1 && title.test(part.title)).map(({ body }) => body);
  const text = withoutComments(bodies.filter((body) => body !== '').join('\n'));
  // What a template leaves for more.
  return text.replace(/^[ \t]*[-*+][ \t]*(?:…|\.\.\.)[ \t]*\n?/gm, '').trim();
}

function shareOf(text: string | undefined): number | undefined {
  const share = Number(text);
  return text !== undefined && share >= 0 && share <= 1 ? share : undefined;
}
