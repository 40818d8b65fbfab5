/** `why_here`: why a line of code is there. */
import * as z from 'zod/v4';
import { MEMORY_KINDS } from '../../kinds/kinds';
import { whyHere as explainLine } from '../code/why-here';
import { VERDICTS } from '../memory/code/touches';
import { elsewhere } from '../memory/other-namespace';
import { renderWhyHere } from '../render/why-here';
import { defineTool } from './define-tool';
import { namespace, text } from './input';
import { MARKS_FIELD } from './marks-field';

const reference = z.object({ id: z.string(), content: z.string(), marks: MARKS_FIELD });

export const whyHere = defineTool({
  name: 'why_here',
  title: 'Why is this line here?',
  description:
    'The commit that a line of code comes from, the decisions on that code or of that time, what was rejected, and whether they still hold.',
  audience: 'human',
  effect: 'read',
  runsGit: true,
  positional: ['file_path', 'line'],
  input: z.strictObject({
    file_path: text('The file, relative to the project; also with its line, as src/store.ts:40'),
    line: z.int().min(1).describe('The line, from 1').optional(),
    text: z.string().describe('The text of the file as an editor has it, unsaved').optional(),
    namespace: namespace('Look there; default: the active one').optional(),
  }),
  output: z.object({
    file_path: z.string(),
    line: z.int(),
    symbol: z.string().nullable(),
    commit: z
      .object({ id: z.string(), author: z.string(), date: z.string(), subject: z.string(), body: z.string() })
      .nullable(),
    memories: z
      .array(
        z.object({
          id: z.string(),
          kind: z.enum(MEMORY_KINDS),
          content: z.string(),
          confidence: z.number(),
          valid_from: z.string(),
          valid_until: z.string().nullable(),
          tombstoned: z.union([z.literal(0), z.literal(1)]),
          marks: MARKS_FIELD,
          rationale: z.string().nullable(),
          alternatives_rejected: z.array(z.string()).readonly(),
          superseded_by: z.array(reference).readonly(),
          found: z.enum(['code', 'file', 'time', 'words']),
          verdict: z.enum(VERDICTS).nullable(),
          doubted_elsewhere: z.boolean(),
        }),
      )
      .readonly(),
  }),
  run: async ({ memory, project, signal }, { file_path, line, text: unsaved, namespace: named }) => {
    const asked = { file: file_path, line, text: unsaved, signal };
    return explainLine({ ...project, memory: elsewhere(memory, named) }, asked);
  },
  render: renderWhyHere,
});
