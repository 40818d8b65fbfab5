/** `query_codebase`: symbols that answer a question, with what belongs to them. */
import * as z from 'zod/v4';
import { queryCode } from '../code/query-code';
import { printCode } from '../render/code-answer';
import { packCode } from '../render/pack-code';
import { defineTool } from './define-tool';
import { budgetTokens, text } from './input';

const DEFAULT_BUDGET = 1_000;
const MAX_HOPS = 3;

export const queryCodebase = defineTool({
  name: 'query_codebase',
  title: 'Query the code',
  description:
    'Where is it, what calls it, what does it call, what is remembered about it: from a name in the code or a question in words.',
  effect: 'read',
  positional: ['query'],
  input: z.strictObject({
    query: text('An identifier or a question'),
    max_hops: z.int().min(0).max(MAX_HOPS).default(1).describe('How far to follow calls'),
    budget_tokens: budgetTokens.default(DEFAULT_BUDGET),
  }),
  run: async ({ project }, { query, max_hops, budget_tokens }) =>
    packCode(project.tokenizer(), query, budget_tokens, await queryCode(project, query, max_hops)),
  render: printCode,
});
