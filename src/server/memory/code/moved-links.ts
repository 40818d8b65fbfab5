/** Finds the links whose symbols are known to be in other places than they were linked in. */
import type { Memory } from '../memory';
import type { CameTo } from './touches';

/** As far as the code graph knows; nothing is judged. */
export async function movedSymbols({ code }: Memory): Promise<readonly CameTo[]> {
  return (await code.moved?.()) ?? [];
}

/** What `linksMoved` takes. */
export function movedJson(moved: readonly CameTo[]): string {
  return JSON.stringify(moved.map(({ was, now }) => [was.file_path, was.code_type, was.name, was.hash, now.file_path]));
}

/**
 * A statement about the links of these symbols, as `t`, through their index.
 * @param parameter of the statement, with the JSON
 * @param columns what is given of them; `MOVED_TO` is the path of the file that the symbol is in
 */
export function linksMoved(parameter: string, columns: string): string {
  return `SELECT ${columns} FROM json_each(${parameter}) AS moved CROSS JOIN mem_links AS t
    ON t.file_path = moved.value ->> 0 AND t.code_type = moved.value ->> 1 AND t.name = moved.value ->> 2
    AND t.hash = moved.value ->> 3`;
}

export const MOVED_TO = 'moved.value ->> 4';
