/** Says which links are in doubt, or of another version, as far as that is known within a moment. */
import {
  type CodeIndex,
  type DoubtedKey,
  isDoubtful,
  type LocatedSymbol,
  linkIdentity,
  type Told,
  type TouchKey,
  type Verdict,
} from '../memory/code/touches';

/** An answer waits so long for what has to be judged first: docs/behaviour.md, "Lines and marks". */
const WAIT_MS = 30;
/**
 * Where a file is not as it was when it was judged, or linked: an agent asks once, right after an edit. The start of the
 * thread that takes the file apart, with its grammar, and five of Git are most of it: 325 ms on a busy machine.
 */
const CHANGED_WAIT_MS = 500;
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
/** As often the files of the links that were asked about last are looked at, where changes are judged ahead. */
const LOOK_MS = 1_000;
/** So long after the last answer. */
const FOLLOWED_MS = 30 * 60_000;
/** As many links are followed: each look costs a few calls of the file system for each of their files. */
const MOST_FOLLOWED = 300;

export type DoubtLookup = NonNullable<CodeIndex['doubts']>;

export interface DoubtOptions {
  readonly waitMs?: number | undefined;
  readonly whenLate?: (() => void) | undefined;
  /**
   * Until this ends, changes of what was asked about are judged before anybody asks again: for a process that nobody tells
   * of saved files, and whose first answer after an edit is the one that counts.
   */
  readonly aheadUntil?: AbortSignal | undefined;
}

interface Known {
  /** Changes when a file that it depends on does, or HEAD. */
  readonly state: string;
  /** As it was asked about, when nobody knew where it is by now. */
  readonly asked: string;
  /** The file that it was found in last, where that is not the one of the link. */
  readonly place: string | undefined;
  readonly verdict: Told | undefined;
  /** When it is to be judged again, though nothing tells that it changed; never for what only another state can change. */
  readonly until: number;
}

interface Asked {
  readonly key: DoubtedKey;
  readonly id: string;
  /** Changes when the file of the link or HEAD does. */
  readonly linked: string;
  /** As far as it is known; what is edited there changes the state, too. */
  readonly place: string | undefined;
  readonly state: string;
  /** Its file was modified since the link was made. */
  readonly isEdited: boolean;
}

/**
 * What was found out is kept for as long as the file, the one that it was found in and HEAD stay as they are. What is not known yet is judged, one after
 * another; what is not done in time is known to the next answer. So is what became of a symbol that is not in its file, or is
 * in doubt: it may turn up elsewhere, or on another branch, so it is looked for again after the answer.
 * What was asked for first comes before what is only judged again. What is not judged in time is as it was found last, by this
 * process or, where that found nothing yet, as it waits in review: a commit of other code leaves most of it as it is.
 * @param waitMs how long an answer waits; where it is missing, 30, or 500 for what may have changed, and 2,000 until
 * something was judged
 * @param whenLate called when an answer that did not wait would be another one by now, or may be after the next
 */
export function doubtLookup(
  code: Pick<CodeIndex, 'locate' | 'modifiedAt' | 'commit'>,
  { waitMs, whenLate, aheadUntil }: DoubtOptions = {},
): DoubtLookup {
  const known = new Map<string, Known>();
  const waiting = new Map<string, Asked>();
  let inHand = new Map<string, Asked>();
  let judging: Promise<void> | undefined;
  let isReady = false;
  /** Answers that wait look after each judging whether it was theirs. */
  const looking = new Set<() => void>();
  const judgeWaiting = async (): Promise<void> => {
    while (waiting.size > 0) {
      const open = [...waiting].filter(([, one]) => !knownOf(one));
      inHand = new Map(open.length === 0 ? waiting : open);
      for (const id of inHand.keys()) waiting.delete(id);
      const all = [...inHand.values()];
      const located = await code.locate(all.map(({ key }) => key));
      isReady = true;
      if (known.size + all.length > MOST_KNOWN) known.clear();
      const until = performance.now() + AGAIN_AFTER_MS;
      for (const [i, one] of all.entries()) known.set(one.id, await knownAs(one, located[i], until));
      for (const look of looking) look();
    }
  };
  /** What cannot be judged is not known: a graph that is closed meanwhile, or deleted, is no reason to fail. */
  const judge = (): Promise<void> => {
    judging ??= judgeWaiting()
      .catch(() => waiting.clear())
      .finally(() => {
        inHand.clear();
        looking.clear();
        judging = undefined;
      });
    return judging;
  };
  const stateOf = async (linked: string, place: string | undefined, modifiedAt = code.modifiedAt): Promise<string> =>
    place === undefined ? linked : `${linked} ${place} ${await modifiedAt(place)}`;
  const knownAs = async (one: Asked, now: LocatedSymbol | undefined, until: number): Promise<Known> => {
    const place = placeOf(one, now);
    const state = place === one.place ? one.state : await stateOf(one.linked, place);
    return { state, asked: one.state, place, ...found(one.key, now, until) };
  };
  const knownOf = ({ id, state }: Asked): Known | undefined => {
    const one = known.get(id);
    return one?.state === state || one?.asked === state ? one : undefined;
  };
  /** Ends when all of these are known. */
  const untilKnown = (wanted: readonly Asked[]): Promise<void> =>
    new Promise((done) => {
      const look = (): void => {
        if (wanted.every(knownOf)) done();
      };
      looking.add(look);
    });
  const late = new Map<Asked, Told | undefined>();
  let judgedInTime = 0;
  const tellLater = (unknown: readonly Asked[], judged: Promise<void>, tell: () => void): void => {
    const missed = unknown.filter((one) => !knownOf(one));
    if (missed.length === 0) return;
    if (late.size === 0) {
      judgedInTime = 0;
      judged.then(() => {
        const all = [...late];
        late.clear();
        const judgedLate = all.filter(([one]) => knownOf(one));
        // Of many files some were left out: they are judged for the next answer.
        const isPart = judgedLate.length < all.length && judgedLate.length + judgedInTime > 0;
        if (isPart || judgedLate.some(([one, said]) => knownOf(one)?.verdict !== said)) tell();
      });
    }
    judgedInTime += unknown.length - missed.length;
    for (const one of missed) late.set(one, known.get(one.id)?.verdict);
  };
  const withStates = async (keys: readonly DoubtedKey[]): Promise<Asked[]> => {
    const head = code.commit?.() ?? null;
    const modifiedAt = once(code.modifiedAt);
    return Promise.all(
      keys.map(async (key): Promise<Asked> => {
        const at = await modifiedAt(key.file_path);
        const isEdited = key.linked_at !== undefined && !(at !== undefined && at <= Date.parse(key.linked_at));
        const [id, linked] = [linkIdentity(key), `${at} ${head}`];
        const place = known.get(id)?.place;
        return { key, id, linked, place, state: await stateOf(linked, place, modifiedAt), isEdited };
      }),
    );
  };
  /** @returns the files of which links wait now, or are in hand: the first ones */
  const queue = (several: readonly Asked[]): ReadonlySet<string> => {
    const files = new Set<string>();
    for (const one of several) {
      const { file_path } = one.key;
      if (files.size < MOST_FILES) files.add(file_path);
      if (files.has(file_path) && inHand.get(one.id)?.state !== one.state) waiting.set(one.id, one);
    }
    return files;
  };
  let seen = new Map<string, string>();
  const judgeChanged = async (keys: readonly TouchKey[]): Promise<void> => {
    const now = await withStates(keys);
    // As at the last look: a checkout is done with it, and so is an editor that brings the code graph up to date.
    const changed = now.filter((one) => seen.get(one.id) === one.state && !knownOf(one));
    seen = new Map(now.map(({ id, state }) => [id, state]));
    if (queue(changed).size > 0) await judge();
  };
  const follow = aheadUntil && following(aheadUntil, judgeChanged);
  return async (keys, most = Infinity) => {
    const asked = await withStates(keys);
    const unknown = asked.filter((one) => !knownOf(one));
    const again = asked.filter((one) => (knownOf(one)?.until ?? Infinity) < performance.now());
    const files = queue([...unknown, ...again]);
    if (files.size > 0) {
      const judged = judge();
      const mayDiffer = unknown.some(({ id, isEdited }) => known.has(id) || isEdited);
      const usual = !isReady ? FIRST_WAIT_MS : mayDiffer ? CHANGED_WAIT_MS : WAIT_MS;
      const wanted = unknown.filter(({ key }) => files.has(key.file_path));
      if (wanted.length > 0) await within(Math.min(most, waitMs ?? usual), Promise.race([judged, untilKnown(wanted)]));
      if (whenLate) tellLater(unknown, judged, whenLate);
    }
    follow?.(asked);
    return asked.map(({ id, key }) => (known.has(id) ? known.get(id)?.verdict : (key.queued ?? undefined)));
  };
}

/** @returns has those that were asked about looked at, again and again */
function following(
  ended: AbortSignal,
  look: (keys: readonly TouchKey[]) => Promise<void>,
): (asked: readonly Asked[]) => void {
  const followed = new Map<string, TouchKey>();
  let timer: NodeJS.Timeout | undefined;
  let askedAt = 0;
  const end = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const lookAgain = (): void => {
    if (performance.now() - askedAt > FOLLOWED_MS) end();
    // What cannot be looked at is judged when it is asked for.
    else look([...followed.values()]).catch(() => undefined);
  };
  return (asked) => {
    for (const { id, key } of asked) {
      followed.delete(id);
      followed.set(id, key);
    }
    for (const id of followed.keys()) {
      if (followed.size <= MOST_FOLLOWED) break;
      followed.delete(id);
    }
    askedAt = performance.now();
    if (timer || ended.aborted) return;
    timer = setInterval(lookAgain, LOOK_MS).unref();
    ended.addEventListener('abort', end, { once: true });
  };
}

/** For one file after another, each of which is looked at once. */
function once(modifiedAt: CodeIndex['modifiedAt']): CodeIndex['modifiedAt'] {
  const looked = new Map<string, ReturnType<typeof modifiedAt>>();
  return (path) => {
    const found = looked.get(path) ?? modifiedAt(path);
    looked.set(path, found);
    return found;
  };
}

/** What is not found may come back to where it was found last. */
function placeOf({ key, place }: Asked, now: LocatedSymbol | undefined): string | undefined {
  const path = now?.symbol?.file_path ?? place;
  return path === key.file_path ? undefined : path;
}

function found(
  { file_path }: TouchKey,
  now: LocatedSymbol | undefined,
  until: number,
): Pick<Known, 'verdict' | 'until'> {
  const verdict = now && !now.outside ? toldOf(now.verdict) : undefined;
  const isSettled = verdict === undefined && now?.symbol?.file_path === file_path && !now.ref;
  return { verdict, until: isSettled ? Infinity : until };
}

function toldOf(verdict: Verdict): Told | undefined {
  return verdict === 'other version' || isDoubtful(verdict) ? verdict : undefined;
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((done) => {
    timer = setTimeout(done, ms);
  });
  await Promise.race([work, over]).finally(() => clearTimeout(timer));
}
