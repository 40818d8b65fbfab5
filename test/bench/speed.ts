import { findSecret } from '../../src/server/secrets/find-secret';
import { type Corpus, type CorpusQuery, makeCorpus, QUERY_CLASSES, type QueryClass } from './corpus';
import { fillBudget } from './fill-budget';
import { measureNearCost, type NearCost } from './near-cost';
import { createEntities, searchEachWord, searchOnce } from './official-server';
import { openRawFts, type RawFts, tellingWordsOf, wordsOf } from './raw-fts';
import type { RpcClient } from './rpc-client';
import { type Place, startMemoryServer, startOfficialServer, withPlace, withServer } from './servers';
import { best, type Timing, timed, timing } from './timing';

/** Milliseconds, and the share of the calls whose target was in the answer. */
export interface Recall extends Timing {
  readonly found: number;
}

export interface SizeSpeed {
  readonly size: number;
  readonly recall: Readonly<Record<QueryClass, { ours: Recall; raw: Recall; official: Recall; officialOnce: Recall }>>;
  /** `secrets`: what of it is the look for secrets, in this process. */
  readonly store: { readonly ours: Timing; readonly secrets: Timing; readonly raw: Timing; readonly official: Timing };
  readonly near: NearCost;
  /**
   * In milliseconds. `oneMessage` only where one call would not have taken it all anyway, and then how long another
   * process waits for a store of its own meanwhile, at the longest.
   */
  readonly import: {
    readonly ours: number;
    readonly raw: number;
    readonly official: number;
    readonly oneMessage?: number;
    readonly waitBeside?: number;
  };
  /** In bytes, after one answer, after one series of recalls, and after all calls; then five seconds of rest. */
  readonly resident: {
    readonly fresh: number | undefined;
    readonly recalled: number | undefined;
    readonly everything: number | undefined;
    readonly official: number | undefined;
  };
  /** In bytes, when the server has ended. */
  readonly disk: { readonly ours: number; readonly raw: number; readonly official: number };
}

export interface SpeedOptions {
  readonly runs: number;
  readonly calls: number;
  readonly progress: (text: string) => void;
}

const BUDGET = 2_000;
const WARM_UP_CALLS = 20;
const IMPORT_CALL = 10_000;
const REST_MS = 5_000;
const BETWEEN_STORES_MS = 20;
/** Calls of the official server in one series: it reads its whole file in each of them. */
const OFFICIAL_CALLS = 1_000_000;
const MOST_OFFICIAL_CALLS = 50;
const FEWEST_OFFICIAL_CALLS = 9;
const DAY = '2026-01-01';

/** Measures one size: our built server and the official one over stdio, raw FTS5 in this process. */
export function measureSize(size: number, options: SpeedOptions): Promise<SizeSpeed> {
  return withPlace((oursPlace) =>
    withPlace((rawPlace) =>
      withPlace(async (officialPlace) => {
        const corpus = makeCorpus(size);
        const { runs, progress } = options;
        progress(`${size}: import`);
        const imports: number[] = [];
        for (let run = 1; run < runs; run++) imports.push(await withPlace((place) => importTime(place, corpus)));
        const ids: string[] = [];
        imports.push(await importTime(oursPlace, corpus, ids));
        const long =
          size > IMPORT_CALL
            ? { oneMessage: await importInOneMessage(corpus, runs), waitBeside: await waitBesideImport(corpus) }
            : {};
        const raw = await openRawFts(rawPlace, 'unicode61');
        const rawImport = await timed(() => raw.insert(corpus.memories.map(({ content }) => content)));

        progress(`${size}: the official server`);
        const official = await measureOfficial(officialPlace, corpus, options);

        const { fresh, recalled } = await withServer(startMemoryServer(oursPlace), async (server) => {
          const queries = corpus.queries('question', options.calls);
          await recall(server, queries[0]?.text ?? '');
          await rest();
          const fresh = server.residentBytes();
          for (const { text } of queries) await recall(server, text);
          await rest();
          return { fresh, recalled: server.residentBytes() };
        });
        const ours = await withServer(startMemoryServer(oursPlace), async (server) => {
          const perClass = {} as Record<QueryClass, { ours: Recall; raw: Recall }>;
          for (const kind of QUERY_CLASSES) {
            progress(`${size}: recall, ${kind}`);
            perClass[kind] = await recallSeries(server, raw, corpus.queries(kind, options.calls), ids, options);
          }
          progress(`${size}: store`);
          const store = await storeSeries(server, raw, corpus, options);
          const near = await measureNearCost(server, corpus, options.calls);
          await rest();
          return { perClass, store, near, everything: server.residentBytes() };
        });
        await raw.close();
        return {
          size,
          recall: byClass((kind) => ({ ...ours.perClass[kind], ...official.recall[kind] })),
          store: { ...ours.store, official: official.store },
          near: ours.near,
          import: {
            ours: Math.min(...imports),
            raw: rawImport.ms,
            official: official.import,
            ...long,
          },
          resident: { fresh, recalled, everything: ours.everything, official: official.resident },
          disk: { ours: oursPlace.bytes(), raw: rawPlace.bytes(), official: official.disk },
        };
      }),
    ),
  );
}

/** @returns how long the calls took together, without the start of the server
 * @param ids receives the ids in the order of the corpus */
function importTime(place: Place, { memories }: Corpus, ids: string[] = []): Promise<number> {
  return withServer(startMemoryServer(place), async (server) => {
    await server.text('memory_stats', {});
    let sum = 0;
    for (let at = 0; at < memories.length; at += IMPORT_CALL) {
      const nodes = memories.slice(at, at + IMPORT_CALL);
      const { ms, result } = await timed(() => server.value<{ node_ids: string[] }>('memory_import', { nodes }));
      sum += ms;
      ids.push(...result.node_ids);
    }
    return sum;
  });
}

async function importInOneMessage({ memories }: Corpus, runs: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const { ms } = await withPlace((place) =>
      withServer(startMemoryServer(place), async (server) => {
        await server.text('memory_stats', {});
        return timed(() => server.value<object>('memory_import', { nodes: memories }));
      }),
    );
    times.push(ms);
  }
  return Math.min(...times);
}

/** How long one process waits for its stores, at the longest, while another one imports. A refusal is an error. */
function waitBesideImport(corpus: Corpus): Promise<number> {
  return withPlace((place) =>
    withServer(startMemoryServer(place), (importer) =>
      withServer(startMemoryServer(place), async (other) => {
        for (const server of [importer, other]) await server.text('memory_stats', {});
        let isDone = false;
        const importing = importer.value<object>('memory_import', { nodes: corpus.memories }).finally(() => {
          isDone = true;
        });
        const waits: number[] = [];
        while (!isDone) {
          const [memory] = corpus.more(1);
          waits.push((await timed(() => other.text('memory_store', memory ?? {}))).ms);
          await new Promise((done) => setTimeout(done, BETWEEN_STORES_MS));
        }
        await importing;
        return Math.max(...waits);
      }),
    ),
  );
}

/** Raw FTS5 is asked the same right before each run of ours, so that both meet the same load of the machine. */
async function recallSeries(
  server: RpcClient,
  raw: RawFts,
  queries: readonly CorpusQuery[],
  ids: readonly string[],
  { runs }: SpeedOptions,
): Promise<{ ours: Recall; raw: Recall }> {
  const results = { ours: [] as Recall[], raw: [] as Recall[] };
  for (const { text } of queries.slice(0, WARM_UP_CALLS)) {
    await raw.search(wordsOf(text));
    await recall(server, text);
  }
  for (let run = 0; run < runs; run++) {
    results.raw.push(
      await series(queries, async ({ text, target }) => {
        const { ms, result } = await timed(() => raw.search(wordsOf(text)));
        const lines = result.map(({ place, content }) => ({ id: String(place), content, day: DAY }));
        return { ms, found: fillBudget(lines, BUDGET).includes(`[${target}]`) };
      }),
    );
    results.ours.push(
      await series(queries, async ({ text, target }) => {
        const { ms, result } = await timed(() => recall(server, text));
        return { ms, found: result.includes(`- [${ids[target]}]`) };
      }),
    );
  }
  return { ours: bestRecall(results.ours), raw: bestRecall(results.raw) };
}

async function storeSeries(
  server: RpcClient,
  raw: RawFts,
  corpus: Corpus,
  { runs, calls }: SpeedOptions,
): Promise<{ ours: Timing; secrets: Timing; raw: Timing }> {
  const ours: Timing[] = [];
  const secrets: Timing[] = [];
  const rawTimes: Timing[] = [];
  for (const memory of corpus.more(WARM_UP_CALLS)) await server.text('memory_store', memory);
  for (let run = 0; run < runs; run++) {
    const memories = corpus.more(calls);
    rawTimes.push(timing(await durations(memories, ({ content }) => raw.insert([content]))));
    ours.push(timing(await durations(memories, (memory) => server.text('memory_store', memory))));
    const look = async ({ content }: { readonly content: string }) => findSecret(content);
    secrets.push(timing(await durations(memories, look)));
  }
  return { ours: best(ours), secrets: best(secrets), raw: best(rawTimes) };
}

async function measureOfficial(place: Place, corpus: Corpus, { calls }: SpeedOptions) {
  const { memories } = corpus;
  const several = Math.max(FEWEST_OFFICIAL_CALLS, Math.min(MOST_OFFICIAL_CALLS, OFFICIAL_CALLS / memories.length));
  const count = Math.min(calls, several);
  const measured = await withServer(startOfficialServer(place), async (server) => {
    let importing = 0;
    for (let at = 0; at < memories.length; at += IMPORT_CALL) {
      const entities = memories
        .slice(at, at + IMPORT_CALL)
        .map(({ content, kind }, i) => ({ name: String(at + i), entityType: kind, observations: [content] }));
      importing += (await timed(() => createEntities(server, entities))).ms;
    }
    const perClass = {} as Record<QueryClass, { official: Recall; officialOnce: Recall }>;
    for (const kind of QUERY_CLASSES) {
      const queries = corpus.queries(kind, count);
      const asked = (search: (text: string) => ReturnType<typeof searchEachWord>) =>
        series(queries, async ({ text, target }) => {
          const { ms, result } = await timed(() => search(text));
          const lines = result.map(({ name, observations }) => ({
            id: name,
            content: observations.join(' '),
            day: DAY,
          }));
          return { ms, found: fillBudget(lines, BUDGET).includes(`[${target}]`) };
        });
      perClass[kind] = {
        official: await asked((text) => searchEachWord(server, tellingWordsOf(text))),
        officialOnce: await asked(async (text) => [...(await searchOnce(server, text))]),
      };
    }
    const added = corpus.more(count);
    const store = timing(
      await durations(added, ({ content }, i) =>
        server.text('add_observations', { observations: [{ entityName: String(i), contents: [content] }] }),
      ),
    );
    await rest();
    return { import: importing, recall: perClass, store, resident: server.residentBytes() };
  });
  return { ...measured, disk: place.bytes() };
}

async function recall(server: RpcClient, query: string): Promise<string> {
  return server.text('memory_recall', { query, budget_tokens: BUDGET });
}

async function series<Item>(
  items: readonly Item[],
  ask: (item: Item) => Promise<{ readonly ms: number; readonly found: boolean }>,
): Promise<Recall> {
  const answers: { readonly ms: number; readonly found: boolean }[] = [];
  for (const item of items) answers.push(await ask(item));
  const found = answers.filter((answer) => answer.found).length / items.length;
  return { ...timing(answers.map(({ ms }) => ms)), found };
}

async function durations<Item>(
  items: readonly Item[],
  work: (item: Item, place: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  for (const [i, item] of items.entries()) times.push((await timed(() => work(item, i))).ms);
  return times;
}

/** The best time of the runs; a target has to be found in every one of them. */
function bestRecall(runs: readonly Recall[]): Recall {
  return { ...best(runs), found: Math.min(...runs.map(({ found }) => found)) };
}

function byClass<Value>(of: (kind: QueryClass) => Value): Record<QueryClass, Value> {
  return { words: of('words'), question: of('question'), common: of('common') };
}

function rest(): Promise<void> {
  return new Promise((done) => setTimeout(done, REST_MS));
}
