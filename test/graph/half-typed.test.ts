import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Extracted, extract } from '../../src/server/graph/extract';
import { languageOf } from '../../src/server/graph/language-of';
import { openParser } from '../../src/server/graph/parser';
import { withCodeProject } from '../support/code-project';

const parser = openParser(resolve(__dirname, '../../dist'));

async function extracted(name: string, text: string): Promise<Extracted> {
  const language = languageOf(name);
  if (!language) throw new Error(`${name} has no known language`);
  return extract(parser, text, language);
}

/** What each symbol is judged by. */
const hashes = ({ definitions }: Extracted): Record<string, string> =>
  Object.fromEntries(definitions.map(({ qualified, hash }) => [qualified, hash]));

/** Puts a line below the first one that holds these words. */
const withLine = (text: string, below: string, line: string): string => {
  const lines = text.split('\n');
  return lines
    .flatMap((one, i) => (i === lines.findIndex((it) => it.includes(below)) ? [one, line] : [one]))
    .join('\n');
};

const PYTHON = `"""A module.

Of several paragraphs.
"""
import functools


def quote(text, safe='/'):
    """Quotes."""
    if not text:
        return text
    return text.replace(' ', safe)


@functools.lru_cache(None)
def unquote(
    text,
    safe,
):
    return text


class Client:
    """Talks.

    Over several lines.
    """

    def connect(self):
        if self.scheme:
            return 1
        else:
            return 2

    @property
    def port(self):
        return 80


try:
    import ssl
except ImportError:
    pass
else:
    class Secure(Client):
        def connect(self):
            return 443

        def close(self):
            pass
`;

const SCRIPT = `/**
 * Sends.
 */
res.send = function send(body) {
  if (body) {
    return this.end(body);
  } else {
    return this.end();
  }
};

res.contentType =
res.type = function contentType(type) {
  return this.set('Content-Type', type);
};

class Store {
  constructor(
    private readonly rows: Row[],
  ) {}

  get(key: string): Row | undefined {
    return this.rows.find((row) => {
      return row.key === key;
    });
  }

  put(row: Row): void {
    this.rows.push(row);
  }
}

export const close = () => {
  const text = \`several
lines\`;
  return text;
};
`;

const PYTHON_LINES = [
  'if scheme and (',
  '"""',
  'return {',
  'x = [',
  'foo(a,',
  'print("%s" % (a,',
  'try:',
  'else',
  'def ',
  'class',
];
const SCRIPT_LINES = [
  'if (a && (',
  '`',
  'return {',
  'const x = [',
  'foo(a,',
  'if (a) {',
  'rows.map((y) => {',
  'for (const x of',
  'a.',
];

const CASES = [
  { name: 'a.py', text: PYTHON, lines: PYTHON_LINES, below: 'return text.replace', changed: ['quote'] },
  { name: 'a.py', text: PYTHON, lines: PYTHON_LINES, below: 'if self.scheme:', changed: ['Client', 'Client.connect'] },
  { name: 'a.py', text: PYTHON, lines: PYTHON_LINES, below: 'return 443', changed: ['Secure', 'Secure.connect'] },
  { name: 'a.ts', text: SCRIPT, lines: SCRIPT_LINES, below: 'if (body) {', changed: ['res.send'] },
  {
    name: 'a.ts',
    text: SCRIPT,
    lines: SCRIPT_LINES,
    below: "'Content-Type'",
    changed: ['res.contentType', 'res.type'],
  },
  { name: 'a.ts', text: SCRIPT, lines: SCRIPT_LINES, below: 'this.rows.find', changed: ['Store', 'Store.get'] },
  { name: 'a.ts', text: SCRIPT, lines: SCRIPT_LINES, below: 'this.rows.push', changed: ['Store', 'Store.put'] },
];

const differing = (one: Extracted, other: Extracted): string[] => {
  const [before, after] = [hashes(one), hashes(other)];
  return Object.keys(before).filter((symbol) => before[symbol] !== after[symbol]);
};

describe('a line that is half typed', () => {
  it.each(CASES)('changes what it stands in, and nothing else: $name, below $below', async (one) => {
    const { name, text, lines, below, changed } = one;
    const before = await extracted(name, text);
    const indentation = /^ */.exec(text.split('\n').find((line) => line.includes(below)) ?? '')?.[0] ?? '';
    for (const line of lines) {
      const after = await extracted(name, withLine(text, below, `${indentation}${line}`));
      expect([line, ...differing(before, after).sort()]).toEqual([line, ...changed]);
      expect(after.hash).not.toBe(before.hash);
    }
  });

  it('says something else when it is typed further', async () => {
    const [one, more] = await Promise.all(
      ['    if text and (', '    if text and (safe'].map((line) =>
        extracted('a.py', withLine(PYTHON, 'if not text', line)),
      ),
    );
    expect(one && more && differing(one, more)).toEqual(['quote']);
  });

  it('leaves the function in which nothing else stands', async () => {
    const before = await extracted('a.py', 'def one():\n    return 1\n\n\ndef two():\n    return 2\n');
    const after = await extracted('a.py', 'def one():\n    return {\n\n\ndef two():\n    return 2\n');
    expect([Object.keys(hashes(after)), differing(before, after)]).toEqual([['one', 'two'], ['one']]);
  });

  it.each([
    [
      'what it holds',
      'def f():\n    a = 1\n    if x and (\n        b = 1\n',
      (text: string) => text.replace('b = 1', 'b = 2'),
    ],
    [
      'where it goes on',
      'const f = (x: X) =>\n  x.map((y) => y + 1)\n  .filter((z) => {{\n\nconst g = 1;\n',
      (text: string) => text.replace('{{', '[[ other'),
    ],
    ['where it stands', 'function f() {\n  b(((;\n  one();\n}\n', () => 'function f() {\n  one();\n  b(((;\n}\n'],
    [
      'the spaces of its literals',
      "function f() {\n  b(((;\n  one('a, b');\n}\n",
      (text: string) => text.replace('a, b', 'a,b'),
    ],
    [
      'how far in it stands',
      'def f():\n    while (a:\n        if b:\n            c()\n        d()\n    return 1\n',
      (text: string) => text.replace('        d()', '            d()'),
    ],
  ])('counts with %s', async (_, text, change) => {
    const name = text.startsWith('def') ? 'a.py' : 'a.ts';
    const [before, after] = [await extracted(name, text), await extracted(name, change(text))];
    expect(differing(before, after)).toEqual(['f']);
    expect(after.hash).not.toBe(before.hash);
  });

  it.each([
    { name: 'a.ts', text: SCRIPT, below: 'res.send =', changed: ['res.send'] },
    { name: 'a.ts', text: SCRIPT, below: 'res.type =', changed: ['res.contentType', 'res.type'] },
    { name: 'a.ts', text: SCRIPT, below: 'const text', changed: ['close'] },
    { name: 'a.ts', text: SCRIPT, below: 'get(key', changed: ['Store', 'Store.get'] },
    { name: 'a.py', text: PYTHON, below: 'def quote', changed: ['quote'] },
    { name: 'a.py', text: PYTHON, below: 'def port', changed: ['Client', 'Client.port'] },
  ])('may be that of a conflict: $name, below $below', async ({ name, text, below, changed }) => {
    const before = await extracted(name, text);
    const lines = text.split('\n');
    const inside = /^ */.exec(lines[lines.findIndex((line) => line.includes(below)) + 1] ?? '')?.[0] ?? '';
    const call = name.endsWith('.ts') ? 'go({' : 'go([';
    const sides = (end: string): string[] => [`${inside}send(1)`, `${inside}${call}`, `${inside}  a, 2${end}`];
    const [ours, theirs] = [sides(name.endsWith('.ts') ? ' });' : '])'), sides('')];
    for (const base of [[], ['||||||| 1234567', `${inside}send(0)`]]) {
      const conflict = ['<<<<<<< HEAD', ...ours, ...base, '=======', ...theirs, '>>>>>>> other'];
      const after = await extracted(name, withLine(text, below, conflict.join('\n')));
      expect(differing(before, after).sort(), conflict.join('\n')).toEqual(changed);
    }
  });

  it('may be several, as those of a conflict that somebody has begun to solve', async () => {
    const text = withLine(SCRIPT, 'const text', '  send(1);\n=======\n  send(2);\n>>>>>>> other');
    const [before, after] = [await extracted('a.ts', SCRIPT), await extracted('a.ts', text)];
    expect(differing(before, after)).toEqual(['close']);
  });

  it('costs no symbol that was found in spite of it', async () => {
    // `out` is TypeScript, but not of its grammar.
    const text = 'interface Kept<out T> {\n  get(): T;\n}\n\nfunction fine() {\n  return 1;\n}\n';
    const before = await extracted('a.ts', text);
    expect(Object.keys(hashes(before))).toEqual(['Kept', 'Kept.get', 'fine']);
    const after = await extracted('a.ts', text.replace('  return 1', '  if (a && (\n  return 1'));
    expect([Object.keys(hashes(after)), differing(before, after)]).toEqual([['Kept', 'Kept.get', 'fine'], ['fine']]);
  });

  it.each([
    ['res.send', '    return this.end();\n  }\n};', '    return this.end();\n  }'],
    ['res.send', '  }\n};\n\nres.contentType', '\nres.contentType'],
    ['res.type', 'type);\n};', 'type);'],
    ['Store.put', '(row);\n  }\n}', '(row);\n}'],
    ['close', '  return text;\n};\n', '  return text;\n'],
  ])('keeps a function whose end is not typed, and its neighbours: %s', async (name, end, without) => {
    const before = hashes(await extracted('a.ts', SCRIPT));
    const text = SCRIPT.replace(end, without);
    expect(text).not.toBe(SCRIPT);
    const { definitions } = await extracted('a.ts', text);
    const now = Object.fromEntries(definitions.map(({ qualified, hash }) => [qualified, hash]));
    expect(now[name]).toBeDefined();
    expect(now[name]).not.toBe(before[name]);
    const others = Object.keys(before).filter(
      (one) => one !== name && !name.startsWith(`${one}.`) && one !== 'res.contentType',
    );
    expect(Object.fromEntries(others.map((one) => [one, now[one]]))).toEqual(
      Object.fromEntries(others.map((one) => [one, before[one]])),
    );
    const lines = text.split('\n');
    for (const { start_line, end_line } of definitions) {
      expect([start_line, end_line]).toSatisfy(
        ([from = 0, to = 0]: number[]) => 0 < from && from <= to && to <= lines.length,
      );
    }
  });

  it('is read as it stands where there is much of it', async () => {
    const some = (count: number): string =>
      Array.from({ length: count }, (_, i) => `function f${i}() {\n  const a = [\n}\n`).join('');
    const [few, many] = await Promise.all([extracted('a.js', some(12)), extracted('a.js', some(13))]);
    expect([few?.definitions.length, (many?.definitions.length ?? 0) < 13]).toEqual([12, true]);
  });

  it('costs little, however many empty lines there are', async () => {
    const text = `function f() {\n  a((\n${'\n'.repeat(200_000)}${'b();\n'.repeat(1_400)}}\n`;
    expect((await extracted('a.js', text)).lines).toBe(201_404);
  });
});

it('memories on untouched functions go on fitting them while one types, and that of the typed one is in doubt', async () => {
  await withCodeProject({ 'a.py': PYTHON }, async ({ build, ok, write }) => {
    const doubted = async (): Promise<string[]> => {
      await ok('verify-staleness');
      return [...(await ok('review')).matchAll(/About ([\w.]+)/g)].map(([, symbol = '']) => symbol);
    };
    await build();
    for (const symbol of ['quote', 'unquote', 'Client.connect', 'Client.port', 'Secure.close']) {
      await ok('store', `About ${symbol}`, '--kind', 'decision', '--entities', `a.py#${symbol}`);
    }
    await write('a.py', withLine(PYTHON, 'if not text', '    if scheme and ('));
    expect(await doubted()).toEqual(['quote']);
    await write('a.py', withLine(PYTHON, 'if not text', '    if scheme and (safe):\n        pass'));
    expect(await doubted()).toEqual(['quote']);
    await write('a.py', PYTHON);
    expect(await doubted()).toEqual([]);
  });
});
