/** The rows of the view Namespaces. */
import * as vscode from 'vscode';
import type { NamespaceCounts } from '../../../protocol/tool-values';
import { counted } from '../../kinds';
import type { Memories } from '../../memories';
import { plainLine } from '../../stored-text';
import type { RowsOfFolder } from './folder-rows';
import { newRow } from './row';

/** The namespaces of a store, with what they hold; a click on one switches to it. */
export function namespaceRows(memories: Memories, filter: () => string): RowsOfFolder {
  return async (parent, place) => {
    const found = await memories.call<NamespaceCounts[]>(place, 'namespaces');
    const letters = filter().toLowerCase();
    return found
      .filter(({ name }) => name.toLowerCase().includes(letters))
      .map(({ name, memories: count, sessions, entities, active, marks = [] }) => {
        const label = plainLine(name);
        const counts = [counted.memories(count), counted.sessions(sessions), counted.entities(entities)].join(' · ');
        const subject = { place, type: 'namespace', nodeId: name } as const;
        const row = newRow(
          parent,
          {
            key: name,
            label,
            description: [
              ...(active ? [vscode.l10n.t('active')] : []),
              ...(marks.includes('proposed') ? [vscode.l10n.t('proposed')] : []),
              counts,
            ].join(' · '),
            icon: active
              ? new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('charts.green'))
              : new vscode.ThemeIcon('circle-large-outline'),
            context: active ? 'namespace.active' : 'namespace',
            command: {
              command: 'agentMemory.switchToNamespace',
              title: vscode.l10n.t('Switch Namespace'),
              arguments: [{ folder: place.folder.toString(), namespace: name }],
            },
          },
          { subject },
        );
        const meaning = active
          ? vscode.l10n.t('The editor and the servers that it starts use this namespace.')
          : vscode.l10n.t('Click to switch the editor, and the servers that it starts from now on, to this namespace.');
        // The row has room for the beginning of a long name only.
        row.item.tooltip = [label, counts, meaning].join('\n');
        return row;
      });
  };
}
