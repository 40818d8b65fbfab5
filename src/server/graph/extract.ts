/** Extracts definitions and references from a source. */
import { createHash } from 'node:crypto';
import { cut, oneLine } from '../base/text';
import { type BoundReference, bindImports } from './bind-imports';
import { type WholeDefinition, withDecorations } from './decorations';
import { docComment } from './doc-comment';
import type { Language } from './language';
import { type LostTime, parseLimit } from './parse-limit';
import type { SourceParser } from './parser';
import { type Tokens, tokenize, tokensBetween } from './tokens';

export const CODE_TYPES = ['function', 'method', 'class', 'interface', 'enum', 'type', 'module'] as const;

export interface Definition {
  readonly code_type: string;
  /** Without what it stands in. */
  readonly name: string;
  /** `Class.method` */
  readonly qualified: string;
  readonly hash: string;
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
  readonly lines: number;
  /** In order of their beginnings, outer ones first. */
  readonly definitions: readonly Definition[];
  readonly references: readonly Reference[];
}

/** @throws LeftOut for what takes too long, or too much memory */
export type Extract = (text: string, language: Language) => Promise<Extracted>;

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
  lost?: LostTime,
): Promise<Extracted> {
  const limit = parseLimit(text.length, lost);
  const parsed = await parser.parse(text, language, limit);
  const tokens = tokenize(text, language.indented);
  const lines = text.split('\n');
  const ordered = outerFirst(withDecorations(parsed.definitions, parsed.decorations, text));
  const open: { raw: WholeDefinition; name: string; qualified: string; isClass: boolean }[] = [];
  const definitions: Definition[] = [];
  const ranges: { start: number; end: number; index: number }[] = [];
  for (const raw of ordered) {
    limit.check();
    while (open.length > 0 && (open.at(-1)?.raw.end ?? 0) <= raw.start) open.pop();
    const around = open.at(-1);
    const path = partsOf(oneLine(raw.name));
    const name = cut(path.at(-1) ?? '', MAX_NAME);
    if (name === '') continue;
    // A constant and the function of the same name that it holds are one.
    if (around?.raw.end === raw.end && around.name === name) continue;
    const qualified = cut(
      [around?.qualified, raw.receiver, ...path].filter((part) => part !== undefined && part !== '').join('.'),
      MAX_NAME * 2,
    );
    const isClass = raw.kind === 'class' || raw.kind === 'interface' || raw.kind === 'scope' || raw.kind === 'enum';
    open.push({ raw, name, qualified, isClass });
    if (raw.kind === 'scope') continue;
    ranges.push({ start: raw.start, end: raw.end, index: definitions.length });
    definitions.push({
      code_type: raw.kind === 'function' && around?.isClass ? 'method' : raw.kind,
      name,
      qualified,
      hash: hashOf(tokensBetween(tokens, raw.start, raw.end), name),
      start_line: raw.startRow + 1,
      end_line: raw.endRow + 1,
      signature: cut(oneLine(raw.signature), MAX_SIGNATURE),
      doc: docComment(lines, raw.headRow, language) || docComment(lines, raw.startRow, language),
    });
  }
  return {
    hash: fileHash(tokens),
    lines: lines.length,
    definitions,
    references: withEnclosing(bindImports(parsed, language, limit), ranges),
  };
}

/** The hash of a file as a symbol of its own. */
export function fileHash(tokens: Tokens): string {
  return createHash('sha256').update(tokens.bytes).digest('base64url').slice(0, HASH_LENGTH);
}

function hashOf(tokens: Buffer, name: string): string {
  const hash = createHash('sha256');
  const own = Buffer.from(` ${name} `);
  let from = 0;
  for (let at = tokens.indexOf(own); at >= 0; at = tokens.indexOf(own, from)) {
    hash.update(tokens.subarray(from, at)).update(OWN_NAME);
    from = at + own.length;
  }
  const whole = hash.update(tokens.subarray(from)).digest('base64url').slice(0, HASH_LENGTH);
  return hasFewTokens(tokens) ? `${whole}${TINY}` : whole;
}

/** Ends the hash of a symbol that says so little that others are like it by chance: `isOn() { return true; }` */
const TINY = '~';
const FEW_TOKENS = 12;

export function isTiny(hash: string): boolean {
  return hash.endsWith(TINY);
}

/** @param tokens each between two spaces */
function hasFewTokens(tokens: Buffer): boolean {
  let spaces = 0;
  for (let at = tokens.indexOf(' '); at >= 0; at = tokens.indexOf(' ', at + 1)) {
    spaces += 1;
    if (spaces > FEW_TOKENS + 1) return false;
  }
  return true;
}

const COMPUTED_NAME = /^\[[\w$.]+\]$/;
const QUOTES = /^(['"`])(.*)\1$/;

/** `Foo::bar` and `a.b.c` have several; `'quoted'` and `[Symbol.iterator]` are one. */
function partsOf(name: string): string[] {
  const quoted = QUOTES.exec(name)?.[2];
  // What is computed may hold anything.
  if (name.startsWith('[')) return [COMPUTED_NAME.test(name) ? name : '[…]'];
  if (quoted !== undefined) return [quoted];
  return name
    .split(/::|\\|\./)
    .filter((part) => part !== '')
    .map((part) => part.trim());
}

/** Two patterns may fit one definition: the first of them counts. */
function outerFirst(definitions: readonly WholeDefinition[]): WholeDefinition[] {
  const ordered = [...definitions].sort((a, b) => a.start - b.start || b.end - a.end);
  return ordered.filter((one, i) => {
    const before = ordered[i - 1];
    return !(before && before.start === one.start && before.end === one.end && before.name === one.name);
  });
}

const PRINTED = /^[!-~]*$/;

/** On one line, which nearly every name is. */
function printed(name: string): string {
  return PRINTED.test(name) ? name : oneLine(name);
}

function withEnclosing(
  references: readonly BoundReference[],
  ranges: readonly { start: number; end: number; index: number }[],
): Reference[] {
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
