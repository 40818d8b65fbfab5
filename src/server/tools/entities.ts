/** `entities`: the entities with these letters, for people. */
import * as z from 'zod/v4';
import { shownId } from '../base/shown';
import { oneLine } from '../base/text';
import { MAX_NAME_LENGTH } from '../memory/limits';
import { listEntities, MAX_LISTED } from '../memory/people/node-details';
import { marksOf } from '../render/line';
import { defineTool } from './define-tool';
import { MARKS_FIELD } from './marks-field';

const DEFAULT_LIMIT = 50;

export const entities = defineTool({
  name: 'entities',
  title: 'List entities',
  description: 'Entities of the active namespace, those that most is known about first.',
  audience: 'human',
  effect: 'read',
  positional: ['letters'],
  input: z.strictObject({
    letters: z.string().max(MAX_NAME_LENGTH).default('').describe('Only names that contain these letters'),
    limit: z.int().min(1).max(MAX_LISTED).default(DEFAULT_LIMIT),
  }),
  output: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      aliases: z.array(z.string()).readonly(),
      degree: z.int(),
      marks: MARKS_FIELD,
    }),
  ),
  run: ({ memory }, { letters, limit }) => listEntities(memory, letters, limit),
  render: (found) =>
    found
      .map(({ id, content, degree, marks }) => `- [${shownId(id)}] ${oneLine(content)} (${degree})${marksOf(marks)}`)
      .join('\n'),
});
