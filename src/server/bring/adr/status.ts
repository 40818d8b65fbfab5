/** Reads what a record says of its own standing, and of the records that it took the place of or that took its own. Pure. */
import type { AdrStatus } from './adr';
import { SUPERSEDE, withoutPartly } from './partly';

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
/** A field that nobody has filled in, and a sentence that denies it: no record took its place. */
const NOT_SUPERSEDED = new RegExp(
  `\\b(?:${SUPERSEDE}d|replaced)[ \\t]+by[ \\t:*_]*(?:(?:none|nothing|nobody|no one|n/?a)\\b|[–—-]+[ \\t]*$)|` +
    `\\b(?:${SUPERSEDE}d|replaced)[ \\t]+by[ \\t*_]*:(?=[\\s*_]*(?![\\s\\S])|[ \\t*_]*\\n\\s*(?!(?:adr|record|decision)s?[ #-]*\\d)\\p{L}[^\\n:]{0,40}:)|` +
    `\\b(?:not|never)[ \\t](?:yet[ \\t])?(?:been[ \\t])?(?:${SUPERSEDE}d|replaced)\\b(?:[ \\t]+by\\b)?`,
  'gimu',
);
const BEGINS = '^\\W*(?:\\[?x\\]\\W*)?';
const DECIDED = '(?:accepted|approved|adopted)';
const STATE = `(?:proposed|draft|${DECIDED}|rejected|deprecated|${SUPERSEDE}d)`;
const UNDECIDED = new RegExp(
  `${BEGINS}(?:propos(?:ed|al)|draft|pending|open|wip|rfc|request for comments|tbd|to be \\p{L}+|on hold|awaiting|` +
    `(?:in|under) (?:review|discussion|progress|consideration|evaluation)|not (?:yet )?(?:decided|${DECIDED}))(?!\\p{L})`,
  'iu',
);
/** Of a template: `[proposed | accepted | …]`. */
const UNFILLED = new RegExp(`\\||${STATE}\\s{0,3}/\\s{0,3}${STATE}\\s{0,3}/\\s{0,3}${STATE}`, 'i');
/** What it is now, in a text that says first that it was accepted. */
const WAS_DECIDED = new RegExp(`${BEGINS}(?:${DECIDED}|decided|implemented)\\b`, 'i');
/** What stands between two steps, as in "Proposed, accepted since". */
const STEP = /\n|→|[-=]>|[,;]/;
const STEP_OR_SENTENCE = /\n+|→|[-=]>|[.,;:(–—]|\s[-/]/;
/** The same in the sentence that says that it was accepted. */
const TURN = /\bbut\b|\band (?=now|later|since|then)/i;
/** Not in a sentence such as "to be accepted by …". */
const stepTo = (word: string, behind = ''): RegExp =>
  new RegExp(`^[^\\p{L}]*(?:x\\]\\W*)?(?:then |now |later |since )?${word}(?!\\p{L})${behind}`, 'iu');
const TO_DECIDED = stepTo(DECIDED);
/** "But has since been", "this decision is now": no "will be", and nothing of another one. */
const ADVERBS =
  '(?:(?:but|and|yet|then|now|later|since|already|meanwhile|however|subsequently|afterwards|recently|officially|formally|effectively|finally|eventually|again|therefore)[ \\t]+){0,4}';
const SUBJECT = '(?:(?:this|the|our)[ \\t]+)?(?:adr|record|decision|document|it|this|status)';
const IS_NOW = `(?:${ADVERBS}(?:${SUBJECT}[ \\t]+)?(?:is|has(?:[ \\t]+\\p{L}+)?[ \\t]+been|became|got)[ \\t]+)?${ADVERBS}`;
const WAS = `(?:${ADVERBS}(?:${SUBJECT}[ \\t]+)?was[ \\t]+)?${ADVERBS}`;
/** Not the word of a thing, as in "deprecated calls stay", nor "rejected Kafka". */
const NO_THING =
  '(?![ \\t]+(?!(?:and|again|after|as|at|because|but|by|due|during|except|for|from|in|later|now|of|on|per|see|since|so|today|until|via|when|where|which|with|without|' +
  '(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)(?:[a-z]{2,7})?|q\\d|v\\d)(?!\\p{L}))\\p{L})';

interface State {
  readonly anywhere: RegExp;
  readonly next: readonly RegExp[];
}

const stateOf = (word: string, more: string, leads: readonly string[]): State => ({
  anywhere: new RegExp(`\\b${word}\\b`, 'i'),
  next: leads.map((lead) => stepTo(`${lead}(?:${word}${more})`, NO_THING)),
});
/** "It was rejected at first" is no end. */
const REJECTED = stateOf('(?:rejected|declined)', '', [IS_NOW]);
const OVER = stateOf(
  '(?:deprecated|obsolete|withdrawn|retired|archived|abandoned|cancell?ed|no longer (?:valid|in (?:force|use)|applies))',
  '|no longer (?:relevant|applicable|recommended|current|active|followed|used|true)|dropped|revoked|rescinded|reversed|reverted|out of date|outdated',
  [IS_NOW, WAS],
);
const LINKED = /\]\(([^)\s#]+\.(?:md|markdown|adoc))/gi;
const FILE = /[^\s()[\]<>"'`,;]+\.(?:md|markdown|adoc)\b/gi;
const ID = /\bd_[\w-]+/g;
/** Numbers one after another: what other words stand before counts something else, and a date has more digits. */
const NUMBERS =
  /^(?:[\s,&:#*_"'[\]–-]|\b(?:the|and|both|adrs?|records?|decisions?|no\.?|number)(?![a-z])|\d{1,5}(?![\d.:/]*\d|-\d))*/i;

/** @param text of the field or the section */
export function statusIn(text: string): AdrStatus {
  const status = currentStatus(text);
  if (UNFILLED.test(status)) return { is: 'undecided' };
  if (status.search(SUPERSEDED) >= 0) return { is: 'superseded', by: recordsAfter(SUPERSEDED, status) };
  if (isNow(REJECTED, status)) return { is: 'rejected' };
  if (isNow(OVER, status)) return { is: 'deprecated' };
  return { is: UNDECIDED.test(status) && !isLater(TO_DECIDED, status, STEP) ? 'undecided' : 'accepted' };
}

/** `Supersedes [1. …](0001-….md)`. */
export function supersededIn(text: string): string[] {
  return recordsAfter(SUPERSEDES, whatHolds(text));
}

/** What was accepted may tell of a record that was not. */
function isNow({ anywhere, next }: State, status: string): boolean {
  const decided = WAS_DECIDED.exec(status)?.[0];
  if (decided === undefined) return anywhere.test(status);
  const since = status.slice(decided.length);
  const [sentence = ''] = since.split(/[.\n]/, 1);
  const steps = [...sentence.split(TURN), ...stepsIn(since, STEP_OR_SENTENCE)];
  return next.some((to) => steps.some((step) => to.test(step)));
}

function isLater(next: RegExp, status: string, marks: RegExp): boolean {
  return stepsIn(status, marks).some((step) => next.test(step));
}

/** Step by step: an expression over all of them would look from each sign to the end. */
function stepsIn(status: string, marks: RegExp): string[] {
  return status.split(marks).slice(1);
}

/** Without what is crossed out, not ticked, or said not to be. */
function whatHolds(text: string): string {
  return withoutPartly(text.replace(GONE, '').replace(NOT_SUPERSEDED, ''));
}

/** Where each line has its date, the last one counts. */
function currentStatus(text: string): string {
  const left = whatHolds(text);
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
