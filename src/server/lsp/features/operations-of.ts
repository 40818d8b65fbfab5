/** Tells the window what can be taken back: of a program that it has run, and of others. */
import { SvcError } from '../../base/errors';
import { lastChanges, MOST_NEWER } from '../../memory/history/last-changes';
import { operationsOf } from '../../memory/history/operations-of';
import { type KeptChange, keptChanges } from '../../project/kept-edits';
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
    const found = await lastChanges(project.memory, own, share, mayBeUndone);
    return withFiles(found, await keptChanges(project, project.memory), own === undefined);
  });
}

type Found = Awaited<ReturnType<typeof lastChanges>>;

/** With what was changed in files of shared memories: before a reload by this program, and by others since. */
function withFiles(
  { own, newer }: Found,
  files: Awaited<ReturnType<typeof keptChanges>>,
  isFresh: boolean,
): { own: Found['own'] | KeptChange; newer: (Found['newer'][number] | KeptChange)[] } {
  const before = isFresh ? files.find(({ isOfThisProgram }) => isOfThisProgram)?.change : undefined;
  const mine = before && (!own || before.at > own.at) ? before : own;
  const isSince = ({ at }: { readonly at: string }): boolean => mine === null || at > mine.at;
  const along = new Set(files.map((file) => file.along));
  const inStore = newer.filter((one) => !along.has(one.operation) && (mine === own || isSince(one)));
  const inFiles = files.map(({ change }) => change).filter((one) => one !== mine && isSince(one));
  const since = [...inStore, ...inFiles];
  return { own: mine, newer: since.sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MOST_NEWER) };
}

function isNoConflict(error: unknown): boolean {
  if (error instanceof SvcError && error.code === 'conflict') return false;
  throw error;
}
