import { createHash } from 'node:crypto';
import { cut, oneLine } from '../base/text';
import { docComment } from './doc-comment';
import type { Language } from './languages';
import type { RawDefinition, RawReference, SourceParser } from './parser';
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

export interface Reference {
  readonly kind: RawReference['kind'];
  readonly name: string;
  readonly module: string;
  /** Counted from 1. */
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

const MAX_NAME = 200;
const MAX_SIGNATURE = 200;
/** In UTF-16 units; a signature hardly ever goes on for longer. */
const SIGNATURE_WINDOW = 600;
/** Stands for a symbol's own name in what is hashed, so that a rename in place is recognised. */
const OWN_NAME = ' \u0001 ';
const HASH_LENGTH = 22;

/** What a source defines and refers to. */
export async function extract(parser: SourceParser, text: string, language: Language): Promise<Extracted> {
  const parsed = await parser.parse(text, language);
  const tokens = tokenize(text, language.indented);
  const lines = text.split('\n');
  const ordered = outerFirst(parsed.definitions);
  const open: { raw: RawDefinition; qualified: string; isClass: boolean }[] = [];
  const definitions: Definition[] = [];
  const ranges: { start: number; end: number; index: number }[] = [];
  for (const raw of ordered) {
    while (open.length > 0 && (open.at(-1)?.raw.end ?? 0) <= raw.start) open.pop();
    const around = open.at(-1);
    const path = oneLine(raw.name)
      .split(/::|\\|\./)
      .filter((part) => part !== '')
      .map((part) => part.trim());
    const name = cut(path.at(-1) ?? '', MAX_NAME);
    if (name === '') continue;
    const qualified = cut(
      [around?.qualified, raw.receiver, ...path].filter((part) => part !== undefined && part !== '').join('.'),
      MAX_NAME * 2,
    );
    const isClass = raw.kind === 'class' || raw.kind === 'interface' || raw.kind === 'scope' || raw.kind === 'enum';
    open.push({ raw, qualified, isClass });
    if (raw.kind === 'scope') continue;
    ranges.push({ start: raw.start, end: raw.end, index: definitions.length });
    definitions.push({
      code_type: raw.kind === 'function' && around?.isClass ? 'method' : raw.kind,
      name,
      qualified,
      hash: hashOf(tokensBetween(tokens, raw.start, raw.end), name),
      start_line: raw.startRow + 1,
      end_line: raw.endRow + 1,
      signature: signatureOf(text, raw),
      doc: docComment(lines, raw.startRow, language),
    });
  }
  return {
    hash: fileHash(tokens),
    lines: lines.length,
    definitions,
    references: withEnclosing(parsed.references, ranges),
  };
}

/** The hash of a file as a symbol of its own. */
export function fileHash(tokens: Tokens): string {
  return digest(tokens.text);
}

function hashOf(tokens: string, name: string): string {
  return digest(tokens.replaceAll(` ${name} `, OWN_NAME));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}

/** Two patterns may fit one definition: the first of them counts. */
function outerFirst(definitions: readonly RawDefinition[]): RawDefinition[] {
  const ordered = [...definitions].sort((a, b) => a.start - b.start || b.end - a.end);
  return ordered.filter((one, i) => {
    const before = ordered[i - 1];
    return !(before && before.start === one.start && before.end === one.end && before.name === one.name);
  });
}

/** From the definition's start to its body, on one line. */
function signatureOf(text: string, { start, end }: RawDefinition): string {
  const source = text.slice(start, Math.min(end, start + SIGNATURE_WINDOW));
  let depth = 0;
  let at = 0;
  for (; at < source.length; at++) {
    const character = source[at] ?? '';
    if (character === '(' || character === '[') depth += 1;
    else if (character === ')' || character === ']') depth -= 1;
    else if (depth <= 0 && (character === '{' || character === '\n' || character === ';')) break;
  }
  return cut(
    oneLine(source.slice(0, at))
      .replace(/\s+/g, ' ')
      .replace(/\s*(?:=>|=|:)$/, ''),
    MAX_SIGNATURE,
  );
}

function withEnclosing(
  references: readonly RawReference[],
  ranges: readonly { start: number; end: number; index: number }[],
): Reference[] {
  const ordered = [...references].sort((a, b) => a.at - b.at);
  const open: { end: number; index: number }[] = [];
  let next = 0;
  return ordered.map(({ kind, name, module, at, row }) => {
    for (let range = ranges[next]; range && range.start <= at; range = ranges[++next]) {
      while (open.length > 0 && (open.at(-1)?.end ?? 0) <= range.start) open.pop();
      open.push(range);
    }
    while (open.length > 0 && (open.at(-1)?.end ?? 0) <= at) open.pop();
    return {
      kind,
      name: cut(oneLine(name), MAX_NAME),
      module: cut(oneLine(module ?? ''), MAX_NAME),
      line: row + 1,
      within: open.at(-1)?.index ?? -1,
    };
  });
}
