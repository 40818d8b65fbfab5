import { timestamp } from '../../src/server/base/clock';
import { RANKED_COLUMNS, type RankedItem } from '../../src/server/memory/recall/recall';
import { pack } from '../../src/server/render/pack';
import { printMemories } from '../../src/server/render/packed-memories';
import type { TokenCounter } from '../../src/server/render/tokens';
import { type Answer, BUDGETS, judged, type Reply } from './judged-reply';
import type { SetStore } from './quality-sets';
import { openRawFts, tellingWordsOf } from './raw-fts';
import { withPlace } from './servers';
import type { StoredSet } from './stored-set';
import { timed } from './timing';

/** More lines never fit into the largest budget. */
const BEST = 150;

/**
 * The baseline: FTS5 with the porter stemmer, OR of the question's words without the stop words, as of the same time,
 * packed by the program into the same lines.
 */
export function askPlainSearch(stored: StoredSet, store: SetStore, tokenizer: TokenCounter): Promise<Reply[]> {
  return withPlace(async (place) => {
    const memories = store.memories.filter(({ key }) => key !== undefined);
    const raw = await openRawFts(place, 'porter');
    await raw.insert(
      memories.map(({ content }) => content),
      memories.map(({ valid_from }) => (valid_from === undefined ? '' : timestamp(Date.parse(valid_from)))),
    );
    const items = await itemsOf(stored);
    const replies: Reply[] = [];
    for (const question of store.questions) {
      const answers: Answer[] = [];
      const { ms, result: hits } = await timed(() =>
        raw.search(tellingWordsOf(question.text), { best: BEST, asOf: question.as_of }),
      );
      const found = hits.flatMap((hit) => items.get(stored.ids.get(memories[hit.place]?.key ?? '') ?? '') ?? []);
      for (const budget of BUDGETS) {
        const asOf = timestamp(Date.now());
        const { packed } = pack(tokenizer, { query: question.text, asOf, budget, items: found, nothing: 'Nothing.' });
        answers.push({ text: printMemories(packed), value: packed });
      }
      replies.push(judged(stored, question, answers, ms));
    }
    await raw.close();
    return replies;
  });
}

/** What is printed of each memory, by its id. */
async function itemsOf({ project }: StoredSet): Promise<ReadonlyMap<string, RankedItem>> {
  const rows = await project.memory.sql.all<RankedItem>(
    `SELECT ${RANKED_COLUMNS} FROM mem_nodes AS n LEFT JOIN mem_nodes AS s ON s.seq = n.session`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
