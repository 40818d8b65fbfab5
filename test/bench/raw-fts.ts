import { join } from 'node:path';
import sqlite3 from '@vscode/sqlite3';
import type { Place } from './servers';

/** What anybody gets from SQLite in an afternoon: one FTS5 table in this process, OR of the quoted words, BM25. */
export interface RawFts {
  /** In batches, the fastest way that there is. Returns after the commit. */
  insert(contents: readonly string[], times?: readonly string[]): Promise<void>;
  /** The places (from 0, in the order of insertion) of the best matches, best first. */
  search(words: readonly string[], limits?: Limits): Promise<{ readonly place: number; readonly content: string }[]>;
  close(): Promise<void>;
}

export interface Limits {
  readonly best?: number;
  /** Only what was inserted with a time up to this one; compared as text. */
  readonly asOf?: string | undefined;
}

const BATCH = 1_000;
const BEST = 50;
/** What a baseline drops from a question before it searches. */
const STOP_WORDS = new Set(
  (
    'a about after all am an and any are as at be because been before being between both but by can could did do does ' +
    'doing down during each few for from further had has have having he her here hers him his how i if in into is it ' +
    'its just like me more most my no nor not now of off on once only or other our out over own re s same she should ' +
    'so some such t than that the their them then there these they this those through to too under until up us ve ' +
    'very was we were what when where which while who whom why will with would you your'
  ).split(' '),
);

/** The words of a question, lower case, each once. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
}

/** Those without the stop words, unless nothing would be left. */
export function tellingWordsOf(text: string): string[] {
  const words = wordsOf(text);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return telling.length > 0 ? telling : words;
}

export async function openRawFts({ folder }: Place, tokenizer: 'unicode61' | 'porter'): Promise<RawFts> {
  const handle = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(join(folder, 'raw.db'), (error) => (error ? reject(error) : resolve(opened)));
  });
  const all = <Row>(sql: string, parameters: readonly unknown[] = []) =>
    new Promise<Row[]>((resolve, reject) => {
      handle.all(sql, parameters, (error: Error | null, rows: Row[]) => (error ? reject(error) : resolve(rows)));
    });
  await all('PRAGMA journal_mode = WAL');
  await all('PRAGMA synchronous = NORMAL');
  await all(`CREATE VIRTUAL TABLE raw USING fts5(content, at UNINDEXED, tokenize = '${tokenizer}')`);
  return {
    insert: async (contents, times = []) => {
      await all('BEGIN IMMEDIATE');
      for (let from = 0; from < contents.length; from += BATCH) {
        const rows = contents.slice(from, from + BATCH).map((content, i) => [content, times[from + i] ?? '']);
        const batch = JSON.stringify(rows);
        await all('INSERT INTO raw (content, at) SELECT value ->> 0, value ->> 1 FROM json_each(?)', [batch]);
      }
      await all('COMMIT');
    },
    search: (words, { best = BEST, asOf } = {}) => {
      const match = words.map((word) => `"${word}"`).join(' OR ');
      const before = asOf === undefined ? '' : 'AND at <= ?';
      return all(`SELECT rowid - 1 AS place, content FROM raw WHERE raw MATCH ? ${before} ORDER BY rank LIMIT ?`, [
        ...[match, ...(asOf === undefined ? [] : [asOf]), best],
      ]);
    },
    close: () => new Promise((resolve, reject) => handle.close((error) => (error ? reject(error) : resolve()))),
  };
}
