/** Finds out where symbols are now. */
import type { Reader } from '../db/sql';
import { isOldHash } from '../graph/extract';
import { filesWithNamesake, filesWithSymbol, filesWithText } from '../graph/find-symbols';
import { isSameSort } from '../graph/parsed';
import type { KeptText } from '../graph/texts';
import { isOnNothing } from '../memory/code/accepted-texts';
import type { FindRenamed } from '../memory/code/renamed-symbol';
import { type CodeSymbol, isDoubtful, type LocatedSymbol, type TouchKey } from '../memory/code/touches';
import {
  type Around,
  filesOfThePast,
  findAfar,
  findNamesake,
  findNear,
  GONE,
  hasName,
  judgedBy,
  lastNameKey,
  lastOf,
  NOT_JUDGED,
  namesOf,
  note,
  notThere,
  ownFiles,
  type Standing,
  textsIn,
} from './find-moved';
import type { LastPlace } from './last-place';
import { mayHold } from './may-hold';
import { comparedFiles, type FormerText } from './most-alike';
import {
  areSeveral,
  type Beside,
  besideIt,
  hasMore,
  isForAll,
  type KnownOverloads,
  NOTHING_KNOWN,
  overloadIn,
  overloadsOf,
  overloadThatIs,
} from './overloads';
import type { OpenPastSymbols, PastSymbols } from './past-symbols';
import { formerName, type Renamed, renamedSymbols } from './renamed-symbols';
import type { UnseenFiles } from './unseen-files';
import type { ReadWorkingFiles, StandingSymbol, WorkingFile } from './working-files';

export interface Sources {
  readonly read: ReadWorkingFiles;
  readonly unseen: UnseenFiles;
  readonly past: OpenPastSymbols;
  /** The text of a working file; undefined where there is none. */
  readonly textOf: (path: string) => string | undefined;
  readonly renamedIn?: FindRenamed;
  /** The links are as on the last commit that has their symbols: there is no later one to look from. */
  readonly isLast?: true;
  /** The copies that are kept of these texts. */
  readonly copies?: (sql: Reader, hashes: readonly string[]) => Promise<readonly KeptText[]>;
}

/**
 * Where the symbols of links stand now, in the order of docs/behaviour.md, "Finding a symbol again". It is found out from
 * the links, the working files and Git alone: the code graph only says in which files to look.
 */
export async function locateSymbols(
  sql: Reader,
  sources: Sources,
  keys: readonly TouchKey[],
  texts?: ReadonlyMap<string, string>,
): Promise<readonly LocatedSymbol[]> {
  const { read, unseen, past: openPast, textOf, renamedIn, copies, isLast } = sources;
  const older = new Set(keys.filter((key) => textsIn(key).some(isOldHash)).map(({ file_path }) => file_path));
  const files = new Map(
    await read(
      sql,
      keys.map((key) => key.file_path),
      withTexts(older, texts, textOf),
      older,
    ),
  );
  const standing: Standing = { byText: new Map(), byName: new Map(), byLastName: undefined };
  for (const file of files.values()) note(standing, file);
  const readMore = async (paths: readonly string[]): Promise<void> => {
    const more = [...new Set(paths)].filter((path) => !files.has(path));
    for (const [path, file] of await read(sql, more, texts)) {
      files.set(path, file);
      note(standing, file);
    }
  };
  // What was not there has no text by which it could be found elsewhere, and what only has its name is another thing.
  const located = keys.map(
    (key) => inItsFile(files.get(key.file_path), key) ?? (isOnNothing(key) ? notThere(key) : undefined),
  );
  const lost = keys.filter((_, i) => !located[i]);
  const standingIn = ({ file_path }: Pick<TouchKey, 'file_path'>): readonly StandingSymbol[] =>
    files.get(file_path)?.symbols ?? [];
  const hasGrown = (key: TouchKey, symbol: CodeSymbol | undefined): boolean =>
    symbol !== undefined && !isLast && hasMore(standingIn(symbol), key, symbol);
  const grown = new Set(keys.filter((key, i) => hasGrown(key, located[i]?.symbol)));
  const doubted = keys.filter((key, i) => isDoubtful(located[i]?.verdict ?? 'gone') || grown.has(key));
  const commits = [...new Set(doubted.flatMap(({ commit }) => commit ?? []))];
  const unsure = keys.filter(
    (key, i) => located[i]?.verdict === 'changed' && areSeveral(overloadsOf(standingIn(key), key)),
  );
  /** A link to an overloaded function is on what was added, too. */
  const withOverloads = async (now: LocatedSymbol, key: TouchKey, known: KnownOverloads): Promise<LocatedSymbol> => {
    const { symbol } = now;
    return symbol && !isLast ? onOverloads(now, await besideIt(standingIn(symbol), key, symbol, known)) : now;
  };
  if (lost.length + unsure.length + commits.length + grown.size === 0) {
    return Promise.all(keys.map((key, i) => withOverloads(located[i] ?? GONE, key, NOTHING_KNOWN)));
  }
  const past = commits.length > 0 ? await openPast(commits) : undefined;
  const common = new Set<string>();
  const renamedTo = new Map<TouchKey, string>();
  for (const key of lost) {
    renamedTo.set(key, key.commit && past ? await past.follow(key.commit, key.file_path) : key.file_path);
  }
  await readMore([...renamedTo.values()]);
  const renamedOf = new Map<string, Renamed<StandingSymbol>>();
  const askedOf = (path: string, symbols: readonly StandingSymbol[]): Renamed<StandingSymbol> => {
    const asked = lost.filter((key) => key.file_path === path || renamedTo.get(key) === path);
    const former = asked.map((key) => formerName(key, textsIn(key)));
    return renamedSymbols({ path, textOf: () => around.textOf(path), symbols, former }, renamedIn);
  };
  const compared = comparedFiles();
  const copyOf = async ({ hash, name }: TouchKey): Promise<FormerText | undefined> => {
    const kept = (await copies?.(sql, [hash])) ?? [];
    const text = (kept.find((one) => one.name === name) ?? kept[0])?.text;
    return text === undefined ? undefined : { name, text, level: undefined };
  };
  const readFormer = async (key: TouchKey) => (await past?.former(key)) ?? (await copyOf(key));
  const former = new Map<string, ReturnType<typeof readFormer>>();
  const around: Around = {
    ...{ files, renamedTo, past, standing, common },
    isSaved: (path) => texts?.has(path) !== true,
    textOf: (path) => texts?.get(path) ?? textOf(path),
    comparedAt: (path) =>
      compared(path, () => {
        const text = around.textOf(path);
        return text === undefined ? undefined : { text, symbols: files.get(path)?.symbols ?? [] };
      }),
    former(key) {
      // Memories on the same code ask for the same text.
      const { file_path, name, hash, confirmed, commit } = key;
      const id = JSON.stringify([file_path, name, hash, confirmed, commit]);
      const known = former.get(id) ?? readFormer(key);
      former.set(id, known);
      return known;
    },
    underItsName: (key, symbols) => overloadIn(symbols, key, around),
    async renamedFrom(key, { symbols }) {
      const path = symbols[0]?.file_path;
      if (path === undefined) return [];
      const renamed = renamedOf.get(path) ?? askedOf(path, symbols);
      renamedOf.set(path, renamed);
      return renamed(formerName(key, textsIn(key)));
    },
  };
  past?.expect([...lost, ...unsure].flatMap((key) => ownFiles(key, around)));
  const became = new Map<TouchKey, LocatedSymbol>();
  for (const key of unsure) {
    const symbol = await around.underItsName(key, standingIn(key));
    if (symbol) became.set(key, { verdict: 'changed', symbol });
  }
  const found = new Map<TouchKey, LocatedSymbol>();
  const notFound = (): TouchKey[] => lost.filter((key) => !found.has(key));
  const take = (key: TouchKey, now: LocatedSymbol | undefined): void => {
    if (now) found.set(key, now);
  };
  for (const key of lost) take(key, await findNear(key, around));
  const lasts = new Map(isLast ? [] : await past?.lastPlaces(notFound(), renamedIn));
  const lastKeys = [...lasts.values()].map(({ key }) => key);
  const there = await locateSymbols(sql, { ...sources, isLast: true }, lastKeys, texts);
  for (const [i, key] of [...lasts.keys()].entries()) take(key, followed(key, there[i]));
  for (const key of notFound()) if (!lasts.has(key)) take(key, await findNamesake(key, around));
  const nowhere = (key: TouchKey): LocatedSymbol => {
    const stood = lasts.get(key)?.key;
    return stood ? { ...notThere(key), stood } : notThere(key);
  };
  /** What its file has since it is there no more. */
  const afterIt = async ({ key, after }: LastPlace): Promise<readonly CodeSymbol[]> => {
    if (after) return after;
    const path = key.commit && past ? await past.follow(key.commit, key.file_path) : key.file_path;
    await readMore([path]);
    return files.get(path)?.symbols ?? [];
  };
  for (const key of notFound()) {
    const last = lasts.get(key);
    if (last && isReplaced(last, await afterIt(last))) take(key, nowhere(key));
  }
  const left = notFound();
  if (left.length > 0) {
    const places = await placesOf(sql, left);
    for (const one of places.common) common.add(one);
    const { newest, others } = await unseen(sql);
    const held = others.length === 0 ? [] : await mayHold(others, left, past, textOf);
    await readMore([...places.paths, ...newest, ...held, ...(texts?.keys() ?? [])]);
    past?.expect(filesOfThePast(left, around));
  }
  for (const key of left) take(key, (await findAfar(key, around, lasts.has(key))) ?? nowhere(key));
  const stands = keys.map((key, i) => [became.get(key) ?? located[i] ?? found.get(key) ?? GONE, key] as const);
  await readMore(stands.flatMap(([{ symbol }, key]) => (symbol && isForAll(key) ? symbol.file_path : [])));
  const all = await Promise.all(
    stands.map(async ([now, key]) => [await withOverloads(now, key, around), key] as const),
  );
  return past ? onThisBranch(all, past, around.isSaved) : all.map(([now]) => now);
}

/** What was added is asked about first. */
function onOverloads(now: LocatedSymbol, { accepted, added }: Beside<CodeSymbol>): LocatedSymbol {
  const [first, ...others] = added;
  if (!now.symbol || accepted.length + added.length === 0) return now;
  if (!first || (now.verdict !== 'unchanged' && now.verdict !== 'moved')) {
    return { ...now, beside: [...accepted, ...added] };
  }
  return { verdict: 'changed', symbol: first, beside: [now.symbol, ...accepted, ...others], added: true };
}

/** The link has its own texts, wherever its symbol was found from. */
function followed(key: TouchKey, now: LocatedSymbol | undefined): LocatedSymbol | undefined {
  if (now?.symbol) return judgedBy(key, now.symbol);
  return now?.verdict === 'not judged' ? now : undefined;
}

/**
 * Whether what took it away brought something else of its sort into its file: it was rewritten there, and a copy that was made
 * while it stood is a twin. Without that, the copy is where it went.
 */
function isReplaced({ key, stood }: LastPlace, after: readonly CodeSymbol[]): boolean {
  if (!stood) return false;
  const wasThere = (now: CodeSymbol): boolean => stood.some(({ name, hash }) => name === now.name || hash === now.hash);
  return after.some((now) => isSameSort(now.code_type, key.code_type) && !wasThere(now));
}

/** The graph knows no hashes of older programs: files of links that have one are read. */
function withTexts(
  older: ReadonlySet<string>,
  texts: ReadonlyMap<string, string> | undefined,
  textOf: Sources['textOf'],
): ReadonlyMap<string, string> | undefined {
  if (older.size === 0) return texts;
  const read = [...older].flatMap((path) => {
    const text = textOf(path);
    return text === undefined ? [] : [[path, text] as const];
  });
  return new Map([...read, ...(texts ?? [])]);
}

export const OUTSIDE: LocatedSymbol = { verdict: 'gone', outside: true };

/**
 * What differs because its link was made on a branch that is not looked at, or for one, is no doubt. What is not as HEAD has
 * it was changed here, and so was what this branch had when it was confirmed.
 */
async function onThisBranch(
  found: readonly (readonly [LocatedSymbol, TouchKey])[],
  past: PastSymbols,
  isSaved: Around['isSaved'],
): Promise<LocatedSymbol[]> {
  const refs = new Map<TouchKey, string>();
  for (const [now, key] of found) {
    if (!isDoubtful(now.verdict) || now.outside || !key.commit) continue;
    const ref = past.otherRef(key.commit) ?? (await past.branchWith(key, now.verdict === 'gone'));
    if (ref !== undefined && !(await past.wasConfirmedHere(key))) refs.set(key, ref);
  }
  const elsewhere = found.filter(([, key]) => refs.has(key));
  const changedHere = elsewhere.length === 0 ? refs : await past.editedSinceHead(elsewhere, isSaved);
  return found.map(([now, key]) => {
    const ref = changedHere.has(key) ? undefined : refs.get(key);
    return ref === undefined ? now : { ...now, verdict: 'other version', ref };
  });
}

/** Under its name. Undefined for what has to be looked for under another one, or elsewhere. */
function inItsFile(file: WorkingFile | undefined, key: TouchKey): LocatedSymbol | undefined {
  if (file?.outside) return OUTSIDE;
  const overloads = overloadsOf(file?.symbols ?? [], key);
  const symbol = overloadThatIs(overloads);
  if (symbol) return { verdict: overloads.same ? 'unchanged' : 'changed', symbol };
  // What stands in a file that is left out is not known, so that it is not looked for elsewhere either.
  return file?.left_out === undefined ? undefined : NOT_JUDGED;
}

/** A text or a name that is in more files than this cannot identify a symbol. */
const MOST_PLACES = 200;

/** The files in which the graph has seen the texts and the names of what is not in its place. */
async function placesOf(sql: Reader, lost: readonly TouchKey[]): Promise<{ paths: Set<string>; common: string[] }> {
  const texts = await filesWithText(sql, [...new Set(lost.flatMap(textsIn))]);
  const names = await filesWithSymbol(sql, [...new Set(lost.flatMap(namesOf))]);
  const namesakes = await filesWithNamesake(sql, [...new Set(lost.filter(hasName).map(({ name }) => lastOf(name)))]);
  const places = new Map<string, string[]>();
  for (const [what, path] of [
    ...texts.map(({ hash, path }) => [hash, path] as const),
    ...names.map(({ name, path }) => [name, path] as const),
    ...namesakes.map(({ name, path }) => [lastNameKey(name), path] as const),
  ]) {
    const paths = places.get(what);
    if (paths) paths.push(path);
    else places.set(what, [path]);
  }
  const all = [...places];
  return {
    paths: new Set(all.flatMap(([, paths]) => (paths.length > MOST_PLACES ? [] : paths))),
    common: all.flatMap(([what, paths]) => (paths.length > MOST_PLACES ? [what] : [])),
  };
}
