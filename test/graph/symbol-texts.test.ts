import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Definition, extract, isOldHash, oldFileHash } from '../../src/server/graph/extract';
import { languageOf } from '../../src/server/graph/language-of';
import { ALL_LANGUAGES } from '../../src/server/graph/languages';
import { openParser } from '../../src/server/graph/parser';

const ROOT = resolve(__dirname, '../..');
const parser = openParser(join(ROOT, 'dist'));

async function definition(name: string, text: string): Promise<Definition> {
  const language = languageOf(name);
  if (!language) throw new Error(`${name} has no known language`);
  const { definitions } = await extract(parser, text, language, { oldHashes: true });
  const last = definitions.at(-1);
  if (!last) throw new Error(`nothing is defined in ${text}`);
  return last;
}

/** A function with this body, of the language of the file. */
const AROUND: Readonly<Record<string, (body: string) => string>> = {
  'a.ts': (body) => `function f(a: string, b: number) { ${body} }`,
  'a.tsx': (body) => `function f(a: string, b: number) { ${body} }`,
  'a.js': (body) => `function f(a, b) { ${body} }`,
  'a.py': (body) => `def f(a, b):\n    ${body}\n`,
  'a.go': (body) => `package p\nfunc f(a string, b int) int {\n\t${body}\n}\n`,
  'a.rs': (body) => `fn f(a: &str, b: i32) { ${body} }\n`,
  'A.java': (body) => `class A { void f(String a, int b) { ${body} } }`,
  'A.cs': (body) => `class A { void F(string a, int b) { ${body} } }`,
  'a.c': (body) => `int f(char *a, int b) { ${body} }\n`,
  'a.cpp': (body) => `int f(std::string a, int b) { ${body} }\n`,
  'a.rb': (body) => `def f(a, b)\n  ${body}\nend\n`,
  'a.php': (body) => `<?php\nfunction f($a, $b) { ${body} }\n`,
  'a.sh': (body) => `f() {\n  ${body}\n}\n`,
  'a.ps1': (body) => `function f($a, $b) {\n  ${body}\n}\n`,
};

async function hashes(file: string, before: string, after: string): Promise<[string, string]> {
  const around = AROUND[file] ?? ((body: string) => body);
  const [one, other] = [await definition(file, around(before)), await definition(file, around(after))];
  return [one.hash, other.hash];
}

/** What is computed in a literal. */
const B = '$'.concat('{b}');

/** The same with another space in a literal. */
const LITERALS: readonly (readonly [file: string, before: string, after: string])[] = [
  ['a.ts', 'return [a, b].join(", ");', 'return [a, b].join(",");'],
  ['a.ts', `return \`a ${B} c\`;`, `return \`a ${B}  c\`;`],
  ['a.ts', `return \`a ${B} c\`;`, `return \`a\n${B} c\`;`],
  ['a.ts', "return a.replace(/a b/g, '');", "return a.replace(/a  b/g, '');"],
  ['a.ts', "return ' ';", "return '';"],
  ['a.ts', "return '\\u00e9 a';", "return '\\u00e9\u00a0a';"],
  ['a.tsx', 'return <p title="a b">{a}</p>;', 'return <p title="a  b">{a}</p>;'],
  ['a.js', "return 'a b';", "return 'a\tb';"],
  ['a.py', 'return "a b"', 'return "a  b"'],
  ['a.py', 'return f"a {b} c"', 'return f"a {b}  c"'],
  ['a.py', 'return r"""a\n    b"""', 'return r"""a\n     b"""'],
  ['a.go', 'return g("a b")', 'return g("a  b")'],
  ['a.go', 'return g(`a b`)', 'return g(`a\nb`)'],
  ['a.go', "return g(' ')", "return g('\t')"],
  ['a.rs', 'g("a b")', 'g("a  b")'],
  ['a.rs', 'g(r#"a b"#)', 'g(r#"a\nb"#)'],
  ['a.rs', "g(' ')", "g('\t')"],
  ['a.rs', 'println!("a b")', 'println!("a  b")'],
  ['A.java', 'g("a b");', 'g("a  b");'],
  ['A.java', 'g("""\n  a\n  b\n  """);', 'g("""\n  a\n    b\n  """);'],
  ['A.java', "g(' ');", "g('\t');"],
  ['A.cs', 'G("a b");', 'G("a  b");'],
  ['A.cs', 'G(@"a b");', 'G(@"a\nb");'],
  ['A.cs', 'G($"a {b} c");', 'G($"a {b}  c");'],
  ['A.cs', 'G("""\n  a\n  b\n  """);', 'G("""\n  a\n   b\n  """);'],
  ['A.cs', "G(' ');", "G('\t');"],
  ['a.c', 'return g("a b");', 'return g("a  b");'],
  ['a.c', "return ' ';", "return '\t';"],
  ['a.cpp', 'return g(R"(a b)");', 'return g(R"(a\nb)");'],
  ['a.rb', 'g "a b"', 'g "a  b"'],
  ['a.rb', 'g %q(a b)', 'g %q(a  b)'],
  ['a.rb', 'g "a #{b} c"', 'g "a #{b}  c"'],
  ['a.rb', 'a =~ /a b/', 'a =~ /a  b/'],
  ['a.rb', 'g <<-X\n  a b\n  X', 'g <<-X\n  a  b\n  X'],
  ['a.rb', 'g <<-X\n  a b\n  X', 'g <<-X\n    a b\n  X'],
  ['a.rb', 'g <<~X\n    a\n    b\n  X', 'g <<~X\n    a\n      b\n  X'],
  ['a.php', 'return "a $b";', 'return "a  $b";'],
  ['a.php', "return 'a b';", "return 'a  b';"],
  ['a.php', 'return <<<X\n  a\n  b\n  X;', 'return <<<X\n  a\n   b\n  X;'],
  ['a.php', "return <<<'X'\n  a b\n  X;", "return <<<'X'\n  a  b\n  X;"],
  ['a.sh', 'echo "a b"', 'echo "a  b"'],
  ['a.sh', "echo 'a b'", "echo 'a  b'"],
  ['a.sh', "echo $'a b'", "echo $'a  b'"],
  ['a.sh', 'cat <<X\na b\nX', 'cat <<X\na  b\nX'],
  ['a.ps1', 'Write-Host "a $b"', 'Write-Host "a  $b"'],
  ['a.ps1', "Write-Host 'a b'", "Write-Host 'a  b'"],
  ['a.ps1', "Write-Host @'\na b\n'@", "Write-Host @'\na  b\n'@"],
];

describe('the text of a symbol changes with', () => {
  it('something in each language', () => {
    const languages = new Set(LITERALS.map(([file]) => languageOf(file)?.name));
    expect([...languages].sort()).toEqual(ALL_LANGUAGES.map(({ name }) => name).sort());
  });

  it.each(LITERALS)('a space in a literal (%s: %s)', async (file, before, after) => {
    const [one, other] = await hashes(file, before, after);
    expect(other).not.toBe(one);
  });

  it.each([
    ['a.c', '#define F(a) g("a b")\n', '#define F(a) g("a  b")\n'],
    ['a.c', "#define F(a) g(' ')\n", "#define F(a) g('\t')\n"],
  ])('a space in the literal of a macro (%s: %s)', async (file, before, after) => {
    expect((await definition(file, after)).hash).not.toBe((await definition(file, before)).hash);
  });

  it.each([
    ['a.js', 'return [,];', 'return [];'],
    ['a.py', 'return (a,)', 'return (a)'],
    ['a.py', 'g((a,))', 'g((a))'],
    ['a.py', 'return a > (3,)', 'return a > (3)'],
    ['a.js', 'return\n(a)', 'return (a)'],
    ['a.tsx', 'return\n(<p/>)', 'return (<p/>)'],
    ['a.rs', 'a > (3,)', 'a > (3)'],
    ['a.rs', 'let (x,) = g();', 'let (x) = g();'],
    ['a.py', 'return a[b,]', 'return a[b]'],
    ['a.py', 'return f"{a,}"', 'return f"{a}"'],
    ['a.rs', 'g((a,))', 'g((a))'],
    ['a.rs', 'match a { _ => (a,) }', 'match a { _ => (a) }'],
    ['a.rs', 'let f = || -> (u8,) { g() };', 'let f = || -> (u8) { g() };'],
    ['a.py', 'match a:\n        case (b,): pass', 'match a:\n        case (b): pass'],
    ['a.c', 'G(a,);', 'G(a);'],
    ['a.js', 'let c = (a, b);', 'let c = a, b;'],
    ['a.js', 'g((c) => (a, b));', 'g((c) => a, b);'],
    ['a.js', 'return () => ({});', 'return () => {};'],
    ['a.js', 'return (\n  a\n);', 'return\n  a;'],
    ['a.js', 'return (a + 1) * b;', 'return a + 1 * b;'],
    ['a.py', 'return (a + 1) * b', 'return a + 1 * b'],
    ['a.py', 'c = (a, b), a', 'c = a, b, a'],
  ])('a comma or a bracket that means something (%s: %s)', async (file, before, after) => {
    const [one, other] = await hashes(file, before, after);
    expect(other).not.toBe(one);
  });

  it.each([
    ['a.js', 'return b + a;', 'return\nb + a;'],
    ['a.ts', 'return b + a;', 'return // why\n b + a;'],
    ['a.js', 'x: while (a) { break x; }', 'x: while (a) { break\nx; }'],
    ['a.js', 'x: while (a) { continue x; }', 'x: while (a) { continue\nx; }'],
    ['a.js', 'a\n++\nb', 'a++\nb'],
    ['a.js', 'return a+++b;', 'return a+ ++b;'],
    ['a.py', 'return\n    -a', 'return -a'],
    ['a.py', 'a\n    (b)', 'a(b)'],
    ['a.py', 'g(":(")\n    if a:\n        b()\n    c()', 'g(":(")\n    if a:\n        b()\n        c()'],
    ['a.py', '# :(\n    if a:\n        b()\n    c()', '# :(\n    if a:\n        b()\n        c()'],
    ['a.go', 'if b { return }\n\tg()', 'if b { return g() }'],
    ['a.go', 'x := a\n\t-b', 'x := a - b'],
    ['a.go', 'if a <- b {}', 'if a < -b {}'],
    ['a.rb', 'return\n  a', 'return a'],
    ['a.rb', 'x = a\n  -b', 'x = a - b'],
    ['a.rb', 'x = g(a)\n  [b].h', 'x = g(a)[b].h'],
    ['a.sh', 'echo a\n  b', 'echo a b'],
    ['a.sh', 'x=$(g)\n  h', 'x=$(g) h'],
    ['a.ps1', 'return\n  $a', 'return $a'],
    ['a.ps1', 'g $a\n  h', 'g $a h'],
    ['a.c', 'g();\n// why\nh();', 'g();\n// why h();\n'],
    ['a.py', 'g()\n    # why\n    h()', 'g()\n    # why h()\n'],
    ['a.c', '\n#define A b\ng();\n', '\n#define A b g();\n'],
    ['A.cs', '\n#if A\ng();\n#endif\n', '\n#if A g();\n#endif\n'],
    ['a.c', '\n#define A b \\\n c\ng();\n', '\n#define A b\n c\ng();\n'],
  ])('a line break that ends something (%s: %s)', async (file, before, after) => {
    const [one, other] = await hashes(file, before, after);
    expect(other).not.toBe(one);
  });
});

describe('the text of a symbol stays', () => {
  it.each([
    ['a.ts', `return \`a ${B}\`;`, `return \`a ${B.replace('b', ' b ')}\`;`],
    ['a.js', 'if (a) return;\nreturn b;', 'if (a)\n  return;\n\nreturn b;'],
    ['a.js', 'while (a) ++b;', 'while (a)\n  ++b;'],
    ['a.js', 'if (a) { return }', 'if (a) {\n  return\n}'],
    ['a.js', "g('a');\ng('b');", "g('a'); g('b');"],
    ['a.tsx', "const x = <p>don't {a} do this</p>;", "const x = <p>\n  don't {a}\n  do this\n</p>;"],
    ['a.tsx', 'return <p>see http://a b return</p>;', 'return <p>\n  see http://a\n  b return\n</p>;'],
    ['a.py', 'return g(a, b)', 'return g(\n        a, b\n    )'],
    ['a.py', '"""Reads it.\n\n    Slowly.\n    """\n    g()', '"""Reads it.\n\n  Slowly.\n  """\n    g()'],
    ['a.py', 'if a:\n        b()\n    # why\n    c()', 'if a:\n      b()\n  # why\n    c()'],
    ['a.py', 'return a + \\\n        b', 'return a + \\\n    b'],
    ['a.go', 'if b { return 1 }', 'if b {\n\t\treturn 1\n\t}'],
    ['a.go', 'g(a,\n\t\tb)', 'g(a, b)'],
    ['a.go', 'switch b { case 1: g() }', 'switch b {\n\tcase 1:\n\t\tg()\n\t}'],
    ['a.rb', 'g(a,\n    b)', 'g(a, b)'],
    ['a.rb', 'a.each do |x| g(x) end', 'a.each do |x|\n    g(x)\n  end'],
    ['a.rb', 'a.map { |x| g(x) }.sort', 'a\n    .map { |x|\n      g(x)\n    }\n    .sort'],
    ['a.rb', 'g <<~X\n    a\n      b\n  X', 'g <<~X\n      a\n        b\n    X'],
    ['a.sh', 'if a; then b; fi', 'if a; then\n    b; fi'],
    ['a.sh', 'a && b | c', 'a &&\n    b |\n    c'],
    ['a.sh', 'echo "$(a b)"', 'echo "$( a  b )"'],
    ['a.sh', `echo "${B.replace('b', 'b[1+2]')}"`, `echo "${B.replace('b', 'b[1 + 2]')}"`],
    ['a.sh', 'cat <<-X\n\ta\n\tX', 'cat <<-X\n\t\ta\n\t\tX'],
    ['a.ps1', 'if ($a) { g } else { h }', 'if ($a)\n  {\n    g\n  }\n  else\n  {\n    h\n  }'],
    ['A.java', 'g("""\n  a\n    b\n  """);', 'g("""\n      a\n        b\n      """);'],
    ['A.cs', 'G("""\n  a\n    b\n  """);', 'G("""\n      a\n        b\n      """);'],
    ['a.php', 'return <<<X\n  a\n    b\n  X;', 'return <<<X\n      a\n        b\n      X;'],
    ['a.c', 'if (b) { return 1; }', 'if (b)\n{\n\treturn 1;\n}'],
    ['a.rs', "g(b - -1, 'a', x::<'a>())", "g(b- -1,\n 'a',\n x::<'a>())"],
  ])('when a formatter breaks lines (%s: %s)', async (file, before, after) => {
    const [one, other] = await hashes(file, before, after);
    expect(other).toBe(one);
  });

  it.each([
    ['a.ts', 'return g(a, b);', 'return g(\n  a,\n  b,\n);'],
    ['a.ts', 'return g(a, b /* c */);', 'return g(\n  a,\n  b, /* c */\n);'],
    ['a.ts', 'return { a, b: [1] };', 'return {\n  a,\n  b: [\n    1,\n  ],\n};'],
    ['a.ts', 'return new Map<string, number>();', 'return new Map<\n  string,\n  number,\n>();'],
    ['b.ts', 'function f<A, B>(a: A) {}', 'function f<\n  A,\n  B,\n>(a: A) {}'],
    ['b.rs', 'fn f<A, B>(a: A) {}', 'fn f<\n    A,\n    B,\n>(a: A) {}'],
    ['a.ts', 'let x: { a: 1; b: 2 };', 'let x: {\n  a: 1;\n  b: 2;\n};'],
    ['a.ts', 'type X = "a" | "b";', 'type X =\n  | "a"\n  | "b";'],
    ['a.tsx', 'return <p a={g(a)}>{g(b)}</p>;', 'return <p a={g(\n  a,\n)}>{g(\n  b,\n)}</p>;'],
    ['a.js', 'return a && b;', 'return (\n  a &&\n  b\n);'],
    ['a.js', 'return a;', 'return (\n  a\n);'],
    ['a.js', 'const g = () => a ? b : a;', 'const g = () => (\n  a\n    ? b\n    : a\n);'],
    ['a.js', 'a = b || g(a);', 'a =\n  (b ||\n  g(a));'],
    ['a.tsx', 'return <p>{a}</p>;', 'return (\n  <p>{a}</p>\n);'],
    ['a.tsx', 'return a && <p>{a}</p>;', 'return a && (\n  <p>{a}</p>\n);'],
    ['a.py', 'return a or b', 'return (\n        a\n        or b\n    )'],
    ['a.py', 'c = a + b', 'c = (\n        a\n        + b\n    )'],
    ['a.py', 'assert a or b', 'assert (\n        a or b\n    )'],
    ['a.py', 'assert a or b, a', 'assert (\n        a or b\n    ), a'],
    ['a.py', 'if a or b:\n        pass', 'if (\n        a or b\n    ):\n        pass'],
    ['a.py', 'for c in a or b:\n        pass', 'for c in (\n        a or b\n    ):\n        pass'],
    ['a.py', 'c.d = a', 'c.d = (\n        a\n    )'],
    ['a.rs', 'g::<u8>(a, b)', 'g::<u8>(a, b,)'],
    ['a.rs', 'g::<u8>(a)', 'g::<u8>(\n  a,\n)'],
    ['a.js', `return \`${B.replace('b', 'g(a)')}\`;`, `return \`${B.replace('b', 'g(a,)')}\`;`],
    ['a.py', 'return g(a)', 'return g(\n        a,\n    )'],
    ['a.py', 'return (a, b)', 'return (\n        a,\n        b,\n    )'],
    ['a.py', 'return [a]', 'return [\n        a,\n    ]'],
    ['a.py', 'return {"a": a}', 'return {\n        "a": a,\n    }'],
    ['a.py', 'return a[b, c]', 'return a[\n        b,\n        c,\n    ]'],
    ['a.rs', 'g(a, b)', 'g(\n  a,\n  b,\n)'],
    ['a.rs', 'G { a }', 'G {\n  a,\n}'],
    ['a.rs', 'match b { 1 => a, _ => c }', 'match b {\n  1 => a,\n  _ => c,\n}'],
  ])(
    'when a formatter ends the last line, or begins the first one, as the others (%s: %s)',
    async (file, before, after) => {
      const [one, other] = await hashes(file, before, after);
      expect(other).toBe(one);
    },
  );

  it.each([
    ['a.c', 'g(a)', '\\\n  g(a)'],
    ['a.c', 'g(a) /* why so */', 'g(a) /* why \\\n so */'],
    ['a.cpp', 'do { g(a); } while (0)', 'do { \\\r\n  g(a); \\\r\n} while (0)'],
  ])('when a formatter breaks a macro (%s: %s)', async (file, before, after) => {
    const macro = async (body: string) => (await definition(file, `#define F(a) ${body}\n`)).hash;
    expect(await macro(after)).toBe(await macro(before));
  });

  it('when a formatter breaks a comment in the macro before it', async () => {
    const behind = async (comment: string, body: string) =>
      (await definition('a.c', `#define F 2 ${comment}\n\nint f(void)${body}`)).hash;
    const hash = await behind('/* why so */', ' { return 1; }\n');
    expect(await behind('/* why \\\n so */', '\n{\n  return 1;\n}\n')).toBe(hash);
  });

  it.each(Object.keys(AROUND))('when lines end in another way (%s)', async (file) => {
    const around = AROUND[file]?.('g("a b");\n  h("c");') ?? '';
    const [one, other] = [await definition(file, around), await definition(file, around.replaceAll('\n', '\r\n'))];
    expect(other.hash).toBe(one.hash);
  });

  it('when a symbol is renamed, but not when a literal is', async () => {
    const named = (name: string, literal: string) =>
      `function ${name}(n) { return n ? ${name}(n - 1) : "${literal}"; }`;
    const { hash } = await definition('a.js', named('walk', 'walk'));
    expect((await definition('a.js', named('stroll', 'walk'))).hash).toBe(hash);
    expect((await definition('a.js', named('stroll', 'stroll'))).hash).not.toBe(hash);
  });
});

describe('the hash of a text', () => {
  it('tells by its form whether it knew literals', async () => {
    const { hash, old_hash = '' } = await definition('a.ts', 'function f() { return [1, 2, 3].join(", "); }');
    expect(isOldHash(hash)).toBe(false);
    expect(isOldHash(old_hash)).toBe(true);
    expect(isOldHash(oldFileHash('text', false))).toBe(true);
  });

  it('is by the rule of 0.1.0 what 0.1.0 stored', async () => {
    const { old_hash } = await definition('a.ts', 'function walk(n: number) { return n ? walk(n - 1) : "a b"; }');
    expect(old_hash).toBe('bTfoJxiCN-A8BbyjQEcaNV');
  });
});

describe('a formatter', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'svc-formatted-'));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  /** Real sources in another layout. @returns the folder */
  function formatted(files: readonly string[], formatter: object): string {
    const folder = join(scratch, String(readdirSync(scratch).length));
    mkdirSync(folder);
    for (const file of files) writeFileSync(join(folder, basename(file)), readFileSync(file));
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ root: true, ...formatter }));
    const biome = join(ROOT, 'node_modules/.bin/biome');
    const { status, stderr } = spawnSync(biome, ['format', '--write', '.'], { cwd: folder, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    return folder;
  }

  it('changes no text of real code when it only breaks lines elsewhere', async () => {
    const folders = ['src/server/graph', 'src/server/base', 'src/server/render'].map((one) => join(ROOT, one));
    const files = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(folder, name)),
    );
    const javascript = { formatter: { quoteStyle: 'single', trailingCommas: 'none', arrowParentheses: 'always' } };
    const narrow = formatted(files, { formatter: { lineWidth: 60, indentStyle: 'tab' }, javascript });
    const wide = formatted(files, { formatter: { lineWidth: 140, indentStyle: 'space' }, javascript });
    const textsIn = async (folder: string): Promise<Map<string, Definition>> => {
      const found = new Map<string, Definition>();
      for (const file of files) {
        const language = languageOf(file);
        if (!language) continue;
        const source = readFileSync(join(folder, basename(file)), 'utf8');
        const { definitions } = await extract(parser, source, language, { oldHashes: true });
        for (const [i, one] of definitions.entries()) found.set(`${basename(file)}#${i} ${one.qualified}`, one);
      }
      return found;
    };
    const [before, after] = [await textsIn(narrow), await textsIn(wide)];
    // A formatter puts brackets around what it breaks, or a bar before it: tokens that the text has or has not.
    const alike = [...before].filter(([key, one]) => after.get(key)?.old_hash === one.old_hash);
    expect(alike.length).toBeGreaterThan(500);
    expect(alike.filter(([key, one]) => after.get(key)?.hash !== one.hash)).toEqual([]);
  });
});
