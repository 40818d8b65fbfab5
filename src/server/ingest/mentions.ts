/** Finds the symbols that a section names. */
import { posix } from 'node:path';
import type { CodeBase, CodeBaseSymbol } from './code-base';
import type { Section } from './sections';

/** What a section names outright: symbols and files of the code base. */
export interface Mention {
  /** As it stands in the document. */
  readonly text: string;
  readonly how: 'backticks' | 'link' | 'text';
  /** What it can mean; one, when it is unambiguous. */
  readonly symbols: readonly CodeBaseSymbol[];
}

/** A name with more definitions than this is ambiguous. */
const MOST_DEFINITIONS = 8;
const MAX_MENTION_LENGTH = 200;
/** Words in running text that look like no word of a natural language: camelCase, snake_case, a.b, a/b.ts. */
const IDENTIFIER = /[A-Za-z_$][\w$]*(?:(?:\.|::|#|\/)[A-Za-z_$][\w$-]*)*(?:\.[A-Za-z]{1,4})?/g;
const TELLING = /[a-z][A-Z]|_|[./#:]|[A-Z]{2}[a-z]/;

/** @param document its path, because links are relative to it */
export function mentionsIn(code: CodeBase, document: string, section: Section): Mention[] {
  const found = new Map<string, Mention>();
  const note = (text: string, how: Mention['how'], symbols: readonly CodeBaseSymbol[]): void => {
    if (symbols.length > 0 && symbols.length <= MOST_DEFINITIONS && !found.has(text)) {
      found.set(text, { text, how, symbols });
    }
  };
  for (const text of section.code) note(text, 'backticks', meant(code, text));
  for (const url of section.links) note(url, 'link', linked(code, document, url));
  for (const [text] of section.text.matchAll(IDENTIFIER)) {
    if (TELLING.test(text) && text.length <= MAX_MENTION_LENGTH) note(text, 'text', meant(code, text));
  }
  return [...found.values()];
}

/** `name`, `name()`, `Class.method`, `Class::method`, `Class#method`, `path`, `path#name`, `path:12`; `<Component />` */
function meant(code: CodeBase, mention: string): readonly CodeBaseSymbol[] {
  const text = mention.trim().slice(0, MAX_MENTION_LENGTH);
  const hash = text.indexOf('#');
  if (hash > 0) {
    const [file] = filesNamed(code, text.slice(0, hash));
    const inFile = symbolsNamed(code, text.slice(hash + 1)).filter((one) => one.file_path === file?.file_path);
    if (inFile.length > 0) return inFile;
  }
  const files = filesNamed(code, text);
  return files.length > 0 ? files : symbolsNamed(code, text);
}

/** Files whose ending may be the name of a method. */
const DATA_FILE = /\.(?:jsonc?|json5|jsonl|yaml|toml|html|scss|sass|less|conf|properties|graphql|proto|ipynb)$/i;

function symbolsNamed(code: CodeBase, text: string): readonly CodeBaseSymbol[] {
  const name = text
    .replace(/^(?:await |new |import )/, '')
    .replace(/^<\/?([A-Z][\w.]*)\b.*$/s, '$1')
    .replace(/\([^()]*\)?;?$/s, '')
    .replace(/::|#|->/g, '.');
  const exact = code.byName.get(name);
  if (exact) return exact;
  // `package.json` is no method `json`.
  if (DATA_FILE.test(text)) return [];
  // `store.transact`: if only one method has this name, the name of the variable does not matter.
  const last = /^[\w$]+\.([\w$]+)$/.exec(name)?.[1];
  const methods = last === undefined || last.length < 4 ? [] : (code.byName.get(last) ?? []);
  return methods.length === 1 ? methods : [];
}

function filesNamed(code: CodeBase, text: string): readonly CodeBaseSymbol[] {
  const path = posix.normalize(withoutLines(text.replaceAll('\\', '/'))).replace(/^\.\//, '');
  const own = code.files.get(path);
  if (own) return [own];
  const name = path.slice(path.lastIndexOf('/') + 1);
  const fitting = (code.byFileName.get(name) ?? []).filter((one) => one === path || one.endsWith(`/${path}`));
  return fitting.flatMap((one) => code.files.get(one) ?? []);
}

/** A path without the lines that are named behind it: `a.ts` for `a.ts:3`, `a.ts:3:7` and `a.ts:3-9`. */
export function withoutLines(path: string): string {
  let kept = path.length;
  for (let end = path.length; ; ) {
    let start = end;
    while (start > 0 && isDigit(path.charAt(start - 1))) start -= 1;
    const before = path.charAt(start - 1);
    if (start === end || (before !== ':' && before !== '-')) return path.slice(0, kept);
    end = start - 1;
    if (before === ':') kept = end;
  }
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

/** A link to a file of the code base, with the symbol of its anchor when there is one. */
function linked(code: CodeBase, document: string, url: string): readonly CodeBaseSymbol[] {
  if (/^[a-z][\w+.-]*:/i.test(url) || url.startsWith('#') || url.length > MAX_MENTION_LENGTH) return [];
  const [way = '', anchor] = decoded(url).split('#');
  const path = way.startsWith('/') ? way.slice(1) : posix.join(posix.dirname(document), way);
  const file = code.files.get(posix.normalize(path));
  if (!file) return [];
  const named = (code.byName.get(anchor ?? '') ?? []).filter((one) => one.file_path === file.file_path);
  return named.length > 0 ? named : [file];
}

function decoded(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
