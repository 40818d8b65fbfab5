/** `memory_stats`: how much is remembered. */
import * as z from 'zod/v4';
import { NODE_KINDS } from '../../kinds/kinds';
import { stats } from '../memory/stats';
import { defineTool } from './define-tool';
import { namespace, optionalNamespace } from './input';
import { MARKS_FIELD } from './marks-field';

export const memoryStats = defineTool({
  name: 'memory_stats',
  title: 'Statistics',
  description: 'Counts by kind, size of the store, most linked entities, all namespaces.',
  effect: 'read',
  input: z.strictObject({ namespace: namespace('Read there without switching').optional() }),
  output: z.object({
    kind_counts: z.record(z.enum(NODE_KINDS), z.int()),
    db_size_bytes: z.int(),
    top_entities: z.array(z.object({ id: z.string(), content: z.string(), degree: z.int(), marks: MARKS_FIELD })),
    namespaces: z.array(z.string()),
    proposed_namespaces: z.array(z.string()).optional(),
  }),
  run: ({ memory }, { namespace: other }) => stats(memory, optionalNamespace(other)),
});
