/** The sections of a record, each with the headings in it. Pure. */
import { type Part, withoutComments } from '../markdown';
import { joined, titled } from './told';

/** Of all options, the chosen one as well. MADR 1 calls them alternatives. */
export const OPTIONS = /^considered (?:options|alternatives)|^options considered|^options$/i;
export const ALTERNATIVES =
  /^alternatives(?: (?:we )?(?:considered|rejected))?$|^(?:rejected|discarded|dismissed|other) (?:alternatives|options)(?: considered)?$/i;
/** Wherever they stand, they are read by themselves. */
const READ_APART = new RegExp(
  `${OPTIONS.source}|${ALTERNATIVES.source}|^context\\b|^(?:(?:positive |negative )?consequences|status|date)$|^pros and cons`,
  'i',
);

export function section(parts: readonly Part[], title: RegExp): Part | undefined {
  return parts.find((part) => part.depth > 1 && title.test(part.title));
}

/** All that stands in a section, as it is written. */
export function wholeOf(parts: readonly Part[], part: Part): string {
  return joined(
    part.body,
    ...deeper(parts, part).map(({ depth, title, body }) => joined(`${'#'.repeat(depth)} ${title}`, body)),
  );
}

/** What stands under the headings of a section, each as a text. */
export function belowIn(parts: readonly Part[], part: Part): string[] {
  const texts: string[] = [];
  let apart: number | undefined;
  for (const { depth, title, body } of deeper(parts, part)) {
    if (apart !== undefined && depth > apart) continue;
    apart = READ_APART.test(title) ? depth : undefined;
    const text = withoutComments(body).trim();
    if (apart === undefined) texts.push(text === '' ? title : titled(title, text));
  }
  return texts.filter((text) => text !== '');
}

export function textOf(parts: readonly Part[], title: RegExp): string {
  const found = parts.filter((part) => part.depth > 1 && title.test(part.title));
  const bodies = found.map((part) => joined(part.body, ...belowIn(parts, part)));
  const text = withoutComments(bodies.filter((body) => body !== '').join('\n'));
  // What a template leaves for more.
  return text.replace(/^[ \t]*[-*+][ \t]*(?:…|\.\.\.)[ \t]*\n?/gm, '').trim();
}

export function paragraphOf(text: string): string {
  return text.split(/\n[ \t]*\n/, 1)[0] ?? '';
}

/** The headings in a section. */
export function deeper(parts: readonly Part[], part: Part): Part[] {
  const start = parts.indexOf(part) + 1;
  let end = start;
  while ((parts[end]?.depth ?? 0) > part.depth) end++;
  return parts.slice(start, end);
}
