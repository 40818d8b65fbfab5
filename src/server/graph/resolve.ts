/** Finds the definition that a use means. */
import { posix } from 'node:path';
import { OWN, PARENT, TYPED, VALUE } from './bind-imports';
import { enclosingPath } from './enclosing-path';
import type { StoredSymbol } from './find-symbols';
import {
  definitionsIn,
  definitionsOf,
  definitionsUnder,
  joined,
  type Known,
  lastPart,
  type Meant,
  NOTHING,
  ownersOf,
  placeOf,
} from './known-code';
import type { Family } from './language';
import { familyOf, languageOf } from './language-of';
import { ALL, DEFAULT } from './parsed';

/** A name that stands in the code for something defined elsewhere. */
export interface Use {
  readonly name: string;
  /** Where the imports of its file say that it comes from; empty when they say nothing. */
  readonly module: string;
  /** What stands before it. */
  readonly qualifier: string;
  readonly file_path: string;
  /** Qualified name of the definition around it. */
  readonly within: string | null;
}

/** The definitions that a use can mean: by its imports and its scope; by its name alone they are uncertain. */
export function resolve(use: Use, known: Known): Meant {
  if (use.qualifier.endsWith(TYPED)) {
    const ofType = resolve({ ...use, qualifier: use.qualifier.slice(0, -TYPED.length) }, known);
    return ofType.symbols.length > 0 && ofType.certain
      ? ofType
      : resolve({ ...use, module: '', qualifier: VALUE }, known);
  }
  if (use.module !== '') return fromModule(use, known);
  const definitions = definitionsOf(use.name, use.file_path, known);
  if (definitions.length === 0) return NOTHING;
  return use.qualifier === '' ? bare(use, definitions, known) : member(use, definitions, known);
}

function fromModule(use: Use, known: Known): Meant {
  const inModule = (module: string): Meant => definitionsIn({ module, name: use.name, from: use.file_path }, known);
  const { symbols, certain } = inModule(use.module);
  const { names, namespaced, modulePath } = familyOf(use.file_path);
  if (use.qualifier === '') {
    if (names === 'folder' && !isExported(use.name)) return NOTHING;
    if (names !== 'file' && names !== 'folder') return meant(symbols, certain);
    const outer = symbols.filter((one) => ownersOf(one) === '' || isNamed(use.module, ownersOf(one)));
    return meant(preferring(outer, isNoMember), certain);
  }
  const owners = use.qualifier === DEFAULT ? defaultsOf(use, known) : [lastPart(use.qualifier)];
  const owned = symbols.filter(
    (one) => owners.includes(ownerOf(one)) || owners.includes(lastPart(placeOf(one, known))),
  );
  if (owned.length > 0) return meant(owned, certain);
  if (names === 'file') {
    const handed = definitionsUnder({ ...use, namespace: use.qualifier, from: use.file_path }, known);
    if (handed.symbols.length > 0) return handed;
  }
  // The imported name was a module itself, or a package of Python.
  const separator = modulePath ?? /[/\\]/.exec(use.module)?.[0] ?? (use.module.endsWith('.') ? '' : '.');
  const below = inModule(
    `${use.module}${separator}${use.qualifier.replaceAll('.', separator === '' ? '.' : separator)}`,
  );
  if (namespaced && below.symbols.length > 0) return below;
  const outer = below.symbols.filter((one) => isNoMember(one) && ownersOf(one) === '');
  if (outer.length > 0) return meant(outer, below.certain);
  // A value of a type that is not known: an object's own function there, else any member.
  const held = symbols.filter((one) => ownersOf(one) === '' && (use.qualifier === DEFAULT || !isNoMember(one)));
  if (held.length > 0) return meant(held, certain);
  return meant(symbols.filter(isMember), false);
}

/** What the module's default export is called where it is defined. */
function defaultsOf({ module, file_path: from }: Use, known: Known): readonly string[] {
  return definitionsIn({ module, name: DEFAULT, from }, known).symbols.map((one) => one.name);
}

function bare(use: Use, definitions: readonly StoredSymbol[], known: Known): Meant {
  const family = familyOf(use.file_path);
  const { names } = family;
  const visible = languageOf(use.file_path)?.bareMembers
    ? definitions
    : definitions.filter((one) => isNoMember(one) && !isProperty(one));
  const around = visible.filter((one) => isReached(one, use, known));
  if (around.length > 0) {
    const depth = (one: StoredSymbol): number => placeOf(one, known).length;
    const deepest = Math.max(...around.map(depth));
    return meant(
      preferring(
        around.filter((one) => depth(one) === deepest),
        (one) => one.file_path === use.file_path,
      ),
    );
  }
  const opened = openedBy(use.file_path, known)
    .map((module) => definitionsIn({ module, name: use.name, from: use.file_path }, known))
    .flatMap(({ symbols, certain }) => symbols.map((symbol) => ({ symbol, certain })))
    .filter(({ symbol }) => visible.includes(symbol) && (names !== 'folder' || isExported(symbol.name)))
    .filter(({ symbol }) => (names !== 'file' && names !== 'folder') || ownersOf(symbol) === '');
  if (opened.length > 0) {
    const symbols = [...new Set(opened.map((one) => one.symbol))];
    return meant(
      symbols,
      opened.every((one) => one.certain),
    );
  }
  return anywhere(visible, family);
}

/** What a bare name can mean that neither scopes nor imports resolve. */
function anywhere(visible: readonly StoredSymbol[], { unexplained }: Family): Meant {
  const outer = visible.filter((one) => ownersOf(one) === '');
  switch (unexplained) {
    case 'perhaps outer':
      return meant(outer, false);
    case 'perhaps a macro':
      return meant(
        outer.filter((one) => one.signature.startsWith('macro_rules!')),
        false,
      );
    case 'nothing':
      return NOTHING;
    case 'outer':
      return meant(outer);
    case 'outer or perhaps any':
      return outer.length > 0 ? meant(outer) : meant(visible, false);
    case 'linked': {
      const linked = outer.filter((one) => !/^static\b/.test(one.signature));
      const inSource = linked.filter((one) => /\.(?:c|cc|cpp|cxx)$/.test(one.file_path));
      return inSource.length > 0
        ? meant(inSource)
        : meant([...linked, ...visible.filter((one) => ownersOf(one) !== '')], false);
    }
    case 'perhaps any':
      return meant(visible, false);
  }
}

/** A name is known in the definitions around it, and in its file, folder or namespace. */
function isReached(one: StoredSymbol, use: Use, known: Known): boolean {
  const { names } = familyOf(use.file_path);
  const within = use.within ?? '';
  const same = one.file_path === use.file_path;
  if (names === 'file') return same && isAround(ownersOf(one), within);
  const beside = same || posix.dirname(one.file_path) === posix.dirname(use.file_path);
  if (names === 'folder') return beside && isAround(ownersOf(one), within);
  const place = placeOf(one, known);
  const space = known.namespaces.get(use.file_path) ?? '';
  if (!isAround(place, joined(space, within))) return false;
  if (names === 'program') return same || place !== '';
  // PHP knows functions, and no classes, of the root namespace everywhere.
  const ofRoot = names === 'namespace or root';
  if (place === '') return space === '' ? ofRoot || beside : ofRoot && one.code_type === 'function';
  return space === '' || place === space || place.startsWith(`${space}.`);
}

function member(use: Use, definitions: readonly StoredSymbol[], known: Known): Meant {
  const { allBound, capitalTypes } = familyOf(use.file_path);
  const qualifier = use.qualifier.replace(/^[?\\]/, '');
  const first = qualifier.split('.', 1)[0] ?? '';
  if (OWN.has(qualifier)) return ofOwnClass(use, definitions, qualifier);
  if (!use.qualifier.startsWith(VALUE) && !(OWN.has(first) && first !== 'super')) {
    const owned = ofNamed(use, definitions, known);
    if (owned) return owned;
    if (allBound) return NOTHING;
    if (capitalTypes && isExported(lastPart(qualifier))) return NOTHING;
  }
  // Of what type the value is cannot be told from the text; what it is called may tell: `store` of a `Store`.
  const members = definitions.filter((one) => isMember(one) || isProperty(one));
  const called = members.filter((one) => isCalledLike(lastPart(qualifier), ownerOf(one)));
  const own = called.filter((one) => one.file_path === use.file_path);
  if (own.length > 0) return meant(own);
  return meant(called.length > 0 ? called : members, false);
}

/** `this.open()` */
function ofOwnClass(use: Use, definitions: readonly StoredSymbol[], qualifier: string): Meant {
  const { names, wholeClasses } = familyOf(use.file_path);
  const own = definitions.filter((one) => one.file_path === use.file_path || !wholeClasses);
  const around = own.filter((one) => ownersOf(one) !== '' && isAround(ownersOf(one), use.within ?? ''));
  if (PARENT.has(qualifier)) {
    return meant(
      definitions.filter((one) => isMember(one) && !around.includes(one)),
      false,
    );
  }
  const deepest = Math.max(...around.map((one) => ownersOf(one).length));
  const classes = around.filter((one) => ownersOf(one).length === deepest);
  const here = preferring(classes, (one) => one.file_path === use.file_path);
  if (here.length > 0) return meant(here, here.some((one) => one.file_path === use.file_path) || names !== 'file');
  return meant(definitions.filter(isMember), false);
}

/** `Store.open()`, `store::open()`. @returns undefined when nothing of that name has it */
function ofNamed(use: Use, definitions: readonly StoredSymbol[], known: Known): Meant | undefined {
  const { names, modulePath } = familyOf(use.file_path);
  const root = use.qualifier.startsWith('\\');
  const qualifier = root ? use.qualifier.slice(1) : use.qualifier;
  const owner = lastPart(qualifier);
  if (names === 'file' || names === 'folder') {
    const owned = definitions.filter((one) => ownerOf(one) === owner);
    const own = owned.filter((one) =>
      names === 'folder'
        ? posix.dirname(one.file_path) === posix.dirname(use.file_path)
        : one.file_path === use.file_path,
    );
    if (own.length > 0) return meant(own);
    if (modulePath === undefined) return undefined;
    const path = qualifier.replaceAll('.', modulePath);
    const found = definitionsIn({ module: path, name: use.name, from: use.file_path }, known);
    const outer = found.symbols.filter((one) => ownersOf(one) === '');
    if (outer.length > 0) return meant(outer, found.certain);
    const typed = definitionsIn({ module: enclosingPath(path) || 'self', name: use.name, from: use.file_path }, known);
    const ofType = typed.symbols.filter((one) => ownerOf(one) === owner);
    if (ofType.length > 0) return meant(ofType, typed.certain);
    return owned.length > 0 ? meant(owned, false) : undefined;
  }
  const space = joined(known.namespaces.get(use.file_path) ?? '', use.within ?? '');
  const prefixes = root
    ? ['']
    : [...placesAround(space), ...openedBy(use.file_path, known).map((one) => one.replace(/\\|::/g, '.'))];
  for (const prefix of prefixes) {
    const owned = definitions.filter((one) => placeOf(one, known) === joined(prefix, qualifier));
    if (owned.length > 0) return meant(preferring(owned, (one) => one.file_path === use.file_path));
  }
  const owned = root ? [] : definitions.filter((one) => ownerOf(one) === owner);
  return owned.length > 0 ? meant(owned, false) : undefined;
}

/** `a.b.c`, `a.b`, `a`, and the root. */
function placesAround(place: string): string[] {
  const parts = place === '' ? [] : place.split('.');
  return [...parts.map((_, i) => parts.slice(0, parts.length - i).join('.')), ''];
}

/** The modules of which a file imports all names as its own. */
function openedBy(file: string, known: Known): readonly string[] {
  return (known.handed.get(file) ?? []).flatMap((one) =>
    one.kind === 'import' && one.name === ALL && one.qualifier === '' ? [one.module] : [],
  );
}

function meant(symbols: readonly StoredSymbol[], certain = true): Meant {
  return symbols.length === 0 ? NOTHING : { symbols, certain };
}

function preferring(
  symbols: readonly StoredSymbol[],
  isPreferred: (one: StoredSymbol) => boolean,
): readonly StoredSymbol[] {
  const preferred = symbols.filter(isPreferred);
  return preferred.length > 0 ? preferred : symbols;
}

const isMember = (one: StoredSymbol): boolean => one.code_type === 'method';
const isNoMember = (one: StoredSymbol): boolean => !isMember(one);
/** `Store.prototype.open = function () {}` */
const isProperty = (one: StoredSymbol): boolean => one.signature.includes(`.${one.name} =`);
const isExported = (name: string): boolean => /^\p{Lu}/u.test(name);

/** `Store` and `myStore` and `my_store` of a `Store`, but not `restore`. */
function isCalledLike(value: string, type: string): boolean {
  if (type === '' || value.length < type.length) return false;
  if (value.toLowerCase() === type.toLowerCase()) return true;
  const end = value.slice(-type.length);
  return end === type || (end.toLowerCase() === type.toLowerCase() && value.at(-type.length - 1) === '_');
}

function ownerOf(one: StoredSymbol): string {
  return lastPart(ownersOf(one));
}

/** Whether the module's last name is that of the definitions around: `use db::tests::open`. */
function isNamed(module: string, owners: string): boolean {
  return module.replace(/::|\//g, '.').endsWith(`.${owners}`);
}

function isAround(owners: string, within: string): boolean {
  return owners === '' || within === owners || within.startsWith(`${owners}.`);
}
