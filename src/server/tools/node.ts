/** `node`: everything about one node, for people. */
import * as z from 'zod/v4';
import { conflict, SvcError } from '../base/errors';
import { phrase, tool } from '../base/phrase';
import { shownId } from '../base/shown';
import { VERDICTS } from '../memory/code/touches';
import { DEFAULT_NAMESPACE } from '../memory/limits';
import { elsewhere } from '../memory/other-namespace';
import { nodeBackground } from '../memory/people/node-background';
import { nodeDetails } from '../memory/people/node-details';
import { sharedFile } from '../project/shared-commits';
import { removedFile } from '../project/shared-edits';
import { unreadFileOf } from '../project/unread-shared';
import { renderNode } from '../render/node-page';
import { defineTool } from './define-tool';
import { namespace, nodeId } from './input';
import { NODE_SUMMARY, ORIGIN } from './nodes';
import { nodeOfTeam, TEAM_PREFIX } from './team-node';
import { UNRESOLVED } from './unresolved';

const reference = z.object({ id: z.string(), content: z.string() });
const markedReference = NODE_SUMMARY.pick({ id: true, content: true, marks: true });
const chainLink = NODE_SUMMARY.pick({ id: true, content: true, valid_from: true, valid_until: true, tombstoned: true });
const holder = z.object({ pid: z.int(), host: z.string(), client: z.string() });
const place = z.object({ file_path: z.string(), name: z.string(), start_line: z.int(), end_line: z.int() });

export const node = defineTool({
  name: 'node',
  title: 'Show a memory',
  description: 'Everything about one memory, entity or session.',
  audience: 'human',
  effect: 'read',
  positional: ['id'],
  input: z.strictObject({
    id: nodeId("Id of a memory, an entity or a session; of a memory of the team behind 't:'"),
    namespace: namespace('Where it lies; default: the active one').optional(),
    with_commit: z.boolean().describe('Of a shared memory also the commit that changed its file last').optional(),
  }),
  output: NODE_SUMMARY.extend({
    namespace: z.string(),
    origin: ORIGIN,
    rationale: z.string().nullable(),
    alternatives_rejected: z.array(z.string()).readonly(),
    entities: z.array(reference).readonly(),
    supersedes: z.array(markedReference).readonly(),
    replaces: z.array(markedReference).readonly(),
    superseded_by: z.array(markedReference).readonly(),
    aliases: z.array(z.string()).readonly(),
    nodes: z.array(NODE_SUMMARY).readonly(),
    chain: z.array(chainLink).readonly(),
    session: reference
      .extend({ topic: z.string().nullable(), valid_until: z.string().nullable(), holder: holder.nullable() })
      .nullable(),
    code: z
      .array(
        z.object({
          file_path: z.string(),
          code_type: z.string(),
          name: z.string(),
          verdict: z.enum(VERDICTS).nullable(),
          now: place.nullable(),
        }),
      )
      .readonly(),
    unresolved: UNRESOLVED.optional(),
    away: z.literal(true).optional(),
    unread: z.string().optional(),
    near: z.array(markedReference).readonly().optional(),
    file: z
      .object({
        path: z.string(),
        committed: z.boolean().nullable(),
        last: z.object({ id: z.string(), author: z.string(), at: z.string() }).nullable(),
      })
      .optional(),
  }),
  run: async (context, { id, namespace: name, with_commit: asksGit = false }) => {
    const { project, signal } = context;
    const memory = elsewhere(context.memory, name);
    if (id.startsWith(TEAM_PREFIX)) return nodeOfTeam({ ...context, memory }, id);
    const isRemoved = memory.scope.namespace === DEFAULT_NAMESPACE && removedFile(project, id) !== undefined;
    const details = await nodeDetails(memory, id).catch((error: unknown) => {
      const isGone = error instanceof SvcError && error.code === 'not_found' && isRemoved;
      throw isGone ? fileRemoved(id) : error;
    });
    const { away, ...known } = details;
    // A file that was taken away from here is no file of another branch.
    const isShared = details.marks?.includes('shared') === true;
    const [background, file] = await Promise.all([
      nodeBackground(memory, details),
      isShared ? sharedFile(project, id, { asksGit, signal }) : undefined,
    ]);
    const unread = away ? unreadFileOf(project, id)?.path : undefined;
    const awayNow = away && !isRemoved ? { away, ...(unread === undefined ? {} : { unread }) } : {};
    return { ...known, ...awayNow, ...background, ...(file ? { file } : {}) };
  },
  render: renderNode,
});

/** It stood in a file alone. */
function fileRemoved(id: string): Error {
  return conflict(
    phrase`${shownId(id)} was shared, and its file was removed`,
    phrase`${tool('restore')} brings it back`,
  );
}
