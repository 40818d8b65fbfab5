/** Which entity each name in an import means. */
import { oneLine } from '../../base/text';
import type { Reader } from '../../db/sql';
import { type Entity, type EntityName, findEntities } from '../entities';
import { entityKey } from '../entity-keys';
import { type ImportObject, newEntity } from './import-object';

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
  readonly claims: readonly (Pick<EntityName, 'key' | 'alias'> & { readonly target: EntityTarget })[];
  /** Entities that the memories name, and that neither the store nor the message has: they are to be written first. */
  readonly created: readonly ImportObject[];
  /** What the store was asked for, and what it had. */
  readonly asked: readonly string[];
  readonly inStore: ReadonlyMap<string, Entity>;
}

interface Claim {
  readonly target: EntityTarget;
  readonly alias: string | null;
}

/**
 * Gives every name in a message its entity. The store's entities come first,
 * then the message's own: names of open entities, aliases, names of closed and forgotten ones (whose name an entity
 * that took their place may hold). Entities that are in neither are created. Reads alone.
 * @param renames whether what the store has gets new aliases
 */
export async function importEntities(
  sql: Reader,
  ns: number,
  objects: readonly ImportObject[],
  inMessage: ReadonlyMap<string, ImportObject>,
  renames: boolean,
): Promise<ImportedEntities> {
  const described = objects.filter((object) => object.kind === 'entity');
  const here = new Set(described);
  const wanted = new Map<string, string>();
  for (const object of objects) {
    const names = object.kind === 'entity' ? [object.content, ...object.aliases] : object.entities;
    for (const name of names) if (!wanted.has(name)) wanted.set(name, oneLine(name));
  }
  const cleaned = [...new Set(wanted.values())];
  const inStore = await findEntities(sql, ns, cleaned, 'exactly');
  const keys = new Map(cleaned.map((name) => [name, entityKey(name)]));

  const claims = new Map<string, Claim>();
  const merged = new Map<ImportObject, EntityTarget>();
  const claim = (name: string, target: EntityTarget, alias: string | null): boolean => {
    const key = keys.get(name) ?? entityKey(name);
    if (inStore.has(name) || claims.has(key)) return false;
    claims.set(key, { target, alias });
    return true;
  };
  for (const object of described.filter(isOpen)) {
    if (claim(object.content, object, null)) continue;
    const holder = inStore.get(object.content) ?? claims.get(keys.get(object.content) ?? '')?.target;
    // A second one of the message that brings an id along is kept, without its name.
    if (holder && (object.id === undefined || inStore.has(object.content))) merged.set(object, holder);
  }
  const aliases = new Map<ImportObject, string[]>();
  for (const object of described) {
    const target = merged.get(object) ?? object;
    if (!(renames || isImportObject(target))) continue;
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
    const target = inStore.get(name) ?? claims.get(keys.get(name) ?? '')?.target ?? entityWithId(name);
    return target && isImportObject(target) ? (merged.get(target) ?? target) : target;
  };
  const created: ImportObject[] = [];
  for (const object of objects) {
    if (object.kind === 'entity') continue;
    for (const name of object.entities) {
      const clean = wanted.get(name) ?? name;
      if (clean === '' || find(clean)) continue;
      const entity = newEntity(clean);
      created.push(entity);
      claim(clean, entity, null);
    }
  }
  return {
    targetOf: (name) => find(wanted.get(name) ?? name),
    merged,
    aliasesOf: (object) => aliases.get(object) ?? [],
    claims: [...claims].map(([key, { target, alias }]) => ({ key, alias, target })),
    created,
    asked: cleaned,
    inStore,
  };
}

export function isImportObject(target: EntityTarget): target is ImportObject {
  return 'index' in target;
}

function isOpen(object: ImportObject): boolean {
  return object.tombstoned === 0 && object.valid_until === undefined;
}
