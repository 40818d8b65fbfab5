/** `compare`: the code of a memory, then and now. */
import * as z from 'zod/v4';
import { thenAndNow } from '../code/then-and-now';
import { VERDICTS } from '../memory/code/touches';
import { elsewhere } from '../memory/other-namespace';
import { nodeDetails } from '../memory/people/node-details';
import { renderCompare } from '../render/compare';
import { defineTool } from './define-tool';
import { namespace, nodeId } from './input';
import { NODE_SUMMARY } from './nodes';

const place = z.object({ file_path: z.string(), code_type: z.string(), name: z.string() });

export const compare = defineTool({
  name: 'compare',
  title: 'Code then and now',
  description: 'The code that a memory is about, as it was when that was last seen to fit, and as it is now.',
  audience: 'human',
  effect: 'read',
  runsGit: true,
  positional: ['node_id'],
  input: z.strictObject({
    node_id: nodeId('Id of the memory'),
    namespace: namespace('Look there; default: the active one').optional(),
  }),
  output: z.object({
    node: NODE_SUMMARY.extend({
      rationale: z.string().nullable(),
      alternatives_rejected: z.array(z.string()).readonly(),
    }),
    symbols: z.array(
      z.object({
        verdict: z.enum(VERDICTS),
        was: place,
        linked_at: z.string(),
        commit: z.string().nullable(),
        now: place.extend({ start_line: z.int(), end_line: z.int() }).nullable(),
        text_then: z.string().nullable(),
        text_now: z.string().nullable(),
      }),
    ),
  }),
  run: async ({ memory, project }, { node_id, namespace: named }) => {
    const there = elsewhere(memory, named);
    return {
      node: await nodeDetails(there, node_id),
      symbols: await thenAndNow({ ...project, memory: there }, node_id),
    };
  },
  render: renderCompare,
});
