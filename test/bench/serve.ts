import { HAS_ENGINE } from '../../scripts/engine-program.mjs';
import { withEngine } from '../support/engine';
import { type CorpusMemory, makeCorpus } from './corpus';
import { type FailOver, measureFailOver } from './fail-over';
import { startMemoryServer, withPlace, withServer } from './servers';
import { factsIn, type TeamCaller, withTeamServer } from './team-callers';
import { type Timing, timed, timing } from './timing';

/** A server for many beside a process for one, in one run. */
export interface ServeSpeed {
  readonly clients: number;
  readonly local: Asked & { readonly store: Timing; readonly recall: Timing };
  readonly onFile: Served;
  /** Undefined where the packages have no engine for the machine. */
  readonly onEngine: Served | undefined;
  readonly failOver: FailOver | undefined;
}

/** What many ask at once, in a second. */
interface Asked {
  readonly stores: number;
  /** While a writer stores without a pause. */
  readonly recalls: number;
}

export interface Served extends Asked {
  /** Of the stores of the clients. `lost`: acknowledged and not there; less than 0 where some are there twice. */
  readonly refused: number;
  readonly lost: number;
  readonly p95: number;
  /** In milliseconds, by the time that a round trip takes. */
  readonly distances: readonly Distance[];
}

export interface Distance {
  readonly roundTrip: number;
  readonly store: Timing;
  readonly recall: Timing;
  /** Requests of HTTP for one call of a tool. */
  readonly requests: number;
}

const CLIENTS = 50;
const STORES_EACH = 20;
const SIZE = 10_000;
const ROUND_TRIPS = [0, 5, 20];

export async function measureServe(calls: number, progress: (text: string) => void): Promise<ServeSpeed> {
  const corpus = makeCorpus(SIZE);
  const nodes = factsOf(corpus.memories);
  const texts = corpus.queries('question', calls).map(({ text }) => text);
  const many = factsOf(corpus.more(CLIENTS * STORES_EACH));
  const given: Given = { nodes, texts, calls, many, single: factsOf(corpus.more(ROUND_TRIPS.length * calls)) };
  progress('serve: one process');
  const local = await withPlace((place) =>
    withServer(startMemoryServer(place), async (server) => {
      await server.value('memory_import', { nodes });
      const store = await series(calls, (i) => server.value('memory_store', given.single[i] ?? {}));
      const recall = await series(calls, (i) => server.text('memory_recall', { query: texts[i % texts.length] }));
      const { ms } = await timed(() => Promise.all(many.map((each) => server.value('memory_store', each))));
      return { store, recall, stores: (many.length / ms) * 1_000, recalls: await beside(server, texts) };
    }),
  );
  const served = (env: Readonly<Record<string, string>>, where: string): Promise<Served> =>
    withPlace((place) =>
      withTeamServer(place, env, (open) => measureServed(open, given, (text) => progress(`serve, ${where}: ${text}`))),
    );
  const onFile = await served({}, 'on a file');
  const onEngine = HAS_ENGINE
    ? await withEngine(({ address, admin }) =>
        served({ SVC_MEMORY_DB: address, SVC_MEMORY_DB_ADMIN: admin }, 'on an engine'),
      )
    : undefined;
  if (HAS_ENGINE) progress('serve: fail-over');
  const failOver = HAS_ENGINE ? await measureFailOver(nodes.slice(0, 1_000)) : undefined;
  return { clients: CLIENTS, local, onFile, onEngine, failOver };
}

interface Given {
  readonly nodes: readonly object[];
  readonly texts: readonly string[];
  readonly calls: number;
  /** Stored at once. Of a text that states a value alone, a search would be made, so all are of the same kind. */
  readonly many: readonly object[];
  /** Stored one after the other. */
  readonly single: readonly object[];
}

async function measureServed(
  open: (roundTrip: number) => Promise<TeamCaller>,
  { nodes, texts, calls, many, single }: Given,
  progress: (text: string) => void,
): Promise<Served> {
  progress('the import');
  const first = await open(0);
  for (let from = 0; from < SIZE; from += 1_000) {
    await first.call('memory_import', { nodes: nodes.slice(from, from + 1_000) });
  }
  const distances: Distance[] = [];
  for (const [trip, roundTrip] of ROUND_TRIPS.entries()) {
    progress(`round trips of ${roundTrip} ms`);
    const client = await open(roundTrip);
    const sent = client.requests();
    const store = await series(calls, (i) => client.call('memory_store', single[trip * calls + i] ?? {}));
    const recall = await series(calls, (i) => client.call('memory_recall', { query: texts[i % texts.length] }));
    distances.push({ roundTrip, store, recall, requests: (client.requests() - sent) / (2 * calls) });
  }
  progress(`${CLIENTS} clients`);
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => open(0)));
  const before = await factsIn(first);
  const durations: number[] = [];
  let refused = 0;
  const { ms } = await timed(() =>
    Promise.all(
      clients.map(async (client, c) => {
        for (let i = 0; i < STORES_EACH; i++) {
          const stored = many[c * STORES_EACH + i] ?? {};
          const { ms, result } = await timed(() => client.call('memory_store', stored).catch(() => undefined));
          durations.push(ms);
          if (result === undefined) refused++;
        }
      }),
    ),
  );
  const lost = durations.length - refused - ((await factsIn(first)) - before);
  return {
    ...{ refused, lost, distances, p95: timing(durations).p95 },
    stores: ((durations.length - refused) / ms) * 1_000,
    recalls: await servedBeside(clients, texts),
  };
}

function factsOf(memories: readonly CorpusMemory[]): object[] {
  return memories.map(({ content, entities }) => ({ content, entities, kind: 'fact' }));
}

function fact(content: string): object {
  return { content, kind: 'fact', entities: ['server'] };
}

async function series(calls: number, call: (i: number) => Promise<unknown>): Promise<Timing> {
  const durations: number[] = [];
  for (let i = 0; i < calls; i++) durations.push((await timed(() => call(i))).ms);
  return timing(durations);
}

const READS = 200;

/** Recalls in a second, beside one writer, of one process. */
async function beside(
  server: Parameters<Parameters<typeof withServer>[1]>[0],
  texts: readonly string[],
): Promise<number> {
  let writing = true;
  const writer = (async () => {
    for (let i = 0; writing; i++) await server.value('memory_store', fact(`beside ${i}`));
  })();
  const { ms } = await timed(() =>
    Promise.all(
      Array.from({ length: READS }, (_, i) => server.text('memory_recall', { query: texts[i % texts.length] })),
    ),
  );
  writing = false;
  await writer;
  return (READS / ms) * 1_000;
}

async function servedBeside([writer, ...readers]: readonly TeamCaller[], texts: readonly string[]): Promise<number> {
  let writing = true;
  const written = (async () => {
    for (let i = 0; writing && writer; i++) await writer.call('memory_store', fact(`beside ${i}`));
  })();
  const each = Math.ceil(READS / readers.length);
  const { ms } = await timed(() =>
    Promise.all(
      readers.map(async (reader, r) => {
        for (let i = 0; i < each; i++) await reader.call('memory_recall', { query: texts[(r + i) % texts.length] });
      }),
    ),
  );
  writing = false;
  await written;
  return ((each * readers.length) / ms) * 1_000;
}
