/** What people are told of the memory of a team. */
import * as vscode from 'vscode';
import type { TeamNote } from '../protocol/requests';
import { counted, shownTime } from './kinds';
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

/** The one line of a team that is not reached, or whose server did not take something; undefined where all is well. */
export function teamLine(note: TeamNote): { readonly short: readonly string[]; readonly sentence: string } | undefined {
  const { state, waiting, refused } = note;
  const at = note.copy_at === null ? undefined : shownTime(note.copy_at);
  const queue = [
    ...(waiting > 0 ? [vscode.l10n.t('{0} waiting', waiting)] : []),
    ...(refused > 0 ? [vscode.l10n.t('{0} not taken', refused)] : []),
  ];
  const said = [
    ...(waiting > 0 ? [vscode.l10n.t('Waiting to be sent: {0}.', counted.memories(waiting))] : []),
    ...(refused > 0
      ? [
          vscode.l10n.t(
            'Not taken by the team: {0}. "svc-memory promote --waiting" says why.',
            counted.memories(refused),
          ),
        ]
      : []),
  ];
  if (state === 'answers') {
    return refused > 0 ? { short: queue, sentence: said.join(' ') } : undefined;
  }
  if (state === 'shut') {
    return {
      short: [vscode.l10n.t('does not let you in'), ...queue],
      sentence: [vscode.l10n.t("The team's memory does not let you in with your token."), ...said].join(' '),
    };
  }
  const silent =
    at === undefined
      ? vscode.l10n.t("The team's memory does not answer.")
      : vscode.l10n.t("The team's memory does not answer. You see its copy of {0}.", at);
  return {
    short: [
      vscode.l10n.t('does not answer'),
      ...(at === undefined ? [] : [vscode.l10n.t('copy of {0}', at)]),
      ...queue,
    ],
    sentence: [silent, ...said].join(' '),
  };
}
