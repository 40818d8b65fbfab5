/** What the editor says about the memory of a team. */
import * as vscode from 'vscode';
import type { TeamNote } from '../protocol/team-note';
import { shownTime } from './kinds';
import { plainLine } from './stored-text';

/** Before the id of a memory of the team: everywhere in the editor it is called by it. */
const PREFIX = 't:';
const MAX_NAME = 60;

export function isOfTeam(nodeId: string): boolean {
  return nodeId.startsWith(PREFIX);
}

/** `shop`, of `https://memory.example/shop` */
export function teamName(address: string): string {
  return plainLine(address.split('/').at(-1) ?? address, MAX_NAME);
}

/** What is said of a team that is not reached, or whose server did not take something. */
interface TeamLine {
  /** Beside its name; empty where it answers. */
  readonly state: string;
  /** Below it: what is seen instead, and what waits; empty for nothing. */
  readonly below: string;
  /** All of it. */
  readonly sentence: string;
}

/** @returns undefined where all is well */
export function teamLine({ state, copy_at, waiting, refused }: Omit<TeamNote, 'address'>): TeamLine | undefined {
  if (state === 'answers' && refused === 0) return undefined;
  const copy = copy_at === null ? [] : [vscode.l10n.t('You see its copy of {0}', shownTime(copy_at))];
  const queue = [
    ...(waiting > 0 ? [vscode.l10n.t('{0} waiting to be sent', waiting)] : []),
    ...(refused > 0 ? [vscode.l10n.t('{0} not taken', refused)] : []),
  ];
  const why = refused > 0 ? [vscode.l10n.t('"svc-memory promote --waiting" says why it was not taken.')] : [];
  const parts = state === 'answers' ? queue : [...copy, ...queue];
  const said = {
    answers: [],
    silent: [vscode.l10n.t("The team's memory does not answer.")],
    shut: [vscode.l10n.t("The team's memory does not let you in with your token.")],
  }[state];
  return {
    state: {
      answers: '',
      silent: vscode.l10n.t('does not answer'),
      shut: vscode.l10n.t('does not let you in'),
    }[state],
    below: parts.join(' · '),
    sentence: [...said, ...parts.map((part) => `${part}.`), ...why].join(' '),
  };
}
