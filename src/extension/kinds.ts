import * as vscode from 'vscode';
import type { MemoryKind, Verdict } from '../protocol/requests';
import type { NodeKind } from '../protocol/tool-values';

/** In the order in which people choose among them. Entities and sessions are rows of their own. */
export const MEMORY_KINDS: readonly MemoryKind[] = ['decision', 'fact', 'procedure', 'preference', 'action', 'outcome'];

/** What people call a kind. */
export function kindName(kind: NodeKind): string {
  return {
    fact: vscode.l10n.t('Fact'),
    decision: vscode.l10n.t('Decision'),
    action: vscode.l10n.t('Action'),
    outcome: vscode.l10n.t('Outcome'),
    procedure: vscode.l10n.t('Procedure'),
    preference: vscode.l10n.t('Preference'),
    entity: vscode.l10n.t('Entity'),
    session: vscode.l10n.t('Session'),
  }[kind];
}

const ICONS: Readonly<Record<NodeKind, string>> = {
  fact: 'note',
  decision: 'law',
  action: 'tools',
  outcome: 'flag',
  procedure: 'checklist',
  preference: 'heart',
  entity: 'symbol-misc',
  session: 'comment-discussion',
};

export function kindIcon(kind: NodeKind, color?: vscode.ThemeColor): vscode.ThemeIcon {
  return new vscode.ThemeIcon(ICONS[kind], color);
}

/** What became of the code that a memory is about. */
export function verdictName(verdict: Verdict): string {
  return {
    unchanged: vscode.l10n.t('code unchanged'),
    moved: vscode.l10n.t('code moved'),
    changed: vscode.l10n.t('code changed'),
    gone: vscode.l10n.t('code gone'),
  }[verdict];
}

/** The day of a time, or the time itself when it is today, as people write it here. */
export function shownTime(time: string, now: Date = new Date()): string {
  const at = new Date(time);
  const today = at.toDateString() === now.toDateString();
  const style: Intl.DateTimeFormatOptions = today ? { timeStyle: 'short' } : { dateStyle: 'medium' };
  return new Intl.DateTimeFormat(vscode.env.language, style).format(at);
}

/** So many, in words. */
export const counted = {
  memories: (count: number): string => (count === 1 ? vscode.l10n.t('1 memory') : vscode.l10n.t('{0} memories', count)),
  sessions: (count: number): string =>
    count === 1 ? vscode.l10n.t('1 session') : vscode.l10n.t('{0} sessions', count),
  entities: (count: number): string => (count === 1 ? vscode.l10n.t('1 entity') : vscode.l10n.t('{0} entities', count)),
} as const;
