/** `memory_about`: what is known about an entity. */
import * as z from 'zod/v4';
import { dossier } from '../memory/dossier';
import { DEFAULT_BUDGET_TOKENS } from '../memory/limits';
import { type AboutEntity, printAbout, unknownEntity } from '../render/about';
import { pack } from '../render/pack';
import { itemsWorthLoading } from './answer-recall';
import { defineTool } from './define-tool';
import { budgetTokens, text } from './input';

export const memoryAbout = defineTool({
  name: 'memory_about',
  title: 'About an entity',
  description: 'All that is currently known about one entity, newest first.',
  effect: 'read',
  positional: ['entity'],
  input: z.strictObject({
    entity: text('Name, alias or id'),
    budget_tokens: budgetTokens.default(DEFAULT_BUDGET_TOKENS),
  }),
  run: async ({ memory, project }, { entity, budget_tokens }): Promise<AboutEntity> => {
    const found = await dossier(memory, entity, itemsWorthLoading(budget_tokens));
    if (found.name === undefined) return unknownEntity(project.tokenizer(), entity, found.nearest, budget_tokens);
    const { packed, printed, measured } = pack(project.tokenizer(), {
      query: `about:${found.name}`,
      asOf: found.asOf,
      budget: budget_tokens,
      items: found.items,
      nothing: 'Nothing that is valid now is remembered about it.',
    });
    project.uses.note(printed, measured, true);
    return { entity: found.name, ...packed };
  },
  render: printAbout,
});
