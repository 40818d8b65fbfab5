/** `nodes`: lists of nodes, for people. */
import * as z from 'zod/v4';
import { NODE_KINDS } from '../../kinds/kinds';
import { MAX_NAME_LENGTH } from '../memory/limits';
import { ORIGIN_KINDS, STANDINGS } from '../memory/origins';
import { elsewhere } from '../memory/other-namespace';
import { listNodes, MAX_LISTED } from '../memory/people/node-details';
import { removedMemories } from '../project/removed-memories';
import { nodeSummaryLine } from '../render/node-page';
import { defineTool } from './define-tool';
import { namespace, nodeId } from './input';
import { MARKS_FIELD } from './marks-field';
import { NODE_FILTER, SESSIONLESS } from './node-filter';

/** Where a memory comes from; null for an entity or a session. */
export const ORIGIN = z
  .object({
    kind: z.enum(ORIGIN_KINDS),
    name: z.string(),
    hash: z.string().nullable(),
    store: z.string().nullable(),
    marked: z.boolean(),
  })
  .nullable();

/** A node as one entry of a list. */
export const NODE_SUMMARY = z.object({
  id: z.string(),
  kind: z.enum(NODE_KINDS),
  content: z.string(),
  confidence: z.number(),
  recorded_at: z.string(),
  valid_from: z.string(),
  valid_until: z.string().nullable(),
  tombstoned: z.union([z.literal(0), z.literal(1)]),
  standing: z.enum(STANDINGS),
  session_id: z.string().nullable(),
  marks: MARKS_FIELD,
});

const DEFAULT_LIMIT = 50;

export const nodes = defineTool({
  name: 'nodes',
  title: 'List memories',
  description: 'Memories, entities and sessions of the active namespace, newest first.',
  audience: 'human',
  effect: 'read',
  input: z.strictObject({
    ...NODE_FILTER,
    whole: z
      .boolean()
      .default(false)
      .describe('Only code that is called what symbol says, or ends with it after a dot'),
    session_id: nodeId('Only what was stored in this session').optional(),
    sessionless: SESSIONLESS,
    entity_id: nodeId('Only what is about this entity').optional(),
    id_prefix: nodeId('Only ids that begin like this').optional(),
    ids: z.array(nodeId('An id')).max(MAX_LISTED).optional().describe('Only these'),
    in_file: z.string().max(MAX_NAME_LENGTH).optional().describe('Only memories on this file; empty: on none'),
    before: nodeId('Go on after this id, the last one of the page before').optional(),
    closed: z.boolean().default(false).describe('Include closed and forgotten nodes'),
    forgotten: z.boolean().default(false).describe('Only forgotten nodes'),
    limit: z.int().min(1).max(MAX_LISTED).default(DEFAULT_LIMIT),
    origins: z.boolean().default(false).describe('Include where each comes from'),
    namespace: namespace('Where they lie; default: the active one').optional(),
  }),
  output: z.array(NODE_SUMMARY.extend({ origin: ORIGIN.optional() })),
  run: async (
    { memory, project },
    { session_id, entity_id, id_prefix, in_file, before, namespace: name, ...asked },
  ) => {
    const where = elsewhere(memory, name);
    const narrowed = session_id ?? entity_id ?? id_prefix ?? in_file ?? asked.ids;
    const isOfCode = asked.file !== '' || asked.symbol !== '';
    const removed =
      asked.forgotten && narrowed === undefined && !isOfCode ? await removedMemories(project, where, asked) : [];
    // They stand before all others.
    const at = removed.findIndex(({ id }) => id === before);
    const first = before === undefined || at >= 0 ? removed.slice(at + 1) : [];
    const from = at >= 0 ? undefined : before;
    const found = await listNodes(where, { session_id, entity_id, id_prefix, in_file, before: from, ...asked });
    return [...first, ...found].slice(0, asked.limit);
  },
  render: (found) => found.map(nodeSummaryLine).join('\n'),
});
