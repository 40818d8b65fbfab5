import { describe, expect, it } from 'vitest';
import type { NodeKind } from '../../../src/kinds/kinds';
import { seen } from '../../../src/server/base/text';
import { type PackableNode, type PackInput, pack } from '../../../src/server/render/pack';
import { printMemories } from '../../../src/server/render/packed-memories';
import type { TokenCounter } from '../../../src/server/render/tokens';
import { realTokenizer } from '../../support/tokenizer';

const tokens = await realTokenizer();

const item = (seq: number, content: string, more: Partial<PackableNode> = {}): PackableNode => ({
  seq,
  id: `f_${String(seq).padStart(8, 'a')}`,
  kind: 'fact',
  content,
  confidence: 1,
  recorded_at: '2026-03-31T12:00:00.000Z',
  valid_from: '2026-03-31T12:00:00.000Z',
  session_id: 's_aaaaaaaa',
  tokens: null,
  ...more,
});

const packed = (items: readonly PackableNode[], more: Partial<PackInput> = {}, counter: TokenCounter = tokens) => {
  const input = { query: 'q', asOf: '2026-03-31T12:00:00.000Z', budget: 500, items, nothing: 'Nothing.', ...more };
  const result = pack(counter, input);
  return { ...result, text: printMemories(result.packed) };
};

const lines = (text: string): string[] => text.split('\n');

describe('pack', () => {
  it('groups what it took, and takes the best first', () => {
    const kinds: NodeKind[] = ['fact', 'decision', 'fact'];
    const { text, printed } = packed(kinds.map((kind, i) => item(i, `content ${i}`, { kind })));
    expect(printed.map(({ seq }) => seq)).toEqual([0, 1, 2]);
    expect(lines(text).slice(1, 6)).toEqual([
      '### Decisions',
      expect.stringContaining('content 1'),
      '### Facts',
      expect.stringContaining('content 0'),
      expect.stringContaining('content 2'),
    ]);
  });

  it('hands back the sizes that it had to measure, and believes those that it is given', () => {
    const first = packed([item(1, 'one'), item(2, 'two')]);
    expect(first.measured.map(({ seq }) => seq)).toEqual([1, 2]);
    const again = packed(first.measured.map(({ seq, size }) => item(seq, seq === 1 ? 'one' : 'two', { tokens: size })));
    expect(again.measured).toEqual([]);
    expect(again.text).toBe(first.text);
  });

  it('adds up to the true size', () => {
    const { text } = packed([item(1, 'one', { kind: 'decision' }), item(2, '移行 🚀'), item(3, 'x'.repeat(200))]);
    expect(text).toContain(`${tokens.count(text)}/500 tokens)`);
  });

  it('leaves nothing unseen where it cuts, so that the size is true of what is shown', () => {
    const family = '👩‍👩‍👧‍👦';
    for (let before = 60; before < 80; before++) {
      const { text } = packed([item(1, `${'x '.repeat(60 + before)}${family.repeat(40)}`)], {
        query: `${'x'.repeat(before)}${family}${family}`,
        budget: 120,
      });
      expect(seen(text)).toBe(text);
      expect(text).toContain(`${tokens.count(text)}/120 tokens)`);
    }
  });

  it('keeps the promise where a size that it is given is wrong', () => {
    const items = Array.from({ length: 40 }, (_, i) => item(i, `a somewhat longer content ${i}`, { tokens: 1 }));
    const { text } = packed(items, { budget: 200 });
    expect(tokens.count(text)).toBeLessThanOrEqual(200);
  });

  it('does not measure a very long text only to learn that it does not fit', () => {
    let counted = 0;
    const watched: TokenCounter = {
      count: (text) => {
        counted = Math.max(counted, text.length);
        return tokens.count(text);
      },
      fits: (text, limit) => tokens.fits(text, limit),
    };
    packed([item(1, 'short'), item(2, 'long '.repeat(100_000)), item(3, 'long '.repeat(4_000))], {}, watched);
    expect(counted).toBeLessThan(20_000);
  });

  it('stays below a limit that is smaller than the budget, which the heading shows', () => {
    const items = Array.from({ length: 40 }, (_, i) => item(i, `content ${i}`));
    const { text } = packed(items, { budget: 1000, limit: 150 });
    expect(tokens.count(text)).toBeLessThanOrEqual(150);
    expect(text).toContain('/1000 tokens)');
  });

  it('prints the sentence for nothing where it fits, and the heading alone where it does not', () => {
    expect(lines(packed([]).text)).toEqual([expect.stringContaining('0 items'), 'Nothing.']);
    const long = packed([], { budget: 50, nothing: 'Nothing at all. '.repeat(20) });
    expect(lines(long.text)).toEqual([expect.stringContaining('0 items')]);
  });

  it('shows a query with quotes and line breaks on one line, without its own quotes', () => {
    expect(lines(packed([], { query: 'a "b"\n## c' }).text)[0]).toContain(`## Memory recall: "a 'b' ## c" (as of`);
  });

  it('leaves a query out of a heading that takes more than a third of the budget without it', () => {
    for (const query of ['where', '']) {
      expect(packed([], { query, budget: 50 }).packed.query).toBe('');
      expect(packed([], { query, budget: 150 }).packed.query).toBe(query);
    }
  });

  it('leaves out of provenance what has no session', () => {
    const { text } = packed([item(1, 'one', { session_id: null }), item(2, 'two')]);
    expect(text).toMatch(/### Provenance\nf_aaaaaaa2 ← session s_aaaaaaaa$/);
  });

  it('cuts the best item between characters, never inside a pair', () => {
    for (let budget = 120; budget < 140; budget++) {
      const { text } = packed([item(1, '🧠'.repeat(500))], { budget });
      expect(tokens.count(text)).toBeLessThanOrEqual(budget);
      expect(text).toMatch(/ — (?:🧠)+…(?:\n|$)/u);
    }
  });
});
