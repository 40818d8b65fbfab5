/** Asks the memory of a team, which somebody else runs. */
import * as z from 'zod/v4';
import { timestamp } from '../base/clock';
import { SvcError } from '../base/errors';
import { isPlainId, shownMinute } from '../base/shown';
import { failureOf } from '../base/team-error';
import { MARKS, type Mark } from '../memory/marks';
import type { Memory } from '../memory/memory';
import type { Project } from '../project/open';
import type { TeamMemory } from '../project/team-memory';
import { withinLimit } from './within-limit';

/** Nobody waits longer for a server. */
const LIMIT_MS = 2_000;
/** Unasked, each of the two steps (opening the copy, reading it) gets this long. */
const UNASKED_LIMIT_MS = 500;
/** While it is silent it is left alone for so long: each call would wait for it. Who is not let in may have a token by now. */
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

/** Why there is no answer: it is silent, or lets this person not in. */
export type NoAnswer = 'silent' | 'shut';

/** Until when, by `performance.now`. */
const resting = new WeakMap<TeamMemory, number>();

/** It was heard of again: nobody waits until it may be asked. */
export function endRest(team: TeamMemory): void {
  resting.delete(team);
}

/**
 * @param answer what is taken of the server's value; anything else is no answer
 * @returns undefined where no team is asked, and why where it gives no answer; it never throws
 */
export async function askTeam<Answer>(
  { team, log }: Project,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  answer: z.ZodType<Answer>,
  signal: AbortSignal,
): Promise<Answer | NoAnswer | undefined> {
  const server = team();
  if (!server) return undefined;
  const rest = resting.get(server);
  if (rest !== undefined && rest > performance.now()) return 'silent';
  try {
    return answer.parse(await server.call(tool, input, { signal, limitMs: LIMIT_MS }));
  } catch (error) {
    if (signal.aborted) return undefined;
    // What it refuses it has looked at.
    if (error instanceof SvcError && error.code !== 'unavailable') return undefined;
    const why = failureOf(error) === 'shut' ? 'shut' : 'silent';
    if (why === 'silent') resting.set(server, performance.now() + REST_MS);
    log(error instanceof SvcError ? error.message : "the team's memory gave an answer that is none");
    return why;
  }
}

/** What the copy on this machine says in place of a server that does not answer. */
export interface FromCopy<Answer> {
  readonly answer: Answer | undefined;
  /** When the server said that this is what there is, in milliseconds since the epoch. */
  readonly at?: number;
  /** Of when it is, where it says anything. */
  readonly notice: string;
}

const SHUT =
  'The team\'s memory does not let you in with this token: this is from your own alone. "svc-memory login" says what to do.';
const OWN_ALONE = "The team's memory does not answer now: this is from your own alone.";
const DOES_NOT_ANSWER = "The team's memory does not answer now: what is the team's is";

/**
 * Reads the copy of the team's memory as a stranger's: within a time, and what is not in our form is no answer.
 * @param why `unasked`: nobody waits for the server
 * @param read asks it; what it gives is checked as what the server gives
 * @returns without an answer where there is no copy, or none that can be read; it never throws
 */
export async function askCopy<Answer>(
  { team, log }: Project,
  why: NoAnswer | 'unasked',
  read: (memory: Memory) => Promise<unknown>,
  answer: z.ZodType<Answer>,
  signal: AbortSignal,
): Promise<FromCopy<Answer>> {
  // Who is not let in is not to read on here.
  if (why === 'shut') return { answer: undefined, notice: SHUT };
  try {
    const limitMs = why === 'silent' ? LIMIT_MS : UNASKED_LIMIT_MS;
    const copy = await team()?.copy.open(why === 'silent' ? undefined : AbortSignal.timeout(limitMs));
    if (copy) {
      const value = await withinLimit(copy.store, limitMs, signal, (sql) => read({ ...copy.memory, sql }));
      const at = shownMinute(timestamp(copy.at));
      return {
        ...{ answer: answer.parse(value), at: copy.at },
        notice: `${why === 'silent' ? DOES_NOT_ANSWER : "What is the team's is"} from a copy of ${at} UTC.`,
      };
    }
  } catch (error) {
    // What it refuses it has looked at.
    if (!(error instanceof SvcError) || error.code === 'unavailable')
      log(`the copy of the team's memory: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { answer: undefined, notice: OWN_ALONE };
}
