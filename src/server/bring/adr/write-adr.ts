/** Writes a decision as MADR (https://adr.github.io/madr/). Pure; `read-adr` reads it back as the same decision. */
import { oneLine } from '../../base/text';
import { partsOf } from '../markdown';
import { type Adr, CHOSEN, DETAILS, OUTCOME, OWN_FIELDS } from './adr';
import { escapeLines } from './escaped-lines';

const LONGEST_TITLE = 120;
const LONGEST_SLUG = 60;
const MIDNIGHT = 'T00:00:00.000Z';
/** So deep that nothing in it is a list, a heading or a fence of the page. */
const INDENT = '    ';

/** @param adr whose `status.by` has the names of files, without a folder */
export function writeAdr(adr: Adr): string {
  return `---\n${fieldsOf(adr).join('\n')}\n---\n\n${writeAdrBody(adr)}\n`;
}

/** What follows the fields. */
export function writeAdrBody(adr: Pick<Adr, 'content' | 'rationale' | 'alternatives_rejected'>): string {
  const title = titleOf(adr.content);
  const isWhole = title === adr.content;
  const sections = [
    ...(adr.alternatives_rejected.length === 0 ? [] : [optionsSection([title, ...adr.alternatives_rejected])]),
    `## ${OUTCOME}\n\n${CHOSEN} "${title}"${adr.rationale === undefined ? '' : becauseOf(adr.rationale)}`,
    ...(isWhole ? [] : [`### ${DETAILS}\n\n${escapeLines(adr.content)}`]),
  ];
  return `# ${title}\n\n${sections.join('\n\n')}`;
}

/** Four digits and the words of the title. */
export function adrFileName(number: number, content: string): string {
  return `${String(number).padStart(4, '0')}-${slugOf(content, 'decision')}.md`;
}

/** The words of the title as the name of a file. @param otherwise for a title without letters or digits */
export function slugOf(content: string, otherwise: string): string {
  const slug = titleOf(content)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? otherwise : slug;
}

/** The text itself where it can be a heading, else its beginning. */
function titleOf(content: string): string {
  const line = oneLine(content.split('\n', 1)[0] ?? '');
  const isTitle = line.length <= LONGEST_TITLE && partsOf(`# ${line}`)[1]?.title === line;
  if (isTitle) return line;
  const words = line.slice(0, LONGEST_TITLE).replace(/#/g, '').toWellFormed().trim();
  return words === '' ? 'A decision' : `${words} …`;
}

function fieldsOf({ status, valid_from, valid_until, id, about, confidence }: Adr): string[] {
  const own = OWN_FIELDS;
  return [
    `status: ${status.is === 'superseded' ? JSON.stringify(`superseded by ${status.by.map(linked).join(', ')}`) : status.is}`,
    ...(valid_from === undefined ? [] : [`date: ${valid_from.slice(0, 10)}`]),
    ...(id === undefined ? [] : [`${own.id}: ${id}`]),
    ...(valid_from === undefined || valid_from.endsWith(MIDNIGHT)
      ? []
      : [`${own.from}: ${JSON.stringify(valid_from)}`]),
    ...(valid_until === undefined ? [] : [`${own.until}: ${JSON.stringify(valid_until)}`]),
    ...(confidence === undefined || confidence === 1 ? [] : [`${own.confidence}: ${confidence}`]),
    ...(about.length === 0 ? [] : [`${own.about}: [${about.map((name) => JSON.stringify(name)).join(', ')}]`]),
  ];
}

function linked(file: string): string {
  return `[ADR-${file.slice(0, 4)}](${file})`;
}

/** An item of a list. */
export function writeItem(text: string): string {
  const [first = '', ...more] = text.split('\n');
  return [`* ${first}`, ...more.map((line) => (line === '' ? '' : INDENT + line))].join('\n');
}

/** @param options the chosen one first */
export function optionsSection(options: readonly string[]): string {
  return `## Considered Options\n\n${options.map(writeItem).join('\n')}`;
}

/** What follows the option that was chosen. */
export function becauseOf(rationale: string): string {
  return `, because${rationale.includes('\n') ? '\n\n' : ' '}${escapeLines(rationale)}`;
}
