/** Keeps what symbols were when memories were linked to them, for code that Git may not have. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { sizeInBytes } from '../db/size';
import type { Database, Reader } from '../db/sql';

export interface KeptText {
  readonly hash: string;
  /** Qualified. */
  readonly name: string;
  readonly text: string;
}

/** Of the code graph's file, all copies together. */
const MOST_OF_GRAPH = 0.05;
/** Whoever gives the graph away may have made a small copy of a huge text. */
const MOST_BYTES = 1_000_000;
/** What a row takes beside its text, in bytes. */
const ROW_BYTES = 96;

const TAKEN = `length(text) + length(CAST(name AS BLOB)) + ${ROW_BYTES}`;

/**
 * Keeps copies of symbols. The oldest ones make room; what alone is too much is not kept.
 * @param now a timestamp
 */
export async function keepTexts(graph: Database, texts: readonly KeptText[], now: string): Promise<void> {
  const rows = texts.map(({ hash, name, text }) => [hash, name, deflateRawSync(text).toString('base64')]);
  if (rows.length === 0) return;
  await graph.transact(async (sql) => {
    await sql.run(
      `INSERT INTO graph_texts (hash, name, text, kept_at)
       SELECT value ->> 0, value ->> 1, value ->> 2, $now FROM json_each($rows) WHERE true
       ON CONFLICT DO UPDATE SET text = excluded.text, kept_at = excluded.kept_at`,
      { rows: JSON.stringify(rows), now },
    );
    await sql.run(
      `DELETE FROM graph_texts WHERE (hash, name) IN (
         SELECT hash, name FROM (
           SELECT hash, name, sum(${TAKEN}) OVER (ORDER BY kept_at DESC, hash, name) AS taken FROM graph_texts)
         WHERE taken > $most)`,
      { most: Math.floor((await sizeInBytes(sql)) * MOST_OF_GRAPH) },
    );
  });
}

/** The copies of these hashes that are still kept, the newest first. */
export async function keptTexts(sql: Reader, hashes: readonly string[]): Promise<KeptText[]> {
  const rows = await sql.all<KeptText>(
    `SELECT t.hash, t.name, t.text FROM json_each($hashes) AS asked CROSS JOIN graph_texts AS t ON t.hash = asked.value
     ORDER BY t.kept_at DESC, t.name`,
    { hashes: JSON.stringify(hashes) },
  );
  return rows.flatMap((row) => {
    const text = unpacked(row.text);
    return text === undefined ? [] : [{ ...row, text }];
  });
}

function unpacked(text: string): string | undefined {
  try {
    return inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: MOST_BYTES }).toString();
  } catch {
    return undefined;
  }
}
