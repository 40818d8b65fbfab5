/** The rows in which changes in the files of shared memories are kept. */
import { isNumberOfFile } from '../base/file-numbers';
import type { Reader, Writer } from '../db/sql';
import type { Store } from '../db/store';
import { SHARED_FOLDER } from '../shared/shared-memory';
import { type Along, isAlong } from './along';
import type { Change, Noted } from './file-change';

export const MOST_EDITS = 50;
const MOST_BYTES = 1_000_000;

/** Before the number of an edit, the name of its row. */
export const EDIT = 'edit:';

export interface KeptEdit extends Omit<Change, 'root'>, Noted {
  readonly number: number;
  readonly namespace: string;
  /** The last operation of the store before it: of one moment, the time does not tell which was first. */
  readonly follows: number;
  /** As of operations: what it takes back, and what took it back. */
  readonly undoes: number | null;
  readonly undone_by: number | null;
  /** How often it was turned round before: an odd one takes back, an even one does again. */
  readonly turns: number;
  /** The file was taken away, and somebody else has put it back: when it is gone again, that is not what this did. */
  readonly isBack?: true | undefined;
  /** The operation of the store that goes with it. */
  readonly along?: Along | undefined;
}

/** By their numbers, oldest first. */
export async function readEdits(sql: Reader): Promise<Map<number, KeptEdit>> {
  const rows = await sql.all<{ name: string; value: string }>(
    `SELECT name, value FROM mem_flags WHERE name >= 'edit:' AND name < 'edit;'`,
  );
  const edits = rows.flatMap(({ name, value }) => readEdit(Number(name.slice(EDIT.length)), value));
  return new Map(edits.sort((a, b) => a.number - b.number).map((edit) => [edit.number, edit]));
}

/** What somebody else wrote there is passed over. */
function readEdit(number: number, value: string): KeptEdit[] {
  try {
    const { before, after, ...said } = JSON.parse(value) as Omit<KeptEdit, 'number'>;
    const texts = [before ?? '', after ?? '', said.path, said.id, said.namespace, said.at];
    const isOurs = isNumberOfFile(number) && texts.every((text) => typeof text === 'string');
    if (!isOurs || !said.path.startsWith(`${SHARED_FOLDER}/`) || said.path.split('/').includes('..')) return [];
    const along = isAlong(said.along) ? said.along : undefined;
    return [{ ...said, number, before: before ?? undefined, after: after ?? undefined, along }];
  } catch {
    return [];
  }
}

/** The oldest go where they are too many, or take too much room; the newest one stays. */
export async function writeEdits(sql: Writer, edits: readonly KeptEdit[]): Promise<void> {
  await sql.run(
    'INSERT OR REPLACE INTO mem_flags (name, value) SELECT value ->> 0, value ->> 1 FROM json_each($edits)',
    { edits: JSON.stringify(edits.map(({ number, ...edit }) => [`${EDIT}${number}`, JSON.stringify(edit)])) },
  );
  await sql.run(
    `DELETE FROM mem_flags WHERE name IN (
       SELECT name FROM (
         SELECT name, row_number() OVER newest AS place, sum(length(CAST(value AS BLOB))) OVER newest AS bytes
         FROM mem_flags WHERE name >= 'edit:' AND name < 'edit;'
         WINDOW newest AS (ORDER BY CAST(substr(name, 6) AS INTEGER) DESC))
       WHERE place > 1 AND (place > $most OR bytes > $bytes))`,
    { most: MOST_EDITS, bytes: MOST_BYTES },
  );
}

/** Notes which files are there again that were taken away. @param isThere whether a memory has its file, by its id and its path */
export async function noteBack(rows: Store, isThere: (id: string, path: string) => boolean): Promise<void> {
  const gone = [...(await readEdits(rows)).values()].filter(
    ({ after, undone_by, isBack, id, path }) =>
      after === undefined && undone_by === null && !isBack && isThere(id, path),
  );
  if (gone.length === 0) return;
  await rows.transact(async (sql) => {
    const now = await readEdits(sql);
    const edits = gone.flatMap(({ number }) => now.get(number) ?? []);
    await writeEdits(
      sql,
      edits.map((edit) => ({ ...edit, isBack: true as const })),
    );
  });
}
