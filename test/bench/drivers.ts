import { makeCorpus } from './corpus';
import { startMemoryServer, withPlace, withServer } from './servers';
import { best, type Timing, timed, timing } from './timing';

/** Milliseconds. */
export interface DriverSpeed {
  /** From the spawn of the process to the statistics. */
  readonly start: Timing;
  readonly recall: Timing;
  readonly store: Timing;
  readonly import: number;
}

export interface DriversSpeed {
  readonly size: number;
  /** The module that npm compiles. */
  readonly native: DriverSpeed;
  /** The one that comes with Node, in a thread of its own. */
  readonly node: DriverSpeed;
}

export interface DriversOptions {
  readonly runs: number;
  readonly calls: number;
  readonly spawns: number;
  readonly progress: (text: string) => void;
}

const SIZE = 10_000;
const BUDGET = 2_000;
const DRIVERS = ['native', 'node'] as const;
type Driver = (typeof DRIVERS)[number];

/** Both drivers of SQLite behind the same server: in turns, so that a load of the machine meets both. */
export function measureDrivers({ runs, calls, spawns, progress }: DriversOptions): Promise<DriversSpeed> {
  progress('the two drivers of SQLite');
  return withPlace((native) =>
    withPlace(async (node) => {
      const corpus = makeCorpus(SIZE);
      const queries = corpus.queries('question', calls);
      const places = { native, node };
      const start = (driver: Driver) => startMemoryServer(places[driver], { SVC_SQLITE: driver });
      const imports = { native: 0, node: 0 };
      for (const driver of DRIVERS) {
        await withServer(start(driver), async (server) => {
          await server.text('memory_stats', {});
          const { ms } = await timed(() => server.value<object>('memory_import', { nodes: corpus.memories }));
          imports[driver] = ms;
        });
      }
      const starts = { native: [] as number[], node: [] as number[] };
      for (let round = 0; round <= spawns; round++) {
        for (const driver of DRIVERS) {
          const { ms } = await timed(() => withServer(start(driver), (server) => server.text('memory_stats', {})));
          if (round > 0) starts[driver].push(ms);
        }
      }
      const recalls = { native: [] as Timing[], node: [] as Timing[] };
      const stores = { native: [] as Timing[], node: [] as Timing[] };
      for (let run = 0; run <= runs; run++) {
        for (const driver of DRIVERS) {
          await withServer(start(driver), async (server) => {
            const ask = async ({ text }: { readonly text: string }) =>
              (await timed(() => server.text('memory_recall', { query: text, budget_tokens: BUDGET }))).ms;
            const store = async (memory: object) => (await timed(() => server.text('memory_store', memory))).ms;
            const asked = timing(await each(queries, ask));
            const stored = timing(await each(corpus.more(calls), store));
            // The first run fills the caches.
            if (run > 0) recalls[driver].push(asked);
            if (run > 0) stores[driver].push(stored);
          });
        }
      }
      const of = (driver: Driver): DriverSpeed => ({
        start: timing(starts[driver]),
        recall: best(recalls[driver]),
        store: best(stores[driver]),
        import: imports[driver],
      });
      return { size: SIZE, native: of('native'), node: of('node') };
    }),
  );
}

async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (const item of items) times.push(await work(item));
  return times;
}
