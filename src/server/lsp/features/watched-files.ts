/** Follows files that are made, renamed, changed and deleted. */
import { DidChangeWatchedFilesNotification, type FileOperationOptions } from 'vscode-languageserver/node';
import type { CodeQueue } from '../code-queue';
import { type Editor, inBackground } from '../editor';

const ANY_FILE = { filters: [{ scheme: 'file', pattern: { glob: '**/*' } }] };

/** What the client is to tell of its own operations on files. */
export const FILE_OPERATIONS: FileOperationOptions = { didCreate: ANY_FILE, didRename: ANY_FILE, didDelete: ANY_FILE };

/** Files that come, go and change, in the editor and outside of it. */
export function watchFiles(editor: Editor, queue: CodeQueue): void {
  const { connection } = editor;
  connection.onDidChangeWatchedFiles(({ changes }) => {
    for (const { uri } of changes) if (/\/\.svc\/[^/]*\.db$/.test(uri)) wake(editor, uri);
    queue.add(changes.map(({ uri }) => uri));
  });
  connection.workspace.onDidCreateFiles(({ files }) => queue.add(files.map(({ uri }) => uri)));
  connection.workspace.onDidDeleteFiles(({ files }) => queue.add(files.map(({ uri }) => uri)));
  // Both in one turn, so that what went and what came are seen to be the same.
  connection.workspace.onDidRenameFiles(({ files }) =>
    queue.add(files.flatMap(({ oldUri, newUri }) => [oldUri, newUri])),
  );
  editor.onReady(() => {
    if (!editor.can.watchFiles) return;
    inBackground(
      editor,
      connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: '**/*' }] }),
    );
  });
}

function wake(editor: Editor, uri: string): void {
  const folder = editor.folders.of(uri)?.folder;
  if (folder) inBackground(editor, folder.check());
}
