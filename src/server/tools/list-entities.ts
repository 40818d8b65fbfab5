/** `list_entities`: the definitions of the code, page by page. */
import * as z from 'zod/v4';
import { CODE_TYPES, listCode } from '../code/read-graph';
import { defineTool } from './define-tool';
import { text } from './input';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

export const listEntities = defineTool({
  name: 'list_entities',
  title: 'List code entities',
  description: 'The functions, classes and other definitions of the code, in the order of files and lines.',
  effect: 'read',
  input: z.strictObject({
    entity_type: z.enum(CODE_TYPES).describe('Only this kind').optional(),
    file_path: text('Only this file, relative to the repository').optional(),
    limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
    cursor: text('next_cursor of the page before').optional(),
  }),
  output: z.object({
    entities: z.array(
      z.object({
        graph_node_id: z.string(),
        file_path: z.string(),
        start_line: z.int(),
        end_line: z.int(),
        code_type: z.string(),
        name: z.string(),
      }),
    ),
    next_cursor: z.string().nullable(),
  }),
  run: ({ project }, input) => listCode(project, input),
});
