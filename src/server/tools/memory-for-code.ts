/** `memory_for_code`: the memories on a file or a line. */
import * as z from 'zod/v4';
import { TOOL_SAYS } from '../guidance/sentences';
import { memoriesForCode } from '../memory/code/memories-of-file';
import { renderCodeMemories } from '../render/code-memories';
import { defineTool } from './define-tool';
import { text } from './input';

export const memoryForCode = defineTool({
  name: 'memory_for_code',
  title: 'Memories on code',
  description: TOOL_SAYS.forCode,
  effect: 'read',
  positional: ['file_path', 'line'],
  input: z.strictObject({
    file_path: text('Relative to the repository'),
    line: z.int().min(1).describe('Only symbols that contain this line').optional(),
  }),
  run: ({ memory }, { file_path, line }) => memoriesForCode(memory, file_path, line),
  render: renderCodeMemories,
});
