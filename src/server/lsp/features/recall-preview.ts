/** Shows a person what an agent would be answered. */
import type { RecalledMemories } from '../../../protocol/tool-values';
import { withoutUses } from '../../project/without-uses';
import { callTool } from '../../tools/call-tool';
import { memoryRecall } from '../../tools/memory-recall';
import { type Editor, onRequest } from '../editor';
import { refusal } from '../refusal';

/** `svc/recallPreview`: what an agent would get, looked at by a person: no use counter moves. */
export function previewRecall(editor: Editor): void {
  onRequest(editor, 'svc/recallPreview', async (params, signal) => {
    try {
      const folder = editor.folders.get(params.folder);
      const namespace = params.namespace ?? editor.settings().folder(folder.uri).namespace;
      const opened = withoutUses(await folder.reading(namespace));
      const project = params.alone ? { ...opened, team: () => undefined } : opened;
      const started = performance.now();
      const answer = await callTool(
        [memoryRecall],
        project,
        memoryRecall.name,
        { ...params.options, query: params.query, budget_tokens: params.budgetTokens },
        { signal, log: editor.log },
      );
      const milliseconds = performance.now() - started;
      if (!answer.ok) return { ok: false, error: { code: answer.code, message: answer.said } };
      // The value of memory_recall (test/tidy/protocol-types).
      const value = answer.value as RecalledMemories;
      return { ok: true, text: answer.text, value, tokens: value.used, milliseconds };
    } catch (error) {
      return { ok: false, error: refusal(error, editor.log) };
    }
  });
}
