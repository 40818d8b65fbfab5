/** `undo`: takes back one operation, for people. */
import * as z from 'zod/v4';
import { endedShared, undo as undoOperation } from '../memory/history/undo';
import { elsewhere } from '../memory/other-namespace';
import { goOnWithReopened } from '../memory/sessions/resume-session';
import { followUndoing } from '../project/share';
import { isPartOfStep, wholeStepOf } from '../project/whole-step';
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
  gather: ({ memory }) => endedShared(memory),
  run: async ({ memory }, { operation, namespace: named }, ended) => {
    const undone = await undoOperation(elsewhere(memory, named), operation, ended);
    // Of another namespace this process is in no session.
    if (named === undefined && undone.tool === 'memory_end_session') await goOnWithReopened(memory, undone.node_ids);
    return undone;
  },
  settled: async (project, undone) => {
    const whole = isPartOfStep() ? undefined : await wholeStepOf(project, undone.undone);
    await followUndoing(project, undone.operation, undone.node_ids);
    if (!whole) return undone;
    const { forgotten_ids } = await project.write((memory) => undoOperation(memory, whole.operation), 'undo');
    return { ...undone, forgotten_ids: [...new Set([...undone.forgotten_ids, ...forgotten_ids])] };
  },
});
