/** What resolving references knows of the other files. */
import { posix } from 'node:path';
import { dotted } from './bind-imports';
import { assignedTo } from './definition-names';
import type { StoredSymbol } from './find-symbols';
import { familyOf } from './language-of';
import type { Manifests } from './manifests';
import { CERTAIN, fit, isWrittenPath, modulePaths, relativePath } from './module-files';
import { ALL } from './parsed';

/** An import or an export, seen as what a file hands on. */
export interface Handed {
  readonly file_path: string;
  readonly kind: 'import' | 'export';
  /** As others call it; `*` for all that the module has. */
  readonly name: string;
  /** Empty for what the file defines itself. */
  readonly module: string;
  /** Of an export: its name here. Of an import: another name that it has in this file alone. */
  readonly qualifier: string;
}

/** What is known of the code around the uses. */
export interface Known {
  /** Every definition with one of the names. */
  readonly definitions: ReadonlyMap<string, readonly StoredSymbol[]>;
  /** By file: what it imports and hands on of the names, and of whole modules. */
  readonly handed: ReadonlyMap<string, readonly Handed[]>;
  /** The same files by the paths that mean them. */
  readonly byPath: ReadonlyMap<string, readonly string[]>;
  /** By file, where it says one; with dots. */
  readonly namespaces: ReadonlyMap<string, string>;
  readonly manifests: Manifests;
  /** By module and name: what was found there, because many files import the same. */
  readonly found: Map<string, Meant>;
}

export interface Meant {
  readonly symbols: readonly StoredSymbol[];
  /** False where neither file nor imports nor scope tell. */
  readonly certain: boolean;
}

export const NOTHING: Meant = { symbols: [], certain: true };
/** Where files hand on what others hand on: deeper is a circle. */
const MOST_STEPS = 5;

/** @param handed what files hand on of the names, and of whole modules */
export function know(
  definitions: Known['definitions'],
  handed: readonly Handed[],
  rest: Pick<Known, 'namespaces' | 'manifests'>,
): Known {
  const byFile = new Map<string, Handed[]>();
  const byPath = new Map<string, string[]>();
  for (const one of handed) {
    const known = byFile.get(one.file_path);
    if (known) {
      known.push(one);
      continue;
    }
    byFile.set(one.file_path, [one]);
    for (const path of modulePaths(one.file_path)) byPath.set(path, [...(byPath.get(path) ?? []), one.file_path]);
  }
  return { definitions, handed: byFile, byPath, found: new Map(), ...rest };
}

/** Those with the name in languages that call each other. */
export function definitionsOf(name: string, file: string, { definitions }: Known): readonly StoredSymbol[] {
  const family = familyOf(file);
  return (definitions.get(name) ?? []).filter((one) => familyOf(one.file_path) === family);
}

export interface Asked {
  readonly module: string;
  readonly name: string;
  /** The file that imports. */
  readonly from: string;
}

/** The definitions in a module, or in what it hands on from others. */
export function definitionsIn({ module, name, from }: Asked, known: Known, step = 0): Meant {
  const relative = relativePath(module, from);
  const key = `${keyOf({ module, from })}\n${name}`;
  const before = known.found.get(key);
  if (before) return before;
  const isOf = (file: string): number =>
    relative === undefined ? fit(module, from, file, known.manifests) : Number(modulePaths(file).includes(relative));
  const family = familyOf(from);
  const scoreOf = (one: StoredSymbol): number =>
    family.namespaced && !isWrittenPath(module, from) ? Number(isInNamespace(one, module, known)) : isOf(one.file_path);
  const scored = definitionsOf(name, from, known).map((symbol) => ({ symbol, score: scoreOf(symbol) }));
  const best = Math.max(0, ...scored.map((one) => one.score));
  let found: Meant =
    best === 0
      ? NOTHING
      : { symbols: scored.filter((one) => one.score === best).map((one) => one.symbol), certain: best >= CERTAIN };
  if (best === 0 && step < MOST_STEPS) {
    // A circle finds nothing more.
    known.found.set(key, found);
    found = together(filesOf({ module, from }, known).flatMap((file) => handedOn(file, name, known, step + 1)));
  }
  known.found.set(key, found);
  return found;
}

/** The definitions in what a module hands on as a namespace: of `export * as ns from './a'`, those of `./a`. */
export function definitionsUnder(asked: Asked & { readonly namespace: string }, known: Known, step = 0): Meant {
  const { namespace, name } = asked;
  const key = `${keyOf(asked)}\n${namespace}\n${name}`;
  const before = known.found.get(key);
  if (before) return before;
  // A circle finds nothing more.
  known.found.set(key, NOTHING);
  const whole = filesOf(asked, known).flatMap((file) =>
    (known.handed.get(file) ?? []).filter((one) => one.kind === 'import' && one.name === ALL),
  );
  const found = together(
    whole.flatMap(({ file_path: from, module, qualifier }) => {
      if (qualifier === namespace) return [outer(definitionsIn({ module, name, from }, known))];
      return qualifier === '' && step < MOST_STEPS
        ? [definitionsUnder({ module, name, from, namespace }, known, step + 1)]
        : [];
    }),
  );
  known.found.set(key, found);
  return found;
}

function outer({ symbols, certain }: Meant): Meant {
  return { symbols: symbols.filter((one) => ownersOf(one) === ''), certain };
}

/** What a module means may depend on where it is asked for, but not within one folder. */
function keyOf({ module, from }: Omit<Asked, 'name'>): string {
  const relative = relativePath(module, from);
  return relative === undefined ? `${posix.dirname(from)}${posix.extname(from)} ${module}` : `./${relative}`;
}

/** The files that hand something on and that a module may mean. */
function filesOf({ module, from }: Omit<Asked, 'name'>, known: Known): readonly string[] {
  const relative = relativePath(module, from);
  if (relative !== undefined) return known.byPath.get(relative) ?? [];
  const family = familyOf(from);
  return [...known.handed.keys()].filter(
    (file) => familyOf(file) === family && fit(module, from, file, known.manifests) > 0,
  );
}

function handedOn(file: string, name: string, known: Known, step: number): Meant[] {
  return (known.handed.get(file) ?? []).flatMap((one) => {
    if (one.kind === 'import') {
      const fits = one.qualifier === '' && (one.name === ALL || one.name === name);
      return fits ? [definitionsIn({ module: one.module, name, from: file }, known, step)] : [];
    }
    if (one.name !== name) return [];
    if (one.module !== '') {
      return [definitionsIn({ module: one.module, name: one.qualifier, from: file }, known, step)];
    }
    const own = definitionsOf(one.qualifier, file, known).filter((symbol) => symbol.file_path === file);
    return [{ symbols: own.filter((symbol) => ownersOf(symbol) === ''), certain: true }];
  });
}

function together(found: readonly Meant[]): Meant {
  const symbols = [...new Set(found.flatMap((one) => one.symbols))];
  return symbols.length === 0 ? NOTHING : { symbols, certain: found.every((one) => one.certain) };
}

function isInNamespace(one: StoredSymbol, module: string, known: Known): boolean {
  const meant = dotted(module).replace(/^\./, '');
  const around = placeOf(one, known);
  return around === meant || joined(around, one.name) === meant;
}

/** The namespace of its file and the definitions around it: `com.acme.Store`. */
export function placeOf(one: StoredSymbol, known: Known): string {
  return joined(known.namespaces.get(one.file_path) ?? '', ownersOf(one));
}

export function joined(before: string, after: string): string {
  return before === '' || after === '' ? before + after : `${before}.${after}`;
}

/** `a.Store` of `a.Store.get`; the definitions around a function that was assigned to something. */
export function ownersOf({ qualified, name, signature }: StoredSymbol): string {
  if (qualified.length <= name.length + 1) return '';
  const owners = qualified.slice(0, -name.length - 1);
  const assigned = assignedTo(name, signature);
  return assigned === 0 ? owners : owners.split('.').slice(0, -assigned).join('.');
}

export function lastPart(dottedName: string): string {
  return dottedName.slice(dottedName.lastIndexOf('.') + 1);
}
