/** Knows which memories no longer fit their code. */
import * as vscode from 'vscode';
import type { Verdict } from '../../protocol/requests';
import type { Review, ReviewEntry } from '../../protocol/tool-values';
import type { Editor } from '../editor';
import type { Memories, Place } from '../memories';
import { described } from '../output';
import { isWholeFile, worstOfEach } from './side-bar/review-groups';

/** As many as a person looks through; what is settled makes room for others. */
const MOST_ENTRIES = 500;

/** Which memories no longer fit their code. Asked for when somebody wants to know, and again after a change. */
export interface Doubts extends vscode.Disposable {
  /**
   * By the memory's id: the last known state, at once. `onDidChange` reports changes. Those about a whole file, of which
   * some line changes each day, are left out: what is known here marks rows.
   */
  known(place: Place): ReadonlyMap<string, Verdict>;
  /** The same, freshly asked for. Empty when the server does not know. */
  of(place: Place): Promise<ReadonlyMap<string, Verdict>>;
  /** One for each memory, and whether there are more than these. */
  review(place: Place): Promise<{ readonly entries: readonly ReviewEntry[]; readonly more: boolean }>;
  readonly onDidChange: vscode.Event<void>;
}

type Verdicts = ReadonlyMap<string, Verdict>;

interface Known {
  /** What is being found out, or was and is still true. */
  review: Promise<Review> | undefined;
  /** What was found out last. */
  verdicts: Verdicts;
  /** How many memories were in doubt, on functions and on whole files, when the queue was last filled, even if fewer wait in it. */
  filledFor: string | undefined;
}

export function openDoubts(editor: Editor, memories: Memories): Doubts {
  const changed = new vscode.EventEmitter<void>();
  const places = new Map<string, Known>();
  const knownOf = ({ folder, namespace }: Place): Known => {
    const key = `${folder.toString()} ${namespace}`;
    const known = places.get(key) ?? { review: undefined, verdicts: new Map(), filledFor: undefined };
    places.set(key, known);
    return known;
  };

  const ask = async (place: Place, known: Known): Promise<Review> => {
    const [review, { stale, stale_files, store }] = await Promise.all([
      waiting(memories, place),
      memories.state(place),
    ]);
    const shown = worstOfEach(review.entries);
    // One that waits for its file already may be on a function that has changed since.
    const isFilled = stale + stale_files <= shown.length && stale <= shown.filter((one) => !isWholeFile(one)).length;
    const all = `${stale} ${stale_files}`;
    if (review.more || isFilled || known.filledFor === all || store.access !== 'own') return review;
    // Code has changed and its memories were not checked: what people see as stale has to be in the review queue.
    known.filledFor = all;
    try {
      await memories.call(place, 'memory_verify_staleness', {});
    } catch (error) {
      // A store that cannot be written is shown as it is.
      editor.log.warn(`Nothing was put up for review: ${described(error)}`);
      return review;
    }
    return waiting(memories, place);
  };
  const reviewOf = (place: Place): Promise<Review> => {
    const known = knownOf(place);
    if (known.review) return known.review;
    const asked = ask(place, known);
    known.review = asked;
    asked.then(
      ({ entries }) => {
        const verdicts = verdictsOf(worstOfEach(entries).filter((entry) => !isWholeFile(entry)));
        if (known.review !== asked || isSame(verdicts, known.verdicts)) return;
        known.verdicts = verdicts;
        changed.fire();
      },
      (error: unknown) => {
        if (known.review === asked) known.review = undefined;
        // Without a code graph nothing is known to be in doubt; the rows are shown all the same.
        editor.log.debug(described(error));
      },
    );
    return asked;
  };

  const forget = (folder: string, code: boolean): void => {
    for (const [key, known] of places) {
      if (!key.startsWith(folder)) continue;
      known.review = undefined;
      if (code) known.filledFor = undefined;
    }
  };
  const listening = vscode.Disposable.from(
    changed,
    memories.onDidChange(({ folder, what }) => forget(`${folder} `, what.includes('review') || what.includes('graph'))),
    vscode.workspace.onDidGrantWorkspaceTrust(() => forget('', true)),
  );
  return {
    onDidChange: changed.event,
    known(place) {
      reviewOf(place).catch(() => undefined);
      return knownOf(place).verdicts;
    },
    of: (place) =>
      reviewOf(place).then(
        ({ entries }) => verdictsOf(worstOfEach(entries)),
        () => new Map(),
      ),
    async review(place) {
      const { entries, more } = await reviewOf(place);
      return { entries: worstOfEach(entries), more };
    },
    dispose: () => listening.dispose(),
  };
}

function waiting(memories: Memories, place: Place): Promise<Review> {
  return memories.call<Review>(place, 'review', { only: 'code', limit: MOST_ENTRIES });
}

function verdictsOf(entries: readonly ReviewEntry[]): Verdicts {
  return new Map(entries.map(({ node, verdict }) => [node.id, verdict]));
}

function isSame(one: Verdicts, other: Verdicts): boolean {
  return one.size === other.size && [...one].every(([id, verdict]) => other.get(id) === verdict);
}
