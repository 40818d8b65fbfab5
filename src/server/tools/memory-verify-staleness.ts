/** `memory_verify_staleness`: finds memories whose code has changed. */
import * as z from 'zod/v4';
import { checkStaleness, queueForReview } from '../memory/code/staleness';
import { VERDICTS } from '../memory/code/touches';
import { defineTool } from './define-tool';

const placeNow = z.object({ file_path: z.string(), name: z.string(), start_line: z.int(), end_line: z.int() });

export const memoryVerifyStaleness = defineTool({
  name: 'memory_verify_staleness',
  title: 'Check staleness',
  description: 'Find memories whose code changed or is gone. The verdict is judged from the code, not from the clock.',
  effect: 'write',
  idempotent: true,
  input: z.strictObject({
    queue: z.boolean().default(true).describe('Add stale and missing ones to the review queue'),
  }),
  output: z.object({
    checked: z.int(),
    stale: z.int(),
    missing: z.int(),
    clean: z.int(),
    stale_nodes: z.array(
      z.object({
        node_id: z.string(),
        file_path: z.string(),
        memory_date: z.string(),
        file_mtime: z.string(),
        verdict: z.enum(VERDICTS),
        now: placeNow.optional(),
        whole_file: z.literal(true).optional(),
        weak: z.literal(true).optional(),
        proposed: z.literal(true).optional(),
      }),
    ),
    missing_nodes: z.array(
      z.object({
        node_id: z.string(),
        file_path: z.string(),
        verdict: z.enum(VERDICTS),
        now: placeNow.optional(),
        whole_file: z.literal(true).optional(),
        proposed: z.literal(true).optional(),
      }),
    ),
    queued: z.boolean(),
  }),
  gather: ({ memory }) => checkStaleness(memory),
  run: async ({ memory }, { queue }, { report, doubts }) => ({
    ...report,
    queued: queue && (await queueForReview(memory, doubts)),
  }),
});
