/** How the editor names kinds of memories and draws them. */
import * as vscode from 'vscode';
import { KINDS, type MemoryKind, type NodeKind } from '../kinds/kinds';
import type { Verdict } from '../protocol/requests';
import type { HeldSession, Mark, NodeSummary, Origin, Standing } from '../protocol/tool-values';

/** What people call the kinds. */
export function kindNames(): Record<NodeKind, string> {
  return {
    fact: vscode.l10n.t('Fact'),
    decision: vscode.l10n.t('Decision'),
    action: vscode.l10n.t('Action'),
    outcome: vscode.l10n.t('Outcome'),
    procedure: vscode.l10n.t('Procedure'),
    preference: vscode.l10n.t('Preference'),
    entity: vscode.l10n.t('Entity'),
    session: vscode.l10n.t('Session'),
  };
}

export function kindName(kind: NodeKind): string {
  return kindNames()[kind];
}

/** What somebody is told who has to choose one. */
export function kindMeaning(kind: MemoryKind): string {
  return {
    fact: vscode.l10n.t('A statement about the project.'),
    decision: vscode.l10n.t('A decision and its rationale.'),
    action: vscode.l10n.t('Something that was done.'),
    outcome: vscode.l10n.t('The result of an action or decision.'),
    procedure: vscode.l10n.t('How to do something in this project.'),
    preference: vscode.l10n.t('A convention or personal preference.'),
  }[kind];
}

export function kindIcon(kind: NodeKind, color?: vscode.ThemeColor): vscode.ThemeIcon {
  return new vscode.ThemeIcon(KINDS[kind].icon, color);
}

/** What became of the code that a memory is about. */
export function verdictName(verdict: Verdict): string {
  return {
    unchanged: vscode.l10n.t('code unchanged'),
    'not judged': vscode.l10n.t('code not judged'),
    moved: vscode.l10n.t('code moved'),
    'other version': vscode.l10n.t('code of another branch'),
    changed: vscode.l10n.t('code changed'),
    gone: vscode.l10n.t('code gone'),
  }[verdict];
}

/** Where a memory comes from. */
export function originName(origin: Origin | null): string {
  if (!origin) return vscode.l10n.t('an unknown source');
  const { kind, name, marked } = origin;
  const names = {
    agent: name === '' ? vscode.l10n.t('an agent') : vscode.l10n.t('the agent {0}', name),
    person: name === '' ? vscode.l10n.t('a person') : vscode.l10n.t('a person ({0})', name),
    import: name,
    document: vscode.l10n.t('the document {0}', name),
  } satisfies Record<Origin['kind'], string>;
  return marked ? vscode.l10n.t('{0} after foreign text', names[kind]) : names[kind];
}

/** What a session is called: nobody looks for the program and the minute that one was named by. */
export function sessionName({ topic, content }: Pick<HeldSession, 'topic' | 'content'>): string {
  return topic ?? content;
}

/** How a memory stands. */
export function standingName(standing: Standing): string {
  return {
    stored: vscode.l10n.t('stored'),
    confirmed: vscode.l10n.t('confirmed by a person'),
    proposed: vscode.l10n.t('proposed'),
  }[standing];
}

/** What a memory is where it is not open any more. */
export function stateNames({ tombstoned, valid_until }: Pick<NodeSummary, 'tombstoned' | 'valid_until'>): string[] {
  if (tombstoned === 1) return [vscode.l10n.t('forgotten')];
  return valid_until === null ? [] : [vscode.l10n.t('superseded or no longer true')];
}

/** What a reader has to know of a memory before believing it. */
export function markNames({ marks = [] }: { readonly marks?: readonly Mark[] | undefined }): string[] {
  return marks.map(
    (mark) =>
      ({
        foreign: vscode.l10n.t('foreign'),
        shared: vscode.l10n.t('shared'),
        team: vscode.l10n.t('team'),
        proposed: vscode.l10n.t('proposed'),
        'code changed': vscode.l10n.t('code changed'),
        'code gone': vscode.l10n.t('code gone'),
        'code of another branch': vscode.l10n.t('code of another branch'),
        'clock ahead': vscode.l10n.t('clock ahead'),
        older: vscode.l10n.t('older'),
      })[mark],
  );
}

/** Whether it stands in a store that came with the folder, so that nothing can be done to it. */
export function isForeign({ marks = [] }: { readonly marks?: readonly Mark[] | undefined }): boolean {
  return marks.includes('foreign');
}

/** Whether it stands in a file of the repository. */
export function isShared({ marks = [] }: { readonly marks?: readonly Mark[] | undefined }): boolean {
  return marks.includes('shared');
}

/** What stands for a time that is none: a store file may come from anybody. */
const UNKNOWN_TIME = '????-??-??';

/** The day of a time, or the time itself when it is today, as people write it here. */
export function shownTime(time: string, now: Date = new Date()): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return UNKNOWN_TIME;
  const today = at.toDateString() === now.toDateString();
  const style: Intl.DateTimeFormatOptions = today ? { timeStyle: 'short' } : { dateStyle: 'medium' };
  return new Intl.DateTimeFormat(vscode.env.language, style).format(at);
}

/** The same, where the time of the day tells nothing. */
export function shownDay(time: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return UNKNOWN_TIME;
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium' }).format(at);
}

/** How many, in words. */
export const counted = {
  memories: (count: number): string => (count === 1 ? vscode.l10n.t('1 memory') : vscode.l10n.t('{0} memories', count)),
  sessions: (count: number): string =>
    count === 1 ? vscode.l10n.t('1 session') : vscode.l10n.t('{0} sessions', count),
  entities: (count: number): string => (count === 1 ? vscode.l10n.t('1 entity') : vscode.l10n.t('{0} entities', count)),
  sections: (count: number): string =>
    count === 1 ? vscode.l10n.t('1 section') : vscode.l10n.t('{0} sections', count),
  documents: (count: number): string =>
    count === 1 ? vscode.l10n.t('1 document') : vscode.l10n.t('{0} documents', count),
} as const;
