/** Names that are like one that was not found. */
import type { Memory } from './memory';
import { STANDING } from './origins';
import { foldName } from './text/analyze';

/** How many of the newest names are compared: enough for any project, and a bound for the others. */
const MAX_COMPARED = 20_000;
export const MAX_NEAREST = 3;
/** Share of common letter pairs below which two names have nothing to do with each other. */
const MIN_LIKENESS = 0.3;

/** The names most like the one asked for, by their pairs of letters (Dice), most alike first. */
export function nearest(name: string, candidates: Iterable<string>, most: number = MAX_NEAREST): string[] {
  const wanted = letterPairs(foldName(name));
  const scored: [string, number][] = [];
  for (const candidate of candidates) {
    const likeness = dice(wanted, letterPairs(foldName(candidate)));
    if (likeness >= MIN_LIKENESS) scored.push([candidate, likeness]);
  }
  return scored
    .sort((a, b) => b[1] - a[1])
    .slice(0, most)
    .map(([candidate]) => candidate);
}

/** The texts that hold most of the phrase's pairs of letters, best first: a long text is no less near for its length. */
export function nearestTexts(phrase: string, texts: readonly string[]): string[] {
  const wanted = letterPairs(foldName(phrase));
  return texts
    .map((text): [string, number] => [text, common(wanted, letterPairs(foldName(text))) / wanted.size])
    .filter(([, share]) => share >= MIN_LIKENESS)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_NEAREST)
    .map(([text]) => text);
}

/** The entity names of a namespace, newest first; none that would need a mark, for which a sentence has no room. */
export async function entityNames({ sql, foreign }: Memory, ns: number): Promise<string[]> {
  if (foreign) return [];
  const rows = await sql.all<{ content: string }>(
    `SELECT n.content FROM mem_nodes AS n
     WHERE n.seq >> 32 = $ns AND n.kind = 'entity' AND n.tombstoned = 0 AND ${STANDING} <> 'proposed'
     ORDER BY n.seq DESC LIMIT ${MAX_COMPARED}`,
    { ns },
  );
  return rows.map((row) => row.content);
}

function letterPairs(text: string): Set<string> {
  const padded = ` ${text} `;
  const pairs = new Set<string>();
  for (let i = 1; i < padded.length; i++) pairs.add(padded.slice(i - 1, i + 1));
  return pairs;
}

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return (2 * common(a, b)) / (a.size + b.size);
}

function common(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let n = 0;
  for (const pair of a) if (b.has(pair)) n++;
  return n;
}
