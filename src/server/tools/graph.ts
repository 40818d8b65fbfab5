/** `graph`: what is around a node or a symbol, for people. */
import * as z from 'zod/v4';
import { STRUCTURAL_KINDS } from '../../kinds/kinds';
import { VERDICTS } from '../memory/code/touches';
import { elsewhere } from '../memory/other-namespace';
import { neighbourhood } from '../memory/people/neighbourhood';
import { renderNeighbourhood } from '../render/neighbourhood';
import { defineTool } from './define-tool';
import { namespace, text } from './input';
import { MARKS_FIELD } from './marks-field';

const DEFAULT_LIMIT = 100;
/** More than this is no drawing. */
const MAX_LIMIT = 500;
const MAX_HOPS = 3;

export const graph = defineTool({
  name: 'graph',
  title: 'What is around something',
  description: 'The nodes and edges around one entity, memory or symbol of the code.',
  audience: 'human',
  effect: 'read',
  positional: ['around'],
  input: z.strictObject({
    around: text('Id of a node, name of an entity, or a symbol: open(), Store.get, path#name, path'),
    hops: z.int().min(1).max(MAX_HOPS).default(1).describe('Number of steps around the node'),
    limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT).describe('Maximum number of nodes'),
    closed: z.boolean().default(false).describe('Include closed and forgotten nodes'),
    namespace: namespace('Look there; default: the active one').optional(),
  }),
  output: z.object({
    roots: z.array(z.string()),
    nodes: z.array(
      z.object({
        key: z.string(),
        type: z.enum(['memory', ...STRUCTURAL_KINDS, 'symbol']),
        kind: z.string(),
        label: z.string(),
        marks: MARKS_FIELD,
        hops: z.int(),
        degree: z.int(),
        state: z
          .object({
            confidence: z.number(),
            valid_from: z.string(),
            valid_until: z.string().nullable(),
            tombstoned: z.union([z.literal(0), z.literal(1)]),
          })
          .nullable(),
        code: z
          .object({
            file_path: z.string(),
            name: z.string(),
            verdict: z.enum(VERDICTS),
            start_line: z.int().nullable(),
            end_line: z.int().nullable(),
          })
          .nullable(),
      }),
    ),
    edges: z.array(
      z.object({
        type: z.enum(['ABOUT', 'SUPERSEDES', 'OCCURRED_IN', 'TOUCHES']),
        from: z.string(),
        to: z.string(),
      }),
    ),
    truncated: z.boolean(),
    nearest: z.array(z.string()),
  }),
  run: ({ memory }, { around, hops, limit, closed, namespace: named }) =>
    neighbourhood(elsewhere(memory, named), { around, hops, limit, closed }),
  render: renderNeighbourhood,
});
