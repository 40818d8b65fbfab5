/** The list of documents that could not be parsed. */
import type { Database, Reader } from '../db/sql';
import { PROGRAM } from './extraction';
import type { ParseFailure } from './parse-limit';

/** Why a document could not be taken apart, in the words of the summary. */
export type UnparsedDocument = ParseFailure | 'too many sections';

/** A document that could not be taken apart, as it was then. */
export interface LeftOutDocument {
  readonly path: string;
  readonly content_hash: string;
  readonly reason: UnparsedDocument;
}

/** What this program left out; another version may take it. */
export function leftOutDocuments(sql: Reader): Promise<LeftOutDocument[]> {
  return sql.all<LeftOutDocument>(
    'SELECT path, content_hash, reason FROM graph_left_out_documents WHERE program = $program',
    { program: PROGRAM },
  );
}

/** @param forgotten paths of documents that were read since, or are not there any more */
export function noteLeftOutDocuments(
  graph: Database,
  documents: readonly LeftOutDocument[],
  forgotten: readonly string[],
): Promise<void> {
  return graph.transact(async (sql) => {
    await sql.run('DELETE FROM graph_left_out_documents WHERE path IN (SELECT value FROM json_each($forgotten))', {
      forgotten: JSON.stringify(forgotten),
    });
    await sql.run(
      `INSERT OR REPLACE INTO graph_left_out_documents (path, content_hash, reason, program)
       SELECT value ->> 0, value ->> 1, value ->> 2, $program FROM json_each($rows)`,
      {
        rows: JSON.stringify(documents.map(({ path, content_hash, reason }) => [path, content_hash, reason])),
        program: PROGRAM,
      },
    );
  });
}
