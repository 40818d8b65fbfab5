/** `team`: what the memory of the team holds, for people. */
import * as z from 'zod/v4';
import { MEMORY_KINDS } from '../../kinds/kinds';
import { timestamp } from '../base/clock';
import { counted } from '../base/counted';
import { shownMinute } from '../base/shown';
import { cut, oneLine } from '../base/text';
import { MAX_NAME_LENGTH } from '../memory/limits';
import { elsewhere } from '../memory/other-namespace';
import { listNodes, type NodeSummary } from '../memory/people/node-details';
import { nodeSummaryLine } from '../render/node-page';
import { askCopy, askTeam, teamMarks } from './ask-team';
import { defineTool } from './define-tool';
import { NODE_SUMMARY, ORIGIN } from './nodes';
import { TEAM_PREFIX, TEAM_SUMMARY } from './team-node';

const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 20;
const MAX_PERSON = 60;

const ITEM = TEAM_SUMMARY.extend({ origin: ORIGIN.optional() });
/** What does not fit is left out. */
const ITEMS = z.array(z.unknown()).max(MAX_LIMIT);

interface Answer {
  /** Null where the project names no team, or nobody has agreed to ask it. */
  readonly address: string | null;
  readonly state: 'answers' | 'silent' | 'shut';
  /** When the copy was made that this is from; null where it is from the server, or there is none. */
  readonly copy_at: string | null;
  /** How many wait here to be sent, and how many the server did not take. */
  readonly waiting: number;
  readonly refused: number;
  readonly items: readonly (NodeSummary & { readonly by: string })[];
}

const NO_TEAM: Answer = { address: null, state: 'answers', copy_at: null, waiting: 0, refused: 0, items: [] };

export const team = defineTool({
  name: 'team',
  title: 'List what the team remembers',
  description: "Memories of this project's team, newest first, and who stored them.",
  audience: 'human',
  effect: 'read',
  input: z.strictObject({
    kinds: z.array(z.enum(MEMORY_KINDS)).default([]).describe('Only these kinds'),
    letters: z.string().max(MAX_NAME_LENGTH).default('').describe('Only memories that contain these words'),
    limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  }),
  output: z.object({
    address: z.string().nullable(),
    state: z.enum(['answers', 'silent', 'shut']),
    copy_at: z.string().nullable(),
    waiting: z.int(),
    refused: z.int(),
    items: z.array(NODE_SUMMARY.extend({ by: z.string() })).readonly(),
  }),
  run: async ({ memory, project, signal }, { kinds, letters, limit }): Promise<Answer> => {
    const server = project.team();
    if (!server) return NO_TEAM;
    const { namespace } = memory.scope;
    const asked = { kinds: kinds.length === 0 ? [...MEMORY_KINDS] : kinds, letters, limit };
    const [said, outbox] = await Promise.all([
      askTeam(project, 'nodes', { ...asked, namespace, origins: true }, ITEMS, signal),
      server.waiting(),
    ]);
    const answer = { address: server.address, copy_at: null, ...outbox };
    if (said !== 'silent' && said !== 'shut') {
      return { ...answer, state: 'answers', items: itemsIn(said) };
    }
    const copy = await askCopy(
      project,
      said,
      (there) => listNodes(elsewhere(there, namespace), { ...EVERYTHING, ...asked, origins: true }),
      ITEMS,
      signal,
    );
    const at = copy.at === undefined ? null : timestamp(copy.at);
    return { ...answer, state: said, copy_at: at, items: itemsIn(copy.answer) };
  },
  render: printed,
});

const EVERYTHING = {
  ...{ file: '', symbol: '', session_id: undefined, entity_id: undefined, id_prefix: undefined, in_file: undefined },
  ...{ before: undefined, closed: false, forgotten: false },
};

function itemsIn(answer: readonly unknown[] = []): Answer['items'] {
  return answer.flatMap((given) => {
    const parsed = ITEM.safeParse(given);
    return parsed.success ? [itemOf(parsed.data)] : [];
  });
}

function itemOf({ origin, marks, id, ...node }: z.infer<typeof ITEM>): Answer['items'][number] {
  // The server puts the person before the name of a client.
  const isSomebody = origin && (origin.kind === 'agent' || origin.kind === 'person');
  const [by = ''] = isSomebody ? origin.name.split(' · ') : [];
  return { ...node, id: TEAM_PREFIX + id, session_id: null, marks: teamMarks(marks), by: cut(oneLine(by), MAX_PERSON) };
}

function printed({ address, state, copy_at, waiting, refused, items }: Answer): string {
  if (address === null) return "There is no team's memory that you have agreed to ask.";
  const copy = copy_at === null ? '' : ` This is its copy of ${shownMinute(copy_at)} UTC.`;
  const lines = items.map((item) => `${nodeSummaryLine(item)}${item.by === '' ? '' : ` (${item.by})`}`);
  return [
    ...(state === 'silent' ? [`The team's memory does not answer.${copy}`] : []),
    ...(state === 'shut' ? ["The team's memory does not let you in with this token."] : []),
    ...(waiting > 0 ? [`${counted(waiting, 'memory')} wait${waiting === 1 ? 's' : ''} here to be sent.`] : []),
    ...(refused > 0 ? [`The team has refused ${counted(refused, 'memory')}.`] : []),
    ...(lines.length === 0 && state === 'answers' ? ['The team remembers nothing here yet.'] : lines),
  ].join('\n');
}
