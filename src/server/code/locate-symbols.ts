/** Finds out where symbols are now. */
import type { Reader } from '../db/sql';
import { fileHash, isOldHash, isTiny } from '../graph/extract';
import { filesWithText, symbolsNamed } from '../graph/find-symbols';
import { tokenize } from '../graph/tokens';
import {
  acceptedTexts,
  accepts,
  type CodeSymbol,
  isDoubtful,
  type LocatedSymbol,
  type TouchKey,
  textsBeside,
} from '../memory/code/touches';
import { onlyAlike } from './most-alike';
import { linesOf, type OpenPastSymbols, type PastSymbols } from './past-symbols';
import type { UnseenFiles } from './unseen-files';
import { FILE_TYPE, type ReadWorkingFiles, type StandingSymbol, type WorkingFile } from './working-files';

export interface Sources {
  readonly read: ReadWorkingFiles;
  readonly unseen: UnseenFiles;
  readonly past: OpenPastSymbols;
  /** The text of a working file; undefined where there is none. */
  readonly textOf: (path: string) => string | undefined;
}

/**
 * Where the symbols of links stand now, in the order of docs/behaviour.md, "Finding a symbol again". It is found out from
 * the links, the working files and Git alone: the code graph only says in which files to look.
 */
export async function locateSymbols(
  sql: Reader,
  { read, unseen, past: openPast, textOf }: Sources,
  keys: readonly TouchKey[],
  texts?: ReadonlyMap<string, string>,
): Promise<readonly LocatedSymbol[]> {
  const files = new Map(
    await read(
      sql,
      keys.map((key) => key.file_path),
      withOlder(keys, texts, textOf),
    ),
  );
  const standing: Standing = { byText: new Map(), byName: new Map() };
  for (const file of files.values()) note(standing, file);
  const readMore = async (paths: readonly string[]): Promise<void> => {
    const more = [...new Set(paths)].filter((path) => !files.has(path));
    for (const [path, file] of await read(sql, more, texts)) {
      files.set(path, file);
      note(standing, file);
    }
  };
  const taken: TakenOverloads = new Map();
  const located = keys.map((key) => inItsFile(files.get(key.file_path), key, taken));
  const lost = keys.filter((_, i) => !located[i]);
  const doubted = keys.some(({ commit }, i) => commit && isDoubtful(located[i]?.verdict ?? 'gone'));
  if (lost.length === 0 && !doubted) return located.map((one) => one ?? GONE);
  const past = keys.some(({ commit }) => commit) ? await openPast() : undefined;
  if (lost.length > 0) {
    const named = await symbolsNamed(sql, [...new Set(lost.map(({ name }) => name))]);
    await readMore([
      ...(await placesOf(sql, lost)),
      ...named.map(({ file_path }) => file_path),
      ...(await unseen(sql)),
      ...(texts?.keys() ?? []),
    ]);
  }
  const found: LocatedSymbol[] = [];
  for (const [i, key] of keys.entries()) {
    let now = located[i];
    if (!now) {
      const followed = key.commit && past ? await past.follow(key.commit, key.file_path) : key.file_path;
      await readMore([followed]);
      const renamed = files.get(followed);
      now =
        renamed?.left_out === undefined
          ? await elsewhere(key, {
              ...{ own: files.get(key.file_path), renamed, past, standing },
              textOf: (path) => texts?.get(path) ?? textOf(path),
            })
          : NOT_JUDGED;
    }
    found.push(await onThisBranch(now, key, past));
  }
  return found;
}

/** The graph knows no hashes of older programs: files of links that have one are read. */
function withOlder(
  keys: readonly TouchKey[],
  texts: ReadonlyMap<string, string> | undefined,
  textOf: Sources['textOf'],
): ReadonlyMap<string, string> | undefined {
  const older = keys.filter((key) => textsIn(key).some(isOldHash)).map(({ file_path }) => file_path);
  if (older.length === 0) return texts;
  const read = [...new Set(older)].flatMap((path) => {
    const text = textOf(path);
    return text === undefined ? [] : [[path, text] as const];
  });
  return new Map([...read, ...(texts ?? [])]);
}

export const OUTSIDE: LocatedSymbol = { verdict: 'gone', outside: true };
const NOT_JUDGED: LocatedSymbol = { verdict: 'not judged' };
const GONE: LocatedSymbol = { verdict: 'gone' };

/** What differs because its link was made on a branch that is not looked at is no doubt. */
async function onThisBranch(
  now: LocatedSymbol,
  { commit }: TouchKey,
  past: PastSymbols | undefined,
): Promise<LocatedSymbol> {
  if (!isDoubtful(now.verdict) || now.outside || !commit) return now;
  const ref = await past?.otherRef(commit);
  return ref === undefined ? now : { ...now, verdict: 'other version', ref };
}

/** By overloads of a memory: those symbols that one of its links was found to be. */
type TakenOverloads = Map<string, Set<StandingSymbol>>;

/** Under its name. Undefined for what has to be looked for under another one, or elsewhere. */
function inItsFile(file: WorkingFile | undefined, key: TouchKey, taken: TakenOverloads): LocatedSymbol | undefined {
  if (file?.outside) return OUTSIDE;
  const symbols = file?.symbols ?? [];
  const found = underItsName(symbols, key, taken);
  if (found) return found;
  // What stands in a file that is left out is not known, so that it is not looked for elsewhere either.
  return file?.left_out === undefined ? undefined : NOT_JUDGED;
}

function underItsName(
  symbols: readonly StandingSymbol[],
  key: TouchKey,
  taken: TakenOverloads,
): LocatedSymbol | undefined {
  // A function that became a method, or an interface that became a type, is the same one.
  const anyKind = symbols.filter(
    (one) => one.name === key.name && (one.code_type === FILE_TYPE) === (key.code_type === FILE_TYPE),
  );
  const ofKind = anyKind.filter((one) => one.code_type === key.code_type);
  const named = ofKind.length > 0 ? ofKind : anyKind;
  const accepted = acceptedTexts(key);
  const same = named.find((one) => accepts(accepted, one));
  if (same) return { verdict: 'unchanged', symbol: same };
  const beside = textsBeside(key);
  const [first] = named;
  if (beside.length === 0 || !first) return first && { verdict: 'changed', symbol: first };
  // Overloads share a name. A changed one cannot be one that did not change, and no two links mean the same one.
  const group = JSON.stringify([placeOf(key), [...accepted, ...beside].sort()]);
  const others = taken.get(group) ?? new Set<StandingSymbol>();
  taken.set(group, others);
  const changed = named.find((one) => !accepts(beside, one) && !others.has(one));
  if (changed) others.add(changed);
  // One of several of a name is there no more, and the others are as they were.
  return { verdict: 'changed', symbol: changed ?? first };
}

/** All symbols of the files that were read. */
interface Standing {
  readonly byText: Map<string, StandingSymbol[]>;
  readonly byName: Map<string, StandingSymbol[]>;
}

function note({ byText, byName }: Standing, { symbols }: WorkingFile): void {
  for (const one of symbols) {
    add(byText, one.hash, one);
    if (one.old_hash !== undefined) add(byText, one.old_hash, one);
    add(byName, one.name, one);
  }
}

function add(map: Map<string, StandingSymbol[]>, key: string, one: StandingSymbol): void {
  const known = map.get(key);
  if (known) known.push(one);
  else map.set(key, [one]);
}

interface Around extends Pick<Sources, 'textOf'> {
  /** The file that the link was made in. */
  readonly own: WorkingFile | undefined;
  /** The file that the link's own is now, as Git follows it. */
  readonly renamed: WorkingFile | undefined;
  readonly past: PastSymbols | undefined;
  readonly standing: Standing;
}

async function elsewhere(key: TouchKey, around: Around): Promise<LocatedSymbol> {
  const { own, renamed, standing } = around;
  const texts = textsIn(key);
  const judged = (symbol: StandingSymbol): LocatedSymbol => ({
    verdict: accepts(texts, symbol) ? 'moved' : 'changed',
    symbol,
  });
  const newOnes = async (all: readonly StandingSymbol[], by: By): Promise<StandingSymbol[]> => {
    const found: StandingSymbol[] = [];
    for (const one of all)
      if (isSameSort(one.code_type, key.code_type) && (await isNew(one, key, around, by))) found.push(one);
    return found;
  };
  const inOwn = onlyOne(
    await newOnes(
      (own?.symbols ?? []).filter((one) => accepts(texts, one)),
      'name and text',
    ),
    key,
  );
  if (inOwn) return judged(inOwn);
  const inRenamed = underItsNames(renamed?.symbols ?? [], key);
  if (inRenamed && (inRenamed.file_path !== key.file_path || (await isNew(inRenamed, key, around, 'name')))) {
    return judged(inRenamed);
  }
  const isOther = (one: StandingSymbol): boolean => one.file_path !== key.file_path;
  // One whose text has an older hash as well may be found by both.
  const sharing = new Set(texts.flatMap((text) => standing.byText.get(text) ?? []));
  const withText = await newOnes([...sharing].filter(isOther), 'text');
  const same = onlyOne(withText, key);
  if (same) return judged(same);
  if (withText.length === 0 && key.code_type !== FILE_TYPE) {
    const [named, second] = await newOnes((standing.byName.get(key.name) ?? []).filter(isOther), 'name');
    if (named && !second) return judged(named);
    const alike = await rewritten(key, await newOnes(renamed?.symbols ?? [], 'name'), around);
    if (alike) return judged(alike);
  }
  return acceptedTexts(key).includes('') ? { verdict: 'unchanged' } : GONE;
}

/** In the file that its own was renamed to, or in its own: its qualified name, else the only one of its simple name. */
function underItsNames(symbols: readonly StandingSymbol[], key: TouchKey): StandingSymbol | undefined {
  if (key.code_type === FILE_TYPE) {
    return symbols.find(({ code_type, file_path }) => code_type === FILE_TYPE && file_path !== key.file_path);
  }
  const inside = symbols.filter(({ code_type }) => code_type !== FILE_TYPE);
  const named = inside.filter(({ name }) => name === key.name);
  const accepted = acceptedTexts(key);
  const own = lastOf(key.name);
  const alike = inside.filter(({ name, code_type }) => lastOf(name) === own && isSameSort(code_type, key.code_type));
  return (
    named.find((one) => accepts(accepted, one)) ??
    named.find(({ code_type }) => code_type === key.code_type) ??
    named[0] ??
    (alike.length === 1 ? alike[0] : undefined)
  );
}

/** The only new symbol of its file whose text is like the one that the link was made on. */
async function rewritten(
  key: TouchKey,
  candidates: readonly StandingSymbol[],
  { past, renamed, textOf }: Around,
): Promise<StandingSymbol | undefined> {
  const path = renamed?.symbols[0]?.file_path;
  const old = candidates.length === 0 ? undefined : await past?.textOf(key);
  const text = old === undefined || path === undefined ? undefined : textOf(path);
  if (old === undefined || text === undefined) return undefined;
  const found = onlyAlike(
    old,
    candidates.map((one) => linesOf(text, one)),
  );
  return found === undefined ? undefined : candidates[found];
}

type By = 'text' | 'name' | 'name and text';

/** Whether it did not stand there when the link was made: a twin that did is not where the symbol went. */
async function isNew(candidate: StandingSymbol, key: TouchKey, { past }: Around, by: By): Promise<boolean> {
  const before = await past?.at(key, candidate.file_path);
  if (before) {
    const [sameText, sameName] = [by !== 'name', by !== 'text'];
    return !before.some(
      (one) => (!sameText || one.hash === candidate.hash) && (!sameName || one.name === candidate.name),
    );
  }
  // Without Git, the code graph says since when it has known this text there.
  const linked = key.linked_at === undefined ? undefined : Date.parse(key.linked_at);
  return linked === undefined || candidate.since === undefined || candidate.since > linked;
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

export function lastOf(qualified: string): string {
  return qualified.slice(qualified.lastIndexOf('.') + 1);
}

/** An empty file is like every other one. */
const NO_TEXT = fileHash(tokenize('', false));

/** The texts by which a symbol can be found. */
function textsIn(key: TouchKey): string[] {
  return acceptedTexts(key).filter((one) => one !== NO_TEXT && one !== '');
}

function placeOf({ file_path, code_type, name }: TouchKey): string {
  return `${file_path}\n${code_type}\n${name}`;
}

/** A text that is in more files than this cannot identify a symbol. */
const MOST_PLACES = 200;

/** The files in which the graph has seen these texts. */
async function placesOf(sql: Reader, lost: readonly TouchKey[]): Promise<Set<string>> {
  const hashes = [...new Set(lost.flatMap(textsIn))];
  const places = new Map<string, string[]>();
  for (const { hash, path } of await filesWithText(sql, hashes)) {
    const paths = places.get(hash);
    if (paths) paths.push(path);
    else places.set(hash, [path]);
  }
  return new Set([...places.values()].filter((paths) => paths.length <= MOST_PLACES).flat());
}
