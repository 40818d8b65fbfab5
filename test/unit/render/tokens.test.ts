import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTokenizer, type TokenCounter } from '../../../src/server/render/tokens';

const ROOT = new URL('../../../', import.meta.url);

let folder: string;
let file: Buffer;
let tokens: TokenCounter;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-tokens-'));
  // Through a variable, because the script is plain JavaScript without types.
  const script = new URL('scripts/build-token-ranks.mjs', ROOT).href;
  const { buildTokenRanks } = (await import(script)) as { buildTokenRanks(outFile: string): void };
  buildTokenRanks(join(folder, 'o200k_base.bin'));
  file = readFileSync(join(folder, 'o200k_base.bin'));
  tokens = openTokenizer(file);
});

afterAll(() => rmSync(folder, { recursive: true }));

const reference = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

/** The texts with a count that is not the reference's. */
function wrong(texts: Iterable<string>): { text: string; count: number; expected: number }[] {
  const found = [];
  for (const text of texts) {
    const [count, expected] = [tokens.count(text), reference(text)];
    if (count !== expected) found.push({ text, count, expected });
  }
  return found;
}

const HAND_PICKED = [
  '',
  ' ',
  'a',
  'Hello, world!',
  'const total = rows.reduce((sum, row) => sum + row.price * 1.19, 0); // €',
  'def __init__(self, *args, **kwargs):\n\tsuper().__init__(*args, **kwargs)\n\n\n',
  '- [d_tabolune] 2026-05-08 · conf 1.00 — Retries use exponential backoff with jitter',
  '## Decisions\n\n- [d_tabolune] 2026-05-08 · conf 1.00 — text\n- [p_bodufigi] 2026-05-09 · conf 0.80 — text\n',
  'text\n\n### Heading\n\n\n- item',
  "I'm sure they'll say it's what we've done, you'd think; WE'LL SEE, DON'T you? 'twas they're’s",
  '0 12 345 6789 01234567890123456789 3.14159 1e-9 0xdeadbeef ١٢٣٤ Ⅻ ½',
  'a  b   c    d\t\te \t f     ',
  '        indented\n    less\n  \n \n\t\n',
  'line\r\nline\r\n\r\n  line\r\rline',
  '   \n   \n x',
  '漢字かな交じり文と、カタカナ。한국어 문장도 있습니다。中文没有空格',
  '👩‍👩‍👧‍👦👍🏽🏳️‍🌈 🇩🇪🇫🇷 ❤️ 🧑🏿‍🚀',
  'שלום עולם، مرحبا بالعالم! نص\u200fעברית\u202e',
  'e\u0301a\u0308\u0323 \u0301\u0302 Z\u0351\u036b\u0343a\u0300l\u0335g\u0321o नमस्ते ไทย',
  '<|endoftext|>',
  'before<|endoftext|>after <|endofprompt|><|fim_prefix|>',
  '\ud800',
  'a\udc00b\ud83dc',
  '\ud800\ud800\udc00\udc00\ud800',
  '\u0000\u0001\u007f\u0085\u00a0\u2028\u2029\u3000x',
  'https://example.org/a/b/c?d=e&f=%20g#h //// /*** --- ===> |:---|---:|',
  'XMLHttpRequest getElementById SCREAMING_SNAKE_CASE kebab-case-name PascalCase ǅungla',
  'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen',
  `${'0123456789abcdef'.repeat(20)} ${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.repeat(20)}`,
  Buffer.from(Array.from({ length: 900 }, (_, i) => (i * i * 31 + i * 7) & 0xff)).toString('base64'),
  '👍'.repeat(300),
  'é'.repeat(300),
  '漢字'.repeat(300),
  '='.repeat(500),
  ' '.repeat(500),
  '\n'.repeat(500),
  '\u0301'.repeat(300),
  '!?'.repeat(300),
];

const SOURCES = [
  'src/server/base/text.ts',
  'src/server/base/clock.ts',
  'src/server/render/tokens.ts',
  'scripts/build-token-ranks.mjs',
  'test/unit/render/tokens.test.ts',
  'tsconfig.json',
];

// No U+FEFF: the reference loses it while merging.
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz',
  'ABCxyzÄöüßÉñǅʰªº',
  '0123456789٣४Ⅷ²',
  ' \t\n\r\u00a0\u2028\u3000\u000b',
  ' \n',
  '.,;:!?\'"-_#*/\\()[]{}<>|=+~`^%$&@',
  "'sSdDmMtTlLvVeErR ",
  '/\r\n.-',
  '漢字カナかな한글ไทยनमस्',
  'אבגדהمرحبا\u200f\u202e',
  '\u0300\u0301\u0308\u0323\u093f\u20e3',
  '\u200d\ufe0f\u200b\u00ad\u0000\u0007\ufffd',
  '👩👍🏽🇩🇪❤🧑🏿🚀𝒜𐍈',
].map((alphabet) => [...alphabet]);
// one string, so that halves of pairs also meet
ALPHABETS.push(['\ud800', '\udbff', '\udc00', '\udfff', 'a', ' ']);

/** Of texts that are split in the quick way. */
const PLAIN_ALPHABETS = [
  ...['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abXYZ', '0123456789', ' \t\n\r\u000b\u000c', ' \n'],
  ...['.,;:!?\'"-_#*/\\()[]{}<>|=+~`^%$&@', "'sSdDmMtTlLvVeErR ", '/\r\n.-', '·—←… ', '\u0000\u0007\u001c\u001f\u007f'],
].map((alphabet) => [...alphabet]);

/** mulberry32: numbers in [0, 1) that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function* randomTexts(count: number, maxLength: number, from = ALPHABETS): Generator<string> {
  const random = seeded(20260331);
  const pick = <T>(values: readonly T[]): T => {
    const value = values[Math.floor(random() * values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  };
  for (let i = 0; i < count; i++) {
    const length = Math.floor(random() * (maxLength + 1));
    const alphabets = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(from));
    let text = '';
    while (text.length < length) {
      const alphabet = pick(alphabets);
      const run = 1 + Math.floor(random() ** 3 * 80);
      const single = random() < 0.2 ? pick(alphabet) : undefined;
      for (let j = 0; j < run; j++) text += single ?? pick(alphabet);
    }
    yield text.slice(0, length);
  }
}

describe('count', () => {
  it('is exact for hand-picked texts', () => {
    expect(wrong(HAND_PICKED)).toEqual([]);
  });

  it('is exact for source files, whole and line by line', () => {
    const texts = SOURCES.map((path) => readFileSync(new URL(path, ROOT), 'utf8'));
    expect(wrong(texts)).toEqual([]);
    expect(wrong(texts.flatMap((text) => text.split('\n')))).toEqual([]);
  });

  it('is exact for random texts of many scripts, and the same the second time', () => {
    const texts = [...randomTexts(3000, 300)];
    expect(wrong(texts)).toEqual([]);
    expect(wrong(texts.slice(0, 300))).toEqual([]);
  });

  it('is exact for random texts of ASCII and of what lines print', () => {
    expect(wrong(randomTexts(4000, 300, PLAIN_ALPHABETS))).toEqual([]);
  });

  it('stays exact when more distinct words were seen than the cache holds', () => {
    const words = Array.from({ length: 25_000 }, (_, i) => `q${(i * 7919).toString(36)}zx`.replace(/\d/g, 'j'));
    const before = words.slice(0, 50).map((word) => tokens.count(word));
    for (const word of words) tokens.count(word);
    expect(words.slice(0, 50).map((word) => tokens.count(word))).toEqual(before);
    expect(wrong(words.slice(-2000))).toEqual([]);
  });

  it('takes special tokens for ordinary text', () => {
    expect(tokens.count('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('counts a lone surrogate as the replacement character', () => {
    expect(tokens.count('a\ud800b')).toBe(tokens.count('a\ufffdb'));
  });

  it('merges unbroken runs of any length', () => {
    const run = (length: number) => tokens.count('a'.repeat(length));
    expect(run(2000)).toBe(reference('a'.repeat(2000)));
    expect(run(20_000)).toBeGreaterThanOrEqual(run(10_000));
    expect(run(20_000)).toBeLessThanOrEqual(10 * run(2000));
    expect(run(100_000)).toBeLessThanOrEqual(50 * run(2000));
    expect(tokens.count('👍'.repeat(25_000))).toBeLessThanOrEqual(25_000);
  });

  it('of a text is the sum over its lines where the next line begins with "-" or "#"', () => {
    const lines: string[] = [];
    for (const [i, text] of [...randomTexts(1500, 120)].entries()) {
      lines.push(`${['- ', '#', '## ', '-', '- [d_'][i % 5]}${text}${['', ' ', '\n', '\r', '/', '  \n\t'][i % 6]}\n`);
    }
    const sum = lines.reduce((total, line) => total + tokens.count(line), 0);
    expect(tokens.count(lines.join(''))).toBe(sum);
  });
});

describe('fits', () => {
  it('agrees with the count on both sides of the limit', () => {
    for (const text of [...HAND_PICKED, ...randomTexts(300, 200)]) {
      const count = tokens.count(text);
      expect([count - 1, count, count + 1].map((limit) => tokens.fits(text, limit))).toEqual([false, true, true]);
    }
  });

  it('is false for any text when nothing is left, except for none', () => {
    expect(tokens.fits('a', 0)).toBe(false);
    expect(tokens.fits('', 0)).toBe(true);
    expect(tokens.fits('', -1)).toBe(false);
  });
});

describe('openTokenizer', () => {
  it('reads a file that does not lie on a word boundary', () => {
    const shifted = new Uint8Array(file.length + 1);
    shifted.set(file, 1);
    expect(openTokenizer(shifted.subarray(1)).count('Hello, world!')).toBe(reference('Hello, world!'));
  });

  it('refuses a file that is cut off, of another version or in another byte order', () => {
    const other = new Uint8Array(file);
    other[4] = 99;
    const swapped = new Uint8Array(file);
    swapped.set(file.subarray(0, 4).toReversed());
    for (const bytes of [new Uint8Array(0), file.subarray(0, 40), file.subarray(0, -1), other, swapped]) {
      expect(() => openTokenizer(bytes)).toThrow(/^unavailable: .*o200k_base\.bin/);
    }
  });
});
