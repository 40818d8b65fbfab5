/** Tells the window what can be taken back: of a program that it has run, and of others. */
import { SvcError } from '../../base/errors';
import { lastChanges } from '../../memory/history/last-changes';
import { operationsOf } from '../../memory/history/operations-of';
import { wholeStepOf } from '../../project/whole-step';
import { type Editor, onRequest } from '../editor';
import { isOther, noteOwn, shareAlong } from '../own-operations';

const NOTHING = { own: null, newer: [] };

/** `svc/operationsOf` and `svc/lastChanges`. */
export function tellOperations(editor: Editor): void {
  onRequest(editor, 'svc/operationsOf', async ({ folder: uri, pid, since }) => {
    const folder = editor.folders.get(uri);
    if (!folder.hasStore()) return [];
    const project = await folder.project(editor.settings().folder(folder.uri).namespace, false);
    const done = await operationsOf(project.memory, pid, since);
    for (const { operation } of done) await noteOwn(folder, project, operation);
    return done;
  });
  onRequest(editor, 'svc/lastChanges', async ({ folder: uri, namespace, own }) => {
    const folder = editor.folders.get(uri);
    if (!folder.hasStore()) return NOTHING;
    const project = await folder.project(namespace ?? editor.settings().folder(folder.uri).namespace, false);
    // What is asked about was done in a store that is there no more.
    if (own !== undefined && (await isOther(folder, project, own))) return NOTHING;
    await project.shared.refresh();
    const share = own === undefined ? undefined : shareAlong(folder, own);
    const mayBeUndone = (operation: number): Promise<boolean> =>
      wholeStepOf(project, project.memory, operation).then(() => true, isNoConflict);
    return lastChanges(project.memory, own, share, mayBeUndone);
  });
}

function isNoConflict(error: unknown): boolean {
  if (error instanceof SvcError && error.code === 'conflict') return false;
  throw error;
}
