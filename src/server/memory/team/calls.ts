/** Calls that were answered: one that is sent once more is answered, and not carried out twice. */
import { DAY_MS, timestamp } from '../../base/clock';
import { conflict } from '../../base/errors';
import type { WritableMemory } from '../memory';

/** How long an answer is kept. Who has not heard of it by then asks what is there instead. */
const KEPT_MS = 7 * DAY_MS;

/**
 * What this caller's call with this key was answered.
 * @returns undefined for a call that has not been carried out
 * @throws SvcError conflict when the key was another tool's, or the answer is not kept any more
 */
export async function answeredBefore(
  { sql, holder }: WritableMemory,
  callKey: string,
  tool: string,
): Promise<{ readonly answer: unknown } | undefined> {
  const row = await sql.get<{ tool: string; answer: string | null }>(
    'SELECT tool, answer FROM mem_calls WHERE principal = $principal AND call_key = $callKey',
    { principal: holder().principal, callKey },
  );
  if (!row) return undefined;
  if (row.tool !== tool) {
    throw conflict(`The key of this call was that of a call of ${row.tool}`, 'Make a new key for each call');
  }
  if (row.answer === null) {
    throw conflict(
      'This call was carried out before, and its answer is not kept any more',
      'Do not send it once more; ask what is there',
    );
  }
  return { answer: JSON.parse(row.answer) as unknown };
}

/** Belongs into the transaction of the call. */
export async function keepAnswer(
  memory: WritableMemory,
  callKey: string,
  tool: string,
  answer: unknown,
): Promise<void> {
  const now = memory.clock();
  await memory.sql.batch([
    {
      sql: `INSERT INTO mem_calls (principal, call_key, tool, at, answer)
            VALUES ($principal, $callKey, $tool, $at, $answer)`,
      parameters: {
        ...{ principal: memory.holder().principal, callKey, tool },
        at: timestamp(now),
        answer: JSON.stringify(answer ?? null),
      },
    },
    { sql: 'DELETE FROM mem_calls WHERE at < $oldest', parameters: { oldest: timestamp(now - KEPT_MS) } },
  ]);
}
