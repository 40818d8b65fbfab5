import * as z from 'zod/v4';
import { nodeDetails } from '../memory/browse';
import { renderNode } from '../render/node-page';
import { defineTool } from './define-tool';
import { nodeId } from './input';
import { NODE_SUMMARY } from './nodes';

const reference = z.object({ id: z.string(), content: z.string() });

export const node = defineTool({
  name: 'node',
  title: 'Show a memory',
  description: 'Everything about one memory, entity or session.',
  audience: 'human',
  effect: 'read',
  positional: ['id'],
  input: z.strictObject({ id: nodeId('Id of a memory, an entity or a session') }),
  output: NODE_SUMMARY.extend({
    namespace: z.string(),
    rationale: z.string().nullable(),
    alternatives_rejected: z.array(z.string()).readonly(),
    entities: z.array(reference).readonly(),
    supersedes: z.array(reference).readonly(),
    superseded_by: z.array(reference).readonly(),
    aliases: z.array(z.string()).readonly(),
    nodes: z.array(NODE_SUMMARY).readonly(),
  }),
  run: ({ memory }, { id }) => nodeDetails(memory, id),
  render: renderNode,
});
