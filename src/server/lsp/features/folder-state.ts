import { existsSync } from 'node:fs';
import type { FolderState } from '../../../protocol/requests';
import { graphFile } from '../../project/code-graph';
import { openSession } from '../../project/open-session';
import type { Doubts } from '../doubts';
import { type Editor, onRequest } from '../editor';
import { refusal } from '../refusal';

/** `svc/folderState` and `svc/decorations`: what the status bar, the welcome views and the explorer show. */
export function tellFolderState(editor: Editor, doubts: Doubts): void {
  onRequest(editor, 'svc/folderState', async (params) => {
    const folder = editor.folders.get(params.folder);
    const namespace = params.namespace ?? editor.settings().folder(folder.uri).namespace;
    const place = folder.place();
    const exists = existsSync(place.path);
    const graph = place.root === undefined ? null : graphFile(place.root);
    const state: FolderState = {
      folder: folder.uri,
      root: place.root ?? null,
      store: { path: place.path, exists, kind: place.kind },
      graph: graph === null ? null : { path: graph, exists: existsSync(graph) },
      namespace,
      session: null,
      stale: 0,
      problem: null,
    };
    try {
      const project = await folder.project(namespace, false);
      return { ...state, session: await openSession(project), stale: (await doubts.of(folder, namespace)).stale };
    } catch (error) {
      return exists ? { ...state, problem: refusal(error, editor.log).message } : state;
    }
  });

  onRequest(editor, 'svc/decorations', async (params) => {
    const folder = editor.folders.get(params.folder);
    if (!existsSync(folder.place().path)) return [];
    const namespace = params.namespace ?? editor.settings().folder(folder.uri).namespace;
    return (await doubts.of(folder, namespace)).decorations;
  });
}
