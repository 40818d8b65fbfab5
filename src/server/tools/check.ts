/** `check`: the memories that a Git diff touches. */
import * as z from 'zod/v4';
import { MEMORY_KINDS } from '../../kinds/kinds';
import { checkDiff } from '../code/check-diff';
import { elsewhere } from '../memory/other-namespace';
import { renderCheck } from '../render/check';
import { defineTool } from './define-tool';
import { namespace, text } from './input';

const place = { file_path: z.string(), code_type: z.string(), name: z.string() };
const verdict = z.enum(['changed', 'gone']);

export const check = defineTool({
  name: 'check',
  title: 'Memories that a diff touches',
  description: 'The memories whose code the present Git diff moves, changes or removes.',
  audience: 'human',
  effect: 'read',
  runsGit: true,
  input: z.strictObject({
    staged: z.boolean().default(false).describe('Check the staged files instead of the working files'),
    since: text('Everything since this branch, tag or commit, instead of the last commit').optional(),
    branch: z.boolean().default(false).describe('Everything since this branch left the one that it goes back to'),
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
    not_judged: z.array(z.string()).readonly(),
  }),
  run: ({ memory, project: { graph, git }, signal }, { staged, since, branch, namespace: named }) =>
    checkDiff({ memory: elsewhere(memory, named), graph, git }, { staged, since, branch, signal }),
  render: (report) => renderCheck(report),
});
