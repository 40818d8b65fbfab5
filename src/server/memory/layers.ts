/** The memories that are shared, read together with those of the store. */
import type { Reader } from '../db/sql';

/** What statements call the file that holds the shared memories of a working tree. */
export const SHARED_LAYER = 'shared';
/** What statements call the store itself. What only a person's own memories have (sessions, history) is read from it. */
export const OWN_LAYER = 'main';

/** Shared memories belong to the first namespace, `default`. */
export const SHARED_NAMESPACE = 1;
/** The numbers of shared rows begin here in each namespace: no store ever gives out so many. */
export const FIRST_SHARED_ROW = 2 ** 31;

/**
 * Whether a row of `mem_nodes` waits for a person, as SQL. What a stranger shares waits as well, but for the whole folder: it
 * is no proposal, and in no list of them.
 */
export function isProposal(node: string): string {
  return `(${node}.standing = 'proposed' AND (${node}.seq & ${2 ** 32 - 1}) < ${FIRST_SHARED_ROW})`;
}

/**
 * In the file of a layer `mem_kept_pairs` pairs a row of the store with the shared one that has taken its place: it is
 * not seen while that is there.
 */
const REPLACED = (seq: string): string =>
  `EXISTS (SELECT 1 FROM ${SHARED_LAYER}.mem_kept_pairs AS pair WHERE pair.one = ${seq})`;

/** Tables whose rows are in both; the others are the store's alone. */
const TABLES = ['mem_edges', 'mem_entity_names', 'mem_links', 'mem_link_texts', 'mem_origins'] as const;

/** Joins views that a statement can go through by index; those that it aggregates need a `LIMIT -1` between. */
export const LAYER_VIEWS: string = [
  `CREATE TEMP VIEW mem_nodes AS
     SELECT * FROM ${OWN_LAYER}.mem_nodes AS own WHERE NOT ${REPLACED('own.seq')}
     UNION ALL SELECT * FROM ${SHARED_LAYER}.mem_nodes;`,
  ...TABLES.map(
    (table) =>
      `CREATE TEMP VIEW ${table} AS SELECT * FROM ${OWN_LAYER}.${table} UNION ALL SELECT * FROM ${SHARED_LAYER}.${table};`,
  ),
].join('\n');

/** The schemas that hold nodes: a full-text index cannot be asked through a view. */
export function layersOf({ layers = [OWN_LAYER] }: Pick<Reader, 'layers'>): readonly string[] {
  return layers;
}

/**
 * Where a row was in the course of the work: the episode of a shared one is that of the row whose place it has taken, on
 * the machine where it was shared.
 */
export function episodeOf(layer: string, node: string): string {
  return layer === OWN_LAYER
    ? `${node}.episode`
    : `(SELECT taken.episode FROM ${SHARED_LAYER}.mem_kept_pairs AS pair
        CROSS JOIN ${OWN_LAYER}.mem_nodes AS taken ON taken.seq = pair.one WHERE pair.other = ${node}.seq)`;
}

/** The rows of the store that stand for the rows `asked (seq)` in its episodes, as `parent` and `seq`. */
export function rowsInEpisodes(sql: Pick<Reader, 'layers'>): string {
  return inEachLayer(sql, (layer) =>
    layer === OWN_LAYER
      ? 'SELECT asked.seq AS parent, asked.seq FROM asked'
      : `SELECT pair.other, pair.one FROM asked CROSS JOIN ${SHARED_LAYER}.mem_kept_pairs AS pair ON pair.other = asked.seq`,
  );
}

/** The row that is seen in place of one of the store. */
export function inItsPlace(sql: Pick<Reader, 'layers'>, seq: string): string {
  return layersOf(sql).length === 1
    ? seq
    : `coalesce((SELECT pair.other FROM ${SHARED_LAYER}.mem_kept_pairs AS pair WHERE pair.one = ${seq}), ${seq})`;
}

/** The row of the store in whose place a row is seen: what the store alone keeps of it stands under that one. */
export function ownRowOf(sql: Pick<Reader, 'layers'>, seq: string): string {
  return layersOf(sql).length === 1
    ? seq
    : `coalesce((SELECT pair.one FROM ${SHARED_LAYER}.mem_kept_pairs AS pair WHERE pair.other = ${seq}), ${seq})`;
}

/** One SELECT on each layer, all of them together. */
export function inEachLayer(sql: Pick<Reader, 'layers'>, select: (layer: string) => string): string {
  return layersOf(sql).map(select).join(' UNION ALL ');
}

/** What the full-text index of each layer says of terms (`term`, `doc`), together. */
export function summed(sql: Pick<Reader, 'layers'>, select: (layer: string) => string): string {
  const each = inEachLayer(sql, select);
  return layersOf(sql).length === 1 ? each : `SELECT term, sum(doc) AS doc FROM (${each}) GROUP BY term`;
}

/** How many memories are shared, as SQL: all of them are in the first namespace. */
export function sharedSize(sql: Pick<Reader, 'layers'>): string {
  return layersOf(sql).includes(SHARED_LAYER)
    ? `coalesce((SELECT (max(seq) & ${2 ** 32 - 1}) - ${FIRST_SHARED_ROW} FROM ${SHARED_LAYER}.mem_nodes), 0)`
    : '0';
}

/** A condition on the nodes of one layer, beginning with AND: without those in whose place shared ones are. */
export function notReplaced(sql: Pick<Reader, 'layers'>, layer: string, node: string): string {
  return layer === OWN_LAYER && layersOf(sql).length > 1 ? `AND NOT ${REPLACED(`${node}.seq`)}` : '';
}

/** The steps of a recursive table `chain (seq)` along SUPERSEDES, both ways: none of them may go through a view. */
export function alongSuperseding(sql: Pick<Reader, 'layers'>): string {
  return layersOf(sql)
    .map(
      (layer) => `UNION SELECT e.dst FROM chain
         CROSS JOIN ${layer}.mem_edges AS e ON e.type = 'SUPERSEDES' AND e.src = chain.seq
       UNION SELECT e.src FROM chain
         CROSS JOIN ${layer}.mem_edges AS e ON e.type = 'SUPERSEDES' AND e.dst = chain.seq`,
    )
    .join('\n');
}
