/** Brings the rows of shared memories to what their files say now. */
import { createHash } from 'node:crypto';
import { KINDS } from '../../kinds/kinds';
import { type Clock, timestamp } from '../base/clock';
import { suffixAt } from '../base/ids';
import type { Reader } from '../db/sql';
import type { Store } from '../db/store';
import { linkedSymbols } from '../memory/code/linked-symbols';
import type { MatchedNames } from '../memory/code/touches';
import { OWN_LAYER, SHARED_LAYER } from '../memory/layers';
import {
  dropUnused,
  ENTITY_PREFIX,
  forgetKnown,
  type KnownFile,
  type KnownFiles,
  type LayerLink,
  type NewMemory,
  nextRow,
  ownEntities,
  readKnown,
  removeRows,
  writeAbout,
  writeKnown,
  writeLinks,
  writeRows,
} from './layer-file';
import {
  dropPairs,
  ownRows,
  placeInSessions,
  readState,
  type State,
  writePairs,
  writeState,
  writeSuperseding,
} from './layer-state';
import { readMemory } from './read-memory';
import { type FileText, modifiedAt, readFile, type Stamps } from './scan-folder';
import type { SharedMemory } from './shared-memory';
import { superseding } from './supersede';

export interface SyncOptions {
  readonly root: string;
  readonly folder: string;
  /** The file of the rows. */
  readonly layer: Store;
  /** The store that they are read together with. */
  readonly own: Reader;
  readonly clock: Clock;
  /** Nobody has accepted the folder. */
  readonly foreign: boolean;
  /** What names mean in the code as it is. */
  readonly match: (names: readonly string[]) => Promise<MatchedNames>;
  /** Another one when the code graph was built again. */
  readonly codeStamp: () => string;
}

/** A file that was read. */
interface ReadFile {
  readonly path: string;
  readonly stamp: string;
  readonly read: FileText;
}

/** Another process did the same meanwhile. */
class Overtaken extends Error {}

const ATTEMPTS = 5;

export class LayerSync {
  private files: KnownFiles = new Map();
  private state: State | undefined;

  constructor(private readonly options: SyncOptions) {}

  /** As of the last look. */
  get known(): KnownFiles {
    return this.files;
  }

  /** Ids of the entities that only shared memories name. */
  async entities(): Promise<ReadonlySet<string>> {
    const rows = await this.options.layer.all<{ id: string }>(`SELECT id FROM mem_nodes WHERE kind = 'entity'`);
    return new Set(rows.map(({ id }) => id));
  }

  /** @param stamps of the files that are there; undefined where they are as they were */
  async sync(stamps: Stamps | undefined): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(stamps);
      } catch (error) {
        if (!(error instanceof Overtaken) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  private async attempt(found: Stamps | undefined): Promise<void> {
    const { layer, root, folder, codeStamp } = this.options;
    const state = await readState(layer);
    if (state.revision !== this.state?.revision) {
      this.files = await readKnown(layer);
      this.state = state;
    }
    const code = codeStamp();
    const isChanged = ([path, stamp]: readonly [string, string]): boolean => this.files.get(path)?.stamp !== stamp;
    const there = [...(found ?? [])];
    const gone = found ? [...this.files.keys()].filter((path) => !found.has(path)) : [];
    const isMoved = gone.length > 0 || there.some(isChanged);
    if (!isMoved && code === state.code) return;
    const read = there
      .filter((one) => isChanged(one) || (isMoved && this.files.get(one[0])?.isSecond))
      .map(([path, stamp]) => ({ path, stamp, read: readFile(root, folder, path) }));
    await this.apply(state, { read, gone, code });
  }

  private async apply(
    state: State,
    {
      read,
      gone,
      code,
    }: { readonly read: readonly ReadFile[]; readonly gone: readonly string[]; readonly code: string },
  ): Promise<void> {
    const files: KnownFiles = new Map(this.files);
    for (const path of gone) files.delete(path);
    const touched = read.filter(({ path, stamp, read: file }) => {
      const known = this.files.get(path);
      if (known === undefined || known.isSecond || !('hash' in file) || known.hash !== file.hash) return true;
      files.set(path, { ...known, stamp });
      return false;
    });
    const { clock, foreign, own, layer } = this.options;
    const now = timestamp(clock());
    const fresh = newMemories(touched, files, await nextRow(layer), now);
    const removed = [...gone, ...touched.map(({ path }) => path)].flatMap(
      (path) => this.files.get(path)?.memory?.seq ?? [],
    );
    const links = await this.linksOf(fresh, files, code !== state.code);
    const names = fresh.flatMap(({ memory }) => memory.about);
    const entities = await ownEntities(own, names);
    const twins = await ownRows(
      own,
      fresh.map(({ id }) => id),
    );
    const replaced = [...files.values()].flatMap(({ memory }) => memory?.supersedes ?? []);
    const { edges, until } = superseding(files, await ownRows(own, replaced));
    await layer.transact(async (sql) => {
      if ((await readState(sql)).revision !== state.revision) throw new Overtaken();
      await removeRows(sql, removed);
      await forgetKnown(sql, gone);
      await writeRows(sql, fresh, { now, proposed: foreign });
      await writeLinks(sql, links);
      await writeAbout(
        sql,
        fresh.map(({ seq, memory }) => ({ seq, names: memory.about })),
        entities,
        this.naming(now),
      );
      await dropUnused(sql);
      await writePairs(
        sql,
        fresh.flatMap(({ id, seq }) => {
          const one = twins.get(id);
          return one === undefined ? [] : [[one, seq] as const];
        }),
      );
      await writeSuperseding(sql, edges, until);
      const written = [...files].filter(([path, known]) => this.files.get(path) !== known);
      await writeKnown(sql, written);
      await writeState(sql, { revision: state.revision + 1, code });
    });
    this.files = files;
    this.state = { revision: state.revision + 1, code };
  }

  /** What files say; where one says nothing of code, what its names mean. Notes in `files` which have led to none. */
  private async linksOf(fresh: readonly NewMemory[], files: KnownFiles, again: boolean): Promise<LayerLink[]> {
    const now = timestamp(this.options.clock());
    const given = fresh.flatMap(({ seq, valid_from, memory }) =>
      memory.links.map(({ commit, confirmed = [], ...link }) => ({
        ...{ ...link, node: seq, linked_at: valid_from, commit: commit ?? null, confirmed },
      })),
    );
    const isNew = new Set(fresh.map(({ seq }) => seq));
    const open = [...files].flatMap(([path, known]) =>
      known.memory?.unlinked && (again || isNew.has(known.memory.seq)) ? [{ path, known, memory: known.memory }] : [],
    );
    const matched = await this.options.match([...new Set(open.flatMap(({ memory }) => memory.names))]);
    const found = open.flatMap(({ path, known, memory }) => {
      const symbols = linkedSymbols({ names: memory.names }, matched);
      if (symbols.length > 0) files.set(path, { ...known, memory: { ...memory, unlinked: false } });
      return symbols.map(
        ({ file_path, code_type, name, hash, commit }): LayerLink => ({
          ...{ file_path, code_type, name, hash, commit, node: memory.seq, linked_at: now, confirmed: [] },
        }),
      );
    });
    return [...given, ...found];
  }

  private naming(now: string) {
    const newId = (key: string): string => `${ENTITY_PREFIX}${suffixOf(key)}${suffixOf(`${key} again`).slice(0, 3)}`;
    return { now, newId, standing: this.options.foreign ? ('proposed' as const) : ('stored' as const) };
  }

  /**
   * Names belong to the entities of the store where it has them, a memory is in the session that it was stored in, and the store
   * changes. Called when it has, and when the files have.
   * @param layered the store, read together with the layer
   */
  async follow(layered: Reader): Promise<void> {
    const { layer, foreign } = this.options;
    const row = await layered.get<{ moved: string; lost: string; twins: string; parted: string; sessions: string }>(
      MOVED,
      {},
    );
    const moved = JSON.parse(row?.moved ?? '[]') as [was: number, now: number][];
    const lost = JSON.parse(row?.lost ?? '[]') as number[];
    const twins = JSON.parse(row?.twins ?? '[]') as [own: number, shared: number][];
    const parted = JSON.parse(row?.parted ?? '[]') as [own: number, shared: number][];
    // A stranger may have written the id of a memory of this store into a file.
    const sessions = foreign ? [] : (JSON.parse(row?.sessions ?? '[]') as [shared: number, session: number | null][]);
    if ([moved, lost, twins, parted, sessions].every(({ length }) => length === 0)) return;
    const memories = [...this.files.values()].flatMap(({ memory }) => memory ?? []);
    const entities = await ownEntities(
      this.options.own,
      lost.length === 0 ? [] : memories.flatMap(({ names }) => names),
    );
    await layer.transact(async (sql) => {
      await sql.run(
        `UPDATE OR REPLACE mem_edges SET dst = moved.value ->> 1 FROM json_each($moved) AS moved
         WHERE mem_edges.type = 'ABOUT' AND mem_edges.dst = moved.value ->> 0`,
        { moved: JSON.stringify(moved) },
      );
      const about = await sql.all<{ src: number }>(
        `DELETE FROM mem_edges WHERE type = 'ABOUT' AND dst IN (SELECT value FROM json_each($lost)) RETURNING src`,
        { lost: JSON.stringify(lost) },
      );
      const left = new Set(about.map(({ src }) => src));
      await writeAbout(
        sql,
        memories.filter(({ seq }) => left.has(seq)),
        entities,
        this.naming(timestamp(this.options.clock())),
      );
      await dropUnused(sql);
      await dropPairs(sql, parted);
      await writePairs(sql, twins);
      await placeInSessions(sql, sessions);
    });
  }
}

/**
 * Own entities that got a name which the layer has one for, entities that are no longer there, rows of one id, pairs of which
 * the row was purged since, so that its number may be another memory's, and sessions of rows that are not in them yet or any more.
 */
const MOVED = `SELECT
  (SELECT json_group_array(json_array(s.entity, m.entity)) FROM ${SHARED_LAYER}.mem_entity_names AS s
   CROSS JOIN ${OWN_LAYER}.mem_entity_names AS m ON m.ns = s.ns AND m.folded = s.folded
   CROSS JOIN ${OWN_LAYER}.mem_nodes AS n ON n.seq = m.entity AND n.tombstoned = 0) AS moved,
  (SELECT json_group_array(dst) FROM (SELECT DISTINCT dst FROM ${SHARED_LAYER}.mem_edges WHERE type = 'ABOUT') AS e
   WHERE NOT EXISTS (SELECT 1 FROM ${SHARED_LAYER}.mem_nodes AS n WHERE n.seq = e.dst)
     AND NOT EXISTS (SELECT 1 FROM ${OWN_LAYER}.mem_nodes AS n WHERE n.seq = e.dst AND n.tombstoned = 0)) AS lost,
  (SELECT json_group_array(json_array(m.seq, s.seq)) FROM ${SHARED_LAYER}.mem_nodes AS s
   CROSS JOIN ${OWN_LAYER}.mem_nodes AS m ON m.id = s.id
   WHERE s.kind <> 'entity' AND NOT EXISTS (SELECT 1 FROM ${SHARED_LAYER}.mem_kept_pairs AS pair WHERE pair.one = m.seq AND pair.other = s.seq)) AS twins,
  (SELECT json_group_array(json_array(pair.one, pair.other)) FROM ${SHARED_LAYER}.mem_kept_pairs AS pair
   CROSS JOIN ${SHARED_LAYER}.mem_nodes AS s ON s.seq = pair.other
   WHERE NOT EXISTS (SELECT 1 FROM ${OWN_LAYER}.mem_nodes AS m WHERE m.seq = pair.one AND m.id = s.id)) AS parted,
  (SELECT json_group_array(json_array(s.seq, place.seq)) FROM ${SHARED_LAYER}.mem_nodes AS s
   LEFT JOIN ${OWN_LAYER}.mem_nodes AS m ON m.id = s.id AND m.seq >> 32 = s.seq >> 32
   LEFT JOIN ${OWN_LAYER}.mem_nodes AS place ON place.seq = m.session AND place.tombstoned = 0
   WHERE s.kind <> 'entity' AND s.session IS NOT place.seq) AS sessions`;

/** Takes apart what was read, and notes in `files` what is known of each. */
function newMemories(touched: readonly ReadFile[], files: KnownFiles, firstRow: number, now: string): NewMemory[] {
  const fresh: NewMemory[] = [];
  const paths = new Set(touched.map(({ path }) => path));
  const taken = new Map(
    [...files].flatMap(([path, { memory }]) => (memory && !paths.has(path) ? [[memory.id, path]] : [])),
  );
  for (const { path, stamp, read } of touched) {
    const since = files.get(path)?.since ?? now;
    const note = (known: Omit<KnownFile, 'stamp' | 'hash' | 'since'>): void => {
      files.set(path, { stamp, hash: 'hash' in read ? read.hash : '', since, ...known });
    };
    if ('unread' in read) {
      note({ problem: { line: 1, reason: read.unread } });
      continue;
    }
    const written = timestamp(modifiedAt(stamp));
    // A clock may go wrong.
    const result = readMemory(read.text, written < now ? written : now);
    if ('problem' in result) {
      note(result);
      continue;
    }
    const { memory } = result;
    const id = memory.id ?? idOf(path, memory, taken);
    const other = taken.get(id);
    if (other !== undefined) {
      note({ problem: { line: 1, reason: `its id ${id} is that of ${other}` }, isSecond: true });
      continue;
    }
    taken.set(id, path);
    const seq = firstRow + fresh.length;
    const valid_from = memory.valid_from ?? since;
    fresh.push({ path, seq, id, valid_from, memory });
    note({
      memory: {
        ...{ seq, id, names: memory.about, from: valid_from, until: memory.valid_until ?? null },
        ...{ supersedes: memory.supersedes, superseded_by: memory.superseded_by, beside: memory.beside },
        unlinked: memory.links.length === 0 && memory.about.length > 0,
        by_name: memory.links.length === 0,
      },
    });
  }
  return fresh;
}

/** The id of the memory in a file, as far as no other file has it. */
export function idOfFile(path: string, memory: SharedMemory): string {
  return memory.id ?? idOf(path, memory, new Map());
}

/** Of a file without one: the same for the same path, in every clone. */
function idOf(path: string, { kind }: SharedMemory, taken: ReadonlyMap<string, string>): string {
  for (let salt = ''; ; salt += '+') {
    const id = `${KINDS[kind].prefix}${suffixOf(path + salt)}`;
    if (!taken.has(id)) return id;
  }
}

function suffixOf(text: string): string {
  return suffixAt(createHash('sha256').update(text).digest().readUIntBE(0, 6));
}
