import type { Corpus, CorpusMemory } from './corpus';
import type { RpcClient } from './rpc-client';
import { type Timing, timed, timing } from './timing';

/** Of `memory_store`, in milliseconds. */
export interface NearCost {
  /** Of texts that state no value: near memories are not looked for. */
  readonly plain: Timing;
  /** Of texts that state one. */
  readonly valued: Timing;
}

/** In turns, so that a load of the machine meets both. */
export async function measureNearCost(server: RpcClient, corpus: Corpus, calls: number): Promise<NearCost> {
  const plain: number[] = [];
  const valued: number[] = [];
  const store = async (memory: CorpusMemory, times: number[]): Promise<void> => {
    times.push((await timed(() => server.text('memory_store', memory))).ms);
  };
  const memories = corpus.more(2 * calls).map((memory) => ({ ...memory, kind: 'fact' }));
  for (let i = 0; i < memories.length; i += 2) {
    const [one, other] = [memories[i], memories[i + 1]];
    if (!one || !other) break;
    const turns = [
      () => store(one, plain),
      () => store({ ...other, content: `${other.content} takes ${i} steps` }, valued),
    ];
    for (const turn of i % 4 === 0 ? turns : turns.reverse()) await turn();
  }
  return { plain: timing(plain), valued: timing(valued) };
}
