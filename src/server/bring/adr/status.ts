/** Reads what a record says of its own standing, and of the records that it took the place of or that took its own. Pure. */
import type { AdrStatus } from './adr';

/** adr-tools writes "Superceded by", others spell it in other ways. */
const SUPERSEDE = 'super[sc]ee?de';
const SUPERSEDED = new RegExp(`\\b(?:${SUPERSEDE}d\\b(?:\\s+by\\b|[^\\n()]{0,60}?\\bby\\b)?|replaced by\\b)`, 'gi');
const SUPERSEDES = new RegExp(`\\b(?:${SUPERSEDE}s|replaces)\\b`, 'gi');
/** Where the records that such a word names end: at another relation, a paragraph, or a line that begins a sentence. */
const END_OF_RELATION = new RegExp(
  `\\n[ \\t]*\\n|\\n[ \\t*+-]*(?!(?:and|adr|records?|decisions?)\\b)\\p{L}+[ :]|` +
    `\\b(?:${SUPERSEDE}[sd]|replace[sd]|amend(?:s|ed)|clarifie[sd]|extend(?:s|ed)|relate[sd])\\b`,
  'iu',
);
const LONGEST_RELATION = 1_000;
/** That one record takes the place of. */
const MAX_RECORDS = 20;
const GONE = /~~[^~\n]+~~|<(del|s)>[^<\n]*<\/\1>|^[ \t]*[-*+][ \t]+\[ \].*$/gim;
const UNDECIDED = /^\W*(?:\[?x\]\W*)?(?:proposed|draft|pending|open|in review|wip)\b/i;
/** As the next step of several, not in a sentence such as "to be accepted by …". */
const DECIDED_SINCE = /(?:\n|→|[-=]>|[,;])[^\p{L}\n]*(?:x\]\W*)?(?:then |now )?(?:accepted|approved|adopted)\b/iu;
const LINKED = /\]\(([^)\s#]+\.(?:md|markdown|adoc))/gi;
const FILE = /[^\s()[\]<>"'`,;]+\.(?:md|markdown|adoc)\b/gi;
const ID = /\bd_[\w-]+/g;
/** Numbers one after another: what other words stand before counts something else, and a date has more digits. */
const NUMBERS =
  /^(?:[\s,&:#*_"'[\]–-]|\b(?:the|and|both|adrs?|records?|decisions?|no\.?|number)(?![a-z])|\d{1,5}(?![\d.:/]*\d|-\d))*/i;

/** @param text of the field or the section */
export function statusIn(text: string): AdrStatus {
  const status = currentStatus(text);
  // Of a template that nobody has filled in: `[proposed | accepted | …]`.
  if (/\|/.test(status)) return { is: 'undecided' };
  if (status.search(SUPERSEDED) >= 0) return { is: 'superseded', by: recordsAfter(SUPERSEDED, status) };
  if (/\b(?:rejected|declined)\b/i.test(status)) return { is: 'rejected' };
  if (/\b(?:deprecated|obsolete|withdrawn)\b/i.test(status)) return { is: 'deprecated' };
  return { is: UNDECIDED.test(status) && !DECIDED_SINCE.test(status) ? 'undecided' : 'accepted' };
}

/** `Supersedes [1. …](0001-….md)`. */
export function supersededIn(text: string): string[] {
  return recordsAfter(SUPERSEDES, text.replace(GONE, ''));
}

/** Without what is crossed out or not ticked. Where each line has its date, the last one counts. */
function currentStatus(text: string): string {
  const left = text.replace(GONE, '');
  const dated = left.split('\n').flatMap((line) => /^\s*\d{4}-\d\d-\d\d[:\s]+(\w.*)$/.exec(line)?.[1] ?? []);
  return dated.at(-1) ?? left;
}

function recordsAfter(word: RegExp, text: string): string[] {
  const found = [...text.matchAll(word)].slice(0, MAX_RECORDS).flatMap(({ 0: { length }, index }) => {
    const told = text.slice(index + length, index + length + LONGEST_RELATION).replace(/^[\s:*_]+/, '');
    return recordsIn(told.split(END_OF_RELATION, 1)[0] ?? '');
  });
  return [...new Set(found)].slice(0, MAX_RECORDS);
}

/** Files that links lead to, else names of files, else ids of ours, else numbers. */
function recordsIn(told: string): string[] {
  const linked = [...told.matchAll(LINKED)].map(([, file = '']) => file);
  if (linked.length > 0) return linked;
  const named = told.match(FILE) ?? told.match(ID);
  return named ?? NUMBERS.exec(told)?.[0].match(/\d+/g) ?? [];
}
