/** Markdown that keeps a parser busy, or did. */

/** A text as long as a document of this size. */
export function repeatedText(unit: string, kilobytes: number): string {
  return unit.repeat(Math.ceil((kilobytes * 1_000) / Buffer.byteLength(unit)));
}

const lines = (unit: string) => (kilobytes: number) => repeatedText(unit, kilobytes);
const inLines = (unit: string) => lines(`${unit.repeat(Math.ceil(80 / unit.length))}\n`);

/** By what they hold. They are read or left out, as the machine is. */
export const DOCUMENT_SHAPES: Readonly<Record<string, (kilobytes: number) => string>> = {
  backticks: inLines('`a``b```c '),
  brackets: inLines('[a]('),
  emphasis: inLines('*a_ **b __c '),
  entities: inLines('&amp;&a'),
  headings: lines('# a\n'),
  html: inLines('<a b="'),
  lazy: lines('> a\nb\n'),
  links: inLines('[a](b) '),
  lists: lines('- - - - a\n'),
  paragraphs: lines('a\n\n'),
  quotes: lines(`${'> '.repeat(30)}a\n\n`),
  references: lines('[a]: b\n'),
  tables: lines('|a|\n|-|\n\n'),
  underlined: (kilobytes) => `${repeatedText('a\n', kilobytes)}===\n`,
  uses: (kilobytes) => `[a]: b\n\n${inLines('[a]')(kilobytes)}`,
};

/** No parser is fast enough for a megabyte of these. */
export const openImages = inLines('![');
