/** `history`: what happened to a node, for people. */
import * as z from 'zod/v4';
import { nodeHistory, OF_FILES } from '../memory/history/node-history';
import { ACTIONS } from '../memory/history/operations';
import { STANDINGS } from '../memory/origins';
import { elsewhere } from '../memory/other-namespace';
import { commitEvents } from '../project/shared-commits';
import { editsOf } from '../project/shared-edits';
import { renderHistory } from '../render/history';
import { defineTool } from './define-tool';
import { namespace, nodeId } from './input';

const state = z
  .object({
    confidence: z.number(),
    valid_until: z.string().nullable(),
    tombstoned: z.union([z.literal(0), z.literal(1)]),
    standing: z.enum(STANDINGS),
  })
  .nullable();

export const history = defineTool({
  name: 'history',
  title: 'What happened to a memory',
  description: 'When a memory was stored and changed, by whom, and the numbers that undo takes.',
  audience: 'human',
  effect: 'read',
  positional: ['id'],
  input: z.strictObject({
    id: nodeId('Id of a memory, an entity or a session'),
    namespace: namespace('Where it lies; default: the active one').optional(),
    with_commits: z.boolean().describe('Of a shared memory also the commits that changed its file').optional(),
  }),
  output: z.object({
    node_id: z.string(),
    events: z.array(
      z.object({
        at: z.string(),
        action: z.enum([...ACTIONS, ...OF_FILES]),
        of: z
          .enum([...ACTIONS, ...OF_FILES])
          .exclude(['undo', 'redo'])
          .nullable(),
        operation: z.int().nullable(),
        undone_by: z.int().nullable(),
        tool: z.string().nullable(),
        client: z.string().nullable(),
        host: z.string().nullable(),
        pid: z.int().nullable(),
        before: state,
        after: state,
        other_id: z.string().nullable(),
        moved: z.object({ from: z.string(), to: z.string(), why: z.string() }).nullable(),
        commit: z.object({ id: z.string(), author: z.string() }).optional(),
        filled: z.literal(true).optional(),
      }),
    ),
  }),
  run: async ({ memory, project, signal }, { id, namespace: named, with_commits: asksGit = false }) => {
    const where = elsewhere(memory, named);
    const commits = asksGit ? await commitEvents(project, id, signal) : [];
    const inFiles = [...(await editsOf(project, where, id)), ...commits];
    return nodeHistory(where, id, inFiles);
  },
  render: renderHistory,
});
