import { expect, it } from 'vitest';
import { safeSignature } from '../../../src/server/graph/safe-signature';

const CASES: readonly (readonly [language: string, type: string, written: string, kept: string])[] = [
  [
    'typescript',
    'function',
    "function f(a: string, b = 'x', c: number): string",
    'function f(a: string, b = …, c: number): string',
  ],
  [
    'typescript',
    'function',
    "f = (a: 'x' | 'y', b?: (n: number) => void) => a + 'secret'",
    'f = (a: … | …, b?: (n: number) => void)',
  ],
  ['typescript', 'function', 'f = async <T,>(a: T): Promise<T> => secret(a)', 'f = async <T,>(a: T): Promise<T>'],
  ['typescript', 'function', 'f = memo((a) => { secret', 'f'],
  ['typescript', 'function', 'f = one => one.secret', 'f'],
  [
    'typescript',
    'method',
    'm({ a = secret(), b }: { a: string; b: number } = {}, c = [1, (2)])',
    'm({ a = …, b }: { a: string; b: number } = …, c = …)',
  ],
  ['typescript', 'type', "type Mode = 'a' | 'b'", 'type Mode = … | …'],
  ['typescript', 'class', 'class A<T> extends B<T> implements C', 'class A<T> extends B<T> implements C'],
  ['typescript', 'function', "f(a = 'it\\'s, (secret', b)", 'f(a = …, b)'],
  [
    'python',
    'function',
    'def f(a: int, b="x") -> dict[str, int]: return "secret"',
    'def f(a: int, b = …) -> dict[str, int]',
  ],
  ['python', 'function', 'f = lambda a, b: secret', 'f = lambda a, b'],
  ['python', 'class', 'class A(B): token = "secret"', 'class A(B)'],
  ['ruby', 'method', 'def f(a, b: 1) "secret" end', 'def f(a, b: …)'],
  ['ruby', 'method', 'def f = "secret"', 'def f'],
  ['cpp', 'method', 'A::A(int a) : key("secret")', 'A::A(int a)'],
  ['c', 'function', 'static int f(char a[3])', 'static int f(char a[…])'],
  ['c-sharp', 'method', 'string F(int a = 3) => "secret"', 'string F(int a = …)'],
  ['rust', 'function', "fn f<'a>(x: &'a str) -> &'a str", "fn f<'a>(x: &'a str) -> &'a str"],
  [
    'go',
    'method',
    'func (s *Store) Get(key string) (string, error)',
    'func (s *Store) Get(key string) (string, error)',
  ],
  ['shell', 'function', 'row() echo secret', 'row()'],
  [
    'java',
    'method',
    'public <T> List<T> get(@Named("x") String key) throws IOException',
    'public <T> List<T> get(String key) throws IOException',
  ],
  ['java', 'function', 's2 = () -> "S"', 's2 = ()'],
  ['java', 'method', 'String v() default "S"', 'String v()'],
  ['java', 'class', 'record Rec(@Named("S") String a) implements B', 'record Rec(String a) implements B'],
  ['c', 'function', '#define FN(x) send("S", x)', '#define FN(x)'],
  ['c', 'function', '__attribute__((section("S"))) int attr(int a, /* S */ int b)', 'int attr(int a, int b)'],
  ['cpp', 'function', 'bool operator()(int a) const noexcept(f("S"))', 'bool operator()(int a) const'],
  ['c-sharp', 'method', 'Login(string a) : base("S")', 'Login(string a)'],
  ['c-sharp', 'class', 'record R(string A = "S") : B("S")', 'record R(string A = …) : B(…)'],
  ['c-sharp', 'method', '[Route("S")] int[] Run([In("S")] int[] a)', 'int[] Run(int[] a)'],
  ['typescript', 'class', 'class Ext extends mixin("S")', 'class Ext extends mixin(…)'],
  [
    'typescript',
    'method',
    'm(@Inject("S") a: Map<string, "S"> = new Map<string, "S">(), b: 1)',
    'm(a: Map<string, …> = …, b: …)',
  ],
  ['typescript', 'function', 'f(a = /"/, b = ", S")', 'f(a = …)'],
  ['tsx', 'function', "f = ({ a = <b>it's S</b>, b = ', S' }) => 1", 'f = ({ a = …})'],
  ['ruby', 'class', 'class X < Struct.new("S")', 'class X < Struct.new(…)'],
  ['ruby', 'method', 'def f(a = %w(S , S), b)', 'def f(a = …)'],
  ['ruby', 'method', 'def name=(value)', 'def name=(value)'],
  ['python', 'function', 'def f(\n  a: "S" = 1,  # S\n  b=f"{d[", S"]}",\n)', 'def f(a: … = …, b = …)'],
  [
    'php',
    'function',
    '#[Route("S")] function f(#[A("S")] string $a = "S"): ?string',
    'function f(string $a = …): ?string',
  ],
  ['rust', 'function', 'macro_rules! mac ( () => { "S" } )', 'macro_rules! mac'],
  ['go', 'function', 'func f(a struct { K string `x:"S"` }) error', 'func f(a struct {…}) error'],
  ['shell', 'function', 'f() ( echo "S" )', 'f()'],
];

it.each(CASES)('%s %s: %s', (language, type, written, kept) => {
  expect(safeSignature(written, type, language)).toBe(kept);
  expect(safeSignature(kept, type, language)).toBe(kept);
});
