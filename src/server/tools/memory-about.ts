/** `memory_about`: what is known about an entity. */
import * as z from 'zod/v4';
import { nothingFound } from '../base/nothing-found';
import { dossier } from '../memory/dossier';
import { DEFAULT_BUDGET_TOKENS } from '../memory/limits';
import { type AboutEntity, printAbout, unknownEntity } from '../render/about';
import { pack } from '../render/pack';
import { itemsWorthLoading } from './answer-recall';
import { defineTool } from './define-tool';
import { budgetTokens, text } from './input';

const NOTHING = 'Nothing that is valid now is remembered about it';

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
    const { name, items, asOf, nearest } = await dossier(memory, entity, itemsWorthLoading(budget_tokens));
    const tokens = project.tokenizer();
    if (name === undefined) return unknownEntity(tokens, entity, nearest, budget_tokens);
    const nothing = nothingFound(NOTHING, nearest);
    // Beside memories they may not take the room of one.
    const alone = nothingFound('Only proposals are about it', nearest);
    const isAlone = items.length > 0 && nearest.length > 0 && tokens.fits(alone, Math.floor(budget_tokens / 6));
    const { packed, printed, measured } = pack(tokens, {
      query: `about:${name}`,
      asOf,
      budget: budget_tokens,
      items,
      // The names are the first that a small budget has no room for.
      nothing: tokens.fits(nothing, Math.floor(budget_tokens / 3)) ? nothing : `${NOTHING}.`,
      notice: isAlone ? alone : undefined,
    });
    project.uses.note(printed, measured, true);
    return { entity: name, ...packed };
  },
  render: printAbout,
});
