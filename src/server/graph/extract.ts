/** Extracts definitions and references from a source. */
import { createHash, type Hash } from 'node:crypto';
import { cut, oneLine } from '../base/text';
import { type Span, type Written, writtenIn } from './as-written';
import { type BoundReference, bindImports } from './bind-imports';
import { tokenizeCode } from './code-tokens';
import { type WholeDefinition, withDecorations } from './decorations';
import { ownerOf, partsOf } from './definition-names';
import { docComment } from './doc-comment';
import { type FormerName, formerNames } from './former-names';
import type { Language } from './language';
import { type LostTime, parseLimit } from './parse-limit';
import { isValueKind } from './parsed';
import type { SourceParser } from './parser';
import { stretchesOf } from './stretches';
import type { Tokens } from './token-room';
import { tokenize } from './tokens';
import { type SomeTokens, tokensBetween } from './tokens-between';

export interface Definition {
  readonly code_type: string;
  /** Without what it stands in. */
  readonly name: string;
  /** `Class.method` */
  readonly qualified: string;
  readonly hash: string;
  /** By the rule of 0.1.0, which took no literal for one; only where it was asked for. */
  readonly old_hash?: string;
  /** The names that it had, of those that were asked about, by their numbers; only where any were. */
  readonly former?: readonly number[];
  /** Counted from 1. */
  readonly start_line: number;
  readonly end_line: number;
  readonly signature: string;
  readonly doc: string;
}

/** A name that stands in a definition, once however often it does. */
export interface Reference extends Pick<BoundReference, 'kind' | 'name' | 'module' | 'qualifier'> {
  /** The first of them, counted from 1. */
  readonly line: number;
  /** Index of the innermost definition around it; -1 outside of all. */
  readonly within: number;
}

export interface Extracted {
  /** Hash of the whole file's tokens. */
  readonly hash: string;
  /** As that of a definition. */
  readonly old_hash?: string;
  readonly lines: number;
  /** In order of their beginnings, outer ones first. */
  readonly definitions: readonly Definition[];
  readonly references: readonly Reference[];
}

export interface ExtractOptions {
  /** The hashes of the rule of 0.1.0 as well. */
  readonly oldHashes?: boolean;
  /** Names that symbols may have had: which of them had one of the hashes, if nothing but its name has changed? */
  readonly former?: readonly FormerName[];
  /** What symbols are called, what they say and where they stand: no references, signatures and doc comments. */
  readonly symbolsAlone?: boolean;
}

/** @throws LeftOut for what takes too long, or too much memory */
export type Extract = (text: string, language: Language, options?: ExtractOptions) => Promise<Extracted>;

/** Of a definition, by its index. */
interface Range extends Span {
  readonly index: number;
}

/** A definition that goes on. */
interface Open {
  readonly raw: WholeDefinition;
  readonly name: string;
  /** What it is assigned to. */
  readonly owner: string | undefined;
  /** What goes before that. */
  readonly outside: string;
  /** What goes before the names of what it holds. */
  readonly prefix: string;
  readonly isClass: boolean;
  /** Among the definitions. */
  readonly index: number;
}

const MAX_NAME = 200;
const MAX_SIGNATURE = 200;
/** Stands for a symbol's own name in what is hashed, so that a rename in place is recognised. */
const OWN_NAME = ' \u0001 ';
const HASH_LENGTH = 22;

/** What a source defines and refers to. @throws LeftOut for one that takes too long, or too much memory */
export async function extract(
  parser: SourceParser,
  text: string,
  language: Language,
  {
    lost,
    oldHashes = false,
    former = [],
    symbolsAlone = false,
  }: ExtractOptions & { readonly lost?: LostTime | undefined } = {},
): Promise<Extracted> {
  const limit = parseLimit(text.length, lost);
  const parsed = await parser.parse(text, language, limit, symbolsAlone);
  const { read } = parsed;
  const tokens = tokenizeCode(read, language, stretchesOf(read, parsed.texts));
  const written = writtenIn(text, read, language);
  const hashBetween = (span: Span, name: string): string => {
    const typed = written(span);
    return typed.length > 0 ? hashWith(typed, tokens, span) : hashOf(tokensBetween(tokens, span.start, span.end), name);
  };
  const lines = text.split('\n');
  const ordered = outerFirst(withDecorations(parsed.definitions, parsed.decorations, text));
  const open: Open[] = [];
  const definitions: Definition[] = [];
  const ranges: Range[] = [];
  const hashed: Span[] = [];
  for (const raw of ordered) {
    limit.check();
    while (open.length > 0 && (open.at(-1)?.raw.end ?? 0) <= raw.start) open.pop();
    const around = open.at(-1);
    const path = partsOf(oneLine(raw.name));
    const name = cut(path.at(-1) ?? '', MAX_NAME);
    if (name === '' || (isValueKind(raw.kind) && open.some(isFunction))) continue;
    // `a.one = a.two = function one …`: neither stands in the other, and the function is the one that it is called after.
    const owner = ownerOf(raw.receiver);
    const assigned = open.filter((one) => one.raw.end === raw.end && one.raw.receiver !== undefined);
    const isSecond = raw.receiver !== undefined && assigned.length > 0;
    // A constant and the function of the same name that it holds are one.
    if (!isSecond && around?.raw.end === raw.end && around.name === name) continue;
    const namesake = assigned.find((one) => one.name === name && (!isSecond || one.owner === owner));
    const itself = namesake && definitions[namesake.index];
    if (itself) {
      definitions[namesake.index] = { ...itself, hash: hashBetween(raw, name) };
      hashed[namesake.index] = raw;
      continue;
    }
    const outside = (isSecond ? assigned[0]?.outside : around?.prefix) ?? '';
    const qualified = cut(
      [outside, owner, ...path].filter((part) => part !== undefined && part !== '').join('.'),
      MAX_NAME * 2,
    );
    const isClass = raw.kind === 'class' || raw.kind === 'interface' || raw.kind === 'scope' || raw.kind === 'enum';
    const prefix = raw.unnamed ? outside : qualified;
    open.push({ raw, name, owner, outside, prefix, isClass, index: definitions.length });
    if (raw.kind === 'scope') continue;
    ranges.push({ start: raw.start, end: raw.end, index: definitions.length });
    hashed.push(raw);
    definitions.push({
      code_type: raw.kind === 'function' && around?.isClass ? 'method' : raw.kind,
      name,
      qualified,
      hash: hashBetween(raw, name),
      start_line: raw.startRow + 1,
      end_line: raw.endRow + 1,
      signature: cut(oneLine(raw.signature), MAX_SIGNATURE),
      doc: symbolsAlone ? '' : docComment(lines, raw.headRow, language) || docComment(lines, raw.startRow, language),
    });
  }
  const namesFor = new Map<string, ReturnType<typeof formerNames>>();
  const formerOf = ({ code_type, name }: Definition, span: Span): readonly number[] => {
    const namesOf = namesFor.get(code_type) ?? formerNames(former, code_type, hashOf, limit.check);
    namesFor.set(code_type, namesOf);
    // What is half typed is hashed with its name.
    return written(span).length > 0 ? [] : namesOf(tokensBetween(tokens, span.start, span.end), name);
  };
  const whole = { start: 0, end: text.length };
  const extracted = {
    hash: text === read ? fileHash(tokens) : hashWith(written(whole), tokens, whole),
    lines: lines.length,
    definitions:
      former.length === 0
        ? definitions
        : definitions.map((one, i) => ({ ...one, former: formerOf(one, hashed[i] ?? NOWHERE) })),
    references: symbolsAlone ? [] : withEnclosing(bindImports(parsed, language, limit), ranges),
  };
  return oldHashes ? withOldHashes(extracted, hashed, tokenize(text, language.indented)) : extracted;
}

/** The tokens between what is half typed, and that as it is written. */
function hashWith(typed: readonly Written[], tokens: Tokens, { start, end }: Span): string {
  const hash = createHash('sha256');
  let at = start;
  for (const one of typed) {
    hash
      .update(tokensBetween(tokens, at, Math.max(at, one.start)).bytes)
      .update(AS_WRITTEN)
      .update(one.text);
    at = Math.max(at, one.end);
  }
  return FORM + shortened(hash.update(AS_WRITTEN).update(tokensBetween(tokens, at, Math.max(at, end)).bytes));
}

const NOWHERE: Span = { start: 0, end: 0 };

/** Stands in no tokens. */
const AS_WRITTEN = '\u0002';

function withOldHashes(extracted: Extracted, hashed: readonly Span[], tokens: Tokens): Extracted {
  const definitions = extracted.definitions.map((one, i) => {
    const { start, end } = hashed[i] ?? NOWHERE;
    return { ...one, old_hash: oldForm(hashOf(tokensBetween(tokens, start, end), one.name)) };
  });
  return { ...extracted, old_hash: oldForm(fileHash(tokens)), definitions };
}

/** The hash of a file as a symbol of its own. */
export function fileHash(tokens: Tokens): string {
  return FORM + shortened(createHash('sha256').update(tokens.bytes));
}

/** Begins each hash since the rule has known literals: one that was made before cannot begin so. */
const FORM = '+';

/** Whether a hash was made by the rule of 0.1.0. */
export function isOldHash(hash: string): boolean {
  return !hash.startsWith(FORM);
}

/** That of a file as a symbol of its own by the rule of 0.1.0, which took any file for plain tokens. */
export function oldFileHash(text: string, indented: boolean): string {
  return oldForm(fileHash(tokenize(text, indented)));
}

function oldForm(hash: string): string {
  return hash.slice(FORM.length);
}

function shortened(hash: Hash): string {
  return hash.digest('base64url').slice(0, HASH_LENGTH);
}

function hashOf({ bytes, count }: SomeTokens, name: string): string {
  const hash = createHash('sha256');
  const own = Buffer.from(` ${name} `);
  let from = 0;
  for (let at = bytes.indexOf(own); at >= 0; at = bytes.indexOf(own, from)) {
    hash.update(bytes.subarray(from, at)).update(OWN_NAME);
    from = at + own.length;
  }
  const whole = FORM + shortened(hash.update(bytes.subarray(from)));
  return count <= FEW_TOKENS ? `${whole}${TINY}` : whole;
}

/** Ends the hash of a symbol that says so little that others are like it by chance: `isOn() { return true; }` */
const TINY = '~';
const FEW_TOKENS = 12;

export function isTiny(hash: string): boolean {
  return hash.endsWith(TINY);
}

/** Two patterns may fit one definition: the first of them counts, and a value that holds a function of its name is that function. */
function outerFirst(definitions: readonly WholeDefinition[]): WholeDefinition[] {
  const isValue = ({ kind }: WholeDefinition): number => (isValueKind(kind) ? 1 : 0);
  const ordered = [...definitions].sort((a, b) => a.start - b.start || b.end - a.end || isValue(a) - isValue(b));
  return ordered.filter((one, i) => {
    for (let at = i - 1; ordered[at]?.start === one.start && ordered[at]?.end === one.end; at--) {
      if (ordered[at]?.name === one.name) return false;
    }
    return !isValueKind(one.kind) || !holdsNamesake(ordered, i);
  });
}

/** What it holds is its own affair: a value in it is no definition. */
function isFunction({ raw }: Open): boolean {
  return raw.kind === 'function' || raw.kind === 'method';
}

/** `const Row = memo(function Row() {})` */
function holdsNamesake(ordered: readonly WholeDefinition[], at: number): boolean {
  const { name, end } = ordered[at] ?? { name: '', end: 0 };
  for (let i = at + 1; (ordered[i]?.start ?? end) < end; i++) {
    const one = ordered[i];
    if (one?.name === name && (one.kind === 'function' || one.kind === 'class')) return true;
  }
  return false;
}

const PRINTED = /^[!-~]*$/;

/** On one line, which nearly every name is. */
function printed(name: string): string {
  return PRINTED.test(name) ? name : oneLine(name);
}

function withEnclosing(references: readonly BoundReference[], ranges: readonly Range[]): Reference[] {
  const ordered = [...references].sort((a, b) => a.at - b.at);
  const open: { end: number; index: number }[] = [];
  const found: Reference[] = [];
  /** By definition and name: those that are known. */
  const known = new Map<number, Map<string, BoundReference[]>>();
  let next = 0;
  for (const reference of ordered) {
    const { kind, name, module, qualifier, at, row } = reference;
    for (let range = ranges[next]; range && range.start <= at; range = ranges[++next]) {
      while (open.length > 0 && (open.at(-1)?.end ?? 0) <= range.start) open.pop();
      open.push(range);
    }
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= at) open.pop();
    const within = open.at(-1)?.index ?? -1;
    const names = known.get(within) ?? new Map<string, BoundReference[]>();
    known.set(within, names);
    const alike = names.get(name);
    if (!alike) names.set(name, [reference]);
    else {
      if (alike.some((one) => one.kind === kind && one.qualifier === qualifier && one.module === module)) continue;
      alike.push(reference);
    }
    found.push({
      kind,
      name: cut(printed(name), MAX_NAME),
      module: cut(printed(module), MAX_NAME),
      qualifier: printed(qualifier),
      line: row + 1,
      within,
    });
  }
  return found;
}
