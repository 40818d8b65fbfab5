/** Says which links are in doubt, as far as that is known within a moment. */
import {
  type CodeIndex,
  type Doubtful,
  isDoubtful,
  type LocatedSymbol,
  linkIdentity,
  type TouchKey,
} from '../memory/code/touches';

/** An answer waits so long for what has to be judged first: docs/behaviour.md, "Lines and marks". */
const WAIT_MS = 30;
/**
 * Until something was judged: a process starts its reader of code with that. Its first answers are what an agent begins
 * with, and took everything for certain without it.
 */
const FIRST_WAIT_MS = 2_000;
/** As many files are judged for one answer. */
const MOST_FILES = 20;
/** What may change unseen is judged again after so long: each time may start Git. */
const AGAIN_AFTER_MS = 1_000;
/** What is known of more links than this is found out again. */
const MOST_KNOWN = 20_000;

export type DoubtLookup = NonNullable<CodeIndex['doubts']>;

export interface DoubtOptions {
  readonly waitMs?: number | undefined;
  readonly whenLate?: (() => void) | undefined;
}

interface Known {
  /** Changes when the file or HEAD does. */
  readonly state: string;
  readonly verdict: Doubtful | undefined;
  /** When it is to be judged again, though nothing tells that it changed; never for what only another state can change. */
  readonly until: number;
}

interface Asked {
  readonly key: TouchKey;
  readonly id: string;
  readonly state: string;
}

/**
 * What was found out is kept for as long as the file and HEAD stay as they are. What is not known yet is judged, one after
 * another; what is not done in time is known to the next answer. So is what became of a symbol that is not in its file, or is
 * in doubt: it may turn up elsewhere, or on another branch, so it is looked for again after the answer.
 * @param waitMs how long an answer waits; 30, and 2,000 until something was judged, where it is missing
 * @param whenLate called when an answer that did not wait would be another one by now, or may be after the next
 */
export function doubtLookup(
  code: Pick<CodeIndex, 'locate' | 'modifiedAt' | 'commit'>,
  { waitMs, whenLate }: DoubtOptions = {},
): DoubtLookup {
  const known = new Map<string, Known>();
  const waiting = new Map<string, Asked>();
  let inHand = new Map<string, Asked>();
  let judging: Promise<void> | undefined;
  let isReady = false;
  const judgeWaiting = async (): Promise<void> => {
    while (waiting.size > 0) {
      inHand = new Map(waiting);
      waiting.clear();
      const all = [...inHand.values()];
      const located = await code.locate(all.map(({ key }) => key));
      isReady = true;
      if (known.size + all.length > MOST_KNOWN) known.clear();
      const until = performance.now() + AGAIN_AFTER_MS;
      for (const [i, { id, key, state }] of all.entries()) known.set(id, { state, ...found(key, located[i], until) });
    }
  };
  /** What cannot be judged is not known: a graph that is closed meanwhile, or deleted, is no reason to fail. */
  const judge = (): Promise<void> => {
    judging ??= judgeWaiting()
      .catch(() => waiting.clear())
      .finally(() => {
        inHand.clear();
        judging = undefined;
      });
    return judging;
  };
  const knownOf = ({ id, state }: Asked): Known | undefined => {
    const one = known.get(id);
    return one?.state === state ? one : undefined;
  };
  const late = new Set<Asked>();
  let judgedInTime = 0;
  const tellLater = (unknown: readonly Asked[], judged: Promise<void>, tell: () => void): void => {
    const missed = unknown.filter((one) => !knownOf(one));
    if (missed.length === 0) return;
    if (late.size === 0) {
      judgedInTime = 0;
      judged.then(() => {
        const all = [...late];
        late.clear();
        const judgedLate = all.filter(knownOf);
        // Of many files some were left out: they are judged for the next answer.
        const isPart = judgedLate.length < all.length && judgedLate.length + judgedInTime > 0;
        if (isPart || judgedLate.some((one) => knownOf(one)?.verdict !== undefined)) tell();
      });
    }
    judgedInTime += unknown.length - missed.length;
    for (const one of missed) late.add(one);
  };
  return async (keys, most = Infinity) => {
    const head = code.commit?.() ?? null;
    const states = new Map<string, string>();
    for (const { file_path } of keys) {
      if (!states.has(file_path)) states.set(file_path, `${await code.modifiedAt(file_path)} ${head}`);
    }
    const asked = keys.map((key): Asked => ({ key, id: linkIdentity(key), state: states.get(key.file_path) ?? '' }));
    const unknown = asked.filter((one) => !knownOf(one));
    const again = asked.filter((one) => (knownOf(one)?.until ?? Infinity) < performance.now());
    const files = new Set<string>();
    for (const one of [...unknown, ...again]) {
      const { file_path } = one.key;
      if (files.size < MOST_FILES) files.add(file_path);
      if (files.has(file_path) && inHand.get(one.id)?.state !== one.state) waiting.set(one.id, one);
    }
    if (files.size > 0) {
      const judged = judge();
      if (unknown.length > 0) await within(Math.min(most, waitMs ?? (isReady ? WAIT_MS : FIRST_WAIT_MS)), judged);
      if (whenLate) tellLater(unknown, judged, whenLate);
    }
    return asked.map((one) => knownOf(one)?.verdict);
  };
}

function found({ file_path }: TouchKey, now: LocatedSymbol | undefined, until: number): Omit<Known, 'state'> {
  const verdict = now && isDoubtful(now.verdict) && !now.outside ? now.verdict : undefined;
  const isSettled = verdict === undefined && now?.symbol?.file_path === file_path && !now.ref;
  return { verdict, until: isSettled ? Infinity : until };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((done) => {
    timer = setTimeout(done, ms);
  });
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}
