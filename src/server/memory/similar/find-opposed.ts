/** Finds open decisions that chose what a new one rejects, or rejected what it chooses. */
import { askedNames, foundEntities } from '../entities';
import type { Memory } from '../memory';
import { FUNCTION_WORDS } from '../recall/query';
import { textList } from '../stored-json';
import { analyze, stem } from '../text/analyze';
import { LOOKED_AT } from './value-sentences';

/** The newest memories of each entity and symbol, and of these the newest decisions. */
const MOST_LINKED = 500;
const MOST_COMPARED = 50;
const MOST_OPPOSED = 3;

export interface NewDecision {
  readonly content: string;
  readonly alternatives_rejected: readonly string[];
  readonly entities: readonly string[];
  readonly namespace: string;
}

/** Of the code that it is about. */
export interface DecidedSymbol {
  readonly file_path: string;
  readonly code_type: string;
  readonly name: string;
}

interface Decided {
  readonly content: string;
  readonly alternatives_rejected: readonly string[];
}

/** Ids of open decisions about one of the same entities or symbols, newest first. */
export async function findOpposed(
  { sql }: Pick<Memory, 'sql'>,
  { entities, namespace, ...decision }: NewDecision,
  symbols: readonly DecidedSymbol[],
): Promise<string[]> {
  if (entities.length === 0) return [];
  const rows = await sql.all<{ id: string; content: string; rejected: string | null }>(FIND, {
    namespace,
    ...askedNames(entities),
    symbols: JSON.stringify(symbols.map(({ file_path, code_type, name }) => [file_path, code_type, name])),
  });
  return rows
    .filter(({ content, rejected }) => isOpposed(decision, { content, alternatives_rejected: textList(rejected) }))
    .slice(0, MOST_OPPOSED)
    .map(({ id }) => id);
}

const FIND = `WITH at AS (SELECT ns FROM mem_namespaces WHERE name = $namespace),
  linked (seq) AS (
    SELECT * FROM (SELECT e.src FROM (${foundEntities('(SELECT ns FROM at)')}) AS named
      CROSS JOIN mem_edges AS e ON e.type = 'ABOUT' AND e.dst = named.seq ORDER BY e.src DESC LIMIT ${MOST_LINKED})
    UNION
    SELECT * FROM (SELECT l.node FROM json_each($symbols) AS asked
      CROSS JOIN mem_links AS l ON l.file_path = asked.value ->> 0 AND l.code_type = asked.value ->> 1
        AND l.name = asked.value ->> 2 LIMIT ${MOST_LINKED}))
  SELECT n.id, substr(n.content, 1, ${LOOKED_AT}) AS content, n.alternatives_rejected AS rejected
  FROM linked CROSS JOIN mem_nodes AS n ON n.seq = linked.seq
  WHERE n.kind = 'decision' AND n.valid_until IS NULL AND n.tombstoned = 0 AND n.seq >> 32 = (SELECT ns FROM at)
  ORDER BY n.seq DESC LIMIT ${MOST_COMPARED}`;

function isOpposed(one: Decided, other: Decided): boolean {
  return rejects(one, other) || rejects(other, one);
}

/** Whether the one rejected something that the other chose. */
function rejects(one: Decided, other: Decided): boolean {
  const chosen = wordsOf(other.content);
  const dropped = other.alternatives_rejected.map(named);
  return one.alternatives_rejected
    .map(named)
    .some((option) => option.length > 0 && !dropped.some((each) => holdsAll(each, option)) && chooses(chosen, option));
}

/** In their order, as stems. */
function wordsOf(text: string): string[] {
  return analyze(text.slice(0, LOOKED_AT)).words.map(stem);
}

/** "Postgres, a server to run" → postgres: what is named, without what is said of it. */
function named(option: string): string[] {
  const [head = ''] = option.split(/[:;,.(–—]|\bbecause\b/);
  return wordsOf(head).filter((word) => !FUNCTION_WORDS.has(word));
}

function holdsAll(words: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((word) => words.includes(word));
}

const NEGATIONS: ReadonlySet<string> = new Set(
  ['not', 'no', 'never', 'without', 'instead', 'than', 'over', 'against', 'avoid', 'drop', 'replace', 'reject'].map(
    stem,
  ),
);
/** How many words may stand between a negation and what it negates. */
const REACH = 3;

function chooses(words: readonly string[], option: readonly string[]): boolean {
  if (!holdsAll(words, option)) return false;
  const at = words.indexOf(option[0] ?? '');
  return !words.slice(Math.max(0, at - REACH), at).some((word) => NEGATIONS.has(word));
}
