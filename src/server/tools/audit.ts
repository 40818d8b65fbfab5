/** `audit`: who stored what, for people. */
import * as z from 'zod/v4';
import { MEMORY_KINDS } from '../../kinds/kinds';
import { elsewhere } from '../memory/other-namespace';
import { audit as auditStore } from '../memory/people/audit';
import { SUSPICIONS } from '../memory/people/instruction-like';
import { renderAudit } from '../render/audit';
import { defineTool } from './define-tool';
import { namespace, optionalTime, time } from './input';
import { NODE_SUMMARY, ORIGIN } from './nodes';

const memory = NODE_SUMMARY.extend({ kind: z.enum(MEMORY_KINDS), origin: ORIGIN });

export const audit = defineTool({
  name: 'audit',
  title: 'Who stored what',
  description:
    'Sources and what they stored, many memories in a short time, unconfirmed memories that read like instructions to an agent, and decisions that no person has looked at.',
  audience: 'human',
  effect: 'read',
  input: z.strictObject({
    since: time('Only what was recorded since then (ISO-8601)').optional(),
    namespace: namespace('Look there; default: the active one').optional(),
  }),
  output: z.object({
    namespace: z.string(),
    foreign: z.boolean(),
    sources: z
      .array(
        z.object({
          origin: ORIGIN,
          memories: z.int(),
          open: z.int(),
          confirmed: z.int(),
          proposed: z.int(),
          first: z.string(),
          last: z.string(),
        }),
      )
      .readonly(),
    bursts: z.array(z.object({ origin: ORIGIN, from: z.string(), memories: z.int() })).readonly(),
    suspicious: z.array(z.object({ node: memory, why: z.array(z.enum(SUSPICIONS)).readonly() })).readonly(),
    unseen_decisions: z.array(memory).readonly(),
    unseen_count: z.int(),
    more: z.boolean(),
  }),
  run: ({ memory: handle }, { since, namespace: named }) =>
    auditStore(elsewhere(handle, named), optionalTime(since, 'since')),
  render: (found) => renderAudit(found),
});
