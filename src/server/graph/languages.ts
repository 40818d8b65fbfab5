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
  /** Blocks are told by their indentation, so that it belongs to a symbol's text. */
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
  '.rake': RUBY,
  '.php': slash('php', 'php'),
  '.sh': SHELL,
  '.bash': SHELL,
};

/** @returns undefined for a file whose language is not known */
export function languageOf(path: string): Language | undefined {
  const extension = extname(basename(path)).toLowerCase();
  return Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
}
