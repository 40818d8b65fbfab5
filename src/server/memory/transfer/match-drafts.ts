/** Compares what sources say with what was brought from them before: docs/behaviour.md, "Bringing what is there". */
import { KINDS } from '../../../kinds/kinds';
import type { Memory } from '../memory';
import { namespaceNumber } from '../namespaces';
import { textList } from '../stored-json';
import { storable } from '../text/search-terms';
import type { Draft } from './draft';

/** A source as it is now. */
export interface DraftedSource {
  readonly name: string;
  readonly hash: string;
  readonly drafts: readonly Draft[];
}

/** What an import of a source is to write. */
export interface MatchedSource {
  readonly source: DraftedSource;
  /** Objects as `memory_import` takes them, with ids. */
  readonly nodes: readonly BroughtNode[];
  /** How many of them are newer versions of what was brought before. */
  readonly changed: number;
  /** How many drafts were brought before, or are said by another source as well. */
  readonly known: number;
  /** How many open memories of this source it does not say any more. They stay as they are. */
  readonly unsaid: number;
  /** Open memories that it says to be closed or superseded by now. They stay as they are, too. */
  readonly given_up: readonly GivenUp[];
}

export interface GivenUp {
  readonly id: string;
  readonly content: string;
  /** Nobody has kept it yet. */
  readonly waits: boolean;
}

export interface BroughtNode extends Omit<Draft, 'anchor' | 'supersedes'> {
  readonly id: string;
  readonly supersedes: readonly string[];
  /** It belongs to no session: nobody worked on a task when it was brought. */
  readonly session_id: null;
}

interface Before {
  readonly id: string;
  readonly source: string;
  readonly kind: string;
  readonly content: string;
  readonly rationale: string | null;
  readonly alternatives: readonly string[];
  readonly names: readonly string[];
  /** Neither closed nor forgotten. */
  readonly open: boolean;
  readonly waits: boolean;
  /** What waits closes it when it is kept. */
  readonly isFollowed: boolean;
}

/** Of two texts that are one statement in two versions, at least this share of the words is in both. */
const ALIKE = 0.5;
/** Longer lists of candidates are not compared. */
const MOST_COMPARED = 500;
const IDS_AT_ONCE = 1_000;

/** Reads the store alone. What a person dropped, or changed, does not come back. */
export async function matchDrafts(memory: Memory, sources: readonly DraftedSource[]): Promise<MatchedSource[]> {
  const before = await broughtBefore(memory, sources);
  const stored = await storedByIds(memory, sources);
  const ids = await newIds(memory, sources);
  const saidElsewhere = new Set<string>();
  return sources.map((source) => {
    const earlier = before.filter((one) => one.source === source.name);
    const left = new Map(earlier.map((one) => [one.id, one]));
    const saying = new Map(earlier.map((one) => [keyOf(one), one]));
    const idOf = new Map<string, string>();
    const fresh: Draft[] = [];
    const held: { readonly draft: Draft; readonly same: Before }[] = [];
    let known = 0;
    for (const draft of source.drafts) {
      const same = sameAs(draft, stored) ?? saying.get(keyOf(draft));
      if (same) {
        left.delete(same.id);
        if (draft.anchor !== undefined) idOf.set(draft.anchor, same.id);
        if (same.open) held.push({ draft, same });
      }
      const said = keyOf(draft);
      if (same || saidElsewhere.has(said)) known += 1;
      else fresh.push(draft);
      saidElsewhere.add(said);
    }
    const replaced = fresh.map((draft) => olderVersion(draft, left, stored));
    const nodes = fresh.map((draft, i) => {
      const id = ids.next(draft, stored);
      if (draft.anchor !== undefined) idOf.set(draft.anchor, id);
      return { draft, id, older: replaced[i] };
    });
    return {
      ...{ source, known, changed: replaced.filter((one) => one !== undefined).length },
      nodes: nodes.map(({ draft, id, older }) => nodeOf(draft, id, older, idOf)),
      unsaid: [...left.values()].filter(({ open }) => open).length,
      given_up: held
        .filter(({ draft, same }) => !same.isFollowed && isGivenUp(draft, source.drafts, fresh))
        .map(({ same }) => same),
    };
  });
}

/** What is new closes what it takes the place of when it is kept. */
function isGivenUp({ anchor, valid_until }: Draft, all: readonly Draft[], fresh: readonly Draft[]): boolean {
  const isReplaced = (by: readonly Draft[]): boolean =>
    anchor !== undefined && by.some((one) => one.anchor !== anchor && one.supersedes?.includes(anchor));
  return !isReplaced(fresh) && (valid_until !== undefined || isReplaced(all));
}

function nodeOf(
  { anchor, supersedes = [], ...draft }: Draft,
  id: string,
  older: Before | undefined,
  idOf: ReadonlyMap<string, string>,
): BroughtNode {
  const anchors = supersedes.filter((one) => one !== anchor).flatMap((one) => idOf.get(one) ?? []);
  const ids = new Set([...(older ? [older.id] : []), ...anchors]);
  return { ...draft, id, session_id: null, supersedes: [...ids] };
}

type Said = Pick<Draft, 'kind' | 'content'> & { readonly rationale?: string | null | undefined };

/** What makes two statements the same. */
function keyOf(one: (Said & { readonly alternatives_rejected?: readonly string[] }) | Before): string {
  const alternatives = 'alternatives' in one ? one.alternatives : (one.alternatives_rejected ?? []);
  return JSON.stringify([one.kind, storable(one.content), storable(one.rationale ?? ''), alternatives.map(storable)]);
}

/** An export of ours comes back: the memory that it was is there. */
function sameAs({ id, kind, content }: Draft, stored: ReadonlyMap<string, Before>): Before | undefined {
  const found = id === undefined ? undefined : stored.get(id);
  return found?.kind === kind && storable(found.content) === storable(content) ? found : undefined;
}

/** Takes it from `left`, so that it has one newer version at most. */
function olderVersion(
  draft: Draft,
  left: Map<string, Before>,
  stored: ReadonlyMap<string, Before>,
): Before | undefined {
  const exported = draft.id === undefined ? undefined : stored.get(draft.id);
  const candidates = [...left.values()].filter((one) => one.open && one.kind === draft.kind);
  const older =
    (exported?.open && exported.kind === draft.kind ? exported : undefined) ??
    (draft.anchor === undefined ? mostAlike(draft, candidates) : candidates.find((one) => isAbout(one, draft.anchor)));
  if (older) left.delete(older.id);
  return older;
}

function isAbout({ names }: Before, anchor: string | undefined): boolean {
  return anchor !== undefined && names.includes(anchor);
}

function mostAlike(draft: Draft, candidates: readonly Before[]): Before | undefined {
  const words = wordsOf(draft.content);
  let best: Before | undefined;
  let most = ALIKE;
  for (const one of candidates.slice(0, MOST_COMPARED)) {
    const others = wordsOf(one.content);
    const both = [...words].filter((word) => others.has(word)).length;
    const share = both / Math.max(1, words.size + others.size - both);
    if (share >= most) [best, most] = [one, share];
  }
  return best;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

const COLUMNS = `n.id, n.kind, n.content, n.rationale, n.alternatives_rejected AS alternatives,
  n.valid_until IS NULL AND n.tombstoned = 0 AS open, n.standing = 'proposed' AS waits,
  EXISTS (SELECT 1 FROM mem_edges AS r JOIN mem_nodes AS s ON s.seq = r.src WHERE r.type = 'SUPERSEDES' AND r.dst = n.seq
    AND s.standing = 'proposed' AND s.tombstoned = 0 AND s.valid_until IS NULL) AS isFollowed,
  (SELECT json_group_array(e.content) FROM mem_edges AS a JOIN mem_nodes AS e ON e.seq = a.dst
   WHERE a.type = 'ABOUT' AND a.src = n.seq) AS names`;

/** Its import was undone: unlike one that was dropped, it may come back. */
const TAKEN_BACK = `EXISTS (SELECT 1 FROM mem_operations AS o
  WHERE o.undone_by IS NOT NULL AND n.seq BETWEEN o.created_from AND o.created_to)`;

type Flag = 'open' | 'waits' | 'isFollowed';

interface Row extends Omit<Before, 'alternatives' | 'names' | Flag>, Record<Flag, 0 | 1> {
  readonly alternatives: string | null;
  readonly names: string;
}

function read({ alternatives, names, open, waits, isFollowed, ...row }: Row): Before {
  const flags = { open: open === 1, waits: waits === 1, isFollowed: isFollowed === 1 };
  return { ...row, ...flags, alternatives: textList(alternatives), names: textList(names) };
}

async function broughtBefore(
  { sql, scope }: Memory,
  sources: readonly Pick<DraftedSource, 'name'>[],
): Promise<Before[]> {
  const ns = await namespaceNumber(sql, scope.namespace);
  const rows = await sql.all<Row>(
    `SELECT g.name AS source, ${COLUMNS} FROM mem_nodes AS n JOIN mem_origins AS g ON g.id = n.origin
     WHERE n.seq >= $ns << 32 AND n.seq < ($ns + 1) << 32 AND g.kind = 'import'
       AND g.name IN (SELECT value FROM json_each($names))
       AND NOT (n.tombstoned = 1 AND ${TAKEN_BACK}) ORDER BY n.seq`,
    { ns, names: JSON.stringify(sources.map(({ name }) => storable(name))) },
  );
  return rows.map(read);
}

/** Nodes of this namespace that have the ids which exports wrote down. */
async function storedByIds(
  { sql, scope }: Memory,
  sources: readonly DraftedSource[],
): Promise<ReadonlyMap<string, Before>> {
  const ids = sources.flatMap(({ drafts }) => drafts.flatMap(({ id }) => id ?? []));
  if (ids.length === 0) return new Map();
  const ns = await namespaceNumber(sql, scope.namespace);
  const rows = await sql.all<Row>(
    `SELECT '' AS source, ${COLUMNS} FROM json_each($ids) AS asked CROSS JOIN mem_nodes AS n ON n.id = asked.value
     WHERE +(n.seq >> 32) = $ns`,
    { ns, ids: JSON.stringify(ids) },
  );
  return new Map(rows.map((row) => [row.id, read(row)]));
}

/** Ids that no node of the store has, in any namespace. */
async function newIds({ sql, newSuffix }: Memory, sources: readonly DraftedSource[]) {
  const wanted = sources.reduce((sum, { drafts }) => sum + drafts.length, 0);
  const free = new Set<string>();
  while (free.size < wanted) {
    const drawn = Array.from({ length: Math.min(IDS_AT_ONCE, wanted - free.size) }, () => newSuffix());
    const taken = await sql.all<{ suffix: string }>(
      `SELECT DISTINCT s.value AS suffix FROM json_each($suffixes) AS s CROSS JOIN json_each($prefixes) AS p
       CROSS JOIN mem_nodes AS n ON n.id = p.value || s.value`,
      {
        suffixes: JSON.stringify(drawn),
        prefixes: JSON.stringify(Object.values(KINDS).map(({ prefix }) => prefix)),
      },
    );
    const used = new Set(taken.map(({ suffix }) => suffix));
    for (const suffix of drawn) if (!used.has(suffix)) free.add(suffix);
  }
  const given = new Set<string>();
  const rest = free.values();
  return {
    /** The id that an export wrote down, where nobody has it; else a new one. */
    next({ id, kind }: Draft, stored: ReadonlyMap<string, Before>): string {
      const { prefix } = KINDS[kind];
      const kept = id !== undefined && OWN_ID.test(id) && id.startsWith(prefix) && !stored.has(id) && !given.has(id);
      const chosen = kept ? id : prefix + (rest.next().value ?? '');
      given.add(chosen);
      return chosen;
    },
  };
}

/** A kept id that is taken in another namespace gets a new one when it is imported. */
const OWN_ID = /^[a-z]{1,2}_[A-Za-z0-9_-]{1,64}$/;
