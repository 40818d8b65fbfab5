/**
 * Which of the options a record says to be chosen, or that nobody can tell: an agent that is told that the chosen one was
 * rejected does the contrary of what was decided. Pure.
 */
import { bare, isMarked, nameOf, namesOf, type Option, wordsOf } from './options';

export interface Choice {
  /** Undefined where nobody can tell which one it is. */
  readonly option: Option | undefined;
  /** What was decided, without what stands around it. */
  readonly said: string;
  readonly because?: string;
  readonly rest: string;
}

export interface Asked {
  readonly options: readonly Option[];
  /** Else the chosen one need not be among them, as below "Alternatives": what is only like it is another one. */
  readonly areAll: boolean;
}

/** `- **Chosen option**: `, and the like; MADR 1 says "Chosen Alternative". Not "Chosen options". */
const LABEL =
  /^\s*(?:[-*+][ \t]+)?([*_]*)(?:(chosen (?:option|alternative)\b)(?: is\b)?([*_]*):?|(?:chosen|decision|accepted|selected)([*_]*):)([*_]*)\s*/i;
/** `Option 2.` needs no label; "Option 2 was considered" says something else. */
const BEGINS_WITH_OPTION = /^[*_]*option #?(?:\d{1,2}|[a-z])\b[*_]*(?:\s*(?:[.,:;)(!–—-]|$)|\s+because\b)/i;
/** Quotes inside stand behind a space. */
const QUOTED = /^(?:[\s*_]|\b(?:the|option|is|use|we|will)\b)*(?:"((?:[^"]|(?<=\s)"[^"]+")+)"|“([^”]+)”|'([^']+)')/i;
const BECAUSE = /,?\s+because\b[\s:]*/i;
const NEXT_ITEM = /\n[ \t]*(?:\n|(?:[-*+]|\d{1,9}[.)])[ \t])/;
const END_OF_SENTENCE = /[.!?]["'”’*_)]*(?:\s|$)/;
const END_OF_WHOLE = new RegExp(`${END_OF_SENTENCE.source}|\\bbecause\\b`, 'i');
const END_OF_CHOICE = new RegExp(`${END_OF_WHOLE.source}|[;,(]`, 'i');
/** Words after which something is not wanted. */
const UNWANTED =
  /\b(?:not|no|never|none|without|neither|nor|cannot|instead|rather|over|than|against|from|off|other|too|was|were|stop\w*|los(?:es|t)|reject\w*|drop\w*|leav\w+|avoid\w*|abandon\w*|remov\w*|replac\w*|deprecat\w*|postpone\w*)\b|n['’]t\b/i;
/** Behind these stands the contrary of what stands before, which may be wanted, too: "Postgres, but SQLite for tests". */
const CONTRAST = /\b(?:but|except)\b/i;
/** Words that may turn what is said into its contrary. */
const TURNS_AWAY = new RegExp(`${UNWANTED.source}|${CONTRAST.source}`, 'i');
/** "As primary" says more of the choice, ", as it is fast" gives a reason. */
const END_OF_WHAT = new RegExp(`${END_OF_SENTENCE.source}|\\b(?:because|since|so)\\b|,\\s*as\\b(?! well)`, 'i');
/** What makes another sentence one about a choice. */
const CHOOSES =
  /(?<!\bto )\b(?:uses?|(?:is|are|be) used|takes?|keeps?|kept|choose|chosen|adopt|stays?|remains?|go with)\b/i;
const GOES_ON = /^[\s,;*_]*(?:(?:and|or|plus|then|both|together|#?\d+)\b|[&+/"“'‘])|\boption #?(?:\d|[a-z]\b)|#\d/i;
/** A choice that is nothing but the number or letter of an option. */
const NUMBER = /^(?:option )?#?(\d{1,2}|[a-z])$/;
const ANY_NUMBER = /\boption #?(\d{1,2}|[a-z])\b/gi;
const MOST_NUMBERS = 5;
/** `Option 2: …`, `2. …`, `A) …`; also `Alternative 2: …`, after which "Option 2" may mean anything. */
const OWN_NUMBER = /^[([]?(?:option #?(\d{1,2}|[a-z])\b|(\p{L}+ )?#?(\d{1,2}|[a-z])(?:[.:)\]]+(?:\s|$)|\s+[-–—]\s))/u;
/** The share of the words of one text that the other one has, from which on an option is the one that is spoken of. */
const SAME_OPTION = 0.5;
const LITTLE = new Set('a an the of in to and or with for on by as is it our we use will option chosen'.split(' '));
/** In characters: what is chosen is said at once. */
const LONGEST = 300;
const LONGEST_SAID = 1_000;
/** Options, and labels: nobody reads through more, and each is compared with each. */
const MOST = 50;

/** @param text of the section that says what was decided */
export function choiceIn(text: string, asked: Asked): Choice {
  const paragraph = text.split(/\n[ \t]*\n/, 1)[0] ?? '';
  const marked = asked.options.filter(isMarked);
  const free: Choice = {
    option: marked.length === 1 ? marked[0] : undefined,
    said: paragraph,
    rest: text.slice(paragraph.length),
  };
  const given = givenIn(text);
  if (!given) return free;
  const lines = text
    .split('\n')
    .slice(1)
    .filter((line) => LABEL.test(line));
  if (lines.length > MOST || asked.options.length > MOST) return { ...free, option: undefined };
  const meant = meantBy(given, asked);
  // Each of several labels may say it.
  const others = lines.flatMap((line) => {
    const named = meantBy(givenIn(line) ?? given, asked);
    return asked.options.filter((one) => one === named || speaksOf(line, one));
  });
  if (others.some((one) => one !== meant)) return { ...free, option: undefined };
  const { told, item, choice, end } = given;
  if (meant === undefined && given.label !== 'option') {
    // What is no choice, such as a date, is not all that is said.
    const whole = text.replace(/^[-*+][ \t]+/, '').split(NEXT_ITEM, 1)[0] ?? '';
    const isText = given.label !== undefined && /\p{L}/u.test(choice);
    const rest = text.slice(text.indexOf(whole) + whole.length);
    return isText ? { ...free, said: whole.replace(LABEL, ''), rest } : free;
  }
  const isOther = meant !== undefined && marked.some((one) => one !== meant);
  const option = isOther ? undefined : (meant ?? free.option);
  if (meant && NUMBER.test(wordsOf(choice))) {
    const rest = told.slice(end).replace(/^["'”’*_\s.!,:;)]+/, '');
    return { option, said: nameOf(meant), rest: rest.replace(/^because\b[\s:]*/i, '') };
  }
  const because = BECAUSE.exec(item);
  return {
    option,
    said: bare(because ? item.slice(0, because.index) : item),
    ...(because ? { because: item.slice(because.index + because[0].length) } : {}),
    rest: told.slice(item.length),
  };
}

/**
 * What stands behind the label that a text begins with: what is chosen, in whatever words and however many, and what is said of
 * it. @param names that are told with all that stands in them, such as commas
 */
export function choiceBehind(text: string, names: readonly string[], options: readonly Option[]) {
  const given = givenIn(text);
  if (!given) return undefined;
  const { told, item, choice, end } = given;
  const [whole = ''] = item.split(BECAUSE, 1);
  const isNamed = names.some((name) => wordsOf(name) === wordsOf(whole));
  if (isNamed || goesOn(item, end)) {
    const all = isNamed ? whole : (item.split(END_OF_WHOLE, 1)[0] ?? '').replace(/[\s,;]+$/, '');
    return { choice: all.replace(/["“”]/g, ''), after: told.slice(all.length) };
  }
  const number = NUMBER.exec(wordsOf(choice))?.[1];
  const option = number === undefined ? undefined : numbered(number, options);
  const dash = item.startsWith(choice) ? choice.search(/\s[–—-]\s/) : -1;
  const [name, length] = dash < 0 ? [choice, end] : [choice.slice(0, dash), dash];
  return { choice: option ? nameOf(option) : name, after: told.slice(length) };
}

/** Whether all the words of a name of an option stand in what a text says before it says what is not wanted. */
export function speaksOf(text: string, option: Option): boolean {
  return namesAny([tellingWords(wantedIn(text))], option);
}

/** The options that texts speak of, by a name or by a number. */
export function spokenOf(texts: readonly string[], options: readonly Option[]): ReadonlySet<Option> {
  const wanted = texts.map(wantedIn);
  const numbers = wanted.flatMap((text) =>
    [...text.matchAll(ANY_NUMBER)].map(([, number = '']) => number.toLowerCase()),
  );
  const meant = [...new Set(numbers)].slice(0, MOST_NUMBERS).map((number) => numbered(number, options));
  const words = wanted.map(tellingWords);
  return new Set(options.filter((one) => meant.includes(one) || namesAny(words, one)));
}

function namesAny(texts: readonly ReadonlySet<string>[], option: Option): boolean {
  return namesOf(option).some((name) => {
    const words = tellingWords(name);
    return words.size > 0 && texts.some((text) => shareIn(words, text) === 1);
  });
}

/** Before it says what is not wanted, and then again where it makes an exception or chooses in another sentence. */
function wantedIn(text: string): string {
  const told = text.slice(0, LONGEST_SAID);
  const clauses = [told.split(END_OF_SENTENCE, 1)[0] ?? '', ...choicesAfter(told)].flatMap((one) =>
    one.split(CONTRAST),
  );
  return [beforeContrary(told), ...clauses.map((one) => one.split(UNWANTED, 1)[0])].join('\n');
}

/** The sentences behind the first one that choose something, without their reasons. */
function choicesAfter(text: string): string[] {
  const others = text.split(END_OF_SENTENCE).slice(1);
  return others.map((one) => one.split(END_OF_WHAT, 1)[0] ?? '').filter((one) => CHOOSES.test(one));
}

/** What a text says before a word that may turn it into its contrary. */
export function beforeContrary(text: string): string {
  return text.split(TURNS_AWAY, 1)[0] ?? '';
}

interface Given {
  readonly label: 'option' | 'other' | undefined;
  /** What follows the label, and the part of it up to the next item or paragraph. */
  readonly told: string;
  readonly item: string;
  /** What is chosen, and where it ends. */
  readonly choice: string;
  readonly end: number;
}

function givenIn(text: string): Given | undefined {
  const label = LABEL.exec(text);
  const [sentence = ''] = text.split(END_OF_WHOLE, 1);
  if (!label && (!BEGINS_WITH_OPTION.test(text) || TURNS_AWAY.test(sentence))) return undefined;
  const [start = '', opened = '', isOption, closed = '', closedToo = '', last = ''] = label ?? [];
  // Below a label there may be several.
  if (start.trimStart().includes('\n') && /^(?:[-*+]|\d{1,9}[.)])[ \t]/.test(text.slice(start.length)))
    return undefined;
  const after = text.slice(start.length);
  const told = opened !== '' && closed + closedToo + last === '' ? after.replace(opened, '') : after;
  const item = told.split(NEXT_ITEM, 1)[0] ?? '';
  const quoted = QUOTED.exec(item);
  const found = item.search(END_OF_CHOICE);
  const end = quoted ? quoted[0].length : found < 0 ? item.length : found;
  const choice = quoted?.slice(1).find((one) => one !== undefined) ?? item.slice(0, end);
  return { label: label ? (isOption === undefined ? 'other' : 'option') : undefined, told, item, choice, end };
}

/** The one option that is meant for certain. */
function meantBy({ item, choice, end }: Given, { options, areAll }: Asked): Option | undefined {
  const [whole = ''] = item.split(BECAUSE, 1);
  const named = equalTo(whole, options);
  const number = NUMBER.exec(wordsOf(choice))?.[1];
  const meant =
    named ??
    equalTo(choice, options) ??
    (number !== undefined ? numbered(number, options) : areAll ? likest(choice.slice(0, LONGEST), options) : undefined);
  const at = named ? whole.length : end;
  const aside = named ? undefined : equalTo(/^\s*\(([^)]*)\)/.exec(item.slice(at, at + LONGEST))?.[1] ?? '', options);
  const others = choicesAfter(item.slice(at, at + LONGEST_SAID));
  const spoken = spokenOf(named ? others : [moreIn(item, at), ...others], options);
  const isOne = options.every((one) => one === meant || (one !== aside && !spoken.has(one)));
  return isOne && (named || !goesOn(item, at)) ? meant : undefined;
}

function goesOn(item: string, end: number): boolean {
  return GOES_ON.test(moreIn(item, end).split(UNWANTED, 1)[0] ?? '');
}

/** What follows a choice before it is said why. */
function moreIn(item: string, end: number): string {
  const after = item.slice(end, end + LONGEST).replace(/\([^)]*\)?/g, ' ');
  return after.split(END_OF_WHAT, 1)[0] ?? '';
}

function equalTo(text: string, options: readonly Option[]): Option | undefined {
  const words = wordsOf(text);
  return onlyOne(options.filter((one) => wordsOf(nameOf(one)) === words || wordsOf(one.text) === words));
}

/** By the number that an option has itself, else by its place in the list. */
function numbered(number: string, options: readonly Option[]): Option | undefined {
  const own = options.map((one) => OWN_NUMBER.exec(wordsOf(nameOf(one))));
  if (own.some((one) => one !== null)) {
    return onlyOne(options.filter((_, i) => own[i]?.[2] === undefined && (own[i]?.[1] ?? own[i]?.[3]) === number));
  }
  if (options.every((one) => one.number === undefined)) return options[Number(number) - 1];
  return onlyOne(options.filter((one) => one.number === Number(number)));
}

/** By its words: most of the choice is about it, and no other one has a word of the choice that it lacks. */
function likest(choice: string, options: readonly Option[]): Option | undefined {
  if (TURNS_AWAY.test(choice) || /\bA\b(?!\s+\p{L})/u.test(choice)) return undefined;
  const words = tellingWords(choice);
  const named = options.map((option) => ({ option, words: tellingWords(nameOf(option)) }));
  const likeness = named.map((one) => Math.max(shareIn(one.words, words), shareIn(words, one.words)));
  const most = Math.max(SAME_OPTION, ...likeness);
  const best = onlyOne(named.filter((_, i) => likeness[i] === most));
  if (!best) return undefined;
  const lacking = [...words].filter((word) => !best.words.has(word));
  // "Postpone Postgres" is about Postgres, and does not choose it.
  const isAbout = lacking.length === 0 || (words.size >= 2 * lacking.length && words.size - lacking.length > 1);
  const isOther = lacking.some((word) => /\d|^\p{L}$/u.test(word) || named.some((one) => one.words.has(word)));
  return isAbout && !isOther ? best.option : undefined;
}

/** Of some words, how large a share others have. */
function shareIn(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return words.size === 0 ? 0 : [...words].filter((word) => others.has(word)).length / words.size;
}

/** Those that say something. A path is one word: two files of one folder are not alike. */
export function tellingWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_]+(?:[./'’][\p{L}\p{N}_]+)*/gu) ?? [];
  return new Set(words.filter((word) => !LITTLE.has(word)));
}

function onlyOne<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}
