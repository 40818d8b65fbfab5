/** Tells the window what a program did that it has run. */
import { operationsOf } from '../../memory/history/operations-of';
import { type Editor, onRequest } from '../editor';

/** `svc/operationsOf`: what can be taken back of it. */
export function tellOperations(editor: Editor): void {
  onRequest(editor, 'svc/operationsOf', async ({ folder: uri, pid, since }) => {
    const folder = editor.folders.get(uri);
    if (!folder.hasStore()) return [];
    const { memory } = await folder.project(editor.settings().folder(folder.uri).namespace, false);
    return operationsOf(memory, pid, since);
  });
}
