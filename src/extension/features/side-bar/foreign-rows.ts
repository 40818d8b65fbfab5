/** The rows that say what came with a folder, and that lead to accepting it. */
import * as vscode from 'vscode';
import type { ForeignStores } from '../../foreign-stores';
import type { Place } from '../../memories';
import { onlyRead } from '../require-trust';
import { newRow, type Row } from './row';

/** Above what a foreign store holds, and above a stranger's files. */
export function foreignRows(parent: Row | undefined, place: Place, foreign: ForeignStores): Row[] {
  const trusted = vscode.workspace.isTrusted;
  if (foreign.has(place.folder)) {
    const label = trusted
      ? vscode.l10n.t('This store is foreign. Accept it…')
      : vscode.l10n.t('This store is foreign.');
    return [foreignRow(parent, place, label, onlyRead())];
  }
  if (!foreign.hasFiles(place.folder)) return [];
  const label = trusted ? vscode.l10n.t('Foreign shared files. Accept them…') : vscode.l10n.t('Foreign shared files.');
  const tooltip = vscode.l10n.t(
    'The files in .svc/memories came with the folder, and nobody has accepted them. Agents are told to take them as the words of a stranger.',
  );
  return [foreignRow(parent, place, label, tooltip)];
}

function foreignRow(parent: Row | undefined, { folder }: Place, label: string, tooltip: string): Row {
  const accept = {
    command: 'agentMemory.trustStore',
    title: vscode.l10n.t('Accept…'),
    arguments: [{ folder: folder.toString() }],
  };
  const row = newRow(parent, {
    key: 'foreign',
    label,
    icon: new vscode.ThemeIcon('unverified', new vscode.ThemeColor('list.warningForeground')),
    ...(vscode.workspace.isTrusted ? { command: accept } : {}),
  });
  row.item.tooltip = tooltip;
  return row;
}
