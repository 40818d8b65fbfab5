/** `restore`: brings back what was forgotten, for people. */
import * as z from 'zod/v4';
import { restore as restoreNode } from '../memory/history/restore';
import { elsewhere } from '../memory/other-namespace';
import { requireOwn } from '../memory/require-own';
import { restoreShared } from '../project/restore-shared';
import { defineTool } from './define-tool';
import { namespace, nodeId } from './input';

export const restore = defineTool({
  name: 'restore',
  title: 'Restore a forgotten memory',
  description:
    'Brings a forgotten memory back, and the file of one that was shared, where this process or Git knows it. What was purged is gone for good.',
  audience: 'human',
  effect: 'write',
  runsGit: true,
  positional: ['node_id'],
  input: z.strictObject({
    node_id: nodeId('Id of the forgotten memory'),
    namespace: namespace('Where it lies; default: the active one').optional(),
  }),
  output: z.object({
    node_id: z.string(),
    valid_until: z.string().nullable(),
    operation: z.int().nullable(),
    path: z.string().optional(),
    unshared: z.string().optional().describe('What became of one that was shared, and whose file was not found'),
  }),
  gather: async ({ memory, project, signal }, { node_id, namespace: named }) => {
    requireOwn(memory, node_id, 'node_id');
    return restoreShared(project, elsewhere(memory, named), node_id, signal);
  },
  run: async ({ memory }, { node_id, namespace: named }, brought) =>
    brought ? { ...brought, operation: null } : restoreNode(elsewhere(memory, named), node_id),
});
