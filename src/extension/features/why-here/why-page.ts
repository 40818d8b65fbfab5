/** Writes down why a line is there. */
import * as vscode from 'vscode';
import type { ExplainedMemory, WhyHere } from '../../../protocol/code-values';
import { kindName, markNames, shownDay } from '../../kinds';
import { plainLine } from '../../stored-text';
import { wrapped } from '../wrapped';

/** What a line of the page leads to. */
export type Leads =
  | { readonly to: 'memory'; readonly nodeId: string }
  | { readonly to: 'change'; readonly nodeId: string }
  | { readonly to: 'remember' };

export interface PageLine {
  readonly text: string;
  readonly leads?: Leads;
  /** It begins a part, which the list beside the page names. */
  readonly begins?: true;
}

const MAX_TEXT = 1_000;
const SHORT_COMMIT = 8;
/** Of what a commit says below its subject: what is remembered stands below it, and has to be seen. */
const MAX_BODY = 400;
/** As many characters as a peek shows beside its list, where side bar and chat are open in a window of common size. */
const WIDTH = 48;

/** The commit, then each memory: what was rejected, and whether it still holds. */
export function whyPage({ line, symbol, commit, memories }: WhyHere): PageLine[] {
  const isOnCode = ({ found }: ExplainedMemory): boolean => found === 'code' || found === 'file';
  const onCode = memories.filter(isOnCode);
  const nearest = memories.filter((memory) => !isOnCode(memory));
  const title =
    symbol === null
      ? vscode.l10n.t('Why is line {0} here?', line)
      : vscode.l10n.t('Why is line {0} of {1} here?', line, plainLine(symbol));
  const lines: PageLine[] = [
    { text: title, begins: true },
    { text: '' },
    ...commitLines(commit),
    ...onCode.flatMap((memory) => memoryLines(memory)),
    ...aboveNearest(onCode.length > 0, nearest.length > 0).flatMap((text) => [{ text }, { text: '' }]),
    ...nearest.flatMap((memory) => memoryLines(memory)),
    { text: vscode.l10n.t('→ Remember why this line is here…'), leads: { to: 'remember' } },
  ];
  // A peek breaks no line.
  return lines.flatMap(inLines);
}

/** What is said above the decisions that are not on this code. */
function aboveNearest(isKnown: boolean, isAnyNear: boolean): string[] {
  if (!isAnyNear) return isKnown ? [] : [vscode.l10n.t('Nothing is remembered on this code.')];
  return [
    isKnown
      ? vscode.l10n.t('No decision is remembered on this code. The nearest ones:')
      : vscode.l10n.t('Nothing is remembered on this code. The nearest decisions:'),
  ];
}

function inLines({ begins, ...line }: PageLine): PageLine[] {
  return wrapped(line.text, WIDTH).map((text, i) => ({ ...line, text, ...(begins && i === 0 ? { begins } : {}) }));
}

function commitLines(commit: WhyHere['commit']): PageLine[] {
  if (!commit) return [{ text: vscode.l10n.t('This line is not committed yet.') }, { text: '' }];
  const { id, date, author, subject, body } = commit;
  return [
    { text: plainLine(subject, MAX_TEXT) },
    { text: vscode.l10n.t('Commit {0}, {1}, by {2}', id.slice(0, SHORT_COMMIT), shownDay(date), plainLine(author)) },
    ...(body === '' ? [] : [{ text: vscode.l10n.t('Message: {0}', plainLine(body, MAX_BODY)) }]),
    { text: '' },
  ];
}

function memoryLines(memory: ExplainedMemory): PageLine[] {
  const { id, kind, content, rationale, alternatives_rejected: rejected, valid_from, found } = memory;
  const head = [
    ...[kindName(kind), ...markNames(memory), shownDay(valid_from)],
    ...(found === 'file' ? [vscode.l10n.t('on the whole file')] : []),
    ...(found === 'time' ? [vscode.l10n.t('decided about when that commit was made')] : []),
  ].join(' · ');
  const doubted = memory.verdict === 'changed' || memory.doubted_elsewhere;
  return [
    { text: plainLine(content, MAX_TEXT), begins: true },
    { text: head },
    ...(rationale === null ? [] : [{ text: vscode.l10n.t('Because: {0}', plainLine(rationale, MAX_TEXT)) }]),
    ...(rejected.length === 0
      ? []
      : [{ text: vscode.l10n.t('Rejected: {0}', plainLine(rejected.join('; '), MAX_TEXT)) }]),
    ...standing(memory).map((text) => ({ text })),
    ...(doubted
      ? [{ text: vscode.l10n.t('→ Show the change, then and now'), leads: { to: 'change', nodeId: id } } as const]
      : []),
    { text: vscode.l10n.t('→ Open this memory'), leads: { to: 'memory', nodeId: id } },
    { text: '' },
  ];
}

/** Whether it still holds, as far as that is known. */
function standing({ valid_until, superseded_by: [by], verdict, doubted_elsewhere, marks }: ExplainedMemory): string[] {
  if (marks?.includes('proposed')) return [vscode.l10n.t('Only proposed: nobody has kept it')];
  if (by) return [vscode.l10n.t('Superseded by: {0}', plainLine(by.content, MAX_TEXT))];
  if (valid_until !== null) return [vscode.l10n.t('No longer true since {0}', shownDay(valid_until))];
  if (verdict === 'changed') return [vscode.l10n.t('In doubt: this code has changed since')];
  if (verdict === 'other version') return [vscode.l10n.t('This branch has another version of this code')];
  if (doubted_elsewhere)
    return [vscode.l10n.t('In doubt: other code of it has changed or is gone. This code is as it was')];
  return verdict === 'unchanged' || verdict === 'moved'
    ? [vscode.l10n.t('Still holds: the code is as it was last seen to fit')]
    : [];
}
