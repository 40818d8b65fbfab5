/** Tells the window what a program did that it has run. */
import { operationsOf } from '../../memory/history/operations-of';
import { type Editor, onRequest } from '../editor';
import { noteOwn } from '../own-operations';

/** `svc/operationsOf`: what can be taken back of it. */
export function tellOperations(editor: Editor): void {
  onRequest(editor, 'svc/operationsOf', async ({ folder: uri, pid, since }) => {
    const folder = editor.folders.get(uri);
    if (!folder.hasStore()) return [];
    const project = await folder.project(editor.settings().folder(folder.uri).namespace, false);
    const done = await operationsOf(project.memory, pid, since);
    for (const { operation } of done) await noteOwn(folder, project, operation);
    return done;
  });
}
