import { fillBudget, type Line, tokens } from './fill-budget';
import { createEntities, searchEachWord } from './official-server';
import type { QualitySet, SetQuestion, SetStore } from './quality-sets';
import { openRawFts, tellingWordsOf, wordsOf } from './raw-fts';
import type { RpcClient } from './rpc-client';
import { startMemoryServer, startOfficialServer, withPlace, withServer } from './servers';

export const BUDGETS = [500, 1000, 2000] as const;
export const SYSTEMS = ['svc-memory', 'raw FTS5', 'official server'] as const;
export type System = (typeof SYSTEMS)[number];

/** Means over questions, from 0 to 1, one for each budget. */
export type Shares = readonly number[];

export interface SystemQuality {
  /** The share of the labelled evidence that came back. */
  readonly evidence: Shares;
  /** The questions for which any of it came back. */
  readonly any: Shares;
  /** The answer's words that came back, where the set has answers. */
  readonly answerWords?: Shares;
  /** The evidence again, by the style of the question. */
  readonly byStyle: Readonly<Record<string, { readonly questions: number; readonly evidence: Shares }>>;
}

export interface SetQuality {
  readonly set: string;
  readonly questions: number;
  readonly memories: number;
  readonly systems: Readonly<Record<System, SystemQuality>>;
  /** Answers of ours, and how many of them were larger than their budget. */
  readonly answers: number;
  readonly overBudget: number;
}

/** What a system gave for one question, one text for each budget. */
interface Reply {
  readonly question: SetQuestion;
  readonly found: readonly number[];
  readonly words: readonly number[];
}

/**
 * Asks all questions of a set of the built server, over stdio, and of two stock ways to do the same.
 * @param every asks only every so-manieth question
 */
export async function measureQuality(set: QualitySet, every = 1): Promise<SetQuality> {
  const replies: Record<System, Reply[]> = { 'svc-memory': [], 'raw FTS5': [], 'official server': [] };
  let answers = 0;
  let overBudget = 0;
  for (const whole of set.stores) {
    const store = { ...whole, questions: whole.questions.filter((_, i) => i % every === 0) };
    await withPlace((place) =>
      withServer(startMemoryServer(place), async (server) => {
        const ids = await importStore(server, store);
        const lines = linesOf(store, ids);
        const judge = (question: SetQuestion, texts: readonly string[]) => judged(question, texts, ids);
        for (const question of store.questions) {
          const texts: string[] = [];
          for (const budget of BUDGETS) {
            const text = await server.text('memory_recall', { query: question.text, budget_tokens: budget });
            answers++;
            if (tokens(text) > budget) overBudget++;
            // The heading repeats the question, whose words are no answer.
            texts.push(text.slice(text.indexOf('\n')));
          }
          replies['svc-memory'].push(judge(question, texts));
        }
        replies['raw FTS5'].push(...(await askRawFts(store, lines, judge)));
        replies['official server'].push(...(await askOfficialServer(store, lines, judge)));
      }),
    );
  }
  return {
    set: set.name,
    questions: replies['svc-memory'].length,
    memories: set.stores.reduce((sum, { memories }) => sum + memories.filter(({ key }) => key).length, 0),
    systems: {
      'svc-memory': summary(replies['svc-memory']),
      'raw FTS5': summary(replies['raw FTS5']),
      'official server': summary(replies['official server']),
    },
    answers,
    overBudget,
  };
}

/** @returns the id of each memory by its key */
async function importStore(server: RpcClient, { memories }: SetStore): Promise<ReadonlyMap<string, string>> {
  const nodes = memories.map(({ key: _, ...object }) => object);
  const { node_ids, errors } = await server.value<{ node_ids: string[]; errors: unknown[] }>('memory_import', {
    nodes,
  });
  if (errors.length > 0) throw new Error(`memory_import: ${JSON.stringify(errors).slice(0, 1_000)}`);
  return new Map(memories.flatMap(({ key }, i) => (key === undefined ? [] : [[key, node_ids[i] ?? '']])));
}

function linesOf({ memories }: SetStore, ids: ReadonlyMap<string, string>): Line[] {
  return memories.flatMap(({ key, content, valid_from }) =>
    key === undefined ? [] : [{ id: ids.get(key) ?? '', content, day: valid_from?.slice(0, 10) ?? '' }],
  );
}

type Judge = (question: SetQuestion, texts: readonly string[]) => Reply;

/** FTS5 with the porter stemmer: OR of the question's words without the stop words, packed into the same lines. */
function askRawFts(store: SetStore, lines: readonly Line[], judge: Judge): Promise<Reply[]> {
  return withPlace(async (place) => {
    const raw = await openRawFts(place, 'porter');
    await raw.insert(lines.map(({ content }) => content));
    const replies: Reply[] = [];
    for (const question of store.questions) {
      const hits = await raw.search(tellingWordsOf(question.text));
      const found = hits.flatMap((hit) => lines[hit.place] ?? []);
      replies.push(
        judge(
          question,
          BUDGETS.map((budget) => fillBudget(found, budget)),
        ),
      );
    }
    await raw.close();
    return replies;
  });
}

/** The official server with one search for each of these words, ranked and packed as a patient client would. */
function askOfficialServer(store: SetStore, lines: readonly Line[], judge: Judge): Promise<Reply[]> {
  return withPlace((place) =>
    withServer(startOfficialServer(place), async (server) => {
      await createEntities(
        server,
        lines.map(({ id, content }) => ({ name: id, entityType: 'memory', observations: [content] })),
      );
      const byId = new Map(lines.map((line) => [line.id, line]));
      const replies: Reply[] = [];
      for (const question of store.questions) {
        const entities = await searchEachWord(server, tellingWordsOf(question.text));
        const found = entities.flatMap(({ name }) => byId.get(name) ?? []);
        replies.push(
          judge(
            question,
            BUDGETS.map((budget) => fillBudget(found, budget)),
          ),
        );
      }
      return replies;
    }),
  );
}

function judged(question: SetQuestion, texts: readonly string[], ids: ReadonlyMap<string, string>): Reply {
  const expected = question.evidence.map((keys) => keys.map((key) => `[${ids.get(key)}]`));
  const answer = wordsOf(question.answer ?? '');
  return {
    question,
    found: texts.map((text) => {
      const there = expected.filter((ids) => ids.some((id) => text.includes(id)));
      return there.length / expected.length;
    }),
    words: texts.map((text) => {
      const there = new Set(wordsOf(text));
      return answer.filter((word) => there.has(word)).length / answer.length;
    }),
  };
}

function summary(replies: readonly Reply[]): SystemQuality {
  const byStyle: Record<string, { questions: number; evidence: Shares }> = {};
  for (const style of new Set(replies.map(({ question }) => question.style))) {
    const those = replies.filter(({ question }) => question.style === style);
    byStyle[style] = { questions: those.length, evidence: means(those.map(({ found }) => found)) };
  }
  const answered = replies.filter(({ question }) => question.answer !== undefined);
  return {
    evidence: means(replies.map(({ found }) => found)),
    any: means(replies.map(({ found }) => found.map(Math.ceil))),
    ...(answered.length > 0 ? { answerWords: means(answered.map(({ words }) => words)) } : {}),
    byStyle,
  };
}

function means(rows: readonly (readonly number[])[]): number[] {
  return BUDGETS.map((_, i) => rows.reduce((sum, row) => sum + (row[i] ?? 0), 0) / rows.length);
}
