import type { FollowedRepository } from '../support/followed-repository';

export const PARSE = `export function parse(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}
`;
export const FORMAT = `export function format(parts: string[]): string {
  return parts.join(', ');
}
`;
export const STORE = `export class Store {
  private rows = new Map<string, string>();

  get(key: string): string | undefined {
    return this.rows.get(key);
  }

  put(key: string, value: string): void {
    this.rows.set(key, value);
  }
}
`;
/** A method of the store in another class, and changed. */
export const ROWS = `export class Rows {
  put(key: string, value: string): void {
    this.rows.set(key, value.trim());
  }
}
`;
export const PUT = STORE.slice(STORE.indexOf('\n  put('), STORE.lastIndexOf('}'));
export const CACHE = `export class Cache {
  private limit = 10;

  get(key: string): string | undefined {
    return key.length > this.limit ? undefined : key;
  }
}
`;
export const READ = `def read(path):
    with open(path) as file:
        return file.read()
`;
export const WARN = `exports.warnOnce = function (text) {
  if (!seen.has(text)) process.emitWarning(text, 'Warning');
  seen.add(text);
};
`;
/** Functions that hold others. */
export const DECORATED = `def traced(name):
    """Prints each call."""
    def decorate(work):
        def wrapper(*args):
            print(name, args)
            return work(*args)
        return wrapper
    return decorate


def pipe(*setters):
    """Runs all setters and returns the last value."""

    def wrapped_pipe(instance, attrib, new_value):
        rv = new_value
        for setter in setters:
            rv = setter(instance, attrib, rv)
        return rv

    return wrapped_pipe
`;
export const SAME = 'export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 1;\n}\n';
/** A repository before it is refactored. */
export const SOURCES = {
  'src/text.ts': `// Text in and out.\n\n${PARSE}\n${FORMAT}`,
  'src/store.ts': STORE,
  'src/cache.ts': CACHE,
  'src/lib/deep/names.ts': `export const upper = (name: string): string => name.toUpperCase();\n`,
  'tools/read.py': READ,
  'tools/calls.py': DECORATED,
  'src/legacy.js': `const seen = new Set();\n\n${WARN}`,
  'tools/legacy.js': `const seen = new Map();\n\n${WARN.replace('.add(text)', '.set(text, 1)')}`,
};

/** One refactoring, and what becomes of a memory. */
export interface Refactoring {
  readonly title: string;
  /** What the memory is about; `parse()` where this is missing. */
  readonly about?: readonly string[];
  readonly change: (repository: FollowedRepository) => Promise<void>;
  /** Where the memory is shown then, and how it is judged. */
  readonly shown: readonly string[];
  /** Before a build or a refresh has seen it, where that is another answer. */
  readonly live?: readonly string[];
  /** How often it was put on another place. */
  readonly moves: number;
}
