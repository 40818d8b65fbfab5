import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../support/hostile-texts';
import { type MemoryTest, withMemory } from '../support/memory';
import { seededRandom } from '../support/random';
import { realTokenizer } from '../support/tokenizer';

const BUDGETS = [50, 51, 60, 75, 90, 119, 120, 121, 150, 199, 200, 333, 500, 1000, 2000, 3000];
const WORDS =
  'cache deploy login retry queue sqlite token budget 移行 café getUserName max_retry_count v1.2 C++ 🚀'.split(' ');
const KINDS = ['fact', 'decision', 'action', 'outcome', 'procedure', 'preference'];

const ID = '(?:f|d|a|o|p|pr|e|s)_[a-z2-7]{8}';
const OUR_LINES = new RegExp(
  `^(?:## Memory recall: ".*" \\(as of \\d{4}-\\d\\d-\\d\\d · \\d+ items · \\d+/\\d+ tokens\\)|` +
    '### (?:Decisions|Facts|Procedures|Preferences|Actions|Outcomes|Entities|Sessions|Provenance)|' +
    `- \\[${ID}\\] \\d{4}-\\d\\d-\\d\\d · conf [01]\\.\\d\\d(?: · older \\(${ID}\\))? — .*|` +
    `${ID} ← session ${ID}(?: · ${ID} ← session ${ID})*|` +
    '(?:at least )?\\d+ more matched|' +
    'Nothing (?:is remembered about this yet|that is valid now is remembered about it)\\.|No decisions or conventions are remembered yet\\.|What matches does not fit; raise budget_tokens\\.)$',
);
/** All that any program takes for the end of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: some of them are control characters
const LINE_BREAK = /\r\n|[\n\r\u000b\u000c\u001c-\u001e\u0085\u2028\u2029]/;

const tokensOf = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

function checkAnswer(answer: string, budget: number): void {
  const used = tokensOf(answer);
  expect(used).toBeLessThanOrEqual(budget);
  const [heading = '', ...lines] = answer.split(LINE_BREAK);
  expect(heading).toMatch(/^## Memory recall: "/);
  expect(/(\d+) items · (\d+)\/(\d+) tokens\)$/.exec(heading)?.slice(1).map(Number)).toEqual([
    lines.filter((line) => line.startsWith('- [')).length,
    used,
    budget,
  ]);
  expect([heading, ...lines].filter((line) => !OUR_LINES.test(line))).toEqual([]);
}

/** A store of this seed: ordinary sentences of all sizes among hostile texts. */
async function fill({ ok }: MemoryTest, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const words = (n: number) => Array.from({ length: n }, () => random.of(WORDS)).join(' ');
  const size = 1 + random.below(60);
  for (let i = 0; i < size; i++) {
    const content = random.below(4) === 0 ? `${words(1)} ${random.of(HOSTILE_TEXTS)}` : words(1 + random.below(60));
    await ok('memory_store', {
      content,
      kind: random.of(KINDS),
      confidence: random.below(101) / 100,
      valid_from: new Date(Date.UTC(2026, 0, 1 + random.below(80), random.below(24))).toISOString(),
      ...(random.below(2) === 0 ? { entities: [random.of(WORDS), random.of(WORDS)] } : {}),
      ...(random.below(5) === 0 ? { namespace: 'default' } : {}),
    });
  }
}

describe('the budget of memory_recall', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('holds for every budget and query on store %i', async (seed) =>
    withMemory(
      async (test) => {
        await fill(test, seed);
        const random = seededRandom(seed + 1000);
        const queries = [
          random.of(WORDS),
          `${random.of(WORDS)} ${random.of(WORDS)}`,
          `${random.of(WORDS)} ${random.of(HOSTILE_TEXTS)}`,
          random.of(HOSTILE_TEXTS),
          'project context',
        ];
        for (const budget_tokens of BUDGETS) {
          for (const query of queries) {
            const hops = random.below(3);
            checkAnswer(await test.text('memory_recall', { query, budget_tokens, hops }), budget_tokens);
          }
        }
      },
      { tokenizer: await realTokenizer() },
    ),
  );

  it.each(HOSTILE_TEXTS.map((text) => [text.slice(0, 40), text] as const))('holds for the query %j', async (_, query) =>
    withMemory(
      async (test) => {
        await fill(test, 42);
        for (const budget_tokens of [50, 120, 500]) {
          checkAnswer(await test.text('memory_recall', { query, budget_tokens }), budget_tokens);
        }
      },
      { tokenizer: await realTokenizer() },
    ),
  );

  it.each(HOSTILE_TEXTS.map((text) => [text.slice(0, 40), text] as const))(
    'leaves room for the best hit from 120 tokens on: %j',
    async (_, text) =>
      withMemory(
        async (test) => {
          await test.ok('memory_store', { content: `zebra ${text}`, kind: 'procedure' });
          for (const query of ['zebra', `zebra ${text}`]) {
            for (const budget_tokens of [120, 121, 135, 160, 220]) {
              const answer = await test.text('memory_recall', { query, budget_tokens, kinds: ['procedure'] });
              checkAnswer(answer, budget_tokens);
              expect(answer).toMatch(/\n- \[p_aaaaaaab\] 2026-03-31 · conf 1\.00 — ze/);
            }
          }
        },
        { tokenizer: await realTokenizer() },
      ),
  );

  it('holds for memory_about, whatever the name of the entity', async () =>
    withMemory(
      async (test) => {
        for (const name of HOSTILE_TEXTS.filter((text) => text.length <= 500)) {
          await test.ok('memory_store', { content: `about ${name}`, kind: 'fact', entities: [name] });
          for (const budget_tokens of [50, 120, 500]) {
            checkAnswer(await test.text('memory_about', { entity: name, budget_tokens }), budget_tokens);
          }
        }
      },
      { tokenizer: await realTokenizer() },
    ));
});

describe('packing', () => {
  const contents = (answer: string) => [...answer.matchAll(/^- \[.* — (.*)$/gm)].map(([, content]) => content ?? '');

  it('passes over an item that is too long and takes shorter ones behind it', async () =>
    withMemory(
      async (test) => {
        await test.ok('memory_store', { content: 'zebra zebra zebra', kind: 'fact' });
        await test.ok('memory_store', { content: `zebra zebra ${'long '.repeat(300)}`, kind: 'fact' });
        await test.ok('memory_store', { content: 'the short zebra', kind: 'decision' });
        const answer = await test.text('memory_recall', { query: 'zebra', budget_tokens: 200 });
        expect(contents(answer).sort()).toEqual(['the short zebra', 'zebra zebra zebra']);
      },
      { tokenizer: await realTokenizer() },
    ));

  it('cuts the best hit alone, with an ellipsis', async () =>
    withMemory(
      async (test) => {
        await test.ok('memory_store', { content: `zebra ${'long '.repeat(300)}`, kind: 'fact' });
        const answer = await test.text('memory_recall', { query: 'zebra', budget_tokens: 150 });
        expect(contents(answer)).toEqual([expect.stringMatching(/^zebra (?:long )+long…$/)]);
      },
      { tokenizer: await realTokenizer() },
    ));

  it('gives items nine tenths and provenance the rest, in order of score', async () =>
    withMemory(
      async (test) => {
        for (let i = 0; i < 40; i++) {
          await test.ok('memory_store', {
            content: `The zebra number ${i} is striped`,
            kind: i % 2 ? 'fact' : 'decision',
          });
        }
        const answer = await test.text('memory_recall', { query: 'zebra', budget_tokens: 1000 });
        const [items = '', sources = ''] = answer.split('### Provenance\n');
        expect(tokensOf(items)).toBeLessThanOrEqual(900);
        expect(tokensOf(items)).toBeGreaterThan(850);
        expect(tokensOf(`### Provenance\n${sources}`)).toBeLessThanOrEqual(100);
        const [named = '', more] = sources.split('\n');
        expect(more).toBe(`${40 - (answer.match(/^- \[/gm)?.length ?? 0)} more matched`);
        const entries = named.split(' · ');
        expect(entries.length).toBeGreaterThanOrEqual(4);
        for (const entry of entries) expect(entry).toMatch(/^[fd]_\w{8} ← session s_aaaaaaaa$/);
      },
      { tokenizer: await realTokenizer() },
    ));

  it('names no session for what belongs to none', async () =>
    withMemory(
      async (test) => {
        await test.ok('memory_start_session', { name: 'zebra work' });
        const answer = await test.text('memory_recall', { query: 'zebra' });
        expect(answer).toContain('### Sessions\n');
        expect(answer).not.toContain('Provenance');
      },
      { tokenizer: await realTokenizer() },
    ));
});
