import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Extracted, extract } from '../../src/server/graph/extract';
import { languageOf } from '../../src/server/graph/languages';
import { openParser } from '../../src/server/graph/parser';

const SOURCES = join(__dirname, 'sources');
const parser = openParser(resolve(__dirname, '../../dist'));

/** As if the text lay in a file of this name. */
async function extracted(name: string, text: string): Promise<Extracted> {
  const language = languageOf(name);
  if (!language) throw new Error(`${name} has no known language`);
  return extract(parser, text, language);
}

interface Mark {
  /** `<line>: <type> <qualified name>` */
  readonly expected: string;
  readonly text: string;
}

/** Comments below a line point at a name in it: `// ^ method Store.get`. */
function marksIn(source: string): Mark[] {
  const lines = source.split('\n');
  let marked = 0;
  return lines.flatMap((line, row) => {
    const mark = /^(?:\/\/|#) *\^ (\w+) (\S+)$/.exec(line);
    if (!mark) {
      marked = row;
      return [];
    }
    return [{ expected: `${marked + 1}: ${mark[1]} ${mark[2]}`, text: (lines[marked] ?? '').slice(line.indexOf('^')) }];
  });
}

const withoutLine = (one: string): string => one.replace(/^\d+: /, '');

describe('what a source defines', () => {
  it.each(readdirSync(SOURCES))('is found where the marks in %s say, and nothing else', async (file) => {
    const source = readFileSync(join(SOURCES, file), 'utf8');
    const { definitions } = await extracted(basename(file, '.txt'), source);
    const found = definitions.map((one) => `${one.start_line}: ${one.code_type} ${one.qualified}`);
    const marks = marksIn(source);
    expect(marks.length).toBeGreaterThan(0);
    expect(found.map(withoutLine).sort()).toEqual(marks.map((mark) => withoutLine(mark.expected)).sort());
    // A decorated or templated definition may begin above the line with its name.
    expect(found.sort()).toEqual(marks.map((mark) => mark.expected).sort());
    for (const { expected, text } of marks) {
      expect(text.startsWith(expected.split(/[ .]/).at(-1) ?? '?') || expected.includes('Data.Rows'), expected).toBe(
        true,
      );
    }
  });

  it('comes with its signature, its doc comment and its lines', async () => {
    const text =
      '/**\n * Opens the store.\n * Slowly.\n */\nexport function open(\n  path: string,\n): Store {\n  return 1;\n}\n';
    const { definitions } = await extracted('a.ts', text);
    expect(definitions).toMatchObject([{ name: 'open', start_line: 5, end_line: 9, doc: 'Opens the store. Slowly.' }]);
    expect(definitions[0]?.signature).toBe('function open( path: string, ): Store');
    const python = await extracted('a.py', 'def open(path):\n    """Opens the store."""\n    return 1\n');
    expect(python.definitions[0]).toMatchObject({ doc: 'Opens the store.', signature: 'def open(path)' });
  });

  it('is found around a syntax error', async () => {
    const { definitions } = await extracted('a.ts', 'function before() {}\nconst = = (;\nfunction after() {}\n');
    expect(definitions.map((one) => one.name)).toEqual(['before', 'after']);
  });
});

describe('what a source refers to', () => {
  it.each([
    ['a.ts', "import { open } from './db';\nclass A extends B { m() { this.k(); open(); new Q(); } }"],
    ['a.py', 'from .db import open\nclass A(B):\n  def m(self):\n    self.k(); open(); Q()'],
    ['a.java', 'import x.open;\nclass A extends B { void m() { k(); open(); new Q(); } }'],
  ])('in %s: calls, imports and inheritance, each with the definition around it', async (name, text) => {
    const { definitions, references } = await extracted(name, text);
    const found = references.map((one) => `${one.kind} ${one.name} in ${definitions[one.within]?.qualified ?? 'file'}`);
    const calls = ['call k in A.m', 'call open in A.m', 'call Q in A.m'];
    expect(found).toEqual(['import open in file', 'inherit B in A', ...calls]);
  });
});

describe('the hash of a symbol', () => {
  const hashOf = async (text: string, name = 'a.ts'): Promise<string | undefined> =>
    (await extracted(name, text)).definitions[0]?.hash;

  it('stays when lines move, a formatter runs, or the symbol is renamed', async () => {
    const hash = await hashOf('function walk(n: number) { return n ? walk(n - 1) : 0; }');
    expect(await hashOf('\n\n  function walk(n: number) {\n    return n ? walk(n-1) : 0;\n  }')).toBe(hash);
    expect(await hashOf('function stroll(n: number) { return n ? stroll(n - 1) : 0; }')).toBe(hash);
  });

  it('changes with the text, a comment included', async () => {
    const hash = await hashOf('function walk() { return 1; }');
    expect(await hashOf('function walk() { return 2; }')).not.toBe(hash);
    expect(await hashOf('function walk() { return 1; /* not two */ }')).not.toBe(hash);
  });

  it('changes with the indentation where that is syntax', async () => {
    const hash = await hashOf('def f(x):\n  if x:\n    a()\n    b()\n', 'a.py');
    expect(await hashOf('def f(x):\n    if x:\n        a()\n        b()\n', 'a.py')).toBe(hash);
    expect(await hashOf('def f(x):\n  if x:\n    a()\n  b()\n', 'a.py')).not.toBe(hash);
  });
});
