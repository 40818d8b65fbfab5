/** What can be done about a symbol in doubt, at its row in Problems and under its underline. */
import * as l10n from '@vscode/l10n';
import { type CodeAction, CodeActionKind, type Diagnostic } from 'vscode-languageserver/node';
import type { MemoriesArgument } from '../../../protocol/requests';
import type { Editor } from '../editor';
import { DIAGNOSTIC_SOURCE } from './diagnostics';

/** Show the change, say that it still holds, or go through all that waits. In a workspace that is not trusted, nothing. */
export function quickFixes({ connection, settings }: Editor): void {
  connection.onCodeAction(({ context }): CodeAction[] => {
    if (!settings().trusted) return [];
    return context.diagnostics
      .filter(({ source, data }) => source === DIAGNOSTIC_SOURCE && data !== undefined)
      .flatMap(fixesOf);
  });
}

function fixesOf(diagnostic: Diagnostic): CodeAction[] {
  // What `diagnostics` put there; a client hands it back as it was.
  const about = diagnostic.data as MemoriesArgument;
  const { folder, namespace, nodeIds } = about;
  const [nodeId] = nodeIds;
  const fix = (title: string, command: string, ...args: unknown[]): CodeAction => ({
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnostic],
    command: { title, command, arguments: args },
  });
  const count = nodeIds.length;
  return [
    fix(l10n.t('Show change, then and now'), 'agentMemory.showChange', { folder, namespace, nodeId }),
    fix(
      count === 1 ? l10n.t('Its memory is still true') : l10n.t('Its {0} memories are still true', count),
      'agentMemory.confirm',
      about,
    ),
    fix(l10n.t('Review memories one by one'), 'agentMemory.startReview'),
  ];
}
