/** `review`: what waits for a person. */
import * as z from 'zod/v4';
import { MEMORY_KINDS } from '../../kinds/kinds';
import { listNamespaces } from '../memory/namespaces';
import { elsewhere } from '../memory/other-namespace';
import { type Fork, forks } from '../memory/people/forks';
import { listProposals, type Proposal, type ProposalSource, proposalSources } from '../memory/people/proposals';
import {
  duplicatesToReview,
  type NearDuplicatePair,
  nearToReview,
  type ReviewEntry,
  reviewEntries,
} from '../memory/people/review';
import { describeChange } from '../render/code-change';
import { renderReview } from '../render/review';
import { defineTool } from './define-tool';
import { namespace } from './input';
import { NODE_SUMMARY, ORIGIN } from './nodes';

const ONLY = ['code', 'forks', 'duplicates', 'proposals'] as const;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;
/** A list that is read again after each key waits no longer for marks. */
const LIST_WAIT_MS = 300;

const place = { file_path: z.string(), code_type: z.string(), name: z.string() };
const paired = z.object({ id: z.string(), content: z.string(), valid_from: z.string() });
const forkedWay = paired.extend({ reasons: z.array(z.string()).readonly().optional() });
const both = { namespace: z.string(), kind: z.enum(MEMORY_KINDS), newer: paired, older: paired };
const pair = z.object({ ...both, similarity: z.number() });

export const review = defineTool({
  name: 'review',
  title: 'What waits for review',
  description:
    'Memories that were proposed, those whose code changed or is gone, as memory_verify_staleness queued them, those that were rewritten in two ways, and near-duplicates.',
  audience: 'human',
  effect: 'read',
  input: z.strictObject({
    only: z
      .enum(ONLY)
      .describe(
        'Only memories on code, what was rewritten in two ways, near-duplicates and what says nearly the same, or proposals',
      )
      .optional(),
    namespace: namespace('Look there; default: the active one').optional(),
    all_namespaces: z.boolean().default(false).describe('All namespaces'),
    limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT).describe('Maximum number of entries and of pairs'),
  }),
  output: z.object({
    entries: z.array(
      z.object({
        id: z.int(),
        namespace: z.string(),
        node: NODE_SUMMARY,
        reason: z.enum(['stale', 'missing']),
        verdict: z.enum(['changed', 'gone']),
        queued_at: z.string(),
        was: z.object(place),
        linked_at: z.string(),
        now: z.object({ ...place, start_line: z.int(), end_line: z.int() }).nullable(),
        change: z.string(),
      }),
    ),
    proposals: z.array(
      z.object({
        namespace: z.string(),
        node: NODE_SUMMARY.extend({ kind: z.enum(MEMORY_KINDS) }),
        rationale: z.string().nullable(),
        alternatives_rejected: z.array(z.string()).readonly(),
        entities: z.array(z.string()).readonly(),
        replaces: z.array(z.string()).readonly(),
        near: z
          .array(NODE_SUMMARY.pick({ id: true, content: true, marks: true }))
          .readonly()
          .optional(),
        source: z.int(),
        origin: ORIGIN,
      }),
    ),
    sources: z.array(z.object({ namespace: z.string(), source: z.int(), origin: ORIGIN, waiting: z.int() })),
    forks: z.array(
      z.object({ ...both, newer: forkedWay, older: forkedWay, replaced: paired.omit({ valid_from: true }) }),
    ),
    near_duplicates: z.array(pair),
    near: z.array(pair),
    more: z.boolean(),
  }),
  run: async ({ memory }, { only, namespace: named, all_namespaces, limit }) => {
    const names = all_namespaces ? await listNamespaces(memory.sql) : [named];
    const entries: ReviewEntry[] = [];
    const pairs: NearDuplicatePair[] = [];
    const near: NearDuplicatePair[] = [];
    const forked: Fork[] = [];
    const proposals: Proposal[] = [];
    const sources: ProposalSource[] = [];
    const wants = (part: (typeof ONLY)[number]): boolean => only === undefined || only === part;
    for (const name of names) {
      const there = elsewhere(memory, name);
      if (wants('proposals')) {
        sources.push(...(await proposalSources(there)));
        if (proposals.length <= limit) {
          proposals.push(...(await listProposals(there, limit + 1, only === undefined ? undefined : LIST_WAIT_MS)));
        }
      }
      if (wants('code') && entries.length <= limit) entries.push(...(await reviewEntries(there, limit + 1)));
      const inTwoWays = wants('forks') || wants('duplicates') ? await forks(there) : [];
      if (wants('forks')) forked.push(...inTwoWays);
      if (!wants('duplicates') || pairs.length > limit) continue;
      // What was rewritten in two ways may say nearly the same, and is one question.
      const isOwn = (pair: Pair): boolean => !inTwoWays.some((fork) => isSamePair(fork, pair));
      const duplicates = await duplicatesToReview(there);
      pairs.push(...duplicates.filter(isOwn));
      // These wait for nobody: they are told to who asks for pairs.
      if (only === 'duplicates') near.push(...(await nearToReview(there, duplicates)).filter(isOwn));
    }
    return {
      entries: entries.slice(0, limit).map((entry) => ({
        ...entry,
        change: describeChange({ ...entry, since: entry.linked_at, missing: entry.reason === 'missing' }),
      })),
      proposals: proposals.slice(0, limit),
      sources,
      forks: forked.slice(0, limit),
      near_duplicates: pairs.slice(0, limit),
      near: near.slice(0, limit),
      more: [entries, forked, pairs, near, proposals].some(({ length }) => length > limit),
    };
  },
  render: (found) => renderReview(found),
});

type Pair = Pick<NearDuplicatePair, 'newer' | 'older'>;

function isSamePair(one: Pair, other: Pair): boolean {
  const ids = [other.newer.id, other.older.id];
  return ids.includes(one.newer.id) && ids.includes(one.older.id);
}
