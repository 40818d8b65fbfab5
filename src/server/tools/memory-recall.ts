/** `memory_recall`: the memories that answer a question. */
import * as z from 'zod/v4';
import { NODE_KINDS } from '../../kinds/kinds';
import { TOOL_SAYS } from '../guidance/sentences';
import { DEFAULT_BUDGET_TOKENS, DEFAULT_HOPS, MAX_HOPS } from '../memory/limits';
import { printMemories } from '../render/packed-memories';
import { answerRecall } from './answer-recall';
import { defineTool } from './define-tool';
import { budgetTokens, confidence, namespace, optionalNamespace, optionalTime, text, time } from './input';
import { recallOfTeam } from './team-recall';

export const memoryRecall = defineTool({
  name: 'memory_recall',
  title: 'Recall memories',
  description: TOOL_SAYS.recall,
  effect: 'read',
  positional: ['query'],
  input: z.strictObject({
    query: text('A question or keywords'),
    budget_tokens: budgetTokens.default(DEFAULT_BUDGET_TOKENS),
    kinds: z.array(z.enum(NODE_KINDS)).default([]).describe('Only these kinds'),
    as_of: time('What was valid then (ISO-8601)').optional(),
    hops: z.int().min(0).max(MAX_HOPS).default(DEFAULT_HOPS).describe('How far to follow links'),
    min_confidence: confidence.default(0).describe('Minimum confidence'),
    namespace: namespace('Read there without switching').optional(),
  }),
  run: (context, input) => {
    const { memory, project, signal } = context;
    const asked = {
      ...input,
      as_of: optionalTime(input.as_of, 'as_of', 'end'),
      namespace: optionalNamespace(input.namespace),
    };
    const elsewhere = recallOfTeam(project, { ...asked, namespace: asked.namespace ?? memory.scope.namespace }, signal);
    return answerRecall(context, asked, elsewhere);
  },
  render: printMemories,
});
