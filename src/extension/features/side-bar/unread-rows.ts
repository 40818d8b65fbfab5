/** The rows of files of shared memories that cannot be read. */
import * as vscode from 'vscode';
import type { FolderState } from '../../../protocol/requests';
import type { Place } from '../../memories';
import { plainLine } from '../../stored-text';
import { codeFile } from '../code-file';
import { newRow, type Row } from './row';

/** Above everything that waits: what stands in them is remembered nowhere until somebody mends them. */
export function unreadRows(parent: Row | undefined, place: Place, { root, unread }: FolderState): Row[] {
  return unread.map(({ path, line, reason }) => {
    const name = plainLine(path.slice(path.lastIndexOf('/') + 1));
    const why = plainLine(reason);
    const row = newRow(parent, {
      key: `unread ${path}`,
      label: vscode.l10n.t('{0} cannot be read', name),
      description: why,
      icon: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
    });
    const start = new vscode.Position(line - 1, 0);
    row.item.command = {
      ...{ command: 'vscode.open', title: vscode.l10n.t('Open File') },
      arguments: [codeFile(place, root, path), { selection: new vscode.Range(start, start) }],
    };
    row.item.tooltip = vscode.l10n.t('Nothing is known from this file: {0}.', why);
    return row;
  });
}
