/** The part of a hover that names documents. */
import { join, relative } from 'node:path';
import * as l10n from '@vscode/l10n';
import { shownShare } from '../base/shown';
import type { BoundSection } from '../code/bound-sections';
import { inert } from './escape-markdown';
import { uriOf } from './uris';

/** Sections that a hover shows; query_codebase tells more. */
const MOST_SHOWN = 3;
const MAX_TEXT = 300;

/** The sections of documents that speak of a symbol, each with a link that opens it. */
export function describeDocuments(root: string, sections: readonly BoundSection[]): string {
  const shown = sections.slice(0, MOST_SHOWN).map((section) => {
    const { heading, confidence, reason, old } = section;
    const parts = [
      `**${inert(heading, MAX_TEXT)}**`,
      placeLink(root, section),
      l10n.t('confidence {0}', shownShare(confidence)),
    ];
    if (old) parts.push(`_${l10n.t('the document has changed since')}_`);
    return `- ${parts.join(' · ')}${reason === '' ? '' : `  \n  ${inert(reason, MAX_TEXT)}`}`;
  });
  const more = sections.length - shown.length;
  if (more > 0) {
    shown.push(`- _${more === 1 ? l10n.t('…and 1 more section') : l10n.t('…and {0} more sections', more)}_`);
  }
  return `**${l10n.t('In the documents')}**\n\n${shown.join('\n')}`;
}

/** A link to a file of the project and to nothing else: the graph may have come with somebody's repository. */
function placeLink(root: string, { document, start_line }: BoundSection): string {
  const label = inert(`${document}#L${start_line}`, MAX_TEXT);
  const path = join(root, document);
  if (relative(root, path).startsWith('..')) return label;
  const uri = uriOf(path).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `[${label}](${uri}#L${start_line})`;
}
