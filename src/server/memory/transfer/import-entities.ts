import { oneLine, wellFormed } from '../../base/text';
import { type Entity, type EntityName, findEntities, resolveEntities } from '../entities';
import type { WritableMemory } from '../memory';
import { foldName } from '../text/analyze';
import type { ImportObject } from './import-object';

/** An entity of the message that is to be written, or one that the store has. */
export type EntityTarget = ImportObject | Entity;

export interface ImportedEntities {
  /** What a name or id in `entities` stands for. */
  readonly targetOf: (name: string) => EntityTarget | undefined;
  /** Entity objects of the message that are not written, and the entity that has their name already. */
  readonly merged: ReadonlyMap<ImportObject, EntityTarget>;
  /** The aliases that an entity object of the message keeps. */
  readonly aliasesOf: (object: ImportObject) => readonly string[];
  /** Names to write down once row numbers are known. */
  readonly claims: readonly (Pick<EntityName, 'folded' | 'alias'> & { readonly target: EntityTarget })[];
  /** Ids of entities that no object of the message describes. */
  readonly created: readonly string[];
}

interface Claim {
  readonly target: EntityTarget;
  readonly alias: string | null;
}

/**
 * "Edges are rebuilt by entity resolution": gives every name in a message its entity. The store's entities come first,
 * then the message's own: names of open entities, aliases, names of closed and forgotten ones (whose name an entity
 * that took their place may hold). Entities that are in neither are created.
 */
export async function importEntities(
  memory: WritableMemory,
  ns: number,
  objects: readonly ImportObject[],
  inMessage: ReadonlyMap<string, ImportObject>,
): Promise<ImportedEntities> {
  const described = objects.filter((object) => object.kind === 'entity');
  const here = new Set(described);
  const wanted = new Map<string, string>();
  for (const object of objects) {
    const names = object.kind === 'entity' ? [object.content, ...object.aliases] : object.entities;
    for (const name of names) if (!wanted.has(name)) wanted.set(name, oneLine(wellFormed(name)));
  }
  const cleaned = [...new Set(wanted.values())];
  const inStore = await findEntities(memory.sql, ns, cleaned);
  const folded = new Map(cleaned.map((name) => [name, foldName(name)]));

  const claims = new Map<string, Claim>();
  const merged = new Map<ImportObject, EntityTarget>();
  const claim = (name: string, target: EntityTarget, alias: string | null): boolean => {
    const key = folded.get(name) ?? foldName(name);
    if (inStore.has(name) || claims.has(key)) return false;
    claims.set(key, { target, alias });
    return true;
  };
  for (const object of described.filter(isOpen)) {
    if (claim(object.content, object, null)) continue;
    const holder = inStore.get(object.content) ?? claims.get(folded.get(object.content) ?? '')?.target;
    // A second one of the message that brings an id along is kept, without its name.
    if (holder && (object.id === undefined || inStore.has(object.content))) merged.set(object, holder);
  }
  const aliases = new Map<ImportObject, string[]>();
  for (const object of described) {
    const target = merged.get(object) ?? object;
    const kept = object.aliases
      .map((alias) => wanted.get(alias) ?? alias)
      .filter((alias) => claim(alias, target, alias));
    if (isImportObject(target)) aliases.set(target, [...(aliases.get(target) ?? []), ...kept]);
  }
  for (const object of described) if (!isOpen(object)) claim(object.content, object, null);

  const entityWithId = (id: string): ImportObject | undefined => {
    const object = inMessage.get(id);
    // The message may hold entities of other namespaces.
    return object && here.has(object) ? object : undefined;
  };
  const find = (name: string): EntityTarget | undefined => {
    const target = inStore.get(name) ?? claims.get(folded.get(name) ?? '')?.target ?? entityWithId(name);
    return target && isImportObject(target) ? (merged.get(target) ?? target) : target;
  };
  const missing = new Set<string>();
  for (const object of objects) {
    if (object.kind === 'entity') continue;
    for (const name of object.entities) {
      const clean = wanted.get(name) ?? name;
      if (clean !== '' && !find(clean)) missing.add(clean);
    }
  }
  const { byName, created } = await resolveEntities(memory, ns, [...missing]);
  return {
    targetOf: (name) => {
      const clean = wanted.get(name) ?? name;
      return byName.get(clean) ?? find(clean);
    },
    merged,
    aliasesOf: (object) => aliases.get(object) ?? [],
    claims: [...claims].map(([key, { target, alias }]) => ({ folded: key, alias, target })),
    created,
  };
}

export function isImportObject(target: EntityTarget): target is ImportObject {
  return 'index' in target;
}

function isOpen(object: ImportObject): boolean {
  return object.tombstoned === 0 && object.valid_until === undefined;
}
