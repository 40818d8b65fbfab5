import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Extracted, extract } from '../../src/server/graph/extract';
import { languageOf } from '../../src/server/graph/language-of';
import { ALL_LANGUAGES } from '../../src/server/graph/languages';
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
  readonly line: number;
  /** `method Store.get`, `call store.put < ./store` */
  readonly expected: string;
  /** The source from where the mark points. */
  readonly text: string;
}

/**
 * Comments below a line point at a name in it: `// ^ method Store.get`; `from 3` where its definition begins above, with
 * a decorator.
 */
function marksIn(source: string): Mark[] {
  const lines = source.split('\n');
  let marked = 0;
  return lines.flatMap((line, row) => {
    const mark = /^(?:\/\/|#) *\^ (\w+ (?:\S*\boperator )?\S+(?: < \S+)?)(?: from (\d+))?$/.exec(line);
    if (!mark) {
      marked = row;
      return [];
    }
    const text = (lines[marked] ?? '').slice(line.indexOf('^'));
    return [{ line: Number(mark[2] ?? marked + 1), expected: mark[1] ?? '', text }];
  });
}

const REFERENCE = /^(?:namespace|call|import|inherit) /;
const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.txt'));

/** The marks of one sort, and what they stand for. */
function marked(file: string, isWanted: (mark: Mark) => boolean): { source: string; marks: string[] } {
  const source = readFileSync(join(SOURCES, file), 'utf8');
  const marks = marksIn(source).filter(isWanted);
  for (const { expected, text } of marks) {
    const name =
      expected
        .replace(/^\w+ | < .*/g, '')
        .split('.')
        .at(-1)
        ?.replaceAll(' ', '') ?? '?';
    const isSpelt = text.replaceAll(' ', '').startsWith(name) || /^(?:import|namespace)|\[|Data\.Rows/.test(expected);
    const isAlias = expected.startsWith('call') && expected.includes(' < ');
    expect(isSpelt || isAlias, `${expected} at ${text}`).toBe(true);
  }
  return { source, marks: marks.map(({ line, expected }) => `${line}: ${expected}`).sort() };
}

it('has sources with marks for each language, definitions and references', () => {
  const folders = [...new Set(sources.map((file) => file.split('/')[0]))];
  expect(folders.sort()).toEqual(ALL_LANGUAGES.map((one) => one.name).sort());
  for (const folder of folders) {
    expect(sources.filter((file) => file.startsWith(`${folder}/definitions.`))).toHaveLength(1);
    expect(sources.filter((file) => file.startsWith(`${folder}/references.`))).toHaveLength(1);
  }
});

describe('what a source defines', () => {
  it.each(sources.filter((file) => !file.includes('references.')))(
    'is found where the marks in %s say, and nothing else',
    async (file) => {
      const { source, marks } = marked(file, ({ expected }) => !REFERENCE.test(expected));
      expect(marks.length).toBeGreaterThan(0);
      const { definitions } = await extracted(basename(file, '.txt'), source);
      expect(definitions.map((one) => `${one.start_line}: ${one.code_type} ${one.qualified}`).sort()).toEqual(marks);
    },
  );

  it('comes with its signature, its doc comment and its lines', async () => {
    const text =
      '/**\n * Opens the store.\n * Slowly.\n */\nexport function open(\n  path: string,\n): Store {\n  return 1;\n}\n';
    const { definitions } = await extracted('a.ts', text);
    expect(definitions).toMatchObject([{ name: 'open', start_line: 5, end_line: 9, doc: 'Opens the store. Slowly.' }]);
    expect(definitions[0]?.signature).toBe('function open(path: string): Store');
    const python = await extracted('a.py', 'def open(path):\n    """Opens the store."""\n    return 1\n');
    expect(python.definitions[0]).toMatchObject({ doc: 'Opens the store.', signature: 'def open(path)' });
  });

  it.each([
    ['above', '<#\n.SYNOPSIS\nOpens the store.\n.PARAMETER Path\nWhere it lies.\n#>\nfunction Open-Store { }\n'],
    [
      'inside',
      'function Open-Store {\n  <#\n  .SYNOPSIS\n    Opens the store.\n  .EXAMPLE\n    Open-Store x\n  #>\n}\n',
    ],
    ['in lines above', '# Opens the store.\nfunction Open-Store { }\n'],
  ])('comes with what the help of PowerShell says, %s', async (_, text) => {
    expect((await extracted('a.ps1', text)).definitions[0]?.doc).toBe('Opens the store.');
  });

  it('is found around a syntax error', async () => {
    const { definitions } = await extracted('a.ts', 'function before() {}\nconst = = (;\nfunction after() {}\n');
    expect(definitions.map((one) => one.name)).toEqual(['before', 'after']);
  });
});

describe('what a source refers to', () => {
  it.each(sources.filter((file) => file.includes('references.')))(
    'is found where the marks in %s say, and nothing else',
    async (file) => {
      const { source, marks } = marked(file, ({ expected }) => REFERENCE.test(expected));
      const { references } = await extracted(basename(file, '.txt'), source);
      const found = references.map(({ kind, name, module, qualifier, line }) => {
        const named = kind !== 'import' && qualifier !== '' ? `${qualifier}.${name}` : name;
        return `${line}: ${kind} ${named}${module === '' ? '' : ` < ${module}`}`;
      });
      expect(found.sort()).toEqual(marks);
    },
  );

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

  it('is that of the function alone where it is assigned to two names and called after one of them', async () => {
    const alone = 'function type(value) { return this.set("Content-Type", value); }';
    expect(await hashOf(`res.type = res.kind = ${alone}`, 'a.js')).toBe(await hashOf(alone, 'a.js'));
    // Two places of one name are one, which is the inner one.
    const inner = `Answer.prototype.type = ${alone}`;
    expect(await hashOf(`Answer.type = ${inner}`, 'a.js')).toBe(await hashOf(inner, 'a.js'));
  });

  it('changes with the text, a comment included', async () => {
    const hash = await hashOf('function walk() { return 1; }');
    expect(await hashOf('function walk() { return 2; }')).not.toBe(hash);
    expect(await hashOf('function walk() { return 1; /* not two */ }')).not.toBe(hash);
  });

  it.each([
    ['a.py', '@app.get("/")\n@login_required\ndef f():\n  return 1\n', '@login_required\n', 1],
    ['a.ts', '@Component({ a: 1 })\n// why\nexport class A {}\n', '{ a: 1 }', 1],
    ['a.ts', '@sealed export default class A {}\n', '@sealed', 1],
    ['b.ts', 'class A {\n  @Get()\n  @Auth() m() { return 1; }\n}\n', '@Get()', 2],
    ['a.rs', 'use x;\n\n#[test]\n#[ignore]\nfn f() {}\n', '#[ignore]\n', 3],
    ['a.java', 'class A {\n  @Override\n  public void m() {}\n}\n', '@Override', 2],
    ['a.cs', 'class A {\n  [Fact]\n  public void M() {}\n}\n', '[Fact]', 2],
    ['a.php', '<?php\n#[Route("/")]\nfunction f() {}\n', '#[Route("/")]', 2],
    ['a.cpp', '[[nodiscard]]\nint f() { return 1; }\n', '[[nodiscard]]', 1],
  ])('takes in decorators and attributes, and so do its lines (%s, %#)', async (name, text, one, line) => {
    const own = async (source: string) => (await extracted(name, source)).definitions.at(-1);
    const before = await own(text);
    expect(before?.start_line).toBe(line);
    expect(before?.signature).not.toMatch(/^@|^#/);
    expect((await own(text.replace(one, '')))?.hash).not.toBe(before?.hash);
    const comment = /py$/.test(name) ? '# About it.' : '// About it.';
    const documented = name === 'a.php' ? text.replace('<?php', `<?php\n${comment}`) : `${comment}\n${text}`;
    expect((await own(documented))?.hash).toBe(before?.hash);
  });

  it('does not depend on what stands before the symbol', async () => {
    const last = async (text: string) => (await extracted('a.py', text)).definitions.at(-1)?.hash;
    const hash = await last('def f(x):\n  return g(x)\n');
    expect(await last('def e():\n  if a:\n    b()\ndef f(x):\n  return g(x)\n')).toBe(hash);
    expect(await last('class A:\n  def f(x):\n    return g(x)\n')).toBe(hash);
    expect(await last('class A:\n  a = 1\n  def f(x):\n    return g(x)\n')).toBe(hash);
  });

  it('changes with the indentation where that is syntax', async () => {
    const hash = await hashOf('def f(x):\n  if x:\n    a()\n    b()\n', 'a.py');
    expect(await hashOf('def f(x):\n    if x:\n        a()\n        b()\n', 'a.py')).toBe(hash);
    expect(await hashOf('def f(x):\n  if x:\n    a()\n  b()\n', 'a.py')).not.toBe(hash);
  });
});

it.each(sources)('the symbols of %s are the same where nothing else is asked for', async (file) => {
  const text = readFileSync(join(SOURCES, file), 'utf8');
  const language = languageOf(basename(file, '.txt'), text);
  if (!language) throw new Error(`${file} has no known language`);
  const whole = await extract(parser, text, language, { oldHashes: true });
  const alone = await extract(parser, text, language, { oldHashes: true, symbolsAlone: true });
  const symbols = whole.definitions.map((one) => ({ ...one, signature: '', doc: '' }));
  expect(alone).toEqual({ ...whole, definitions: symbols, references: [] });
  expect(symbols.length).toBeGreaterThan(0);
});
