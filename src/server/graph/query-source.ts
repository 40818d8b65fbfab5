// Reads the queries of a language.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What is asked of a whole source, what of one whose symbols alone are wanted, and what of the head of each definition. */
const PARTS = {
  source: ['definitions.scm', 'references.scm', 'text.scm'],
  symbols: ['definitions.scm', 'text.scm'],
  head: ['signatures.scm'],
} as const;
/** The first line of a query may name the folder whose queries it extends, as editors write it. */
const INHERITS = /^; inherits: ([\w-]+)\n/;

/** Queries of a language as one, together with those that they extend. @param folder `queries/` */
export async function querySource(folder: string, queries: string, of: keyof typeof PARTS): Promise<string> {
  const parts = await Promise.all(PARTS[of].map((part) => withBase(folder, queries, part)));
  return parts.join('\n');
}

async function withBase(folder: string, queries: string, part: string): Promise<string> {
  const own = await readFile(join(folder, queries, part), 'utf8');
  const base = INHERITS.exec(own)?.[1];
  return base === undefined ? own : `${await withBase(folder, base, part)}\n${own}`;
}
