/** Follows what others change in a team's memory, for as long as a window is open. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../base/clock';
import { failureOf } from '../base/team-error';
import type { TeamMemory } from './team-memory';

/** `silent`: it does not answer, and is asked again. `shut`: it lets this person not in. */
export type TeamState = 'answers' | 'silent' | 'shut';

interface FollowTeam {
  /** Somebody changed something, or may have done so while nobody could listen: told at each beginning, too. */
  readonly changed: () => void;
  /** Another state than before; `answers` until something else is known. */
  readonly state: (state: TeamState) => void;
  /** From 0 to 1, below 1: many windows must not come back at the same moment. */
  readonly random?: () => number;
  /** In milliseconds; false where it was told to stop meanwhile. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<boolean>;
  readonly now?: () => number;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** Somebody has to give another token first. */
const SHUT_WAIT_MS = MINUTE_MS;
/** A line that held for less was not good for anything. */
const STEADY_MS = 5_000;

/** It never throws. @returns what ends it */
export function followTeam(
  team: Pick<TeamMemory, 'follow'>,
  { changed, state, random = Math.random, wait = waitFor, now = performance.now.bind(performance) }: FollowTeam,
): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let known: TeamState = 'answers';
  const become = (next: TeamState): void => {
    if (next === known || signal.aborted) return;
    known = next;
    state(next);
  };
  const run = async (): Promise<void> => {
    let failures = 0;
    for (;;) {
      const began = now();
      let isHeard = false;
      const heard = (): void => {
        isHeard = true;
        become('answers');
        if (!signal.aborted) changed();
      };
      const failure = await team.follow(heard, signal).then(
        () => undefined,
        (error: unknown) => failureOf(error) ?? 'silent',
      );
      if (signal.aborted) return;
      if (failure === 'shut') become('shut');
      // A server that is started again is away for a moment, which nobody needs to know.
      else if (!isHeard && failures > 0) become('silent');
      // What cuts a line now and then does no harm.
      failures = isHeard && now() - began >= STEADY_MS ? 0 : failures + 1;
      const most = failure === 'shut' ? SHUT_WAIT_MS : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
      if (!(await wait(most * (0.5 + random() / 2), signal))) return;
    }
  };
  void run();
  return () => stop.abort();
}

function waitFor(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal, ref: false }).catch(() => false);
}
