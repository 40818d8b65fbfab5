/** `memory_forget`: hides memories, or deletes them for good. */
import * as z from 'zod/v4';
import { invalidInput } from '../base/errors';
import { bareParameter, phrase, tool } from '../base/phrase';
import { forget } from '../memory/forget';
import { requireOwn } from '../memory/require-own';
import { defineTool } from './define-tool';
import { eraseOf } from './erase-of';
import { forgotten, nodeId, optionalTime, text, time } from './input';

export const memoryForget = defineTool({
  name: 'memory_forget',
  title: 'Forget memories',
  description: 'Hide memories from recall, or delete them for good. Give at least one selector; several add up.',
  effect: 'destroy',
  idempotent: true,
  positional: ['node_id'],
  input: z.strictObject({
    node_id: nodeId('One memory').optional(),
    entity: text('All memories about it').optional(),
    before: time('All recorded before (ISO-8601)').optional(),
    purge: z.boolean().default(false).describe('Delete for good'),
  }),
  output: forgotten,
  run: ({ memory }, { node_id, entity, before, purge }) => {
    if (node_id === undefined && entity === undefined && before === undefined) {
      throw invalidInput(
        phrase`${tool('memory_forget')} was called without a selector`,
        phrase`Give ${bareParameter('node_id')}, ${bareParameter('entity')} or ${bareParameter('before')}`,
      );
    }
    requireOwn(memory, node_id, 'node_id');
    return forget(memory, { node_id, entity, before: optionalTime(before, 'before') }, purge);
  },
  settled: eraseOf,
});
