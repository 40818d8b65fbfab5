/** Installs and removes hooks and the block for agents. */
import { installHooks, removeHooks } from '../../agents/hooks';
import { removeAgentsBlock, writeAgentsBlock } from '../../agents/instructions-block';
import { type Editor, onRequest } from '../editor';
import { refusal, untrusted } from '../refusal';

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
      if (!editor.settings().trusted) throw untrusted();
      const install = action === 'install';
      const hooks = () => (install ? installHooks({ root, programs: assets, node, searchPath }) : removeHooks(root));
      const block = () => (install ? writeAgentsBlock : removeAgentsBlock)(root);
      return { ok: true, files: what === 'hooks' ? hooks() : block() };
    } catch (error) {
      return { ok: false, error: refusal(error, editor.log) };
    }
  });
}
