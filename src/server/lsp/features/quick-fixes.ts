/** What can be done about a symbol in doubt, at its row in Problems and under its underline. */
import * as l10n from '@vscode/l10n';
import { type CodeAction, CodeActionKind, type Diagnostic } from 'vscode-languageserver/node';
import type { MemoriesArgument, Uri } from '../../../protocol/requests';
import { inDoubtElsewhere } from '../../code/lenses-of-file';
import type { Editor } from '../editor';
import { DIAGNOSTIC_SOURCE, type DoubtData } from './diagnostics';

/** Show the change, say that it still holds, or go through all that waits. In a workspace that is not trusted, nothing. */
export function quickFixes(editor: Editor): void {
  editor.connection.onCodeAction(async ({ context, textDocument: { uri } }): Promise<CodeAction[]> => {
    if (!editor.settings().trusted) return [];
    const ours = context.diagnostics.filter(({ source, data }) => source === DIAGNOSTIC_SOURCE && data !== undefined);
    return (await Promise.all(ours.map((diagnostic) => fixesOf(editor, uri, diagnostic)))).flat();
  });
}

async function fixesOf(editor: Editor, uri: Uri, diagnostic: Diagnostic): Promise<CodeAction[]> {
  // What `diagnostics` put there; a client hands it back as it was.
  const data = diagnostic.data as DoubtData;
  const { folder, namespace, nodeIds } = data;
  const [nodeId] = nodeIds;
  const fix = (title: string, command: string, ...args: unknown[]): CodeAction => ({
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: [diagnostic],
    command: { title, command, arguments: args },
  });
  const elsewhere = await elsewhereToo(editor, uri, data);
  const seen: MemoriesArgument = { folder, namespace, nodeIds: nodeIds.filter((id) => !elsewhere.has(id)) };
  return [
    fix(l10n.t('Show change, then and now'), 'agentMemory.showChange', { folder, namespace, nodeId }),
    ...(seen.nodeIds.length === 0
      ? []
      : [fix(stillTrue(seen.nodeIds.length, nodeIds.length), 'agentMemory.confirm', seen)]),
    fix(l10n.t('Review memories one by one'), 'agentMemory.startReview'),
  ];
}

function stillTrue(count: number, all: number): string {
  if (count < all)
    return l10n.t('Still true: {0} of its {1} memories (the others are in doubt elsewhere, too)', count, all);
  return count === 1 ? l10n.t('Its memory is still true') : l10n.t('Its {0} memories are still true', count);
}

/** Nobody has seen that other code here. */
async function elsewhereToo(
  { folders, documents }: Editor,
  uri: Uri,
  { namespace, nodeIds, symbol }: DoubtData,
): Promise<ReadonlySet<string>> {
  const place = folders.of(uri);
  if (!place) return new Set();
  const project = await place.folder.project(namespace, false);
  return inDoubtElsewhere(project, nodeIds, { ...symbol, file: place.path }, documents.get(uri)?.getText());
}
