import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { extract } from '../../src/server/graph/extract';
import { languageOf } from '../../src/server/graph/language-of';
import { ALL_LANGUAGES, LANGUAGES } from '../../src/server/graph/languages';
import { openParser } from '../../src/server/graph/parser';

const parser = openParser(resolve(__dirname, '../../dist'));

/** Whatever is called secret is no part of a signature. */
const CASES: readonly (readonly [file: string, source: string, signatures: readonly string[]])[] = [
  ['a.js', "function f(a, b = 'secret') {}", ['function f(a, b = …)']],
  ['a.ts', "function f(a: string, b = 'x', c: number): string {}", ['function f(a: string, b = …, c: number): string']],
  [
    'a.ts',
    "const f = (a: 'x' | 'y', b?: (n: number) => void) => a + 'secret'",
    ['f = (a: … | …, b?: (n: number) => void)'],
  ],
  ['a.ts', 'const f = async <T,>(a: T): Promise<T> => secret(a)', ['f = async <T,>(a: T): Promise<T>']],
  ['a.ts', 'const f = one => one.secret', ['f']],
  [
    'a.ts',
    'class A { m({ a = secret(), b }: { a: string; b: number } = {}, c = [1, (2)]) {} }',
    ['class A', 'm({ a = …, b }: { a: string; b: number } = …, c = …)'],
  ],
  ['a.ts', "type Mode =\n  | 'a'\n  | 'b';", ['type Mode = … | …']],
  [
    'a.ts',
    "type Row = { id: number };\ninterface I { run(a: 'secret'): { b: 1 } }",
    ['type Row', 'interface I', 'run(a: …): { b: … }'],
  ],
  ['a.ts', 'class A<T> extends B<T> implements C {}', ['class A<T> extends B<T> implements C']],
  [
    'a.ts',
    "class Ext extends mixin('secret') {}\nclass Heir extends (class { token = 'secret' }) {}",
    ['class Ext extends mixin(…)', 'class Heir extends (…)'],
  ],
  ['a.ts', "function f(a = 'it\\'s, (secret', b) {}", ['function f(a = …, b)']],
  ['a.ts', "function f(a = /\"/, b = ', secret', c = `secret`) {}", ['function f(a = …, b = …, c = …)']],
  [
    'a.ts',
    "class A { m(@Inject('secret') a: Map<string, 'secret'> = new Map<string, 'secret'>(), b: 1) {} }",
    ['class A', 'm(a: Map<string, …> = …, b: …)'],
  ],
  ['a.ts', 'function f(a /* secret */: string, // secret\n  b: number) {}', ['function f(a : string, b: number)']],
  ['a.ts', "const f: (a: 'secret') => void = (a) => send('secret')", ['f: (a: …) => void = (a)']],
  ['a.tsx', "const f = ({ a = <b>it's secret</b>, b = ', secret' }) => 1", ['f = ({ a = …, b = … })']],
  ['a.py', "def f(a: int, b='secret') -> dict[str, int]: return 'secret'", ['def f(a: int, b = …) -> dict[str, int]']],
  ['a.py', "f = lambda a, b='secret': secret", ['f = lambda a, b = …']],
  ['a.py', "class A(B, metaclass=M, key='secret'): token = 'secret'", ['class A(B, metaclass = …, key = …)']],
  ['a.py', "class Tuple(namedtuple('secret', 'secret')): pass", ['class Tuple(namedtuple(…))']],
  [
    'a.py',
    "def f(\n  a: 'secret' = 1,  # secret\n  b=f'{d[\", secret\"]}', *, c,\n): pass",
    ['def f(a: … = …, b = …, *, c)'],
  ],
  [
    'a.rb',
    "def f(a, b: 1, c: 'secret')\n  'secret'\nend\ndef g = 'secret'\ndef name=(value)\nend",
    ['def f(a, b: …, c: …)', 'def g', 'def name=(value)'],
  ],
  ['a.rb', "class X < Struct.new('secret')\nend\nclass Y; end", ['class X < Struct.new(…)', 'class Y']],
  ['a.rb', 'def f(a = %w(secret , secret), b) # secret\nend', ['def f(a = …, b)']],
  ['a.cpp', 'A::A(int a) : key("secret") {}', ['A::A(int a)']],
  [
    'a.cpp',
    'struct C { bool operator()(int a) const noexcept(f("secret")) { return 1; } };',
    ['struct C', 'bool operator()(int a) const'],
  ],
  [
    'a.cpp',
    '[[nodiscard("secret")]] int f(alignas(sizeof("secret")) int a /* secret */, std::string b = R"x(", secret)x") { return 1; }',
    ['int f(int a, std::string b = …)'],
  ],
  ['a.cpp', 'auto f = [k = "secret"](int a) { return k; };', ['f']],
  ['a.cpp', 'template <class T> void f(T a) requires (sizeof("secret") > 1) { }', ['void f(T a)']],
  ['a.c', 'static int f(char a[3]) {}', ['static int f(char a[…])']],
  [
    'a.c',
    '#define FN(x) send("secret", x)\n#define BOTH(a, b) \\\n  send("secret", a)\n',
    ['#define FN(x)', '#define BOTH(a, b)'],
  ],
  ['a.c', '__attribute__((section("secret"))) int f(int a, /* secret */ int b) {}', ['int f(int a, int b)']],
  [
    'a.cs',
    'class A { string F(int a = 3) => "secret"; A(string a) : base("secret") {} [Route("secret")] int[] Run([In("secret")] int[] a, string b = @"\\", string c = "secret") {} }',
    ['class A', 'string F(int a = …)', 'A(string a)', 'int[] Run(int[] a, string b = …, string c = …)'],
  ],
  [
    'a.cs',
    'record R(string A = "secret") : B("secret");\ndelegate void D(string a = "secret");',
    ['record R(string A = …) : B(…)', 'delegate void D(string a = …)'],
  ],
  [
    'a.rs',
    "fn f<'a>(x: &'a str) -> &'a str {}\nfn g(a: [u8; { secret }], b: Foo<{ mk(\"secret\") }>) where A: B {}",
    ["fn f<'a>(x: &'a str) -> &'a str", 'fn g(a: [u8; …], b: Foo<{…}>) where A: B'],
  ],
  [
    'a.rs',
    'macro_rules! mac { () => { "secret" } }\nconst HOOK: fn(&str) -> u8 = |x| send("secret");',
    ['macro_rules! mac', 'const HOOK: fn(&str) -> u8'],
  ],
  [
    'a.rs',
    'pub fn f(a: &str /* a /* "secret" */ secret */, #[x = "secret"] b: u8) -> u8 { r#"secret"#.len() }\nstruct P(u8, String);',
    ['pub fn f(a: &str, b: u8) -> u8', 'struct P(…)'],
  ],
  [
    'a.ps1',
    'function f {\n  [CmdletBinding(DefaultParameterSetName = \'secret\')]\n  param([Parameter(HelpMessage = "secret")] [string] $Key = "secret", # secret\n  [int] $Size = 1)\n  "secret"\n}\nfilter g($row, $b = (Get-It "secret")) { "secret" }\nfunction h { "secret" }\nfunction i { }',
    ['function f param([string] $Key = …, [int] $Size = …)', 'filter g($row, $b = …)', 'function h', 'function i'],
  ],
  [
    'a.ps1',
    'class A : B, C { [string] $T = "secret"; A([string] $a) : base("secret") { } [string] Get([int] $key) { return "secret" } }\nenum E { A = 1 }',
    ['class A : B, C', 'A([string] $a)', '[string] Get([int] $key)', 'enum E'],
  ],
  [
    'a.go',
    'package a\nfunc (s *Store) Get(key string, v interface{}) (string, error) { return "secret", nil }',
    ['func (s *Store) Get(key string, v interface{}) (string, error)'],
  ],
  [
    'a.go',
    'package a\nfunc f(a struct { K string `x:"secret"` }, b interface{ Run() }) error { return nil }\ntype I interface { Run() }',
    ['func f(a struct {…}, b interface{ … }) error', 'Run()', 'I interface', 'Run()'],
  ],
  ['a.sh', "f() ( echo 'secret' )\nfunction g { echo 'secret'; }\nh () { :; }", ['f()', 'function g', 'h()']],
  [
    'a.java',
    'class A { public <T> List<T> get(@Named("secret") String key) throws IOException { return "secret"; } Runnable s = () -> send("secret"); }',
    ['class A', 'public <T> List<T> get(String key) throws IOException', 's = ()'],
  ],
  [
    'a.java',
    '@interface An { String v() default "secret"; }\nrecord Rec(@Named("secret") String a) implements B {}',
    ['@interface An', 'String v()', 'record Rec(String a) implements B'],
  ],
  [
    'a.php',
    '<?php #[Route("secret")] function f(#[A("secret")] string $a = "secret", # secret\n /* secret */ $b = <<<X\n, secret\nX): ?string {}\n$g = fn($x = \'secret\') => \'secret\';',
    ['function f(string $a = …, $b = …): ?string', '$g = fn($x = …)'],
  ],
  ['a.ts', "function f(a = 'secret) {\n}", ['function f(a)']],
  ['a.py', 'def f(a="secret): return 1', ['def f(a)']],
  ['a.cc', 'EXPORTED int f(int a) { return 1; }', ['int f(int a)']],
];

it.each(CASES)('%s: %j', async (file, source, expected) => {
  const language = languageOf(file);
  if (!language) throw new Error(`${file} has no known language`);
  const { definitions } = await extract(parser, source, language);
  const signatures = definitions.map((one) => one.signature);
  expect(signatures).toEqual(expected);
  expect(signatures.join('\n')).not.toMatch(/secret/);
});

it('has a case for each language', () => {
  const tried = new Set(CASES.map(([file]) => languageOf(file)));
  expect(ALL_LANGUAGES.filter((one) => !tried.has(one)).map((one) => one.name)).toEqual([]);
});

it('ends with the window, however long the parameters are', async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => `p${i} = 'secret'`).join(', ');
  const { definitions } = await extract(parser, `function f(${many}) {}`, LANGUAGES.typescript);
  expect(definitions[0]?.signature).toMatch(/^function f\(p0 = …, p1 = …, .*$/);
  expect(definitions[0]?.signature.length).toBeLessThanOrEqual(200);
});
