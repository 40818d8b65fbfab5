/** `memory_about`: what is known about an entity. */
import * as z from 'zod/v4';
import { quoted } from '../base/text';
import { dossier } from '../memory/dossier';
import { DEFAULT_BUDGET_TOKENS } from '../memory/limits';
import { nothingFound } from '../render/nothing-found';
import { pack } from '../render/pack';
import { defineTool } from './define-tool';
import { budgetTokens, itemsWorthLoading, text } from './input';

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
  run: async ({ memory, project }, { entity, budget_tokens }) => {
    const found = await dossier(memory, entity, itemsWorthLoading(budget_tokens));
    if (found.name === undefined) {
      const tokens = project.tokenizer();
      const sentence = `There is no entity ${quoted(entity)}`;
      const full = nothingFound(sentence, found.nearest);
      return tokens.fits(full, budget_tokens) ? full : 'There is no such entity.';
    }
    const packed = pack(project.tokenizer(), {
      query: `about:${found.name}`,
      asOf: found.asOf,
      budget: budget_tokens,
      items: found.items,
      nothing: 'Nothing that is valid now is remembered about it.',
    });
    project.uses.note(packed.printed, packed.measured, true);
    return packed.text;
  },
  render: (answer) => answer,
});
