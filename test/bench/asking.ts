import { join } from 'node:path';
import sqlite3 from '@vscode/sqlite3';
import { type Corpus, makeCorpus } from './corpus';
import { openRawFts, wordsOf } from './raw-fts';
import type { RpcClient } from './rpc-client';
import { type Place, startMemoryServer, withPlace, withServer } from './servers';
import { type Timing, timed, timing } from './timing';

/** What a recall costs apart from the usual one: the first of a process, a long one, and what is written down after it. */
export interface Asking {
  /** Of a fresh process, a second after the handshake: a model thinks before it asks. */
  readonly first: readonly FirstCall[];
  readonly long: LongQuestion;
  /** From an answer to its use counters in the file, at the longest, in milliseconds, while recalls keep coming. */
  readonly uncounted: number;
  /** Of a server, five seconds after it has imported this many. */
  readonly imported: { readonly size: number; readonly resident: number | undefined };
}

export interface FirstCall {
  readonly size: number;
  /** In milliseconds: the first recall of a process, and those that follow in the same one. */
  readonly first: Timing;
  readonly warm: Timing;
}

/** In milliseconds: questions of 1,500 characters, raw FTS5 of all of their words right before each. */
export interface LongQuestion {
  readonly size: number;
  readonly ours: Timing;
  readonly raw: Timing;
}

export interface AskingOptions {
  /** For the first calls; the largest one for what an import leaves. */
  readonly sizes: readonly number[];
  readonly spawns: number;
  readonly calls: number;
  readonly progress: (text: string) => void;
}

const IMPORT_CALL = 10_000;
const REST_MS = 5_000;
const THINKS_MS = 1_000;
const WARM_CALLS = 20;
const BUDGET = 2_000;
const LONG_SIZE = 45_000;
const LONG_CHARACTERS = 1_500;
/** Two writings of the counters, and some. */
const BUSY_MS = 15_000;

export async function measureAsking({ sizes, spawns, calls, progress }: AskingOptions): Promise<Asking> {
  const first: FirstCall[] = [];
  let imported: Asking['imported'] = { size: 0, resident: undefined };
  let uncounted = 0;
  for (const size of sizes) {
    await withPlace(async (place) => {
      progress(`asking: ${size} memories`);
      const corpus = makeCorpus(size);
      const resident = await importAll(place, corpus);
      if (size > imported.size) imported = { size, resident };
      first.push({ size, ...(await firstCalls(place, corpus, spawns)) });
      if (size === sizes[0]) {
        progress('asking: use counters of a busy server');
        uncounted = await longestUncounted(place, corpus);
      }
    });
  }
  progress('asking: long questions');
  return { first, imported, uncounted, long: await longQuestions(Math.min(calls, 50)) };
}

/** @returns what the server keeps in memory after five seconds of rest, in bytes */
function importAll(place: Place, { memories }: Corpus): Promise<number | undefined> {
  return withServer(startMemoryServer(place), async (server) => {
    for (let at = 0; at < memories.length; at += IMPORT_CALL) {
      await server.value<object>('memory_import', { nodes: memories.slice(at, at + IMPORT_CALL) });
    }
    await new Promise((done) => setTimeout(done, REST_MS));
    return server.residentBytes();
  });
}

async function firstCalls(place: Place, corpus: Corpus, spawns: number): Promise<Omit<FirstCall, 'size'>> {
  const questions = corpus.queries('common', spawns + WARM_CALLS).map(({ text }) => text);
  const first: number[] = [];
  const warm: number[] = [];
  for (let spawn = 0; spawn < spawns; spawn++) {
    await withServer(startMemoryServer(place), async (server) => {
      await new Promise((done) => setTimeout(done, THINKS_MS));
      for (let i = 0; i <= WARM_CALLS; i++) {
        const { ms } = await timed(() => recall(server, questions[spawn + i] ?? ''));
        (i === 0 ? first : warm).push(ms);
      }
    });
  }
  return { first: timing(first), warm: timing(warm) };
}

async function longestUncounted(place: Place, corpus: Corpus): Promise<number> {
  const file = new sqlite3.Database(join(place.folder, 'memory.db'), sqlite3.OPEN_READONLY);
  const used = () =>
    new Promise<number>((resolve, reject) => {
      file.get('SELECT sum(uses) AS uses FROM mem_nodes', (error: Error | null, row: { uses: number }) =>
        error ? reject(error) : resolve(row.uses),
      );
    });
  try {
    return await withServer(startMemoryServer(place), async (server) => {
      const questions = corpus.queries('question', 200).map(({ text }) => text);
      const begin = performance.now();
      let longest = 0;
      let known = await used();
      // When the first of the answers came that are not in the file yet.
      let open: number | undefined;
      for (let i = 0; performance.now() - begin < BUSY_MS; i++) {
        await recall(server, questions[i % questions.length] ?? '');
        open ??= performance.now();
        const now = await used();
        longest = Math.max(longest, performance.now() - open);
        if (now !== known) open = undefined;
        known = now;
      }
      return longest;
    });
  } finally {
    await new Promise((done) => file.close(done));
  }
}

function longQuestions(calls: number): Promise<LongQuestion> {
  return withPlace((place) =>
    withPlace(async (rawPlace) => {
      const corpus = makeCorpus(LONG_SIZE);
      await importAll(place, corpus);
      const raw = await openRawFts(rawPlace, 'unicode61');
      await raw.insert(corpus.memories.map(({ content }) => content));
      const questions = Array.from({ length: WARM_CALLS + calls }, () =>
        corpus
          .more(10)
          .map(({ content }) => content)
          .join('\n')
          .slice(0, LONG_CHARACTERS),
      );
      return withServer(startMemoryServer(place), async (server) => {
        const ours: number[] = [];
        const theirs: number[] = [];
        for (const [i, question] of questions.entries()) {
          const { ms } = await timed(() => raw.search(wordsOf(question)));
          const own = await timed(() => recall(server, question));
          if (i < WARM_CALLS) continue;
          theirs.push(ms);
          ours.push(own.ms);
        }
        await raw.close();
        return { size: LONG_SIZE, ours: timing(ours), raw: timing(theirs) };
      });
    }),
  );
}

function recall(server: RpcClient, query: string): Promise<string> {
  return server.text('memory_recall', { query, budget_tokens: BUDGET });
}
