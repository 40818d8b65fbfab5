/** What a run of `svc ingest` or `svc sync` leaves behind for the next, beside the bindings. */
import type { Database } from '../db/sql';
import { readFact, writeFact } from '../graph/write-graph';
import { isJudgeName } from '../llm/providers';
import type { Judge } from './plan';

const SEEN_CODE = 'ingest_seen_code';
const LAST_PROVIDER = 'ingest_provider';
const LAST_MODEL = 'ingest_model';

/** The state of the code for which every section was looked at, but for those that are to be judged anyway. */
export function seenCode(graph: Database): Promise<string | undefined> {
  return readFact(graph, SEEN_CODE);
}

export function noteSeenCode(graph: Database, state: string): Promise<number> {
  return writeFact(graph, SEEN_CODE, state);
}

/** The last judge; undefined before the first run. */
export async function lastJudge(graph: Database): Promise<Judge | undefined> {
  const provider = await readFact(graph, LAST_PROVIDER);
  if (provider === undefined || !isJudgeName(provider)) return undefined;
  return { provider, model: (await readFact(graph, LAST_MODEL)) ?? '' };
}

export async function noteJudge(graph: Database, { provider, model }: Judge): Promise<void> {
  await writeFact(graph, LAST_PROVIDER, provider);
  await writeFact(graph, LAST_MODEL, model);
}
