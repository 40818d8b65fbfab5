/** Opens memories by links from outside. */
import * as vscode from 'vscode';
import type { NodeSummary } from '../../../protocol/tool-values';
import type { Editor } from '../../editor';
import { memoryFolders } from '../../folders';
import type { Memories } from '../../memories';
import { placeIn } from '../../place';
import { inMarkdownLink } from '../../stored-text';

const PATH = /^\/memory\/((?:t:)?[\w-]{1,64})$/;
const MAX_LABEL = 120;

/** `vscode://svc.svc-memory/memory/<id>`, which anybody may write: it opens the page of a memory that is here, and no more. */
export function memoryLinks(editor: Editor, memories: Memories): vscode.Disposable {
  return vscode.window.registerUriHandler({
    async handleUri({ path }) {
      const [, nodeId] = PATH.exec(path) ?? [];
      if (nodeId === undefined) return;
      for (const { uri, store } of memoryFolders()) {
        if (!store.exists) continue;
        const place = placeIn(editor, uri);
        const found = await memories.call(place, 'node', { id: nodeId }).catch(() => undefined);
        if (!found) continue;
        const { folder, namespace } = place;
        await vscode.commands.executeCommand('agentMemory.openMemory', { folder: `${folder}`, namespace, nodeId });
        return;
      }
      vscode.window.showInformationMessage(
        vscode.l10n.t('The memory of this link is not in the folders of this window.'),
      );
    },
  });
}

/** `[A body is one string](vscode://svc.svc-memory/memory/d_bakosuba)` */
export function markdownLink(extension: string, { id, content }: Pick<NodeSummary, 'id' | 'content'>): string {
  const label = inMarkdownLink(content, MAX_LABEL);
  return `[${label}](${vscode.env.uriScheme}://${extension}/memory/${encodeURIComponent(id)})`;
}
