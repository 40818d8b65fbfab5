import { resolves } from './resolved-calls';

/** A module of the language or of somebody else is no file that happens to be called like it. */
resolves([
  {
    what: 'standard packages of Go, by the module of go.mod',
    files: {
      'go.mod': 'module ex.com/z\n\ngo 1.22\n',
      'internal/fmt/f.go': 'package fmt\nfunc Println() {}\nfunc Sprintf() {}\n',
      'use.go':
        'package main\nimport "fmt"\nimport . "strings"\nfunc run() { fmt.Println() }\nfunc bare() { Sprintf() }\n',
      'own.go': 'package main\nimport "ex.com/z/internal/fmt"\nfunc mine() { fmt.Println() }\n',
      'other.go': 'package main\nimport "github.com/else/internal/fmt"\nfunc theirs() { fmt.Println() }\n',
    },
    calls: { run: undefined, bare: undefined, mine: 'Println (internal/fmt/f.go:2)', theirs: undefined },
  },
  {
    what: 'packages of Node and of others, and those of the project by their names',
    files: {
      'ts/src/path.ts': 'export function join() {}\nexport function parse() {}\n',
      'ts/src/promises.ts': 'export function readFile() {}\n',
      'ts/src/parser.ts': 'export function parse() {}\n',
      'packages/store/package.json': '{\n  "name": "@acme/store"\n}\n',
      'packages/store/src/index.ts': "export * from './impl';\n",
      'packages/store/src/impl.ts': 'export function open() {}\n',
      'packages/other/src/index.ts': 'export function open() {}\n',
      'use.ts': `import * as path from 'node:path';
import { join } from 'path';
import { readFile } from 'node:fs/promises';
import { parse } from '@babel/parser';
import { open } from '@acme/store';
export function a() { path.join(); }
export function b() { join(); }
export function c() { readFile(); }
export function d() { parse(); }
export function e() { open(); }
`,
    },
    calls: {
      ...{ a: undefined, b: undefined, c: undefined },
      d: 'parse (ts/src/parser.ts:1, ambiguous)',
      e: 'open (packages/store/src/impl.ts:1)',
    },
  },
  {
    what: 'standard modules of Python, and packages below a source root',
    files: {
      'other/json.py': 'def loads(): pass\n',
      'src/acme/db.py': 'def open_db(): pass\n',
      'use.py':
        'import json\nfrom acme.db import open_db\nfrom json import loads\ndef a(): json.loads()\ndef b(): loads()\ndef c(): open_db()\n',
    },
    calls: { a: undefined, b: undefined, c: 'open_db (src/acme/db.py:1)' },
  },
  {
    what: 'the standard library and the prelude of Rust, and relative paths',
    files: {
      'src/lib.rs': 'mod mem;\nmod a;\nfn up() {}\n',
      'src/mem.rs': 'pub fn swap() {}\npub fn drop(n: i32) {}\n',
      'src/a.rs':
        'mod b;\nuse std::mem::swap;\nfn one() { swap(); }\nfn two() { drop(1); }\nfn three() { super::mem::swap(); }\nfn four() { b::deep(); }\nfn five() { std::mem::drop(1); }\n',
      'src/a/b.rs': 'pub fn deep() { super::super::up(); }\n',
      'src/b.rs': 'pub fn deep() {}\n',
    },
    calls: {
      ...{ one: undefined, two: undefined, five: undefined },
      ...{ three: 'swap (src/mem.rs:1)', four: 'deep (src/a/b.rs:1)' },
    },
  },
  {
    what: 'an explicit import of Java before one of a whole package',
    files: {
      'src/x/y/List.java': 'package x.y;\npublic class List {}\n',
      'src/app/Use.java':
        'package app;\nimport java.util.List;\nimport x.y.*;\nclass Use { void run() { new List(); } }\n',
      'src/app/All.java': 'package app;\nimport x.y.*;\nclass All { void all() { new List(); } }\n',
    },
    calls: { 'Use.run': undefined, 'All.all': 'List (src/x/y/List.java:2)' },
  },
  {
    what: 'headers of the system',
    files: {
      'c/odd/string.h': 'static inline int strlen(const char *s) { return 0; }\n',
      'c/odd/own.c': '#include "string.h"\nint own(void) { return strlen(""); }\n',
      'c/use.c': '#include <string.h>\nint run(void) { return strlen(""); }\n',
    },
    calls: { run: undefined, own: 'strlen (c/odd/string.h:1)' },
  },
  {
    what: 'nothing of another language',
    files: {
      'rs/src/alpha.rs': 'pub struct K;\nimpl K { pub fn new() -> K { K } }\n',
      'b.rb': 'module B\n  class K\n    def go; end\n  end\nend\ndef run\n  B::K.new\nend\ndef stop\n  new()\nend\n',
      'main.py': 'def main():\n    log("x")\n',
      'log.ts': 'export function log() {}\n',
    },
    calls: { run: 'B.K (b.rb:2)', stop: undefined, main: undefined },
  },
]);
