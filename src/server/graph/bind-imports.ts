/** Binds the references of a file to its imports and scopes. */
import type { Language } from './language';
import { ALL_LANGUAGES } from './languages';
import type { ParseLimit } from './parse-limit';
import { ALL, type Parsed, type RawReference } from './parsed';
import { type Binding, isVariable, type Scopes, scopesOf } from './scopes';

/** A reference that knows what the scopes and the imports of its own file say about it. */
export interface BoundReference {
  /** `exported` is `export` seen from the other side, so that each can be looked up by its name. */
  readonly kind: RawReference['kind'] | 'exported';
  /** As the definition is called where it stands, not as this file may call it. Of an export: as others call it. */
  readonly name: string;
  /** The module of the name, as the import spells it; empty without an import. */
  readonly module: string;
  /**
   * Of a call: what stands before the name, empty where nothing does, behind `?` where that is a value of its own; the type
   * and `!` where that is a field that says what it is. Of an import: its name in this file, if another. Of an export: what
   * it is called here.
   */
  readonly qualifier: string;
  readonly at: number;
  readonly row: number;
}

/** Stands before what is no name (`open().read()`), or a variable. */
export const VALUE = '?';
/** Stands behind the type of a field: what that does not have may be inherited. */
export const TYPED = '!';
const LONGEST_QUALIFIER = 60;
const NAMES = /^[\w$@]+(?:(?:\.|::|->|\\)[\w$]+)*$/;
/** What stands for the object itself in some language: where it is a variable in another, it mostly holds the same. */
export const OWN: ReadonlySet<string> = new Set(ALL_LANGUAGES.flatMap((one) => one.own));
export const PARENT: ReadonlySet<string> = new Set(ALL_LANGUAGES.flatMap((one) => one.parent));

interface Imported {
  readonly name: string;
  readonly module: string;
}

type Names = Pick<BoundReference, 'name' | 'module' | 'qualifier'>;

/**
 * Names are followed to the imports of the same file: through aliases, and through modules imported whole. What means a
 * variable refers to nothing that the graph knows, and is left out.
 */
export function bindImports(parsed: Parsed, language: Language, limit: ParseLimit): BoundReference[] {
  const { references } = parsed;
  const moduleAt = modulesOf(parsed);
  const wanted = new Set<string>();
  const qualifiers = references.map(({ kind, name, on }) => {
    const qualifier = on === undefined || kind === 'import' ? '' : named(on);
    wanted.add(qualifier === '' ? name : (fieldOf(qualifier) ?? firstPart(qualifier)));
    return qualifier;
  });
  for (const { type } of parsed.locals) if (type !== undefined) wanted.add(type);
  const scopes = scopesOf<Imported>(parsed, language, wanted);
  const bound: BoundReference[] = [];
  for (const { kind, name, module, as, at, row } of references) {
    if (kind === 'namespace') bound.push({ kind, name, module: dotted(module ?? ''), qualifier: '', at, row });
    if (kind !== 'import') continue;
    const from = module ?? moduleAt(at);
    if (from === undefined) continue;
    if (name !== ALL || as !== undefined) scopes.bindImport(as ?? name, { name, module: from }, at);
    bound.push({ kind, name, module: from, qualifier: as === name ? '' : (as ?? ''), at, row });
  }
  references.forEach(({ kind, name, as, at, row }, i) => {
    limit.check();
    if (kind === 'import' || kind === 'namespace') return;
    if (kind === 'export') {
      bound.push(...exported(scopes, { name, as: as ?? name, from: moduleAt(at) }, { at, row }));
      return;
    }
    const names = follow(scopes, name, qualifiers[i] ?? '', { at, language });
    if (names) bound.push({ kind, ...names, at, row });
  });
  return bound;
}

/** @returns the module that the name is imported from, or re-exported from */
function modulesOf({ importing }: Parsed): (at: number) => string | undefined {
  const statements = [...importing].sort((a, b) => a.start - b.start);
  return (at) => {
    let low = 0;
    let high = statements.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((statements[middle]?.start ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    const statement = statements[low - 1];
    return statement && at < statement.end ? statement.module : undefined;
  };
}

/** @param as what others call it. @param from the module whose names are handed on; undefined for the file's own */
function exported(
  scopes: Scopes<Imported>,
  { name, as, from }: { name: string; as: string; from: string | undefined },
  place: Pick<BoundReference, 'at' | 'row'>,
): BoundReference[] {
  if (from !== undefined && name === as) return [{ kind: 'import', name, module: from, qualifier: '', ...place }];
  const binding = from === undefined ? scopes.find(name, place.at, true) : undefined;
  const imported = isImport(binding) ? binding.imported : undefined;
  const inner = imported && imported.name !== ALL ? imported.name : name;
  // What is its own definition under its own name needs no row, and what is imported has one.
  if (inner === as) return [];
  const module = imported?.module ?? from ?? '';
  return [
    { kind: 'export', name: as, module, qualifier: inner, ...place },
    { kind: 'exported', name: inner, module, qualifier: as, ...place },
  ];
}

interface Place {
  readonly at: number;
  readonly language: Language;
}

/** @returns undefined for what is no reference to anything the graph knows */
function follow(scopes: Scopes<Imported>, name: string, qualifier: string, { at, language }: Place): Names | undefined {
  if (qualifier === '') {
    const binding = scopes.find(name, at, language.calledVariables);
    if (binding === undefined || binding === 'definition') return { name, module: '', qualifier };
    if (isVariable(binding)) return undefined;
    const { imported } = binding;
    return { name: imported.name === ALL ? name : imported.name, module: imported.module, qualifier };
  }
  const first = firstPart(qualifier);
  if (OWN.has(first)) {
    const field = fieldOf(qualifier);
    const type = field === undefined ? undefined : scopes.typeOfField(field, at);
    if (type === undefined) return { name, module: '', qualifier };
    const typed = ofType(scopes, name, type, at);
    return { ...typed, qualifier: `${typed.qualifier}${TYPED}` };
  }
  const whole = scopes.find(qualifier, at, true);
  const binding = isImport(whole) ? whole : scopes.find(first, at, true);
  if (binding === undefined || binding === 'definition') return { name, module: '', qualifier };
  if (isVariable(binding)) {
    const type = first === qualifier ? binding.type : undefined;
    if (type !== undefined) return ofType(scopes, name, type, at);
    return { name, module: '', qualifier: `${VALUE}${qualifier}` };
  }
  const { imported } = binding;
  const rest = binding === whole ? '' : qualifier.slice(first.length + 1);
  return { name, module: imported.module, qualifier: within(imported, rest) };
}

/** `store` of `this.store` */
function fieldOf(qualifier: string): string | undefined {
  const [own = '', field, more] = qualifier.split('.');
  return OWN.has(own) && !PARENT.has(own) && more === undefined ? field : undefined;
}

/** A member of a variable's type. */
function ofType(scopes: Scopes<Imported>, name: string, type: string, at: number): Names {
  const binding = scopes.find(type, at, false);
  if (!isImport(binding)) return { name, module: '', qualifier: type };
  return { name, module: binding.imported.module, qualifier: within(binding.imported, '') || type };
}

function within({ name }: Imported, rest: string): string {
  if (name === ALL) return rest;
  return rest === '' ? name : `${name}.${rest}`;
}

function isImport(binding: Binding<Imported> | undefined): binding is { readonly imported: Imported } {
  return typeof binding === 'object' && 'imported' in binding;
}

/** Separators as we write them. A root namespace keeps its mark. */
function named(text: string): string {
  const root = text.startsWith('\\');
  const plain = root ? text.replace(/^\\|\\$/g, '') : text.replace(/\\$/, '');
  if (text.length > LONGEST_QUALIFIER || (plain !== '' && !NAMES.test(plain))) return VALUE;
  return `${root ? '\\' : ''}${dotted(plain)}`;
}

export function dotted(text: string): string {
  return text.replace(/::|->|\\|\//g, '.');
}

function firstPart(qualifier: string): string {
  return qualifier.split('.', 1)[0] ?? '';
}
