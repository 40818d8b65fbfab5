/** `memory_recall`: the memories that answer a question. */
import * as z from 'zod/v4';
import { NODE_KINDS } from '../../kinds/kinds';
import { counted } from '../base/counted';
import { TOOL_SAYS } from '../guidance/sentences';
import {
  BRIEFING_BUDGET_TOKENS,
  BRIEFING_LINE_TOKENS,
  DEFAULT_BUDGET_TOKENS,
  DEFAULT_HOPS,
  MAX_HOPS,
} from '../memory/limits';
import type { Memory } from '../memory/memory';
import { asksForBriefing, briefing } from '../memory/recall/briefing';
import { type Recalled, recall } from '../memory/recall/recall';
import { FOREIGN_NOTICE } from '../render/foreign';
import { pack } from '../render/pack';
import { printMemories } from '../render/packed-memories';
import { defineTool } from './define-tool';
import {
  budgetTokens,
  confidence,
  itemsWorthLoading,
  namespace,
  optionalNamespace,
  optionalTime,
  text,
  time,
} from './input';

/** Of a briefing without an item. */
function whyEmpty({ foreign, shared }: Memory, waiting: number): string {
  if (foreign) return 'What it holds is in no briefing; other questions find it, marked as foreign.';
  if (waiting === 0 && shared.foreign) {
    return 'The shared memories of this folder came with it, and nobody has accepted them. A person can look at them and accept them with "svc-memory trust".';
  }
  if (waiting === 0) return 'No decisions or conventions are remembered yet.';
  return `Nothing has been kept yet: ${counted(waiting, 'memory')} wait${waiting === 1 ? 's' : ''} in Review until a person keeps ${waiting === 1 ? 'it' : 'them'}.`;
}

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
  run: async ({ memory, project }, input) => {
    const other = optionalNamespace(input.namespace);
    const asked = {
      query: input.query,
      as_of: optionalTime(input.as_of, 'as_of', 'end'),
      hops: input.hops,
      min_confidence: input.min_confidence,
      kinds: input.kinds,
      namespace: other,
      limit: itemsWorthLoading(input.budget_tokens),
    };
    const brief = asksForBriefing(input.query);
    const { items, asOf, matched, waiting = 0 }: Recalled = await (brief ? briefing : recall)(memory, asked);
    const { packed, printed, measured } = pack(project.tokenizer(), {
      query: input.query,
      asOf,
      budget: input.budget_tokens,
      limit: brief ? Math.min(input.budget_tokens, BRIEFING_BUDGET_TOKENS) : input.budget_tokens,
      line: brief ? BRIEFING_LINE_TOKENS : undefined,
      items,
      matched,
      notice: brief && memory.foreign ? FOREIGN_NOTICE : undefined,
      nothing: brief ? whyEmpty(memory, waiting) : 'Nothing is remembered about this yet.',
    });
    const elsewhere = other !== undefined && other !== memory.scope.namespace;
    project.uses.note(printed, measured, input.as_of === undefined && !elsewhere);
    return packed;
  },
  render: printMemories,
});
