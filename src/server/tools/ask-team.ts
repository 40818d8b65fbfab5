/** Asks the memory of a team, which somebody else runs. */
import * as z from 'zod/v4';
import { SvcError } from '../base/errors';
import { isPlainId } from '../base/shown';
import { MARKS, type Mark } from '../memory/marks';
import type { Project } from '../project/open';
import type { TeamMemory } from '../project/team-memory';

/** Nobody waits longer for a server. */
const LIMIT_MS = 2_000;
/** After a failure it is left alone for so long: each call would wait for it. */
const REST_MS = 15_000;
const MAX_CONTENT = 200_000;

const time = z.iso.datetime({ precision: 3 });
export const TEAM_ID = z.string().refine(isPlainId);
export const TEAM_TEXT = z.string().max(MAX_CONTENT);

/** What all memories of a team have. */
export const TEAM_NODE = z.object({
  id: TEAM_ID,
  content: TEAM_TEXT,
  confidence: z.number().min(0).max(1),
  recorded_at: time,
  valid_from: time,
  marks: z.array(z.string()).optional(),
});
export const TEAM_TIME = time;

/** What a server says of its own files and machine means nothing here. */
const KNOWN_MARKS: readonly Mark[] = MARKS.filter((mark) => !['foreign', 'shared', 'team'].includes(mark));

/** Those that count here, and `team`. */
export function teamMarks(marks: readonly string[] = []): Mark[] {
  return ['team', ...KNOWN_MARKS.filter((mark) => marks.includes(mark))];
}

const resting = new WeakMap<TeamMemory, number>();

/**
 * @param answer what is taken of the server's value; anything else is no answer
 * @returns undefined where no team is asked, `silent` where it does not answer; it never throws
 */
export async function askTeam<Answer>(
  { team, log }: Project,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  answer: z.ZodType<Answer>,
  signal: AbortSignal,
): Promise<Answer | 'silent' | undefined> {
  const server = team();
  if (!server) return undefined;
  if ((resting.get(server) ?? 0) > performance.now()) return 'silent';
  try {
    return answer.parse(await server.call(tool, input, { signal, limitMs: LIMIT_MS }));
  } catch (error) {
    if (signal.aborted) return undefined;
    // What it refuses it has looked at.
    if (error instanceof SvcError && error.code !== 'unavailable') return undefined;
    resting.set(server, performance.now() + REST_MS);
    log(error instanceof SvcError ? error.message : "the team's memory gave an answer that is none");
    return 'silent';
  }
}
