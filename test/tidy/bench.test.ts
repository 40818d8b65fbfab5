import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeCorpus } from '../bench/corpus';
import { measureEditor } from '../bench/editor';
import { editorGoals } from '../bench/goals';
import { limitGoals } from '../bench/limit-report';
import { measureQuality } from '../bench/quality';
import { qualitySets } from '../bench/quality-sets';
import { report } from '../bench/report';
import { ROOT } from './project-files';

const SAMPLE = 20;

describe('the benchmark', () => {
  it('asks the tool and plain search, and finds most answers of the own set within the budget', async () => {
    const [set] = qualitySets();
    if (!set) throw new Error('there is no own set');
    const { questions, memories, systems, answers, overBudget } = await measureQuality(set, { sample: SAMPLE });
    expect({ questions, memories, answers, overBudget }).toEqual({
      questions: 20,
      memories: 242,
      answers: 60,
      overBudget: 0,
    });
    for (const { evidence } of Object.values(systems)) {
      const [at500 = 0, at1000 = 0, at2000 = 0] = evidence;
      expect(at500).toBeGreaterThan(0.3);
      expect(at1000).toBeGreaterThanOrEqual(at500);
      expect(at2000).toBeGreaterThanOrEqual(at1000);
      expect(at2000).toBeLessThanOrEqual(1);
    }
    const [ours = 0] = systems['svc-memory'].evidence;
    const [raw = 0] = systems['raw FTS5'].evidence;
    expect(ours).toBeGreaterThan(raw);
  });

  it('names evidence that is among the memories, in every set', () => {
    const lost = qualitySets().flatMap(({ name, stores }) =>
      stores.flatMap(({ memories, questions }) => {
        const keys = new Set(memories.map(({ key }) => key));
        const complete = (evidence: readonly (readonly string[])[]) =>
          evidence.length > 0 && evidence.every((each) => each.length > 0 && each.every((key) => keys.has(key)));
        return questions.filter(({ evidence }) => !complete(evidence)).map(({ text }) => `${name}: ${text}`);
      }),
    );
    expect(lost).toEqual([]);
  });

  it('has a corpus of different memories that is the same each time, and queries made of words of their target', () => {
    const corpus = makeCorpus(2_000);
    expect(new Set(corpus.memories.map(({ content }) => content)).size).toBe(2_000);
    expect(makeCorpus(2_000).memories).toEqual(corpus.memories);
    for (const { text, target } of corpus.queries('words', 30)) {
      const words = corpus.memories[target]?.content.split(' ');
      expect(text.split(' ').filter((word) => !words?.includes(word))).toEqual([]);
    }
    expect(corpus.queries('question', 1)[0]?.text).toMatch(/^what did we say about \w+ \w+ \w+$/);
  });

  it('asks the language server as an editor does, and has a goal for each of its answers', async () => {
    const little = { size: 500, runs: 1, calls: 5, spawns: 1, notices: 1, rest: 1, progress: () => undefined };
    const speed = await measureEditor(little);
    expect(speed.touching.symbols).toBeGreaterThan(500);
    const goals = editorGoals(speed);
    expect(goals).toHaveLength(9);
    expect(goals.filter(({ measured }) => measured.includes('NaN'))).toEqual([]);
  });

  it('has a goal for each tree, each long line, and what is made to take long', () => {
    const limits = {
      trees: [{ kind: 'Rust', files: 1, lines: 2, peak: 351 * 2 ** 20 }],
      lines: [{ text: 'CJK', bytes: 50_000_000, growth: 100_000_000 }],
      documents: [
        { shape: 'lists', leftOut: false, cpu: 1 },
        { shape: 'quotes', leftOut: true, cpu: 3 },
      ],
      sources: { count: 10, kilobytes: 60, cpu: 5 },
    };
    expect(limitGoals(limits).map(({ measured, reached }) => [measured, reached])).toEqual([
      ['351 MiB', false],
      ['2.00', true],
      ['3.00 s', false],
      ['0.50 s', true],
    ]);
  });

  it('says of a partial run that it is not to be quoted', () => {
    const machine = {
      date: '2026-01-01T00:00:00.000Z',
      node: 'v24.0.0',
      cores: 2,
      processor: 'p',
      memoryBytes: 1,
      load: 0,
    };
    const results = { machine, quality: [], speed: [] };
    expect(report(results, { verbose: false, complete: false })).toContain('not to be quoted');
    expect(report(results, { verbose: false, complete: true })).toContain('Written by `npm run bench`');
  });

  it('has been run in full: its report is there', () => {
    expect(readFileSync(join(ROOT, 'docs/benchmarks.md'), 'utf8')).toContain('## Goals');
  });
});
