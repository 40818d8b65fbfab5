/** Finds out where symbols are now. */
import type { Reader } from '../db/sql';
import { fileHash, isTiny } from '../graph/extract';
import { filesWithText } from '../graph/find-symbols';
import { tokenize } from '../graph/tokens';
import { type CodeSymbol, type LocatedSymbol, type TouchKey, textsBeside } from '../memory/code/touches';
import type { UnseenFiles } from './unseen-files';
import type { ReadWorkingFiles, StandingSymbol, WorkingFile } from './working-files';

/**
 * Where the symbols stand now. One that still has its name in its file is that symbol. One that has not is looked for by
 * its text: in its file, where the graph has seen that text, and in files that the graph has not seen yet.
 */
export async function locateSymbols(
  sql: Reader,
  { read, unseen }: { readonly read: ReadWorkingFiles; readonly unseen: UnseenFiles },
  keys: readonly TouchKey[],
  texts?: ReadonlyMap<string, string>,
): Promise<readonly LocatedSymbol[]> {
  const files = new Map(
    await read(
      sql,
      keys.map((key) => key.file_path),
      texts,
    ),
  );
  const taken: TakenOverloads = new Map();
  const located = keys.map((key) => inItsPlace(files.get(key.file_path)?.symbols ?? [], key, taken));
  // What stands in a file that is left out is not known, so that it is not looked for elsewhere either.
  const unknown = (key: TouchKey): LocatedSymbol | undefined => {
    const file = files.get(key.file_path);
    if (file?.outside) return OUTSIDE;
    return file?.left_out === undefined ? undefined : { verdict: 'not judged' };
  };
  const lost = keys.filter((key, i) => !located[i] && !unknown(key));
  if (lost.length > 0) {
    const elsewhere = await placesOf(sql, lost);
    // Where a build has seen the loss, it has seen what was new then, too.
    const toLookIn = lost.some((key) => !files.get(key.file_path)?.current) ? await unseen(sql) : [];
    const paths = [...elsewhere, ...toLookIn, ...(texts?.keys() ?? [])].filter((path) => !files.has(path));
    for (const [path, file] of await read(sql, paths, texts)) files.set(path, file);
  }
  const byText =
    lost.length > 0 ? byHash(files.values(), new Set(lost.flatMap(textsOf))) : new Map<string, StandingSymbol[]>();
  return keys.map((key, i) => located[i] ?? unknown(key) ?? elsewhereOf(key, byText));
}

export const OUTSIDE: LocatedSymbol = { verdict: 'gone', outside: true };

/** By overloads of a memory: those symbols that one of its edges was found to be. */
type TakenOverloads = Map<string, Set<StandingSymbol>>;

function inItsPlace(
  symbols: readonly StandingSymbol[],
  key: TouchKey,
  taken: TakenOverloads,
): LocatedSymbol | undefined {
  const named = symbols.filter((one) => one.name === key.name && one.code_type === key.code_type);
  const same = named.find((one) => one.hash === key.hash);
  if (same) return { verdict: 'unchanged', symbol: same };
  const beside = textsBeside(key);
  if (beside.length === 0) {
    const changed = named.find((one) => one.hash === key.seen) ?? named[0];
    return changed && { verdict: 'changed', symbol: changed };
  }
  // Overloads share a name. A changed one cannot be one that did not change, and no two links mean the same one.
  const group = JSON.stringify([placeOf(key), [key.hash, ...beside.map(([hash]) => hash)].sort()]);
  const others = taken.get(group) ?? new Set<StandingSymbol>();
  taken.set(group, others);
  const theirs = new Set(beside.flat());
  const free = named.filter((one) => !theirs.has(one.hash) && !others.has(one));
  const changed = free.find((one) => one.hash === key.seen) ?? free[0];
  if (!changed) return undefined;
  others.add(changed);
  return { verdict: 'changed', symbol: changed };
}

function elsewhereOf(key: TouchKey, byText: ReadonlyMap<string, readonly StandingSymbol[]>): LocatedSymbol {
  for (const hash of textsOf(key)) {
    const symbol = onlyOne((byText.get(hash) ?? []).filter(mayBe(key)), key);
    if (symbol) return { verdict: hash === key.hash ? 'moved' : 'changed', symbol };
  }
  return { verdict: 'gone' };
}

/** Functions become methods and back when they move; all else stays what it is. */
function mayBe(key: TouchKey): (candidate: StandingSymbol) => boolean {
  const linked = key.linked_at === undefined ? undefined : Date.parse(key.linked_at);
  return ({ code_type, since }) => {
    // A twin that stood there already when the memory was linked is not where the symbol went.
    if (linked !== undefined && since !== undefined && since <= linked) return false;
    return isSameSort(code_type, key.code_type);
  };
}

export function isSameSort(a: string, b: string): boolean {
  return a === b || (CALLABLE.has(a) && CALLABLE.has(b));
}

const CALLABLE = new Set(['function', 'method']);

/**
 * The one that is meant: by its name, else because there is no other. Several without a name tell nothing, and neither
 * does a text as short as `return true` under another name in another file.
 */
export function onlyOne<Found extends CodeSymbol>(all: readonly Found[], key: TouchKey): Found | undefined {
  const own = lastOf(key.name);
  const candidates = all.filter(
    ({ file_path, name, hash }) => !isTiny(hash) || file_path === key.file_path || lastOf(name) === own,
  );
  const named = candidates.filter(({ name }) => name === key.name);
  const alike = candidates.filter(({ name }) => lastOf(name) === own);
  const [first, second] = [named, alike, candidates].find((some) => some.length > 0) ?? [];
  return second === undefined ? first : undefined;
}

function lastOf(qualified: string): string {
  return qualified.slice(qualified.lastIndexOf('.') + 1);
}

/** An empty file is like every other one. */
const NO_TEXT = fileHash(tokenize('', false));

function textsOf({ hash, seen }: TouchKey): string[] {
  return [hash, ...(typeof seen === 'string' ? [seen] : [])].filter((one) => one !== NO_TEXT);
}

function placeOf({ file_path, code_type, name }: TouchKey): string {
  return `${file_path}\n${code_type}\n${name}`;
}

function byHash(files: Iterable<WorkingFile>, hashes: ReadonlySet<string>): Map<string, StandingSymbol[]> {
  const found = new Map<string, StandingSymbol[]>();
  for (const { symbols } of files) {
    for (const one of symbols) {
      if (!hashes.has(one.hash)) continue;
      const same = found.get(one.hash);
      if (same) same.push(one);
      else found.set(one.hash, [one]);
    }
  }
  return found;
}

/** A text that is in more files than this cannot identify a symbol. */
const MOST_PLACES = 200;

/** The files in which the graph has seen these texts. */
async function placesOf(sql: Reader, lost: readonly TouchKey[]): Promise<Set<string>> {
  const hashes = [...new Set(lost.flatMap(textsOf))];
  const places = new Map<string, string[]>();
  for (const { hash, path } of await filesWithText(sql, hashes)) {
    const paths = places.get(hash);
    if (paths) paths.push(path);
    else places.set(hash, [path]);
  }
  return new Set([...places.values()].filter((paths) => paths.length <= MOST_PLACES).flat());
}
