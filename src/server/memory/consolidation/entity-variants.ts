/** Finds and merges entities that are spellings of one name. */
import { oneLine } from '../../base/text';
import { closeSupersededNodes } from '../close-superseded-nodes';
import { insertEdges } from '../edges';
import { isNameOfCode } from '../entity-keys';
import type { Memory, WritableMemory } from '../memory';
import { STANDING } from '../origins';
import { refreshContexts } from '../refresh-contexts';
import { foldName } from '../text/analyze';

export interface NamedEntity {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
}

/** `variant` is another spelling of `kept`. */
export interface VariantPair {
  readonly kept: NamedEntity;
  readonly variant: NamedEntity;
}

interface EntityRow extends NamedEntity {
  readonly valid_from: string;
  readonly degree: number;
  /** JSON array. */
  readonly aliases: string;
}

/**
 * Open entities whose names differ only in case, in spaces, hyphens and underscores, in camelCase or in a simple plural.
 * The one with more memories is kept, then the older one. What only proposals name is left alone.
 */
export async function entityVariants({ sql }: Pick<Memory, 'sql'>, ns: number): Promise<VariantPair[]> {
  const rows = await sql.all<EntityRow>(
    `SELECT n.seq, n.id, n.content AS name, n.valid_from,
            (SELECT count(*) FROM mem_edges WHERE type = 'ABOUT' AND dst = n.seq) AS degree,
            (SELECT json_group_array(alias) FROM main.mem_entity_names WHERE entity = n.seq AND alias IS NOT NULL) AS aliases
     FROM mem_nodes AS n
     WHERE n.seq >> 32 = $ns AND n.kind = 'entity' AND n.valid_until IS NULL AND n.tombstoned = 0
       AND ${STANDING} <> 'proposed'`,
    { ns },
  );
  // In order of preference, so that the first that claims a spelling is the one to keep.
  rows.sort(
    (a, b) =>
      b.degree - a.degree || (a.valid_from < b.valid_from ? -1 : a.valid_from > b.valid_from ? 1 : a.seq - b.seq),
  );
  const holders = new Map<string, { readonly row: EntityRow; readonly spelling: Spelling }[]>();
  const pairs: VariantPair[] = [];
  for (const row of rows) {
    const own = [row.name, ...(JSON.parse(row.aliases) as string[])].map(spellingOf);
    const kept = own
      .flatMap((spelling) =>
        (holders.get(spelling.singular) ?? []).filter((held) => isVariant(held.spelling, spelling)),
      )
      .find((held) => digits(held.row.name) === digits(row.name));
    if (kept) {
      pairs.push({ kept: plain(kept.row), variant: plain(row) });
      continue;
    }
    for (const spelling of own) {
      const held = holders.get(spelling.singular);
      if (held) held.push({ row, spelling });
      else holders.set(spelling.singular, [{ row, spelling }]);
    }
  }
  return pairs;
}

/** Merges what is still open: run in a transaction. Returns the pairs that were merged. */
export async function mergeVariants(
  memory: WritableMemory,
  ns: number,
  pairs: readonly VariantPair[],
): Promise<VariantPair[]> {
  const seqs = pairs.flatMap(({ kept, variant }) => [kept.seq, variant.seq]);
  // The plus keeps SQLite from walking an index of the whole namespace instead of the list.
  const open = await memory.sql.all<{ seq: number; valid_from: string }>(
    `SELECT n.seq, n.valid_from FROM mem_nodes AS n
     WHERE n.seq IN (SELECT value FROM json_each($seqs)) AND +(n.seq >> 32) = $ns
       AND n.kind = 'entity' AND n.valid_until IS NULL AND n.tombstoned = 0`,
    { ns, seqs: JSON.stringify(seqs) },
  );
  const since = new Map(open.map(({ seq, valid_from }) => [seq, valid_from]));
  const merged = pairs.filter(({ kept, variant }) => since.has(kept.seq) && since.has(variant.seq));
  if (merged.length === 0) return [];
  const list = { pairs: JSON.stringify(merged.map(({ kept, variant }) => [kept.seq, variant.seq])) };
  await memory.sql.run(
    `INSERT OR IGNORE INTO mem_edges (type, src, dst)
     SELECT 'ABOUT', e.src, pair.value ->> 0 FROM json_each($pairs) AS pair
     JOIN mem_edges AS e ON e.type = 'ABOUT' AND e.dst = pair.value ->> 1`,
    list,
  );
  await memory.sql.run(
    `DELETE FROM mem_edges WHERE type = 'ABOUT' AND dst IN (SELECT value ->> 1 FROM json_each($pairs))`,
    list,
  );
  await memory.sql.run(
    `UPDATE mem_entity_names SET entity = pair.value ->> 0, alias = coalesce(alias, n.content)
     FROM json_each($pairs) AS pair JOIN mem_nodes AS n ON n.seq = pair.value ->> 1
     WHERE mem_entity_names.entity = n.seq`,
    list,
  );
  // Closed, not forgotten: the history shows what became of it, and its id still leads to the entity that goes on.
  await insertEdges(
    memory.sql,
    merged.map(({ kept, variant }) => ({ type: 'SUPERSEDES' as const, src: kept.seq, dst: variant.seq })),
  );
  await closeSupersededNodes(
    memory,
    ns,
    merged.map(({ kept, variant }) => ({ seq: variant.seq, by: kept.seq, validFrom: since.get(kept.seq) ?? '' })),
  );
  await refreshContexts(memory, ns, [...new Set(merged.map(({ kept }) => kept.seq))]);
  return merged;
}

// A file, a call or a part of a file is named exactly: src/my-file.ts and src/my_file.ts are two files.
const EXACT_NAME = /[/\\#()@:]|\.\p{L}\w{0,9}$/u;
const CAMEL_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;

interface Spelling {
  readonly exact: string;
  /** With its last word as a singular where that looks like a plural. */
  readonly singular: string;
  /** One capitalised word. */
  readonly isProper: boolean;
}

function spellingOf(name: string): Spelling {
  if (isNameOfCode(name)) return { exact: `=${oneLine(name)}`, singular: `=${oneLine(name)}`, isProper: false };
  const words = EXACT_NAME.test(name) ? [] : wordsOf(name);
  const last = words.at(-1);
  if (last === undefined) return { exact: `=${foldName(name)}`, singular: `=${foldName(name)}`, isProper: false };
  return {
    exact: joined(words),
    singular: joined([...words.slice(0, -1), singularOf(last, name)]),
    isProper: /^\p{Lu}\p{Ll}+$/u.test(name.trim()),
  };
}

function isVariant(a: Spelling, b: Spelling): boolean {
  // Proper names are no plurals of each other: William and Williams.
  return a.exact === b.exact || !(a.isProper && b.isProper);
}

/** In lower case, from spaces, hyphens, underscores and camelCase. */
function wordsOf(name: string): string[] {
  return foldName(name.replace(CAMEL_BOUNDARY, ' ').replace(/[\s_-]+/gu, ' '))
    .split(' ')
    .filter((word) => word !== '');
}

/** Without a gap, but for one between digits: 1-2 is not 12. */
function joined(words: readonly string[]): string {
  return words.join(' ').replace(/(?<!\p{N}) | (?!\p{N})/gu, '');
}

const SHORTEST_SINGULAR = 4;

function singularOf(word: string, name: string): string {
  // "APIs", "URLs": what stands before the s is an acronym.
  if (/\p{Lu}{2}s$/u.test(name)) return word.slice(0, -1);
  if (!/^\p{L}+s$/u.test(word) || /(?:ss|us|is|as|os)$/u.test(word)) return word;
  if (/.{3}ies$/u.test(word)) return `${word.slice(0, -3)}y`;
  const stripped = /(?:ch|sh|x|ss|zz)es$/u.test(word) ? word.slice(0, -2) : word.slice(0, -1);
  return stripped.length >= SHORTEST_SINGULAR ? stripped : word;
}

function digits(name: string): string {
  return (name.match(/\p{N}+/gu) ?? []).join(' ');
}

function plain({ seq, id, name }: EntityRow): NamedEntity {
  return { seq, id, name };
}
