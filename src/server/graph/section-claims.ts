import type { Database } from '../db/sql';

/** Who asks about a section says so first: two runs at once would pay for it twice. */
export interface Claim {
  readonly section: number;
  /** Of the text that is asked about. */
  readonly hash: string;
  readonly provider: string;
  readonly model: string;
}

/** After this a run that claimed it has ended without saying so; no question takes longer. */
const HOLDS_MS = 600_000;
const nameOf = ({ section }: Claim): string => `ingest_asking:${section}`;

/** @param due false: it is asked again although it was judged @returns who has it now */
export function claimSection(
  graph: Database,
  claim: Claim,
  due: boolean,
  now: number,
): Promise<'ours' | 'asked' | 'judged'> {
  return graph.transact(async (sql) => {
    const { section, hash, provider, model } = claim;
    const judged = await sql.get(
      `SELECT 1 FROM graph_sections
       WHERE id = $section AND judged_hash = $hash AND provider = $provider AND model = $model`,
      { section, hash, provider, model },
    );
    if (judged !== undefined && due) return 'judged';
    const claimed = await sql.run(
      `INSERT INTO graph_facts VALUES ($name, $now)
       ON CONFLICT (name) DO UPDATE SET value = $now WHERE CAST(value AS INTEGER) < CAST($before AS INTEGER)`,
      { name: nameOf(claim), now: String(now), before: String(now - HOLDS_MS) },
    );
    return claimed > 0 ? 'ours' : 'asked';
  });
}

export function releaseSection(graph: Database, claim: Claim): Promise<number> {
  return graph.transact((sql) => sql.run('DELETE FROM graph_facts WHERE name = $name', { name: nameOf(claim) }));
}
