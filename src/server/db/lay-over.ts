/** Lets a connection read another file together with its own. */
import type { Connection } from './driver';
import type { Reader } from './sql';
import type { Layer } from './store';

/**
 * @param connection one that only reads; what runs on it meanwhile goes on with its own file
 * @param cacheKib what it may keep of the pages of the other file, which has little by itself
 */
export async function layOver(connection: Connection, { path, name, views }: Layer, cacheKib: number): Promise<void> {
  // Making a temporary view counts as writing.
  await connection.script('PRAGMA query_only = OFF');
  try {
    await connection.run(`ATTACH $path AS ${name}`, { path });
    await connection.script(`PRAGMA ${name}.cache_size = -${cacheKib}; ${views}`);
  } finally {
    await connection.script('PRAGMA query_only = ON');
  }
}

/** @param layers the schemas that hold rows of the store */
export function readingOn(connection: Connection, layers: readonly string[]): Reader {
  return {
    all: (sql, parameters) => connection.all(sql, parameters),
    get: (sql, parameters) => connection.get(sql, parameters),
    layers,
  };
}
