import { expect, it } from 'vitest';
import { withCodeProject } from '../support/code-project';
import { resolves } from './resolved-calls';

/** What `query_codebase` says that a symbol calls, in projects where the bare name could mean more than one thing. */

const OPEN = {
  typescript: 'export function open() {}\n',
  python: 'def open():\n    pass\n',
  rust: 'pub fn open() {}\n',
};

resolves([
  {
    what: 'an import under another name, a module imported whole, and one required',
    files: {
      'a/db.ts': OPEN.typescript,
      'b/db.ts': OPEN.typescript,
      'use.ts':
        "import { open as o } from './a/db';\nimport * as db from './b/db';\nexport function first() { o(); }\nexport function second() { db.open(); }\n",
      'old.js':
        "const { open } = require('./a/db');\nconst b = require('./b/db');\nfunction third() { open(); }\nfunction fourth() { b.open(); }\n",
    },
    calls: {
      first: 'open (a/db.ts:1)',
      second: 'open (b/db.ts:1)',
      third: 'open (a/db.ts:1)',
      fourth: 'open (b/db.ts:1)',
    },
  },
  {
    what: 'names that a file hands on from others (export * and export { … }), circles included',
    files: {
      'lib/index.ts': "export * from './circle';\nexport * from './deep';\nexport { close } from './impl';\n",
      'lib/circle.ts': "export * from './index';\n",
      'lib/deep.ts': "export * from './impl.js';\n",
      'lib/impl.ts': 'export function open() {}\nexport function close() {}\n',
      'other.ts': 'export function open() {}\nexport function close() {}\n',
      'use.ts': "import { open, close } from './lib';\nexport function run() { open(); close(); }\n",
    },
    calls: { run: 'open (lib/impl.ts:1), close (lib/impl.ts:2)' },
  },
  {
    what: 'what PowerShell sources with a dot and imports as a module',
    files: {
      'a/db.ps1': 'function Open-Store { }\n',
      'b/db.ps1': 'function Open-Store { }\n',
      'a/rows/rows.psm1': 'function Get-Row { }\n',
      'b/rows/rows.psm1': 'function Get-Row { }\n',
      'c/own.ps1': 'function script:Get-Own { }\nfunction Read-Own { script:Get-Own }\n',
      'a/use.ps1':
        '. "$PSScriptRoot\\db.ps1"\nImport-Module ./rows/rows.psm1\nfunction Use-Store { Open-Store }\nfunction Use-Row { Get-Row }\n',
    },
    calls: {
      'Use-Store': 'Open-Store (a/db.ps1:1)',
      'Use-Row': 'Get-Row (a/rows/rows.psm1:1)',
      'Read-Own': 'Get-Own (c/own.ps1:1)',
    },
  },
  {
    what: 'paths of a tsconfig, and packages that are not here',
    files: {
      'src/db/open.ts': OPEN.typescript,
      'src/fs.ts': OPEN.typescript,
      'tools/open.ts': OPEN.typescript,
      'src/a.ts': "import { open } from '@/db/open';\nexport function aliased() { open(); }\n",
      'src/b.ts': "import { open } from 'fs';\nexport function foreign() { open(); }\n",
    },
    calls: { aliased: 'open (src/db/open.ts:1)', foreign: undefined },
  },
  {
    what: 'relative and absolute imports of Python, and a module of a package',
    files: {
      'app/__init__.py': 'from .db import open\n',
      'app/db.py': OPEN.python,
      'app/sub/db.py': OPEN.python,
      'app/sub/use.py':
        'from .db import open as here\nfrom ..db import open as above\nfrom .. import db\nimport app\nimport app.sub.db as deep\n\ndef one(): here()\ndef two(): above()\ndef three(): db.open()\ndef four(): app.open()\ndef five(): deep.open()\n',
    },
    calls: {
      one: 'open (app/sub/db.py:1)',
      two: 'open (app/db.py:1)',
      three: 'open (app/db.py:1)',
      four: 'open (app/db.py:1)',
      five: 'open (app/sub/db.py:1)',
    },
  },
  {
    what: 'packages of Go, and the files of a package among themselves',
    files: {
      'go.mod': 'module example.com/acme\n',
      'store/open.go': 'package store\nfunc Open() {}\n',
      'cache/open.go': 'package cache\nfunc Open() {}\n',
      'cache/use.go': 'package cache\nfunc Inside() { Open() }\n',
      'main.go':
        'package main\nimport (\n\t"example.com/acme/store"\n\tc "example.com/acme/cache"\n)\nfunc run() { store.Open() }\nfunc walk() { c.Open() }\n',
    },
    calls: { run: 'Open (store/open.go:2)', walk: 'Open (cache/open.go:2)', Inside: 'Open (cache/open.go:2)' },
  },
  {
    what: 'packages of Java, by import, by wildcard, by static import, and the same package',
    files: {
      'src/com/acme/Store.java': 'package com.acme;\nclass Store { static void open() {} }\n',
      'src/com/other/Store.java': 'package com.other;\nclass Store { static void open() {} }\n',
      'src/app/One.java': 'package app;\nimport com.acme.Store;\nclass One { void one() { new Store(); } }\n',
      'src/app/Two.java': 'package app;\nimport com.other.*;\nclass Two { void two() { new Store(); } }\n',
      'src/app/Three.java':
        'package app;\nimport static com.acme.Store.open;\nclass Three { void three() { open(); } }\n',
      'src/com/acme/Four.java': 'package com.acme;\nclass Four { void four() { new Store(); } }\n',
    },
    calls: {
      one: 'Store (src/com/acme/Store.java:2)',
      two: 'Store (src/com/other/Store.java:2)',
      three: 'Store.open (src/com/acme/Store.java:2)',
      four: 'Store (src/com/acme/Store.java:2)',
    },
  },
  {
    what: 'headers that C includes',
    files: {
      'a/db.h': 'int open_db(void);\n',
      'a/db.c': '#include "db.h"\nint open_db(void) { return 1; }\n',
      'b/db2.c': 'int open_db(void) { return 2; }\n',
      'use.c': '#include "a/db.h"\nint run(void) { return open_db(); }\n',
    },
    calls: { run: 'open_db (a/db.c:2)' },
  },
  {
    what: 'modules of Rust, by use, by path and by mod',
    files: {
      'src/db.rs': OPEN.rust,
      'src/net.rs': OPEN.rust,
      'src/lib.rs': 'mod db;\nmod net;\nfn one() { db::open(); }\n',
      'src/use.rs': 'use crate::net::open;\nfn two() { open(); }\nfn three() { crate::db::open(); }\n',
    },
    calls: { one: 'open (src/db.rs:1)', two: 'open (src/net.rs:1)', three: 'open (src/db.rs:1)' },
  },
  {
    what: 'scope: the innermost definition around, methods of the own class, and types that are named',
    files: {
      'a.ts':
        'function step() {}\nexport function outer() { function step() {} step(); }\nexport function plain() { step(); }\nexport class A { go() {} run() { this.go(); } }\nexport class B { go() {} hop(a: A) { a.go(); A.go(); } }\n',
    },
    calls: {
      outer: 'outer.step (a.ts:2)',
      plain: 'step (a.ts:1)',
      'A.run': 'A.go (a.ts:4)',
      'B.hop': 'A.go (a.ts:4)',
    },
  },
  {
    what: 'fields that say what they are, and what their class inherits',
    files: {
      'store.ts':
        'export class Store { get() {} }\nexport class Sub extends Store { put() {} }\nexport class Other { get() {} put() {} }\n',
      'use.ts':
        "import { type Store, Sub } from './store';\nexport class Use {\n  private readonly rows: Store;\n  own = new Sub();\n  constructor(private other: Sub) {}\n  a() { this.rows.get(); }\n  b() { this.own.put(); }\n  c() { this.other.put(); }\n  d() { this.other.get(); }\n  e(rows: any) { rows.get(); }\n}\n",
      'use.py':
        'from store import Store\nclass Use:\n    own: Store\n    def __init__(self, rows):\n        self.rows: Store = rows\n    def f(self):\n        self.rows.get()\n    def g(self):\n        self.own.get()\n',
      'own.ts':
        'class Base { go() {} }\nclass Heir extends Base {}\nclass Other { go() {} }\nclass Owner {\n  constructor(private other: Heir) {}\n  z() { this.other.go(); }\n}\n',
      'store.py': 'class Store:\n    def get(self):\n        pass\n',
      'other.py': 'class Other:\n    def get(self):\n        pass\n',
    },
    calls: {
      ...{ 'Use.a': 'Store.get (store.ts:1)', 'Use.b': 'Sub.put (store.ts:2)', 'Use.c': 'Sub.put (store.ts:2)' },
      ...{ 'Use.d': 'get (store.ts:1, ambiguous)', 'Use.e': 'get (store.ts:1, ambiguous)' },
      'Owner.z': 'go (own.ts:1, ambiguous)',
      ...{ 'Use.f': 'Store.get (store.py:2)', 'Use.g': 'Store.get (store.py:2)' },
    },
  },
  {
    what: 'overloads of one class, which have one name',
    files: {
      'Gson.java':
        'class Gson {\n  Gson(int a) { }\n  Gson() { }\n  String read(String a) { return a; }\n  String read(int a) { return ""; }\n}\n',
      'Use.java': 'class Use {\n  String run(Gson gson) { return gson.read(1); }\n}\n',
      'store.ts': 'export class Store {\n  get(a: string): void;\n  get(a: number): void;\n  get() {}\n}\n',
      'use.ts': "import { Store } from './store';\nexport function take(store: Store) { store.get(1); }\n",
    },
    calls: { 'Use.run': 'Gson.read (Gson.java:4)', take: 'Store.get (store.ts:2)' },
  },
  {
    what: 'nothing that it could tell by: several are named, and called ambiguous',
    files: {
      'a.ts': 'export class A { go() {} }\n',
      'b.ts': 'export class B { go() {} }\n',
      'c.ts': 'export class C { stop() {} }\n',
      'use.ts': 'export function run(x: any) { x.go(); }\nexport function halt(x: any) { x.stop(); }\n',
    },
    calls: { run: 'go (a.ts:1, ambiguous)', halt: 'C.stop (c.ts:1, ambiguous)' },
  },
]);

it('ranks by how much of the code refers to a symbol, shared among those that have its name', async () => {
  const files: Record<string, string> = {
    'a.ts': '/** Reads the ledger. */\nexport function readOnce() {}\n',
    'b.ts': '/** Reads the ledger. */\nexport function readOften() {}\n',
  };
  for (let i = 0; i < 9; i++) {
    files[`use${i}.ts`] = "import { readOften } from './b';\nexport const use = () => readOften();\n";
  }
  await withCodeProject(files, async ({ build, graphServer }) => {
    await build();
    const server = await graphServer();
    const answer = await server.text('query_codebase', { query: 'what reads the ledger?' });
    expect(answer.split('\n### ')[1]).toContain('readOften');
  });
});

it('says of overloads who calls them: of those of a script for certain, for they are one function', async () => {
  const files = {
    'Gson.java': 'class Gson {\n  void read(String a) { }\n  void read(int a) { }\n  void run() { read(1); }\n}\n',
    'store.ts':
      'export function get(a: string): void;\nexport function get(): void {}\nexport function take() { get(); }\n',
  };
  await withCodeProject(files, async ({ build, graphServer }) => {
    await build();
    const server = await graphServer();
    const callersOf = async (symbol: string): Promise<readonly string[]> =>
      (await server.text('query_codebase', { query: symbol })).match(/called by: .*/g) ?? [];
    expect(await callersOf('store.ts#get')).toEqual(Array(2).fill('called by: take (store.ts:3)'));
    expect(await callersOf('Gson.java#Gson.read')).toEqual(
      Array(2).fill('called by: Gson.run (Gson.java:4, ambiguous)'),
    );
  });
});
