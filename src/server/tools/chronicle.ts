/** `chronicle`: memories in the order of time, for people. */
import * as z from 'zod/v4';
import { MEMORY_KINDS } from '../../kinds/kinds';
import { chronicle as readChronicle } from '../memory/people/chronicle';
import { MAX_LISTED } from '../memory/people/node-details';
import { renderChronicle } from '../render/chronicle';
import { defineTool } from './define-tool';
import { nodeId, optionalTime, text, time } from './input';
import { NODE_SUMMARY } from './nodes';

const DEFAULT_LIMIT = 50;
/** More stretches than pixels tell nothing. */
const MAX_BUCKETS = 1_000;

export const chronicle = defineTool({
  name: 'chronicle',
  title: 'Memories over time',
  description: 'Memories in the order of time, newest first, page by page; closed and forgotten ones, too.',
  audience: 'human',
  effect: 'read',
  positional: ['topic'],
  input: z.strictObject({
    topic: text('Only memories that hold these words').optional(),
    about: text('Only memories about this entity (name, alias or id)').optional(),
    kinds: z.array(z.enum(MEMORY_KINDS)).default([]).describe('Only these kinds'),
    from: time('Only what became valid since (ISO-8601)').optional(),
    to: time('Only what became valid until (ISO-8601)').optional(),
    buckets: z.int().min(0).max(MAX_BUCKETS).default(0).describe('Number of equal time buckets'),
    limit: z.int().min(1).max(MAX_LISTED).default(DEFAULT_LIMIT),
    before: nodeId('Go on after this id, the last one of the page before').optional(),
  }),
  output: z.object({
    first: z.string().nullable(),
    last: z.string().nullable(),
    total: z.int(),
    within: z.int(),
    buckets: z
      .array(z.object({ index: z.int(), kind: z.enum(MEMORY_KINDS), count: z.int(), closed: z.int() }))
      .readonly(),
    entries: z
      .array(NODE_SUMMARY.extend({ kind: z.enum(MEMORY_KINDS), superseded_by: z.string().nullable() }))
      .readonly(),
    more: z.boolean(),
    nearest: z.array(z.string()).readonly(),
  }),
  run: ({ memory }, { topic, about, kinds, from, to, buckets, limit, before }) =>
    readChronicle(memory, {
      topic,
      about,
      kinds,
      from: optionalTime(from, 'from'),
      to: optionalTime(to, 'to', 'end'),
      buckets,
      limit,
      before,
    }),
  render: renderChronicle,
});
