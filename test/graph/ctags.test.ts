import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Definition, extract } from '../../src/server/graph/extract';
import type { LanguageName } from '../../src/server/graph/languages';
import { openParser } from '../../src/server/graph/parser';
import { readSource } from '../../src/server/graph/read-source';
import { ctags, type Tag } from '../support/ctags';

/** What we find in real code beside what universal-ctags finds in it. */

const ROOT = resolve(__dirname, '../..');
const GOAL = 0.99;
const parser = openParser(join(ROOT, 'dist'));
const scratch = mkdtempSync(join(tmpdir(), 'svc-ctags-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Sample {
  readonly language: string;
  /** Letters of ctags for functions, methods, classes, interfaces and what is like them. */
  readonly kinds: string;
  readonly files: RegExp;
  readonly folders: () => readonly string[];
  /** Fewer would be no sample. */
  readonly atLeast: number;
}

const installed = (...names: string[]) => names.map((name) => join(ROOT, 'node_modules', name));

/** No Debian package that the tests need, and no package of npm that is installed, brings enough sources of these. */
const NO_SOURCES = undefined;

const SAMPLE_OF: Readonly<Record<LanguageName, Sample | undefined>> = {
  typescript: {
    ...{ language: 'TypeScript', kinds: 'fcigmnG', files: /(?<!\.d)\.ts$/, atLeast: 5_000 },
    folders: () => installed('zod/src', '@anthropic-ai/sdk/src', 'openai/src'),
  },
  tsx: NO_SOURCES,
  javascript: {
    ...{ language: 'JavaScript', kinds: 'fcmgGS', files: /\.js$/, atLeast: 1_000 },
    folders: () =>
      installed('commander/lib', '@modelcontextprotocol/sdk/dist/esm', 'vitest/dist', 'undici/lib', 'express'),
  },
  python: {
    ...{ language: 'Python', kinds: 'cfm', files: /\.py$/, atLeast: 10_000 },
    folders: () => [pythonLibrary()],
  },
  go: {
    ...{ language: 'Go', kinds: 'fsin', files: /\.go$/, atLeast: 5_000 },
    folders: () => ['/usr/share/gocode/src/golang.org/x/net', '/usr/share/gocode/src/golang.org/x/text'],
  },
  rust: NO_SOURCES,
  java: {
    ...{ language: 'Java', kinds: 'acgim', files: /\.java$/, atLeast: 5_000 },
    folders: () => [javaSources()],
  },
  'c-sharp': NO_SOURCES,
  c: NO_SOURCES,
  cpp: NO_SOURCES,
  ruby: NO_SOURCES,
  php: NO_SOURCES,
  shell: NO_SOURCES,
  powershell: NO_SOURCES,
};
const SAMPLES = Object.values(SAMPLE_OF).filter((one) => one !== undefined);

function python(...args: string[]): string {
  return spawnSync('python3', args, { encoding: 'utf8' }).stdout.trim();
}

function pythonLibrary(): string {
  return python('-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))');
}

function javaSources(): string {
  const unpack =
    'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); ' +
    'z.extractall(sys.argv[2], [n for n in z.namelist() if n.startswith(("javafx.base/", "javafx.controls/"))])';
  python('-c', unpack, '/usr/share/openjfx/lib/src.zip', scratch);
  return scratch;
}

/** Where ctags reports a definition and we do not, and are right not to. */
interface Difference {
  readonly why: string;
  readonly holds: (tag: Tag, line: string) => boolean;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const RESERVED = new Set(
  'as case catch else extends for function if in new of override return switch while'.split(' '),
);

const DIFFERENCES: readonly Difference[] = [
  {
    why: 'a function or class without a name, for which ctags makes one up',
    holds: ({ name }, line) => /^Anonymous(?:Function|Class)\w+$/.test(name) && !line.includes(name),
  },
  {
    why: 'an object that ctags takes for a class, because something stands in it',
    holds: ({ name, kind }, line) => kind === 'class' && !new RegExp(`\\bclass\\s+${escaped(name)}\\b`).test(line),
  },
  {
    why: 'a reserved word of the language, which names nothing (a condition in a body, a constructor signature)',
    holds: ({ name }) => RESERVED.has(name),
  },
  {
    why: 'an object whose property holds the function: the property is what is named',
    holds: ({ name }, line) => new RegExp(`\\b${escaped(name)}(?:\\.[\\w$]+|\\[.*?\\])+\\s*=`).test(line),
  },
];

interface Compared {
  readonly found: number;
  readonly explained: ReadonlyMap<Difference, number>;
  /** With their lines, for the reader of the failure. */
  readonly missing: readonly string[];
}

/** What lies in the folder of Python's library beside it: other packages, and its own large tests. */
const NOT_THE_LIBRARY = /\/python3?[\d.]*\/(?:site-packages|dist-packages|test|idlelib|lib2to3)\//;

function sourcesIn(folder: string, files: RegExp): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && files.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !NOT_THE_LIBRARY.test(path));
}

/** The definitions of the files that a build would keep, by path. */
async function definitionsIn(files: readonly string[]): Promise<Map<string, readonly Definition[]>> {
  const found = new Map<string, readonly Definition[]>();
  for (const path of files) {
    const source = await readSource((text, language) => extract(parser, text, language), '/', path, undefined);
    if (source.outcome === 'read') found.set(path, source.extracted.definitions);
  }
  return found;
}

/** ctags leaves the `#` of private names and quotes out, and keeps the names of nested namespaces together. */
function isMeant(one: Definition, { name, line }: Tag): boolean {
  const named = one.name === name || one.name === `#${name}` || one.qualified === name;
  return named && one.start_line <= line && line <= one.end_line;
}

function compare(tags: readonly Tag[], definitions: ReadonlyMap<string, readonly Definition[]>): Compared {
  const explained = new Map<Difference, number>();
  const missing: string[] = [];
  let found = 0;
  let path = '';
  let lines: readonly string[] = [];
  for (const tag of tags) {
    if (definitions.get(tag.path)?.some((one) => isMeant(one, tag))) {
      found += 1;
      continue;
    }
    if (tag.path !== path) lines = readFileSync(tag.path, 'utf8').split('\n');
    path = tag.path;
    const line = lines[tag.line - 1] ?? '';
    const difference = DIFFERENCES.find((one) => one.holds(tag, line));
    if (difference) explained.set(difference, (explained.get(difference) ?? 0) + 1);
    else missing.push(`${tag.kind} ${tag.name} in ${tag.path}:${tag.line}: ${line.trim().slice(0, 100)}`);
  }
  return { found, explained, missing };
}

const MINUTE = 60_000;

describe('of what universal-ctags finds in real code, at least 99 % is found', () => {
  const used = new Set<Difference>();

  it.each(SAMPLES)(
    'in $language',
    async ({ language, kinds, files, folders, atLeast }) => {
      const sources = folders().flatMap((folder) => sourcesIn(folder, files));
      const definitions = await definitionsIn(sources);
      const tags = ctags(language, kinds, [...definitions.keys()]);
      const { found, explained, missing } = compare(tags, definitions);
      for (const difference of explained.keys()) used.add(difference);
      expect(found).toBeGreaterThan(atLeast);
      expect(found / (found + missing.length), missing.slice(0, 20).join('\n')).toBeGreaterThanOrEqual(GOAL);
    },
    2 * MINUTE,
  );

  it('and each explained difference is there', () => {
    expect(DIFFERENCES.filter((one) => !used.has(one)).map((one) => one.why)).toEqual([]);
  });
});

/** `const name = (…) => …` and the like, on a line of its own. */
const HELD = /^\s*(?:export )?(?:const|let) (\w+) = (?:async )?(?:function\b|\(?[\w, ]*\)? =>)/;

it(
  'what ctags takes for a constant is found as the function that it holds',
  async () => {
    const { typescript } = SAMPLE_OF;
    const sources = typescript?.folders().flatMap((folder) => sourcesIn(folder, typescript.files)) ?? [];
    const definitions = await definitionsIn(sources);
    const asFunctions = new Set(ctags('TypeScript', 'fm', sources).map((tag) => `${tag.path}:${tag.line} ${tag.name}`));
    let seen = 0;
    const missing: string[] = [];
    for (const [path, found] of definitions) {
      readFileSync(path, 'utf8')
        .split('\n')
        .forEach((line, row) => {
          const name = HELD.exec(line)?.[1];
          if (name === undefined || asFunctions.has(`${path}:${row + 1} ${name}`)) return;
          seen += 1;
          const there = found.some(
            (one) => one.name === name && one.start_line === row + 1 && one.code_type === 'function',
          );
          if (!there) missing.push(`${path}:${row + 1}: ${line}`);
        });
    }
    expect(seen).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  },
  MINUTE,
);
