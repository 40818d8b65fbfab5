/** Everything about one memory of a team, for people: by its id there, behind `t:`. */
import * as z from 'zod/v4';
import { NODE_KINDS } from '../../kinds/kinds';
import { unavailable } from '../base/errors';
import type { Memory } from '../memory/memory';
import { unknownNode } from '../memory/nodes';
import { STANDINGS } from '../memory/origins';
import { elsewhere } from '../memory/other-namespace';
import type { TouchedCode } from '../memory/people/node-background';
import { nodeBackground } from '../memory/people/node-background';
import { type NodeDetails, nodeDetails } from '../memory/people/node-details';
import type { Project } from '../project/open';
import { askCopy, askTeam, TEAM_ID, TEAM_NODE, TEAM_TEXT, TEAM_TIME, teamMarks } from './ask-team';
import { ORIGIN } from './nodes';

/** Before the id of a memory that is the team's: both draw from the same ids. */
export const TEAM_PREFIX = 't:';

const MAX_LISTED = 200;
const MAX_NAME = 1_000;
const NAME = z.string().max(MAX_NAME);

export const TEAM_SUMMARY = TEAM_NODE.extend({
  kind: z.enum(NODE_KINDS),
  valid_until: TEAM_TIME.nullable(),
  tombstoned: z.union([z.literal(0), z.literal(1)]),
  standing: z.enum(STANDINGS),
});
const LINKED = z.array(z.object({ id: TEAM_ID, content: TEAM_TEXT })).max(MAX_LISTED);
const NODE = TEAM_SUMMARY.extend({
  namespace: NAME,
  origin: ORIGIN,
  rationale: TEAM_TEXT.nullable(),
  alternatives_rejected: z.array(TEAM_TEXT).max(MAX_LISTED),
  entities: LINKED,
  supersedes: LINKED,
  superseded_by: LINKED,
  chain: z
    .array(TEAM_SUMMARY.pick({ id: true, content: true, valid_from: true, valid_until: true, tombstoned: true }))
    .max(MAX_LISTED),
  code: z.array(z.object({ file_path: NAME, code_type: NAME, name: NAME })).max(MAX_LISTED),
});

type TeamNode = NodeDetails & Pick<Awaited<ReturnType<typeof nodeBackground>>, 'chain' | 'session' | 'code'>;

/**
 * Asks the team's server, or reads the copy while it is silent.
 * @param id with its prefix
 * @throws SvcError not_found where no team is asked, or it knows none; unavailable where it cannot be asked
 */
export async function nodeOfTeam(
  { memory, project, signal }: { readonly memory: Memory; readonly project: Project; readonly signal: AbortSignal },
  id: string,
): Promise<TeamNode> {
  const there = id.slice(TEAM_PREFIX.length);
  const { namespace } = memory.scope;
  if (!project.team()) throw unknownNode(id, 'id');
  const said = await askTeam(project, 'node', { id: there, namespace }, NODE, signal);
  if (said !== 'silent' && said !== 'shut') return ofTeam(said, id);
  const { answer, notice } = await askCopy(
    project,
    said,
    async (copy) => {
      const own = elsewhere(copy, namespace);
      const details = await nodeDetails(own, there);
      return { ...details, ...(await nodeBackground(own, details)) };
    },
    NODE,
    signal,
  );
  if (answer) return ofTeam(answer, id);
  throw unavailable(notice.replace(/:.*$/s, ''), 'Try again when it does');
}

function ofTeam(node: z.infer<typeof NODE> | undefined, id: string): TeamNode {
  if (!node) throw unknownNode(id, 'id');
  const { chain, code, entities, supersedes, superseded_by, marks, ...rest } = node;
  return {
    ...rest,
    ...{ id, marks: teamMarks(marks), aliases: [], nodes: [], session_id: null, session: null },
    ...{
      entities: entities.map(named),
      supersedes: supersedes.map(named),
      replaces: [],
      superseded_by: superseded_by.map(named),
    },
    chain: chain.map((link) => ({ ...link, id: TEAM_PREFIX + link.id })),
    // What became of it is for each working tree to say.
    code: code.map((one): TouchedCode => ({ ...one, verdict: null, now: null })),
  };
}

function named<Node extends { readonly id: string }>(node: Node): Node {
  return { ...node, id: TEAM_PREFIX + node.id };
}
