import { expect, it } from 'vitest';
import { withCodeProject } from '../support/code-project';
import { resolves } from './resolved-calls';

/** Names that are handed on, and those of namespaces. */
resolves([
  {
    what: 'default exports under the name that an import gives them',
    files: {
      'a/util.ts': 'export default class Widget { static make() {} }\n',
      'a/run.ts': 'function start() {}\nexport default start;\n',
      'a/index.ts': "export { default as Gadget } from './util';\n",
      'b/util.ts': 'export class Widget {}\n',
      'old.js': 'function boot() {}\nmodule.exports = boot;\n',
      'use.ts': `import W from './a/util.js';
import go from './a/run';
import { Gadget } from './a';
import boots from './old';
export function a() { new W(); }
export function b() { go(); }
export function c() { new Gadget(); }
export function d() { W.make(); }
export function e() { boots(); }
export class Sub extends W {}
`,
    },
    calls: {
      a: 'Widget (a/util.ts:1)',
      b: 'start (a/run.ts:1)',
      c: 'Widget (a/util.ts:1)',
      d: 'Widget.make (a/util.ts:1)',
      e: 'boot (old.js:1)',
      Sub: undefined,
    },
    inherits: { Sub: 'Widget (a/util.ts:1)' },
    callers: { start: 'b (use.ts:6)', Widget: 'c (use.ts:7), a (use.ts:5)' },
  },
  {
    what: 'default exports without a name',
    files: {
      'open.ts': 'export default function () {}\n',
      'arrow.ts': 'export default () => {};\n',
      'store.ts': 'export default class { static make() {} }\n',
      'view.ts': 'export default { save() {} };\n',
      'other/open.ts': 'export default function () {}\n',
      'old.js': 'module.exports = function () {};\n',
      'index.ts': "export { default as Kept } from './store';\n",
      'use.ts': `import open from './open';
import arrow from './arrow';
import Store from './store';
import view from './view';
import boot from './old';
import { Kept } from './index';
export function a() { open(); }
export function b() { arrow(); }
export function c() { new Store(); }
export function d() { Store.make(); }
export function e() { view.save(); }
export function f() { boot(); }
export function h() { new Kept(); }
`,
    },
    calls: {
      a: 'default (open.ts:1)',
      b: 'default (arrow.ts:1)',
      c: 'default (store.ts:1)',
      d: 'make (store.ts:1)',
      e: 'save (view.ts:1)',
      f: 'module.exports (old.js:1)',
      h: 'default (store.ts:1)',
    },
    callers: { make: 'd (use.ts:10)' },
  },
  {
    what: 'classes without a name that are assigned, and default exports of which is said what they are',
    files: {
      'store.js': 'module.exports = class { static make() {} };\n',
      'named.js': 'module.exports = class Named {};\n',
      'both.js': 'exports.Open = class { static make() {} };\nexports.Close = class { static make() {} };\n',
      'view.ts': 'export default { save() {} } satisfies View;\n',
      'list.ts': 'function list() {}\nexport default list as Lister;\n',
      'run.ts': 'export default (async () => {}) satisfies Run;\n',
      'use.ts': `import view from './view';
import all from './list';
import run from './run';
import Store from './store';
import Name from './named';
const { Open } = require('./both');
const both = require('./both');
export function a() { new Store(); }
export function b() { Store.make(); }
export function c() { new Name(); }
export function d() { new Open(); }
export function e() { both.Close.make(); }
export function f() { view.save(); }
export function h() { all(); }
export function i() { run(); }
`,
    },
    calls: {
      a: 'module.exports (store.js:1)',
      b: 'make (store.js:1)',
      c: 'Named (named.js:1)',
      d: 'exports.Open (both.js:1)',
      e: 'exports.Close.make (both.js:2)',
      f: 'save (view.ts:1)',
      h: 'list (list.ts:1)',
      i: 'default (run.ts:1)',
    },
    callers: {},
  },
  {
    what: 'names that a file hands on under others, and all of a module',
    files: {
      'a/util.ts': 'export function add() {}\nexport function plain() {}\n',
      'b/util.ts': 'export function add() {}\nexport function plain() {}\n',
      'lib.ts':
        "import { add as mine } from './b/util';\nexport { add as plus } from './a/util';\nexport { mine as more };\nfunction local() {}\nexport { local as known };\n",
      'all.ts': "export * from './a/util';\nexport * from './lib';\n",
      'use.ts': `import { plus, more, known } from './lib';
import { plain, plus as p } from './all';
export function a() { plus(); }
export function b() { more(); }
export function c() { known(); }
export function d() { plain(); }
export function e() { p(); }
`,
    },
    calls: {
      a: 'add (a/util.ts:1)',
      b: 'add (b/util.ts:1)',
      c: 'local (lib.ts:4)',
      d: 'plain (a/util.ts:2)',
      e: 'add (a/util.ts:1)',
    },
    callers: { local: 'c (use.ts:5)' },
  },
  {
    what: 'all of a module under a name by which another file hands it on',
    files: {
      'util.ts': 'export function add() {}\nexport class Box {\n  add() {}\n}\n',
      'other.ts': 'export function add() {}\nexport function none() {}\n',
      'index.ts': "export * as util from './util';\n",
      'all.ts': "export * from './index';\nexport * from './circle';\n",
      'circle.ts': "export * from './all';\n",
      'use.ts': `import { util } from './index';
import { util as u, other } from './all';
export function a() { util.add(); }
export function b() { u.add(); }
export function c() { util.none(); }
export function d() { other.none(); }
`,
    },
    calls: { a: 'add (util.ts:1)', b: 'add (util.ts:1)', c: undefined, d: undefined },
    callers: { 'util.ts#add': 'a (use.ts:3), b (use.ts:4)' },
  },
  {
    what: 'namespaces of PHP',
    files: {
      'na.php': '<?php\nnamespace NA;\nfunction f() {}\nfunction own() { f(); }\n',
      'nb.php': '<?php\nnamespace NB;\nfunction f() {}\nclass C { static function s() {} }\n',
      'use.php': `<?php
namespace App;
use function NB\\f;
use NB\\C as D;
use NB\\{C, Missing};
function one() { f(); }
function two() { D::s(); }
function three() { C::s(); }
function four() { \\NA\\f(); }
function five() { \\NB\\C::s(); }
function six() { new D(); }
`,
      'bare.php': '<?php\nnamespace Other;\nfunction none() { f(); }\n',
    },
    calls: {
      own: 'f (na.php:3)',
      one: 'f (nb.php:3)',
      two: 'C.s (nb.php:4)',
      three: 'C.s (nb.php:4)',
      four: 'f (na.php:3)',
      five: 'C.s (nb.php:4)',
      six: 'C (nb.php:4)',
      none: undefined,
    },
  },
]);

it('says what inherits, apart from what calls', async () => {
  const files = {
    'a.ts':
      'export interface Shape {}\nexport class Base {}\nexport class Sub extends Base implements Shape {}\nexport const make = () => new Base();\n',
  };
  await withCodeProject(files, async ({ build, graphServer }) => {
    await build();
    const server = await graphServer();
    const base = (await server.text('query_codebase', { query: 'Base' })).split('\n### ')[1];
    expect(base).toContain('- called by: make (a.ts:4)\n- inherited by: Sub (a.ts:3)');
    const sub = (await server.text('query_codebase', { query: 'Sub' })).split('\n### ')[1];
    expect(sub).toContain('- inherits: Base (a.ts:2), Shape (a.ts:1)');
    expect(sub).not.toContain('calls');
  });
});

it('ranks what stands in a file that the question names first', async () => {
  const files: Record<string, string> = { 'a/util.ts': 'export function add() {}\nexport function sub() {}\n' };
  files['src/b/util.ts'] = 'export function add() {}\n';
  for (let i = 0; i < 5; i++) {
    files[`use${i}.ts`] = "import { add } from './src/b/util';\nexport const use = () => add();\n";
  }
  await withCodeProject(files, async ({ build, graphServer }) => {
    await build();
    const server = await graphServer();
    for (const query of ['a/util.ts add', 'add in a/util.ts', 'a/util.ts:1 add()']) {
      const answer = await server.text('query_codebase', { query });
      expect(answer.split('\n### ')[1], query).toMatch(/^function add — a\/util\.ts/);
    }
  });
});
