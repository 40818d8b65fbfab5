import * as z from 'zod/v4';
import { NODE_KINDS } from '../memory/kinds';
import { DEFAULT_BUDGET_TOKENS, DEFAULT_HOPS, MAX_HOPS, SMALLEST_BUDGET_TOKENS } from '../memory/limits';
import { checkNamespace } from '../memory/namespaces';
import { recall } from '../memory/recall/recall';
import { pack } from '../render/pack';
import { defineTool } from './define-tool';
import { confidence, namespace, optionalTime, text, time } from './input';

/** No printed line is shorter, so that no more items than this share of the budget are worth loading. */
const TOKENS_OF_SHORTEST_LINE = 24;
/** Items too long for what is left are passed over: some more than would fit are needed. */
const SPARE_ITEMS = 20;

export const memoryRecall = defineTool({
  name: 'memory_recall',
  title: 'Recall memories',
  description:
    'Find what is remembered. Ask "project context" at the start of a conversation, then in plain words before deciding or changing anything.',
  effect: 'read',
  positional: ['query'],
  input: z.strictObject({
    query: text('A question or keywords'),
    budget_tokens: z
      .int()
      .min(SMALLEST_BUDGET_TOKENS)
      .default(DEFAULT_BUDGET_TOKENS)
      .describe('Largest size of the answer'),
    kinds: z.array(z.enum(NODE_KINDS)).default([]).describe('Only these kinds'),
    as_of: time('What was valid then (ISO-8601)').optional(),
    hops: z.int().min(0).max(MAX_HOPS).default(DEFAULT_HOPS).describe('How far to follow links'),
    min_confidence: confidence.default(0),
    namespace: namespace('Read there without switching').optional(),
  }),
  run: async ({ memory, project }, input) => {
    const other = input.namespace === undefined ? undefined : checkNamespace(input.namespace);
    const { items, asOf } = await recall(memory, {
      query: input.query,
      as_of: optionalTime(input.as_of, 'as_of', 'end'),
      hops: input.hops,
      min_confidence: input.min_confidence,
      kinds: input.kinds,
      namespace: other,
      limit: Math.ceil(input.budget_tokens / TOKENS_OF_SHORTEST_LINE) + SPARE_ITEMS,
    });
    const packed = pack(project.tokenizer(), {
      query: input.query,
      asOf,
      budget: input.budget_tokens,
      items,
      nothing: 'Nothing is remembered about this yet.',
    });
    const elsewhere = other !== undefined && other !== memory.scope.namespace;
    project.uses.note(packed.printed, packed.measured, input.as_of === undefined && !elsewhere);
    return packed.text;
  },
  render: (answer) => answer,
});
