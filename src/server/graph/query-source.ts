/** Reads the queries of a language. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const PARTS = ['definitions.scm', 'references.scm'];
/** The first line of a query may name the folder whose queries it extends, as editors write it. */
const INHERITS = /^; inherits: ([\w-]+)\n/;

/** The queries of a language as one, together with those that they extend. @param folder `queries/` */
export async function querySource(folder: string, queries: string): Promise<string> {
  const parts = await Promise.all(PARTS.map((part) => withBase(folder, queries, part)));
  return parts.join('\n');
}

async function withBase(folder: string, queries: string, part: string): Promise<string> {
  const own = await readFile(join(folder, queries, part), 'utf8');
  const base = INHERITS.exec(own)?.[1];
  return base === undefined ? own : `${await withBase(folder, base, part)}\n${own}`;
}
