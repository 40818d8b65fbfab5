/** `undo`: takes back one operation, for people. */
import * as z from 'zod/v4';
import { endedShared, undo as undoOperation } from '../memory/history/undo';
import { elsewhere } from '../memory/other-namespace';
import { goOnWithReopened } from '../memory/sessions/resume-session';
import { followUndoing } from '../project/share';
import { wholeStepOf } from '../project/whole-step';
import { defineTool } from './define-tool';
import { namespace } from './input';

export const undo = defineTool({
  name: 'undo',
  title: 'Undo a change',
  description:
    'Takes back what one call did: a store, an import, a verification, a supersession, what was forgotten, cleared or settled. A purge cannot be undone.',
  audience: 'human',
  effect: 'write',
  positional: ['operation'],
  input: z.strictObject({
    operation: z.int().min(1).describe('Operation number from history; default: your last operation').optional(),
    namespace: namespace('Where it was done; default: the active one').optional(),
  }),
  output: z.object({
    undone: z.int(),
    tool: z.string(),
    at: z.string(),
    operation: z.int(),
    node_ids: z.array(z.string()),
    forgotten_ids: z.array(z.string()),
  }),
  gather: async ({ memory, project }, { operation, namespace: named }) => ({
    ended: await endedShared(memory),
    whole: await wholeStepOf(project, elsewhere(memory, named), operation),
    namespace: elsewhere(memory, named).scope.namespace,
  }),
  run: async ({ memory }, { operation, namespace: named }, { ended, whole }) => {
    const undone = await undoOperation(elsewhere(memory, named), whole?.share ?? operation, ended, whole?.before);
    // Of another namespace this process is in no session.
    if (named === undefined && undone.tool === 'memory_end_session') await goOnWithReopened(memory, undone.node_ids);
    return undone;
  },
  settled: async (project, undone, { namespace, whole }) => {
    await followUndoing(project, namespace, undone.operation, whole?.path);
    const inPlaceOf = whole?.in_place_of ?? [];
    if (inPlaceOf.length === 0) return undone;
    // What holds again: not what another file has replaced as well.
    const gone = await endedShared(project.memory);
    const replaced = inPlaceOf.filter((id) => project.shared.has(id) && !gone.has(id));
    return { ...undone, node_ids: [...undone.node_ids, ...replaced] };
  },
});
