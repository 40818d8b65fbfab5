/** `memory_verify`: confirms or refutes a memory. */
import * as z from 'zod/v4';
import { keepTextsOf } from '../code/keep-texts';
import { TOOL_SAYS } from '../guidance/sentences';
import { namespaceNumber } from '../memory/namespaces';
import { findNode } from '../memory/nodes';
import { locateMemory, symbolsOf, verify } from '../memory/verify';
import { verifyShared } from '../project/edit-shared';
import { shareByPolicy } from '../project/share-policy';
import { noteAlong } from '../project/shared-edits';
import { endBesideFile } from './beside-file';
import { defineTool } from './define-tool';
import { nodeId } from './input';

export const memoryVerify = defineTool({
  name: 'memory_verify',
  title: 'Confirm or refute',
  description: TOOL_SAYS.verify,
  effect: 'write',
  positional: ['node_id', 'status'],
  input: z.strictObject({
    node_id: nodeId('Id of the memory'),
    status: z.enum(['confirm', 'refute']).describe('How it turned out'),
  }),
  output: z.object({
    node_id: z.string(),
    confidence: z.number(),
    status: z.enum(['confirmed', 'refuted']),
    path: z.string().optional(),
    unchanged: z.literal(true).optional(),
  }),
  gather: async ({ memory, project }, { node_id, status }) => {
    const located = await locateMemory(memory, node_id);
    const edited = memory.shared.has(node_id)
      ? await verifyShared(project, memory, node_id, status, located)
      : undefined;
    const node = await findNode(memory.sql, await namespaceNumber(memory.sql, memory.scope.namespace), node_id);
    return { located, edited, waited: node?.standing === 'proposed' };
  },
  run: async ({ memory }, { node_id, status }, { located, edited }) => {
    if (!edited) return verify(memory, node_id, status, located);
    if (status === 'refute') await endBesideFile(memory, node_id, status);
    return edited;
  },
  settled: async (project, verified, { located, edited, waited }, operation) => {
    if (edited) await noteAlong(project, edited.path, operation);
    if (verified.status !== 'confirmed') return verified;
    await keepTextsOf(project, symbolsOf(located));
    const path = (await shareByPolicy(project, project.memory, [verified.node_id], waited)).get(verified.node_id);
    return path === undefined ? verified : { ...verified, path };
  },
});
