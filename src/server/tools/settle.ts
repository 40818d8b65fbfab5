/** `settle`: what a person decided in review. */
import * as z from 'zod/v4';
import { conflict } from '../base/errors';
import { shownId } from '../base/shown';
import { keepTextsOf } from '../code/keep-texts';
import { keptBy } from '../memory/history/kept-by';
import type { Memory } from '../memory/memory';
import { elsewhere } from '../memory/other-namespace';
import {
  type Decision,
  type Looked,
  lookAt,
  SETTLE_ACTIONS,
  type SettleAction,
  settle as settleDecision,
} from '../memory/people/settle';
import { requireOwn } from '../memory/require-own';
import { symbolsOf } from '../memory/verify';
import {
  dismissShared,
  type Edited,
  forgetShared,
  keepShared,
  mergeShared,
  verifyShared,
} from '../project/edit-shared';
import type { Project } from '../project/open';
import { shareByPolicy } from '../project/share-policy';
import { noteAlong } from '../project/shared-edits';
import { endBesideFile } from './beside-file';
import { defineTool } from './define-tool';
import { namespace, nodeId, storedText } from './input';

function decisionOf({ entry, node_id, other_id, source, content, ...decision }: Asked): Decision {
  return { ...decision, entry, node_id, other_id, source, content };
}

type Asked = Pick<Decision, 'action'> & Partial<{ [Name in keyof Omit<Decision, 'action'>]: Decision[Name] }>;

type OfFile = Exclude<SettleAction, 'merge' | 'keep' | 'drop' | 'edit'>;

function isOfFile(action: SettleAction): action is OfFile {
  return action === 'confirm' || action === 'refute' || action === 'forget' || action === 'dismiss';
}

/** What is decided about a shared memory stands in its file. */
function settleShared(project: Project, memory: Memory, action: OfFile, looked: Looked): Promise<Edited> {
  const { node_id, located } = looked;
  if (action === 'forget') return forgetShared(project, memory, node_id);
  if (action === 'dismiss') return dismissShared(project, memory, looked);
  return verifyShared(project, memory, node_id, action, located);
}

export const settle = defineTool({
  name: 'settle',
  title: 'Settle what waits for review',
  description:
    'Decides about an entry of the review queue, a memory, a pair of near-duplicates, or proposals. Whatever was decided can be undone.',
  audience: 'human',
  effect: 'write',
  positional: ['action'],
  stores: ['content'],
  input: z.strictObject({
    action: z
      .enum(SETTLE_ACTIONS)
      .describe(
        'dismiss: nothing to do; merge: other_id supersedes node_id; keep: both are wanted, or a proposal is; drop: a proposal is not wanted; edit: content is kept in the place of a proposal',
      ),
    entry: z.int().min(1).describe('Entry number from review').optional(),
    node_id: nodeId('Id of a memory, instead of an entry').optional(),
    other_id: nodeId('For merge and keep: the other one of the pair').optional(),
    source: z
      .int()
      .min(0)
      .describe('For keep and drop: the number of a source in review, for all that waits of it')
      .optional(),
    content: storedText('For edit: the text to keep').optional(),
    namespace: namespace('Where it lies; default: the active one').optional(),
  }),
  output: z.object({
    node_id: z.string(),
    count: z.int(),
    stored: z.string().optional(),
    chosen_now: z.array(z.string()).readonly().optional(),
    action: z.enum(SETTLE_ACTIONS),
    entries: z.array(z.int()),
    operation: z.int().nullable(),
    paths: z.array(z.string()).optional(),
    unchanged: z.literal(true).optional(),
  }),
  gather: async ({ memory, project }, { namespace: named, ...decision }) => {
    const { action, node_id, other_id } = decision;
    const isShared = (id: string | undefined): id is string => id !== undefined && memory.shared.has(id);
    const where = elsewhere(memory, named);
    if ((action === 'merge' || action === 'keep') && isShared(node_id) && isShared(other_id)) {
      const looked = await lookAt(where, decisionOf(decision));
      const { path } = await (action === 'merge'
        ? mergeShared(project, where, looked, other_id)
        : keepShared(project, where, node_id, other_id));
      return { ...looked, path, unchanged: undefined };
    }
    const pair = other_id !== undefined && (action === 'keep' || action === 'merge') ? [node_id, other_id] : [];
    const shared = pair.filter(isShared);
    const [inFile] = shared;
    if (inFile !== undefined) {
      const cannot = action === 'keep' ? 'be kept beside another one' : 'be merged with one of the store';
      throw conflict(
        `${shownId(inFile)} cannot ${cannot}: it stands in a file of the repository, and the other one does not`,
        'Share the other one as well, or change its words until they are no longer alike',
      );
    }
    const looked = await lookAt(where, decisionOf(decision));
    if (isShared(looked.node_id) && isOfFile(action)) {
      const { path, unchanged } = await settleShared(project, where, action, looked);
      return { ...looked, path, unchanged };
    }
    requireOwn(memory, looked.node_id, 'node_id');
    requireOwn(memory, other_id, 'other_id');
    return { ...looked, path: undefined, unchanged: undefined };
  },
  run: async ({ memory }, { namespace: named, ...decision }, { path, unchanged, ...looked }) => {
    const where = elsewhere(memory, named);
    if (path === undefined) return settleDecision(where, decisionOf(decision), looked);
    const same = unchanged ? { unchanged } : {};
    const { node_id } = looked;
    const { action } = decision;
    if (action === 'refute' || action === 'forget') await endBesideFile(where, node_id, action);
    return { node_id, action, count: 1, entries: [], operation: null, paths: [path], ...same };
  },
  settled: async (project, settled, { located, path }, operation) => {
    if (path !== undefined) await noteAlong(project, path, operation);
    await keepTextsOf(project, symbolsOf(located));
    if (settled.operation === null) return settled;
    if (settled.action !== 'keep' && settled.action !== 'edit') return settled;
    const kept = settled.stored === undefined ? await keptBy(project.memory, settled.operation) : [settled.stored];
    const shared = await shareByPolicy(project, project.memory, kept, true);
    return shared.size === 0 ? settled : { ...settled, paths: [...shared.values()] };
  },
});
