/** Finds what a name is bound to in its file. */
import type { Language } from './language';
import type { Parsed, RawDefinition } from './parsed';

/** What a name is bound to where it stands. */
export type Binding<Imported> =
  | 'definition'
  | { readonly imported: Imported }
  /** A variable, and what it is said to be. */
  | { readonly type: string | undefined };

export interface Scopes<Imported> {
  bindImport(name: string, imported: Imported, at: number): void;
  /**
   * @param values whether a variable can be meant
   * @returns undefined when nothing in the file binds the name there
   */
  find(name: string, at: number, values: boolean): Binding<Imported> | undefined;
  /** What a field of the class around is said to be; undefined where nothing says so. */
  typeOfField(name: string, at: number): string | undefined;
}

interface Bound<Imported> {
  readonly binding: Binding<Imported>;
  /** Where the name begins to mean it. */
  readonly from: number;
}

interface Scope<Imported> {
  readonly start: number;
  readonly end: number;
  readonly kind: 'file' | 'function' | 'class';
  around: Scope<Imported> | undefined;
  readonly names: Map<string, Bound<Imported>[]>;
}

const KINDS: Readonly<Record<string, Scope<unknown>['kind']>> = {
  ...{ function: 'function', method: 'function', module: 'file' },
  ...{ class: 'class', interface: 'class', enum: 'class', scope: 'class' },
};

/**
 * The scopes of a file: its functions and whatever else binds names. The innermost one that binds a name counts; within
 * one, an import comes before a definition, and that before a variable.
 * @param wanted the names to look for
 */
export function scopesOf<Imported>(
  { definitions, locals, blocks }: Parsed,
  { bareMembers }: Language,
  wanted: ReadonlySet<string>,
): Scopes<Imported> {
  const file: Scope<Imported> = newScope(0, Number.POSITIVE_INFINITY, 'file');
  const scopes = nested(file, [
    ...definitions.flatMap(({ kind, start, end }) => {
      const scope = KINDS[kind];
      return scope ? [newScope<Imported>(start, end, scope)] : [];
    }),
    ...blocks.map(({ start, end }) => newScope<Imported>(start, end, 'function')),
  ]);
  const scopeAt = (at: number): Scope<Imported> => {
    let low = 0;
    let high = scopes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((scopes[middle]?.start ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    let scope = scopes[low - 1] ?? file;
    while (scope.around && scope.end <= at) scope = scope.around;
    return scope;
  };
  const bind = (scope: Scope<Imported>, name: string, bound: Bound<Imported>): void => {
    const known = scope.names.get(name);
    if (known) known.push(bound);
    else scope.names.set(name, [bound]);
  };
  for (const one of definitions) {
    if (!wanted.has(one.name) || (one.kind === 'method' && !bareMembers) || one.kind === 'scope') continue;
    bind(scopeAround(scopeAt(one.start), one), one.name, { binding: 'definition', from: 0 });
  }
  for (const { name, at, from = 0, parameter, field, type } of locals) {
    if (!wanted.has(name)) continue;
    let scope = scopeAt(at);
    if (field) {
      const around = classAround(scope);
      if (around) bind(around, name, { binding: { type }, from });
      continue;
    }
    if (parameter && scope.kind !== 'function') continue;
    // A variable that holds a function stands at the beginning of what is the function's own scope.
    while (!parameter && scope.around && scope.start === at) scope = scope.around;
    bind(scope, name, { binding: { type }, from });
  }
  return {
    bindImport: (name, imported, at) => bind(scopeAt(at), name, { binding: { imported }, from: 0 }),
    find: (name, at, values) => {
      for (let scope: Scope<Imported> | undefined = scopeAt(at); scope; scope = scope.around) {
        if (scope.kind === 'class' && !bareMembers) continue;
        const bound = scope.names.get(name)?.filter((one) => one.from <= at && (values || !isVariable(one.binding)));
        if (bound && bound.length > 0) return strongest(bound);
      }
      return undefined;
    },
    typeOfField: (name, at) => {
      const bound = classAround(scopeAt(at))?.names.get(name);
      const binding = bound && strongest(bound);
      return binding && isVariable(binding) ? binding.type : undefined;
    },
  };
}

function classAround<Imported>(inner: Scope<Imported>): Scope<Imported> | undefined {
  let scope: Scope<Imported> | undefined = inner;
  while (scope && scope.kind !== 'class') scope = scope.around;
  return scope;
}

function newScope<Imported>(start: number, end: number, kind: Scope<Imported>['kind']): Scope<Imported> {
  return { start, end, kind, around: undefined, names: new Map() };
}

/** In order of their beginnings, each with the one around it. */
function nested<Imported>(file: Scope<Imported>, inner: Scope<Imported>[]): readonly Scope<Imported>[] {
  inner.sort((a, b) => a.start - b.start || b.end - a.end);
  let around = file;
  for (const scope of inner) {
    while (around.around && around.end <= scope.start) around = around.around;
    scope.around = around;
    around = scope;
  }
  return inner;
}

/** Where a definition's name is known: outside of its own scope. */
function scopeAround<Imported>(scope: Scope<Imported>, { start, end }: RawDefinition): Scope<Imported> {
  let around = scope;
  while (around.around && around.start === start && around.end <= end) around = around.around;
  return around;
}

function strongest<Imported>(bound: readonly Bound<Imported>[]): Binding<Imported> {
  // Of several imports the last one counts.
  const bindings = bound.map((one) => one.binding);
  const imported = bindings.findLast((one) => typeof one === 'object' && 'imported' in one);
  if (imported) return imported;
  if (bindings.includes('definition')) return 'definition';
  const types = new Set(bindings.flatMap((one) => (isVariable(one) && one.type !== undefined ? [one.type] : [])));
  return { type: types.size === 1 ? [...types][0] : undefined };
}

export function isVariable<Imported>(binding: Binding<Imported>): binding is { readonly type: string | undefined } {
  return typeof binding === 'object' && 'type' in binding;
}
