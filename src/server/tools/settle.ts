/** `settle`: what a person decided in review. */
import * as z from 'zod/v4';
import { elsewhere } from '../memory/other-namespace';
import { lookAt, SETTLE_ACTIONS, settle as settleDecision } from '../memory/people/settle';
import { defineTool } from './define-tool';
import { namespace, nodeId } from './input';

export const settle = defineTool({
  name: 'settle',
  title: 'Settle what waits for review',
  description:
    'Decides about an entry of the review queue, a memory, or a pair of near-duplicates. Whatever was decided can be undone.',
  audience: 'human',
  effect: 'write',
  positional: ['action'],
  input: z.strictObject({
    action: z
      .enum(SETTLE_ACTIONS)
      .describe('dismiss: nothing to do; merge: other_id supersedes node_id; keep: both are wanted'),
    entry: z.int().min(1).describe('Entry number from review').optional(),
    node_id: nodeId('Id of a memory, instead of an entry').optional(),
    other_id: nodeId('For merge and keep: the other one of the pair').optional(),
    namespace: namespace('Where it lies; default: the active one').optional(),
  }),
  output: z.object({
    node_id: z.string(),
    action: z.enum(SETTLE_ACTIONS),
    entries: z.array(z.int()),
    operation: z.int(),
  }),
  gather: ({ memory }, { action, entry, node_id, other_id, namespace: named }) =>
    lookAt(elsewhere(memory, named), { action, entry, node_id, other_id }),
  run: ({ memory }, { action, entry, node_id, other_id, namespace: named }, looked) =>
    settleDecision(elsewhere(memory, named), { action, entry, node_id, other_id }, looked),
});
