/** Has saved files read again. */
import type { CodeQueue } from '../code-queue';
import { type Editor, onRequest } from '../editor';

/** A file is read again when it is saved, or when the editor asks for it. */
export function indexOnSave(editor: Editor, queue: CodeQueue): void {
  editor.documents.onDidSave(({ document }) => queue.add([document.uri]));
  onRequest(editor, 'svc/indexFile', async ({ files }) => {
    await queue.now(files);
    return null;
  });
}
