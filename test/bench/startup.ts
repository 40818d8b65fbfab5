import { makeCorpus } from './corpus';
import { createEntities } from './official-server';
import type { RpcClient } from './rpc-client';
import { startDoNothingServer, startMemoryServer, startOfficialServer, withPlace, withServer } from './servers';
import { type Timing, timing } from './timing';

export interface Startup {
  /** Our server until it has answered a recall from a store of 1,000 memories. */
  readonly recall: Timing;
  /** The same until the statistics, which need no tokenizer. */
  readonly stats: Timing;
  readonly doNothing: Timing;
  /** One as the SDK's documentation has it, in one minified bundle. */
  readonly doNothingPlain: Timing;
  /** The official server until it has answered a search among 1,000 memories. */
  readonly official: Timing;
}

const MEMORIES = 1_000;

/** From the spawn of the process to the first answer of a tool, the handshake included, in milliseconds. */
export async function measureStartup(spawns: number): Promise<Startup> {
  return withPlace((ours) =>
    withPlace(async (theirs) => {
      const { memories } = makeCorpus(MEMORIES);
      await withServer(startMemoryServer(ours), (server) => server.text('memory_import', { nodes: memories }));
      await withServer(startOfficialServer(theirs), (server) =>
        createEntities(
          server,
          memories.map(({ content, kind }, i) => ({ name: String(i), entityType: kind, observations: [content] })),
        ),
      );
      const question = { query: memories[0]?.content.split(' ').slice(0, 3).join(' ') ?? '' };
      const starts: Record<keyof Startup, () => Promise<number>> = {
        doNothing: () => firstAnswer(() => startDoNothingServer(ours, 'alike'), 'nothing', {}),
        recall: () => firstAnswer(() => startMemoryServer(ours), 'memory_recall', question),
        stats: () => firstAnswer(() => startMemoryServer(ours), 'memory_stats', {}),
        doNothingPlain: () => firstAnswer(() => startDoNothingServer(ours, 'plainly'), 'nothing', {}),
        official: () => firstAnswer(() => startOfficialServer(theirs), 'search_nodes', question),
      };
      const names = Object.keys(starts) as (keyof Startup)[];
      const times = new Map(names.map((name) => [name, [] as number[]]));
      // In turns, so that a load of the machine meets all of them. The first round fills the caches.
      for (let round = 0; round <= spawns; round++) {
        for (const name of names) {
          const ms = await starts[name]();
          if (round > 0) times.get(name)?.push(ms);
        }
      }
      const of = (name: keyof Startup) => timing(times.get(name) ?? []);
      return {
        recall: of('recall'),
        stats: of('stats'),
        doNothing: of('doNothing'),
        doNothingPlain: of('doNothingPlain'),
        official: of('official'),
      };
    }),
  );
}

async function firstAnswer(start: () => RpcClient, tool: string, parameters: object): Promise<number> {
  const begin = performance.now();
  return withServer(start(), async (server) => {
    await server.text(tool, parameters);
    return performance.now() - begin;
  });
}
