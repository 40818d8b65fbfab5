/** Tells the window the state of its folders and files. */
import { existsSync } from 'node:fs';
import type { FolderState } from '../../../protocol/requests';
import { fileOf, storeExists } from '../../../store-place/store-place';
import { forks } from '../../memory/people/forks';
import { countNamespaces, remembersAny } from '../../memory/people/namespace-counts';
import { countProposals } from '../../memory/people/proposals';
import { sharedFilesIn } from '../../project/absent-store';
import { graphFile } from '../../project/code-graph';
import { StoreLeft } from '../../project/left-store';
import { isMendedByBackup } from '../../project/lost-store';
import { sessionInUse } from '../../project/session-in-use';
import { damageOf } from '../damage';
import type { Doubts } from '../doubts';
import { type Editor, onRequest } from '../editor';
import { refusal } from '../refusal';
import { unreadShared } from './unread-shared';

/** The rules are the same for all of them. */
const ANY_AGENT = 'agent';

/** `svc/folderState` and `svc/decorations`: what the status bar, the welcome views and the explorer show. */
export function tellFolderState(editor: Editor, doubts: Doubts): void {
  const tellUnread = unreadShared(editor);
  onRequest(editor, 'svc/folderState', async (params) => {
    const folder = editor.folders.get(params.folder);
    const namespace = params.namespace ?? editor.settings().folder(folder.uri).namespace;
    const place = folder.place();
    const exists = storeExists(place);
    const hasUnread = (!exists || place.kind === 'home') && sharedFilesIn(folder.codeRoot()) > 0;
    const graph = place.root === undefined ? null : graphFile(place.root);
    const state: FolderState = {
      folder: folder.uri,
      root: place.root ?? null,
      store: {
        path: fileOf(place),
        exists,
        kind: place.kind,
        access: null,
        shared: hasUnread ? 'not read' : null,
      },
      graph: graph === null ? null : { path: graph, exists: existsSync(graph) },
      namespace,
      namespaces: 0,
      session: null,
      remembers: false,
      stale: 0,
      stale_files: 0,
      proposed: 0,
      forks: 0,
      agents_wait: false,
      unread: [],
      problem: null,
      lost: null,
    };
    try {
      const project = await folder.project(namespace, false);
      const damage = damageOf(project);
      if (damage) throw damage;
      const { shared } = project;
      const whose = shared.foreign ? 'foreign' : 'own';
      const store = {
        ...{ ...state.store, access: project.access },
        ...(shared.count === 0 ? {} : ({ shared: whose } as const)),
      };
      // One that is damaged, or came with the folder, is not used: memories are on no code, as where there is none.
      const isUsed = (await project.graph?.current()) !== undefined;
      const { stale, stale_files } = await doubts.of(folder, namespace);
      const asAgent = await folder.projectForAgent(namespace, false, ANY_AGENT);
      return {
        ...state,
        store,
        lost: folder.lost(undefined) ?? null,
        graph: state.graph && { ...state.graph, exists: isUsed },
        namespaces: await countNamespaces(project.memory),
        session: await sessionInUse(project),
        remembers: await remembersAny(project.memory),
        stale,
        stale_files,
        proposed: await countProposals(project.memory),
        forks: (await forks(project.memory)).length,
        agents_wait: asAgent.memory.keeping().proposed,
        unread: tellUnread(place.root, project.shared.unread),
      };
    } catch (error) {
      const lost = folder.lost(error) ?? null;
      // Of a store that was never there, nothing is wrong.
      const isProblem = exists || isMendedByBackup(error) || error instanceof StoreLeft;
      return { ...state, lost, problem: isProblem ? refusal(error, editor.log).message : null };
    }
  });

  onRequest(editor, 'svc/decorations', async (params) => {
    const folder = editor.folders.get(params.folder);
    if (!storeExists(folder.place())) return [];
    const namespace = params.namespace ?? editor.settings().folder(folder.uri).namespace;
    return (await doubts.of(folder, namespace)).decorations;
  });
}
