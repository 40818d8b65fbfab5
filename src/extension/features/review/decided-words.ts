/** What is said of decisions in the review. */
import * as vscode from 'vscode';
import { counted } from '../../kinds';
import { plainLine } from '../../stored-text';

export type Decision = 'confirm' | 'refute' | 'dismiss' | 'rewrite';

interface Said<Key> {
  readonly decision: Key;
  /** Whether it made a file of the repository. */
  readonly inFile?: boolean;
}

export function done({ decision, inFile = false }: Said<Decision | 'later'>): string {
  return {
    confirm: vscode.l10n.t('$(check) Still true. U takes it back.'),
    refute: vscode.l10n.t('$(close) No longer true. U takes it back.'),
    dismiss: vscode.l10n.t('$(eye-closed) This change is ignored. U takes it back.'),
    rewrite: inFile
      ? vscode.l10n.t('$(edit) Rewritten in .svc/memories, to be committed. U takes it back.')
      : vscode.l10n.t('$(edit) Rewritten. U takes it back.'),
    later: vscode.l10n.t('$(clock) Left for later. U brings it back.'),
  }[decision];
}

export function takenBack({ decision }: Said<Decision | 'later'>): string {
  return {
    confirm: vscode.l10n.t('$(discard) Taken back: still true.'),
    refute: vscode.l10n.t('$(discard) Taken back: no longer true.'),
    dismiss: vscode.l10n.t('$(discard) Taken back: this change is ignored.'),
    rewrite: vscode.l10n.t('$(discard) Taken back: rewritten.'),
    later: vscode.l10n.t('$(discard) Brought back.'),
  }[decision];
}

/** Of a key that was pressed for the page before. */
export function cameTooEarly(): string {
  return vscode.l10n.t('$(watch) The page had just changed: that key did nothing.');
}

export function settledElsewhere(): string {
  return vscode.l10n.t(
    'Nothing was stored: this memory no longer waits. It was forgotten or settled somewhere else, or is no longer in doubt here.',
  );
}

export function changedMeanwhile(content: string): string {
  return vscode.l10n.t('Nothing was stored, because the code was changed while you looked: {0}', plainLine(content));
}

/** What was decided, once nothing is left. @param later how many were left */
export function summary(decided: readonly Said<Decision>[], later: number): string {
  const count = (decision: Decision, wanted = false): number =>
    decided.filter((one) => one.decision === decision && (one.inFile ?? false) === wanted).length;
  const parts: readonly (readonly [number, (count: number) => string])[] = [
    [count('confirm'), (n) => vscode.l10n.t('still true: {0}', n)],
    [count('refute'), (n) => vscode.l10n.t('no longer true: {0}', n)],
    [count('rewrite'), (n) => vscode.l10n.t('rewritten: {0}', n)],
    [count('dismiss'), (n) => vscode.l10n.t('ignored: {0}', n)],
    // Last, because it has a comma of its own.
    [count('rewrite', true), (n) => vscode.l10n.t('rewritten in .svc/memories, to be committed: {0}', n)],
  ];
  const said = parts.flatMap(([n, say]) => (n === 0 ? [] : [say(n)]));
  return [
    ...(said.length === 0
      ? []
      : [vscode.l10n.t('Reviewed {0} ({1}).', counted.memories(decided.length), said.join(', '))]),
    ...(later === 0 ? [] : [vscode.l10n.t('Left for later: {0}.', later)]),
  ].join(' ');
}
