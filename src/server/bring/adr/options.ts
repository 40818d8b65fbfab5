/** The options of a decision: items of a list, and how they are named. Pure. */
import { oneLine } from '../../base/text';
import { trimLines } from '../markdown';

export interface Option {
  readonly text: string;
  /** Of an item of a numbered list. */
  readonly number: number | undefined;
}

const MAX_OPTION = 300;
const ITEM = /^( {0,3})(?:[-*+]|(\d{1,9})[.)])[ \t]+(.*)$/;
/** Where the name of an option ends: what follows says more of it. */
const END_OF_NAME = /:?\n[ \t]*(?:\n|(?:[-*+]|\d{1,9}[.)])[ \t])/;
/** What some write behind the option that they chose. */
const MARK = /[\s*_]+(?:\((?:chosen|selected|accepted)\)|✅\ufe0f?)[*_]*$/iu;

/** Where an option is said, and why or how begins. */
const EXPLAINED = /(?:[:;,]|\s[-–—])[*_]*(?:\s|$)|\sbecause\b/i;
const STRONG = /^(?:\*\*?([^*]+)\*|__?([^_]+)_)/;
/** `Option 1: `, `**B)** ` */
const NUMBERED =
  /^[*_([]*(?:(?:option|alternative|variant|approach|solution)\s+)?#?(?:\d{1,2}|[a-z])\b[*_]*(?:[.:)\]]+|\s+[-–—])[*_]*\s+/i;

/** The items of a list, as `writeItem` writes them. What is indented deeper than the first one belongs to an item. */
export function optionsIn(body: string): Option[] {
  const items: { number: number | undefined; lines: string[] }[] = [];
  let indent: number | undefined;
  for (const line of body.split('\n')) {
    const [, spaces = '', digits, words] = ITEM.exec(line) ?? [];
    if (words !== undefined && spaces.length <= (indent ?? spaces.length)) {
      indent ??= spaces.length;
      items.push({ number: digits === undefined ? undefined : Number(digits), lines: [words] });
    } else if (line === '' || /^[ \t]/.test(line)) items.at(-1)?.lines.push(line.replace(/^ {1,4}|^\t/, ''));
  }
  return items
    .map(({ number, lines }) => ({ number, text: trimLines(lines.join('\n')) }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}

/** Without what stands below it, and without a mark. */
export function nameOf({ text }: Option): string {
  return bare(bare(firstOf(text)).replace(MARK, ''));
}

export function isMarked({ text }: Option): boolean {
  const line = bare(firstOf(text));
  return [line, line.split(EXPLAINED, 1)[0] ?? ''].some((name) => MARK.test(name));
}

/** All that people may call an option, who do not repeat its number, how it is explained and what stands in brackets. */
export function namesOf(option: Option): string[] {
  const line = bare(firstOf(option.text));
  const short = [line, line.replace(NUMBERED, '')].flatMap((name) => {
    const [, ...strong] = STRONG.exec(name) ?? [];
    const told = name.replace(/^[*_]+/, '').split(EXPLAINED, 1)[0] ?? '';
    return [told.split(/\s\(/, 1)[0] ?? '', ...strong.filter((one) => one !== undefined)];
  });
  // A number alone may count anything.
  return [nameOf(option), ...short.filter((name) => /\p{L}/u.test(name.replace(/^option\b/i, ''))).map(bare)];
}

function firstOf(text: string): string {
  return text.split(END_OF_NAME, 1)[0] ?? '';
}

/** The text of an option, out of links and of quotes around all of it. */
export function bare(option: string): string {
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
export function wordsOf(option: string): string {
  return bare(option)
    .replace(/["'“”*_`~]/g, '')
    .toLowerCase();
}
