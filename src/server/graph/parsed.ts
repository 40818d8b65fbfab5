/** What a parser finds in a source. */
import type { RawDecoration } from './decorations';
import type { RawText } from './stretches';

/** A definition as a query found it; rows are counted from 0, offsets in UTF-16 units. */
export interface RawDefinition {
  /** The name of the capture: `function`, `method`, … or `scope` for what only gives its name to what it holds. */
  readonly kind: string;
  readonly name: string;
  readonly receiver: string | undefined;
  /** It gives no name to what it holds. */
  readonly unnamed: boolean;
  /** What is safe to send of it; see `signature`. */
  readonly signature: string;
  readonly start: number;
  readonly end: number;
  readonly startRow: number;
  readonly endRow: number;
}

export interface RawReference {
  readonly kind: 'call' | 'import' | 'inherit' | 'export' | 'namespace';
  /** `*` for an import of all that a module has. */
  readonly name: string;
  /** Where an imported name comes from, as it is written. */
  readonly module: string | undefined;
  /** What stands before a called name: `store` in `store.open()`. */
  readonly on: string | undefined;
  /** What an imported name or module is called in this file, or an exported one elsewhere. */
  readonly as: string | undefined;
  readonly at: number;
  readonly row: number;
}

/** A statement that imports from one module whatever import stands in it. */
export interface RawImporting {
  readonly start: number;
  readonly end: number;
  readonly module: string;
}

/** A variable: what has its name around it is not meant where it is bound. */
export interface RawLocal {
  readonly name: string;
  readonly at: number;
  /** Where the name begins to mean it; undefined for all of the scope. */
  readonly from: number | undefined;
  /** Bound in a function, or nowhere: that of a mere declaration. */
  readonly parameter: boolean;
  /** Bound in the class around it. */
  readonly field: boolean;
  /** What it is said to be, where that is a name. */
  readonly type: string | undefined;
}

/** What binds names of its own without being a definition: a lambda, a comprehension, a `catch`. */
export interface RawBlock {
  readonly start: number;
  readonly end: number;
}

export interface Parsed {
  readonly definitions: readonly RawDefinition[];
  readonly references: readonly RawReference[];
  readonly importing: readonly RawImporting[];
  readonly locals: readonly RawLocal[];
  readonly blocks: readonly RawBlock[];
  /** Decorators and attributes; those that stand inside a definition do no harm. */
  readonly decorations: readonly RawDecoration[];
  /** Literals and comments, in the order of the source. */
  readonly texts: readonly RawText[];
  /** The source that all of this was found in: spaces stand in it for what is half typed. */
  readonly read: string;
}

/** All that a module has, as the name of an import. */
export const ALL = '*';
/** What a module exports without a name. */
export const DEFAULT = 'default';
/** The kinds of a definition that is a value: it gives no name to what that holds. */
export const VALUE_KINDS = ['constant', 'variable'] as const;

/** The kinds of definitions. */
export const CODE_TYPES = [
  'function',
  'method',
  'class',
  'interface',
  'enum',
  'type',
  'module',
  ...VALUE_KINDS,
] as const;

export function isValueKind(kind: string): boolean {
  return (VALUE_KINDS as readonly string[]).includes(kind);
}

const CALLABLE = new Set(['function', 'method']);

/** Whether what is of one kind may be of the other one day: a function that becomes a method is the same. */
export function isSameSort(a: string, b: string): boolean {
  return a === b || (CALLABLE.has(a) && CALLABLE.has(b)) || (isValueKind(a) && isValueKind(b));
}
