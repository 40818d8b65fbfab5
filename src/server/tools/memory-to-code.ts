/** `memory_to_code`: where the code of a memory is. */
import * as z from 'zod/v4';
import { codeForMemory } from '../memory/code/memories-of-file';
import { defineTool } from './define-tool';
import { nodeId } from './input';

export const memoryToCode = defineTool({
  name: 'memory_to_code',
  title: 'Code of a memory',
  description: 'Where the code stands that a memory is about.',
  effect: 'read',
  positional: ['memory_id'],
  input: z.strictObject({ memory_id: nodeId('Id of the memory') }),
  output: z.array(
    z.object({
      graph_node_id: z.string(),
      file_path: z.string(),
      start_line: z.int(),
      end_line: z.int(),
      code_type: z.string(),
      weak: z.literal(true).optional(),
    }),
  ),
  run: ({ memory }, { memory_id }) => codeForMemory(memory, memory_id),
});
