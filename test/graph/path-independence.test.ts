import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeFiles, firstSources, type History, step } from '../support/code-history';
import { builtOnce } from '../support/followed-repository';
import { expectOneAnswer } from '../support/one-answer';
import { seededRandom } from '../support/random';

/** `SEQUENCES=10000 SEED=7` for more of them, and for those that a failure names. `npm run test:long` has 500. */
const SEQUENCES = Number(process.env.SEQUENCES ?? 60);
const FIRST_SEED = Number(process.env.SEED ?? 1);
const STEPS = Number(process.env.STEPS ?? 14);
/** Of many, those that pass are not worth a line each. */
const AT_ONCE = Math.max(1, Math.ceil(SEQUENCES / 1_000));

const atStart = builtOnce(firstSources(), async ({ call }) => {
  const ids: string[] = [];
  for (const [path, text] of Object.entries(firstSources())) {
    for (const [, name] of text.matchAll(/^export function (\w+)/gm)) {
      const memory = { content: `${name} was there first`, kind: 'fact', entities: [`${path}#${name}`] };
      ids.push((await call<{ node_id: string }>('memory_store', memory)).node_id);
    }
  }
  return ids;
});

async function sequence(seed: number): Promise<void> {
  await atStart(async (repository, ids = []) => {
    const home = join(repository.folder, '..', 'home');
    const history: History = { random: seededRandom(seed), trees: [repository], home, ids: [...ids], done: [] };
    try {
      for (let i = 0; i < STEPS; i++) await step(history);
      const { random, trees } = history;
      const asked = random.of(trees);
      await changeFiles(asked, history);
      await expectOneAnswer(asked, history, random.of(['all', 'referenced']));
    } finally {
      for (const tree of history.trees.slice(1)) await tree.close?.();
    }
  });
}

describe('verdicts depend on the store, the working files and Git alone', () => {
  const groups = Array.from({ length: Math.ceil(SEQUENCES / AT_ONCE) }, (_, i) => FIRST_SEED + i * AT_ONCE);
  it.each(groups)('whatever was done before: from seed %i', { timeout: AT_ONCE * 300_000 }, async (first) => {
    const failed: string[] = [];
    for (let seed = first; seed < Math.min(first + AT_ONCE, FIRST_SEED + SEQUENCES); seed++) {
      await sequence(seed).catch((error: unknown) => {
        failed.push(`SEED=${seed} SEQUENCES=1: ${error instanceof Error ? error.message : error}`);
      });
    }
    expect(failed.join('\n\n')).toBe('');
  });
});
