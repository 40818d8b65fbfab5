import { resolves } from './resolved-calls';

/** What is bound where a name stands comes before what the file imports, and before what others are called. */
resolves([
  {
    what: 'local names of TypeScript before those that are imported',
    files: {
      'a/util.ts': 'export function add() {}\nexport function times() {}\nexport function one() {}\n',
      'use.ts': `import { add, times, one } from './a/util';
export function shadow() { function add() {} add(); }
export function given(add: () => void) { add(); }
export function optional(add?: () => void) { add?.(); }
export function held() { const times = pick(); times(); }
export function caught() { try { add(); } catch (one) { one(); } }
export function destructured({ one }: any) { one(); }
export function renamed({ two: one, ...add }: any) { one(); add(); }
export function hoisted() { one(); if (true) { var one = pick(); } }
export const arrow = (add: any) => add();
export function inner() { [1].map((add: any) => add()); add(); }
export function looped() { for (const one of []) one(); }
export function typed(cb: (add: number) => void) { add(); }
export function member(add: any) { add.go(); }
export class K { add() {} run() { add(); } }
`,
    },
    calls: {
      shadow: 'shadow.add (use.ts:2)',
      ...{ given: undefined, optional: undefined, held: undefined, destructured: undefined, renamed: undefined },
      caught: 'add (a/util.ts:1)',
      ...{ hoisted: undefined, arrow: undefined, looped: undefined, member: undefined },
      inner: 'add (a/util.ts:1)',
      typed: 'add (a/util.ts:1)',
      'K.run': 'add (a/util.ts:1)',
    },
  },
  {
    what: 'local names of JavaScript before those that are required',
    files: {
      'util.js': 'exports.add = function add() {};\nexports.one = function one() {};\n',
      'use.js':
        "const { add, one } = require('./util');\nfunction given(add, [one], ...rest) { add(); one(); }\nfunction preset(add = 1) { add(); }\nfunction plain() { add(); }\n",
    },
    calls: { given: undefined, preset: undefined, plain: 'exports.add (util.js:1)' },
  },
  {
    what: 'a name of Python that is imported several times as what it is imported from last',
    files: {
      ...{ 'a.py': 'def add():\n    pass\n', 'b.py': '\ndef add():\n    pass\n' },
      'use.py': 'from b import add\nfrom a import add\nfrom b import add\ndef plain(): add()\n',
      'other.py': 'from b import add\nfrom a import add\ndef other(): add()\n',
    },
    calls: { plain: 'add (b.py:2)', other: 'add (a.py:1)' },
  },
  {
    what: 'parameters, variables, loops and comprehensions of Python before what is imported',
    files: {
      'lib.py': 'def add():\n    pass\n',
      'use.py': `from lib import add
def given(add): add()
def preset(add=None, *rest): add()
def held():
    add = lambda: 1
    add()
def looped():
    for add in []: add()
def listed(): return [add() for add in []]
def handled():
    with open() as add: add()
def plain(): add()
class K:
    add = 1
    def run(self): add()
`,
    },
    calls: {
      ...{ given: undefined, preset: undefined, held: 'held.add (use.py:5)', looped: undefined, listed: undefined },
      ...{ handled: undefined, plain: 'add (lib.py:1)', 'K.run': 'add (lib.py:1)' },
    },
  },
  {
    what: 'an import in a function there, and nowhere else',
    files: {
      'pkg/__init__.py': 'def helper(): pass\n',
      'pkg/core.py': 'def other(): pass\n',
      'use.py':
        'from pkg import helper\ndef inside():\n    from pkg.core import other as helper\n    helper()\ndef outside():\n    helper()\n',
    },
    calls: { inside: 'other (pkg/core.py:1)', outside: 'helper (pkg/__init__.py:1)' },
  },
  {
    what: 'local names of Rust',
    files: {
      'src/lib.rs': 'mod util;\n',
      'src/util.rs': 'pub fn go() {}\n',
      'src/use.rs': `use crate::util::go;
fn nested() { fn go() {} go(); }
fn closure() { let go = |x: i32| x; go(1); }
fn given(go: fn()) { go(); }
fn passed() { call(|go| go()); }
fn first() { let go = go(); }
fn plain() { go(); }
`,
    },
    calls: {
      nested: 'nested.go (src/use.rs:2)',
      closure: 'closure.go (src/use.rs:3)',
      ...{ given: undefined, passed: undefined, first: 'go (src/util.rs:1)', plain: 'go (src/util.rs:1)' },
    },
  },
  {
    what: 'local names of Go, a package whose name a variable takes included',
    files: {
      'go.mod': 'module ex.com/z\n',
      'one/one.go': 'package one\nfunc Do() {}\n',
      'use.go': `package z
import "ex.com/z/one"
func Println() {}
func given(Println func()) { Println() }
func held() { one := struct{ Do func() }{}; one.Do() }
func taken() { one := one.Do(); use(one) }
func plain() { Println(); one.Do() }
`,
    },
    calls: {
      given: undefined,
      held: undefined,
      taken: 'Do (one/one.go:2)',
      plain: 'Println (use.go:3), Do (one/one.go:2)',
    },
  },
  {
    what: 'pointers to functions in C and C++, and delegates in C#',
    files: {
      'add.c': 'int add(int n) { return n; }\nint times(int n) { return n; }\n',
      'use.c':
        'int add(int times);\nint given(int (*add)(int)) { return add(1); }\nint held(void) { int (*add)(int) = 0; return add(1); }\nint plain(void) { return add(times(1)); }\n',
      'Use.cs':
        'class Use { void Go() {} void Given(Action Go) { Go(); } void Held() { var Go = Make(); Go(); } void Plain() { Go(); } }\n',
    },
    calls: {
      ...{ given: undefined, held: undefined, plain: 'add (add.c:1), times (add.c:2)' },
      ...{ 'Use.Given': undefined, 'Use.Held': undefined, 'Use.Plain': 'Use.Go (Use.cs:1)' },
    },
  },
  {
    what: 'members of a class of Java before what is imported statically, and no members of classes in it',
    files: {
      'src/com/a/Foo.java': 'package com.a;\npublic class Foo { public static void bar() {} }\n',
      'src/b/In.java':
        'package b;\nimport static com.a.Foo.bar;\nclass In { void bar() {} void k() { bar(); } }\nclass Out { void k() { bar(); } }\n',
      'src/b/M.java': 'package b;\nclass M { static class N { static void of() {} } void run() { of(); } }\n',
    },
    calls: {
      'In.k': 'In.bar (src/b/In.java:3)',
      'Out.k': 'Foo.bar (src/com/a/Foo.java:2)',
      'M.run': 'M.N.of (src/b/M.java:2, ambiguous)',
    },
  },
  {
    what: 'no function that stands in another one',
    files: {
      'a.ts': 'export function outer() { function hid() {} }\nexport function run() { hid(); }\n',
      'b.py': 'def outer():\n    def hidden(): pass\ndef walk(): hidden()\n',
      'c.rs': 'mod inner { pub fn hid() {} }\nfn go() { hid(); }\nfn there() { inner::hid(); }\n',
    },
    calls: { run: undefined, walk: undefined, go: undefined, there: 'inner.hid (c.rs:1)' },
  },
  {
    what: 'a dot import of Go to what the package exports, and neither its own nor built-in functions',
    files: {
      'go.mod': 'module ex.com/z\n',
      'lib/lib.go':
        'package lib\ntype T struct{}\nfunc (t T) method() {}\nfunc len() {}\nfunc panic() {}\nfunc Open() {}\n',
      'use.go': 'package z\nimport . "ex.com/z/lib"\nfunc run() { len(); panic(); method() }\nfunc open() { Open() }\n',
    },
    calls: { run: undefined, open: 'Open (lib/lib.go:6)' },
  },
  {
    what: 'members of a variable by the type that it is said to have',
    files: {
      'store.ts': 'export class Store { open() {} }\nexport class Other { open() {} }\n',
      'use.ts':
        "import { type Store as S, Other } from './store';\nexport function a(it: S) { it.open(); }\nexport function b() { const it = new Other(); it.open(); }\nexport function c(it: any) { it.open(); }\nexport function d(it: Map) { it.open(); }\n",
      'store.py': 'class Store:\n    def get(self): pass\nclass Other:\n    def get(self): pass\n',
      'use.py': 'from store import Store\ndef e(it: Store): it.get()\ndef f(it): it.get()\n',
      'store.go':
        'package x\ntype Store struct{}\nfunc (s *Store) Put() {}\nfunc (s *Store) Twice() { s.Put() }\ntype Other struct{}\nfunc (o Other) Put() {}\nfunc g(it *Other) { it.Put() }\n',
      'src/store.rs':
        'pub struct Store;\nimpl Store { pub fn cut(&self) {} }\npub struct Other;\nimpl Other { pub fn cut(&self) {} }\n',
      'src/lib.rs': 'mod store;\nuse store::Other;\nfn h(it: &Other) { it.cut(); }\n',
      'j/Store.java': 'package j;\nclass Store { void add() {} }\nclass Other { void add() {} }\n',
      'j/Use.java':
        'package j;\nclass Use { Other held; void i(Store it) { it.add(); } void k() { held.add(); } void add(int add) { add(1); } }\n',
    },
    calls: {
      ...{
        a: 'Store.open (store.ts:1)',
        b: 'Other (store.ts:2), Other.open (store.ts:2)',
        c: 'open (store.ts:1, ambiguous)',
        d: undefined,
      },
      ...{ e: 'Store.get (store.py:2)', f: 'get (store.py:2, ambiguous)' },
      ...{ 'Store.Twice': 'Store.Put (store.go:3)', g: 'Other.Put (store.go:6)', h: 'Other.cut (src/store.rs:4)' },
      ...{ 'Use.i': 'Store.add (j/Store.java:2)', 'Use.k': 'Other.add (j/Store.java:3)' },
    },
  },
]);
