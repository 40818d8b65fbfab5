/** Direct hits of a phrase, without neighbours. */
import type { NodeKind } from '../../../kinds/kinds';
import type { Memory } from '../memory';
import { inquire } from './inquire';
import { score } from './score';

export interface Match {
  readonly seq: number;
  /** 1 for the best. */
  readonly relevance: number;
}

export interface MatchOptions {
  readonly kinds: readonly NodeKind[];
  /** `valid`: open and valid now; `closed`: superseded and refuted ones, too; `all`: forgotten ones as well. */
  readonly state: 'valid' | 'closed' | 'all';
  readonly limit: number;
}

/** The direct hits of a phrase in the active namespace, best first, without neighbours. */
export async function matches(memory: Memory, phrase: string, options: MatchOptions): Promise<Match[]> {
  const inquiry = await inquire(
    memory,
    {
      query: phrase,
      namespace: undefined,
      as_of: undefined,
      min_confidence: 0,
      kinds: options.kinds,
      closed: options.state !== 'valid',
      forgotten: options.state === 'all',
    },
    options.limit,
  );
  const nodes = inquiry.found.filter((node) => node.valid);
  const scores = score(nodes, inquiry).map((scored) => scored.relevance);
  const best = Math.max(0, ...scores);
  return nodes
    .map((node, i) => ({ seq: node.seq, relevance: best > 0 ? (scores[i] ?? 0) / best : 0 }))
    .sort((a, b) => b.relevance - a.relevance || b.seq - a.seq);
}
