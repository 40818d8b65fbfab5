import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { ROOT, sourceFiles } from './project-files';

interface Cruise {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
  };
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function cruise(folder: string): Promise<Cruise> {
  const program = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
  const args = [program, '--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'src'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 64 << 20 });
  return JSON.parse(stdout) as Cruise;
}

/** A small project with our rules and these files. */
function planted(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-tidy-'));
  folders.push(folder);
  for (const name of ['.dependency-cruiser.mjs', 'tsconfig.json', 'package.json']) {
    cpSync(join(ROOT, name), join(folder, name));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function rulesBroken(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { summary } = await cruise(planted(files));
  return summary.violations.map((violation) => violation.rule.name).sort();
}

describe('the import rules', () => {
  it('are checked on every source file, and hold', async () => {
    const { modules, summary } = await cruise(ROOT);
    const seen = modules.map((module) => module.source).filter((source) => /^src\/.*\.ts$/.test(source));
    expect(seen.sort()).toEqual(sourceFiles());
    expect(summary.violations.map(({ from, rule }) => `${rule.name}: ${from}`)).toEqual([]);
  });

  it('keep the domain from files, other folders and foreign packages', async () => {
    const broken = await rulesBroken({
      'src/server/memory/a.ts': `
        import { readFileSync } from 'node:fs';
        import sqlite3 from '@vscode/sqlite3';
        import { line } from '../render/line';
        export const all = [readFileSync, sqlite3, line];`,
      'src/server/render/line.ts': 'export const line = 1;',
    });
    expect(broken).toEqual(['memory-imports', 'memory-node', 'memory-packages']);
  });

  it('let render have types of the domain, and nothing that runs', async () => {
    const memory = { 'src/server/memory/kinds.ts': 'export const KINDS = 1; export type Kind = string;' };
    const type = "import type { Kind } from '../memory/kinds'; export const kind: Kind = 'fact';";
    const value = "import { KINDS } from '../memory/kinds'; export const kind = KINDS;";
    expect(await rulesBroken({ ...memory, 'src/server/render/line.ts': type })).toEqual([]);
    expect(await rulesBroken({ ...memory, 'src/server/render/line.ts': value })).toEqual(['render-imports']);
  });

  it('let nobody outside of db know that a store is a file of SQLite, not even its type', async () => {
    const db = {
      'src/server/db/store-file.ts': 'export class StoreFile {}',
      'src/server/db/driver.ts': 'export class Connection {}',
      'src/server/db/open-file.ts':
        "import { StoreFile } from './store-file'; export const openFile = () => new StoreFile();",
    };
    const own = "import { openFile } from '../db/open-file'; export const store = openFile();";
    const broken = `import type { StoreFile } from '../db/store-file'; import { Connection } from '../db/driver';
      export const store = (file: StoreFile) => [file, Connection];`;
    expect(await rulesBroken({ ...db, 'src/server/project/a.ts': own })).toEqual([]);
    expect(await rulesBroken({ ...db, 'src/server/project/a.ts': broken })).toEqual([
      'store-interface',
      'store-interface',
    ]);
  });

  it('ask for a row when a folder is new, and keep main at the top', async () => {
    const broken = await rulesBroken({
      'src/server/tools/a.ts': "import { b } from '../news/b'; import { m } from '../main/m'; export const a = [b, m];",
      'src/server/news/b.ts': 'export const b = 1;',
      'src/server/main/m.ts': 'export const m = 1;',
    });
    expect(broken).toEqual(['known-folder', 'main-is-the-top', 'tools-imports', 'tools-imports']);
  });

  it('keep the extension from the server, and the editor from everything else', async () => {
    const broken = await rulesBroken({
      'src/extension/a.ts': `
        import * as vscode from 'vscode';
        import type { Request } from '../protocol/requests';
        import { b } from '../server/tools/b';
        export const a = (request: Request) => [vscode.env, request, b];`,
      'src/server/tools/b.ts': "import * as vscode from 'vscode'; export const b = vscode.env;",
      'src/webview/c.ts': "import { readFileSync } from 'node:fs'; export const c = readFileSync;",
      'src/protocol/requests.ts': 'export type Request = string;',
    });
    expect(broken).toEqual(['editor-in-extension', 'extension-imports', 'webview-node']);
  });

  it('let server, editor and pages have the table of kinds, which may have nothing of theirs', async () => {
    const broken = await rulesBroken({
      'src/kinds/kinds.ts': `
        import { readFileSync } from 'node:fs';
        import { b } from '../server/base/b';
        export const kinds = [readFileSync, b];`,
      'src/server/base/b.ts': 'export const b = 1;',
      'src/server/memory/a.ts': "import { kinds } from '../../kinds/kinds'; export const a = kinds;",
      'src/extension/a.ts': "import { kinds } from '../kinds/kinds'; export const a = kinds;",
      'src/webview/a.ts': "import { kinds } from '../kinds/kinds'; export const a = kinds;",
    });
    expect(broken).toEqual(['kinds-imports', 'kinds-node']);
  });

  it('forbid cycles at run time, not between types', async () => {
    const other = "import { a } from './a'; export const b = a; export type B = number;";
    const runtime = { 'src/server/base/a.ts': "import { b } from './b'; export const a: number = b;" };
    const types = { 'src/server/base/a.ts': "import type { B } from './b'; export const a: B = 1;" };
    expect(await rulesBroken({ ...runtime, 'src/server/base/b.ts': other })).toContain('no-cycle');
    expect(await rulesBroken({ ...types, 'src/server/base/b.ts': other })).toEqual([]);
  });
});
