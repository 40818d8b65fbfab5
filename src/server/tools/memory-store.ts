/** `memory_store`: stores one memory. */
import * as z from 'zod/v4';
import { ANY_MEMORY } from '../memory/node-kinds';
import { matchEntities, remember } from '../memory/remember';
import { defineTool } from './define-tool';
import {
  confidence,
  kind,
  names,
  namespace,
  nodeId,
  optionalNamespace,
  optionalTime,
  storedText,
  texts,
  time,
} from './input';
import { UNRESOLVED, withUnresolved } from './unresolved';

export const memoryStore = defineTool({
  name: 'memory_store',
  title: 'Store a memory',
  description: `Keep one ${ANY_MEMORY} for later sessions.`,
  effect: 'write',
  positional: ['content'],
  input: z.strictObject({
    content: storedText('One self-contained statement'),
    kind: kind.describe('Decisions: add rationale and alternatives_rejected'),
    entities: names('Names it is about: people, parts, files; functions as `name()` or `path#name`').optional(),
    confidence: confidence.default(1).describe('How sure you are'),
    valid_from: time('When it became true (ISO-8601); default now').optional(),
    supersedes: nodeId('Id of the memory that this one replaces').optional(),
    session_id: nodeId('Default: the current session').optional(),
    rationale: storedText('Why').optional(),
    alternatives_rejected: texts('Options considered and dropped').optional(),
    namespace: namespace('Switch to this namespace first').optional(),
  }),
  output: z.object({
    node_id: z.string(),
    linked_entity_ids: z.array(z.string()),
    created_entity_ids: z.array(z.string()),
    unresolved: UNRESOLVED.optional(),
  }),
  gather: ({ memory }, { entities, namespace: named }) =>
    matchEntities(memory, { entities: entities ?? [], namespace: optionalNamespace(named) }),
  run: async ({ memory }, input, { matched, unresolved }) =>
    withUnresolved(
      await remember(
        memory,
        {
          content: input.content,
          kind: input.kind,
          entities: input.entities ?? [],
          confidence: input.confidence,
          valid_from: optionalTime(input.valid_from, 'valid_from'),
          supersedes: input.supersedes,
          session_id: input.session_id,
          rationale: input.rationale,
          alternatives_rejected: input.alternatives_rejected ?? [],
          namespace: optionalNamespace(input.namespace),
        },
        matched,
      ),
      unresolved,
    ),
});
