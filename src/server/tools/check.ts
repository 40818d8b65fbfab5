import * as z from 'zod/v4';
import { elsewhere } from '../memory/elsewhere';
import { MEMORY_KINDS } from '../memory/kinds';
import { checkDiff } from '../project/check-diff';
import { renderCheck } from '../render/check';
import { defineTool } from './define-tool';
import { namespace, text } from './input';

const place = { file_path: z.string(), code_type: z.string(), name: z.string() };
const verdict = z.enum(['moved', 'changed', 'gone']);

export const check = defineTool({
  name: 'check',
  title: 'Memories that a diff touches',
  description: 'The memories whose code the present Git diff moves, changes or removes.',
  audience: 'human',
  effect: 'read',
  input: z.strictObject({
    staged: z.boolean().default(false).describe('What is staged, instead of the working files'),
    since: text('Everything since this branch, tag or commit, instead of the last commit').optional(),
    namespace: namespace('Look there; default: the active one').optional(),
  }),
  output: z.object({
    base: z.string(),
    compared: z.enum(['index', 'working tree']),
    changed_files: z.int(),
    memories: z
      .array(
        z.object({
          id: z.string(),
          kind: z.enum(MEMORY_KINDS),
          content: z.string(),
          confidence: z.number(),
          valid_from: z.string(),
          rationale: z.string().nullable(),
          verdict,
          symbols: z
            .array(
              z.object({
                verdict,
                was: z.object(place),
                now: z.object({ ...place, start_line: z.int(), end_line: z.int() }).nullable(),
              }),
            )
            .readonly(),
        }),
      )
      .readonly(),
  }),
  run: ({ memory, project, signal }, { staged, since, namespace: named }) =>
    checkDiff({ memory: elsewhere(memory, named), graph: project.graph }, { staged, since, signal }),
  render: (report) => renderCheck(report),
});
