/** `graph_status`: how new the code graph is, and what is in it. */
import * as z from 'zod/v4';
import { readGraphStatus } from '../code/read-graph';
import { defineTool } from './define-tool';

export const graphStatus = defineTool({
  name: 'graph_status',
  title: 'State of the code graph',
  description: 'When the code graph was built, what is in it, and how many files have changed since.',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    built_at: z.string().nullable(),
    root: z.string(),
    files: z.int(),
    nodes: z.int(),
    edges: z.int(),
    by_kind: z.record(z.string(), z.int()),
    by_language: z.record(z.string(), z.int()),
    stale_files: z.int(),
    left_out: z.record(z.string(), z.int()),
    left_out_files: z.array(z.object({ path: z.string(), reason: z.string() })).readonly(),
  }),
  run: ({ project }) => readGraphStatus(project),
});
