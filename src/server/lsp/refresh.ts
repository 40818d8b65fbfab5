/** Tells the window what has changed. */
import type { Changed, Notifications } from '../../protocol/requests';
import type { Doubts } from './doubts';
import { type Editor, inBackground } from './editor';
import type { Folder } from './folder';

export function tellWindow(
  { connection, log }: Pick<Editor, 'connection' | 'log'>,
  folder: Folder,
  what: Changed['what'],
): void {
  const changed: Changed = { folder: folder.uri, what };
  inBackground({ log }, connection.sendNotification('svc/changed' satisfies keyof Notifications, changed));
}

/**
 * What any process changed reaches the window: our own notification, and whatever the features redraw. Judging the
 * code again comes after it, and is told only when it comes out differently.
 */
export function startRefreshing(editor: Editor, doubts: Doubts): void {
  const tell = (folder: Folder, what: Changed['what']): void => {
    if (what.length > 0) tellWindow(editor, folder, what);
  };
  editor.onChanged((folder, what) => {
    doubts.forget(folder);
    tell(folder, what);
    inBackground(
      editor,
      doubts.differs(folder).then((differs) => {
        if (differs) tell(folder, ['review']);
      }),
    );
  });
}
