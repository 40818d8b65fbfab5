import { unavailable } from '../../base/errors';
import { installHooks, removeHooks } from '../../project/agent-hooks';
import { removeAgentsBlock, writeAgentsBlock } from '../../project/agents-block';
import { type Editor, onRequest } from '../editor';
import { refusal } from '../refusal';

/** What starts `svc-memory` from a hook. */
export interface Programs {
  readonly assets: string;
  readonly node: string;
  readonly searchPath: readonly string[];
}

/** `svc/agentFiles`: hooks and the block in AGENTS.md, for the palette. */
export function agentFiles(editor: Editor, { assets, node, searchPath }: Programs): void {
  onRequest(editor, 'svc/agentFiles', async ({ folder: uri, what, action }) => {
    try {
      const { path: root } = editor.folders.get(uri);
      if (!editor.settings().trusted) {
        throw unavailable('This workspace is not trusted, so no file of it is written', 'Trust it and try again');
      }
      const install = action === 'install';
      const files =
        what === 'hooks'
          ? await (install ? installHooks({ root, programs: assets, node, searchPath }) : removeHooks(root))
          : await (install ? writeAgentsBlock(root) : removeAgentsBlock(root));
      return { ok: true, files };
    } catch (error) {
      return { ok: false, error: refusal(error, editor.log) };
    }
  });
}
