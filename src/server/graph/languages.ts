/** The languages of the code graph. */
import { basename, extname } from 'node:path';

/** How comments and blocks are written: what reading a doc comment and hashing a symbol depend on. */
export interface Language {
  /** As people call it, and as graph_status counts it. */
  readonly name: string;
  /** `tree-sitter-<grammar>.wasm` */
  readonly grammar: string;
  /** The folder of `queries/`. */
  readonly queries: string;
  readonly comments: 'slash' | 'hash';
  /** Indentation marks blocks, so it belongs to the text of a symbol. */
  readonly indented: boolean;
}

const slash = (name: string, grammar: string, queries = grammar): Language => ({
  ...{ name, grammar, queries, comments: 'slash', indented: false },
});
const hash = (name: string, grammar: string, indented = false): Language => ({
  ...{ name, grammar, queries: grammar, comments: 'hash', indented },
});

const TYPESCRIPT = slash('typescript', 'typescript');
const TSX = slash('tsx', 'tsx', 'typescript');
// The grammar of JavaScript reads JSX as well.
const JAVASCRIPT = slash('javascript', 'javascript');
const PYTHON = hash('python', 'python', true);
const C = slash('c', 'cpp');
const CPP = slash('cpp', 'cpp');
const PHP = slash('php', 'php');
const RUBY = hash('ruby', 'ruby');
const SHELL = hash('shell', 'bash');

const BY_EXTENSION: Readonly<Record<string, Language>> = {
  '.ts': TYPESCRIPT,
  '.mts': TYPESCRIPT,
  '.cts': TYPESCRIPT,
  '.tsx': TSX,
  '.js': JAVASCRIPT,
  '.mjs': JAVASCRIPT,
  '.cjs': JAVASCRIPT,
  '.jsx': JAVASCRIPT,
  '.py': PYTHON,
  '.pyi': PYTHON,
  '.go': slash('go', 'go'),
  '.rs': slash('rust', 'rust'),
  '.java': slash('java', 'java'),
  '.cs': slash('c-sharp', 'c-sharp'),
  '.c': C,
  '.h': C,
  '.cc': CPP,
  '.cpp': CPP,
  '.cxx': CPP,
  '.hh': CPP,
  '.hpp': CPP,
  '.hxx': CPP,
  '.rb': RUBY,
  '.gemspec': RUBY,
  '.rake': RUBY,
  '.php': PHP,
  '.sh': SHELL,
  '.bash': SHELL,
  '.zsh': SHELL,
  '.ksh': SHELL,
};

const BY_NAME: Readonly<Record<string, Language>> = { Rakefile: RUBY, Gemfile: RUBY };

/** What runs a script, as its first line names it. */
const BY_PROGRAM: readonly (readonly [RegExp, Language])[] = [
  [/^(?:ba|z|k|da)?sh$/, SHELL],
  [/^python[\d.]*$/, PYTHON],
  [/^(?:node|bun)$/, JAVASCRIPT],
  [/^(?:deno|tsx|ts-node)$/, TYPESCRIPT],
  [/^ruby[\d.]*$/, RUBY],
  [/^php[\d.]*$/, PHP],
];
/** Systems read no longer first line of a script than this. */
const LONGEST_FIRST_LINE = 255;
const SETTING = /^(?:-.|\w+=)/;

/** `#!/usr/bin/env -S node --flag`, `#!/bin/sh -e` */
function programOf(text: string): string | undefined {
  if (!text.startsWith('#!')) return undefined;
  const [line = ''] = text.slice(2, LONGEST_FIRST_LINE).split('\n', 1);
  const [first = '', ...more] = line.trim().split(/\s+/);
  const program = lastOf(first) === 'env' ? more.find((word) => !SETTING.test(word)) : first;
  return program === undefined ? undefined : lastOf(program);
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A script may tell its language in its first line alone. */
export function mayBeScript(path: string): boolean {
  return !basename(path).includes('.');
}

/**
 * @param text how the file begins, for what has no extension
 * @returns undefined for a file whose language is not known
 */
export function languageOf(path: string, text?: string): Language | undefined {
  const name = basename(path);
  if (Object.hasOwn(BY_NAME, name)) return BY_NAME[name];
  const extension = extname(name).toLowerCase();
  if (Object.hasOwn(BY_EXTENSION, extension)) return BY_EXTENSION[extension];
  const program = text !== undefined && mayBeScript(path) ? programOf(text) : undefined;
  return program === undefined ? undefined : BY_PROGRAM.find(([pattern]) => pattern.test(program))?.[1];
}
