import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conventionsIn } from './conventions';
import { startMemoryServer, withPlace, withServer } from './servers';

const SET = 'sets/conventions.json';

interface ConventionSet {
  readonly stores: readonly {
    readonly nodes: readonly { readonly key: string; readonly content: string; readonly kind: string }[];
    readonly questions: readonly {
      readonly q: string;
      readonly category: string;
      readonly evidence: readonly (readonly string[])[];
      readonly outdated?: readonly string[];
    }[];
  }[];
}

/** What `memory_store` said about memories that are like the new one, over one half of the chains. */
export interface SimilarQuality {
  readonly half: string;
  readonly chains: number;
  /** Conventions that are stored after one that they change. */
  readonly changed: number;
  /** Of these, those whose answer names an earlier one. */
  readonly named: number;
  readonly others: number;
  /** Of these, those whose answer names something that states none of their conventions. */
  readonly alarms: number;
}

/** The numbers in `memory/similar/find-near` were chosen on the chains with an even number. */
const HALVES = ['chains that the numbers were chosen on', 'chains left out'] as const;

/**
 * Stores the paragraphs of each chain one by one, in their order.
 * @param sets the folder of the sets of others
 * @returns undefined where the set is not there
 */
export async function measureSimilar(sets: string, every: number): Promise<SimilarQuality[] | undefined> {
  const file = join(sets, SET);
  if (!existsSync(file)) return undefined;
  // The file is part of the measurement: a wrong shape fails at its first use.
  const { stores } = JSON.parse(readFileSync(file, 'utf8')) as ConventionSet;
  const totals = HALVES.map((half) => ({ half, chains: 0, changed: 0, named: 0, others: 0, alarms: 0 }));
  for (const [i, store] of stores.entries()) {
    const total = totals[i % 2];
    if (!total || Math.floor(i / 2) % every !== 0) continue;
    total.chains += 1;
    const told = await storeAll(store.nodes);
    const places = new Map(store.nodes.map(({ key }, place) => [key, place]));
    const stated = store.nodes.map(({ content }) => conventionsIn(content));
    const placesStating = (keys: readonly string[], convention: string): number[] =>
      keys.map((key) => places.get(key) ?? -1).filter((place) => stated[place]?.has(convention));
    const changes = new Set<number>();
    for (const { q, category, evidence, outdated = [] } of store.questions) {
      if (category !== 'updated') continue;
      const convention = /for (.*) names/.exec(q)?.[1] ?? '';
      const earlier = placesStating(outdated, convention);
      const [first] = placesStating(evidence.flat(), convention).sort((a, b) => a - b);
      // The labels are of whole talks: the words of a few conventions are not found in theirs.
      if (first === undefined || earlier.length === 0) continue;
      changes.add(first);
      total.changed += 1;
      if (told[first]?.some((place) => earlier.includes(place))) total.named += 1;
    }
    for (const [place, others] of told.entries()) {
      if (changes.has(place)) continue;
      total.others += 1;
      const own = [...(stated[place] ?? [])];
      if (others.some((other) => !own.some((convention) => stated[other]?.has(convention)))) total.alarms += 1;
    }
  }
  return totals;
}

interface Stored {
  readonly node_id: string;
  readonly similar?: readonly { readonly node_id: string; readonly relation: string }[];
}

/** @returns for each paragraph the places of those that it was said to be near to */
function storeAll(nodes: readonly { readonly content: string; readonly kind: string }[]): Promise<number[][]> {
  return withPlace((place) =>
    withServer(startMemoryServer(place), async (server) => {
      const placeOf = new Map<string, number>();
      const told: number[][] = [];
      for (const [i, { content, kind }] of nodes.entries()) {
        const { node_id, similar = [] } = await server.value<Stored>('memory_store', { content, kind });
        const others = similar.filter(({ relation }) => relation !== 'same');
        told.push(others.map((other) => placeOf.get(other.node_id) ?? -1));
        if (!placeOf.has(node_id)) placeOf.set(node_id, i);
      }
      return told;
    }),
  );
}
