/** Finds symbols that are not in their place. */
import type { CommitAndPath } from '../git/past';
import { fileHash, isTiny } from '../graph/extract';
import { DEFAULT, isSameSort, isValueKind } from '../graph/parsed';
import { tokenize } from '../graph/tokens';
import { acceptedTexts, accepts, NO_TEXT } from '../memory/code/accepted-texts';
import type { CodeSymbol, LocatedSymbol, SymbolPlace, TouchKey } from '../memory/code/touches';
import { type ComparedFile, type FormerText, onlyAlike } from './most-alike';
import type { Before, PastSymbols } from './past-symbols';
import { FILE_TYPE, type StandingSymbol, type WorkingFile } from './working-files';

export const NOT_JUDGED: LocatedSymbol = { verdict: 'not judged' };
export const GONE: LocatedSymbol = { verdict: 'gone' };

/** All symbols of the files that were read. */
export interface Standing {
  readonly byText: Map<string, StandingSymbol[]>;
  readonly byName: Map<string, StandingSymbol[]>;
  /** By the last part of their names; made when it is asked for, because most answers need none. */
  byLastName: Map<string, StandingSymbol[]> | undefined;
}

export function note(standing: Standing, { symbols }: WorkingFile): void {
  const { byText, byName } = standing;
  standing.byLastName = undefined;
  for (const one of symbols) {
    add(byText, one.hash, one);
    if (one.old_hash !== undefined) add(byText, one.old_hash, one);
    add(byName, one.name, one);
  }
}

function namesakesOf(standing: Standing, last: string): readonly StandingSymbol[] {
  if (!standing.byLastName) {
    const all = new Map<string, StandingSymbol[]>();
    for (const one of [...standing.byName.values()].flat()) {
      if (one.code_type !== FILE_TYPE) add(all, lastOf(one.name), one);
    }
    standing.byLastName = all;
  }
  return standing.byLastName.get(last) ?? [];
}

export function add<One>(map: Map<string, One[]>, key: string, one: One): void {
  const known = map.get(key);
  if (known) known.push(one);
  else map.set(key, [one]);
}

/** What is known around the symbols that are looked for. */
export interface Around {
  /** The text of a working file, or what an editor makes of it; undefined where there is none. */
  readonly textOf: (path: string) => string | undefined;
  /** A working file by its symbols; undefined where there is none. */
  readonly comparedAt: (path: string) => ComparedFile | undefined;
  readonly files: ReadonlyMap<string, WorkingFile>;
  /** The file that the link's own is now, as Git follows it; only for what is not in its place. */
  readonly renamedTo: ReadonlyMap<TouchKey, string>;
  readonly past: PastSymbols | undefined;
  /** What a link was made on, as Git has it; else the copy that is kept. */
  readonly former: (key: TouchKey) => Promise<FormerText | undefined>;
  /** Of the symbols of a file the one that the link means by its name. */
  readonly underItsName: (key: TouchKey, symbols: readonly StandingSymbol[]) => Promise<StandingSymbol | undefined>;
  readonly standing: Standing;
  /** Names and texts that are in too many files to identify a symbol. */
  readonly common: ReadonlySet<string>;
  /** False for a file of which an editor has another text. */
  readonly isSaved: (path: string) => boolean;
  /** Those of the symbols of a file that are the link's, but for the name; undefined where to find out takes too long. */
  readonly renamedFrom: (key: TouchKey, file: WorkingFile) => Promise<readonly StandingSymbol[] | undefined>;
}

/** In other files: those that have a text of the link, those with its name, and those with the last part of it. */
function candidatesFor(
  key: TouchKey,
  { standing, common }: Around,
): Record<'withText' | 'named' | 'namesakes', StandingSymbol[]> {
  const isCandidate = (one: StandingSymbol): boolean =>
    one.file_path !== key.file_path && isSameSort(one.code_type, key.code_type);
  const texts = textsIn(key).filter((text) => !common.has(text));
  // One whose text has an older hash as well may be found by both.
  const withText = [...new Set(texts.flatMap((text) => standing.byText.get(text) ?? []))].filter(isCandidate);
  const names = hasName(key) ? namesOf(key).filter((name) => !common.has(name)) : [];
  const last = lastOf(key.name);
  const namesakes = hasName(key) && !common.has(lastNameKey(last)) ? namesakesOf(standing, last) : [];
  return {
    withText,
    named: names.flatMap((name) => standing.byName.get(name) ?? []).filter(isCandidate),
    namesakes: namesakes.filter(isCandidate),
  };
}

/** In another file the name of a file, and what any file may hand out, tell nothing. */
export function hasName({ code_type, name }: Pick<TouchKey, 'code_type' | 'name'>): boolean {
  return code_type !== FILE_TYPE && !isAnywhere(name);
}

/** What the last part of a name is called in `Around.common`, beside whole names. */
export function lastNameKey(last: string): string {
  return `.${last}`;
}

/** What a file hands out is the same with and without `exports.`: `exports.open` and `open`. */
export function namesOf({ name }: Pick<TouchKey, 'name'>): string[] {
  if (name.startsWith(EXPORTS)) return [name, name.slice(EXPORTS.length)];
  return [name, `${EXPORTS}${name}`];
}

const EXPORTS = 'exports.';

/** The file of a link, and what it is now, by its commit. */
export function ownFiles(key: TouchKey, { renamedTo }: Pick<Around, 'renamedTo'>): CommitAndPath[] {
  const { commit, file_path } = key;
  return commit ? [file_path, renamedTo.get(key) ?? file_path].map((path) => [commit, path]) : [];
}

/** The files whose past will be asked for, by the commits of links. */
export function filesOfThePast(lost: readonly TouchKey[], around: Around): CommitAndPath[] {
  return lost.flatMap((key): CommitAndPath[] => {
    const { commit } = key;
    if (!commit) return [];
    const { withText, named, namesakes } = candidatesFor(key, around);
    const paths = [...withText, ...named, ...namesakes].map(({ file_path }) => file_path);
    return [...ownFiles(key, around), ...paths.map((path): CommitAndPath => [commit, path])];
  });
}

/** Steps 2 and 3 of docs/behaviour.md, "Finding a symbol again"; undefined for what has to be looked for in other ways. */
export async function findNear(key: TouchKey, around: Around): Promise<LocatedSymbol | undefined> {
  const own = around.files.get(key.file_path)?.symbols ?? [];
  const isNow = around.renamedTo.get(key) ?? key.file_path;
  const renamed = around.files.get(isNow);
  if (renamed?.left_out !== undefined || (await around.past?.isKeptOut(isNow))) return NOT_JUDGED;
  const texts = textsIn(key);
  const judged = (symbol: StandingSymbol): LocatedSymbol => judgedBy(key, symbol);
  const newOnes = (all: readonly StandingSymbol[], by: By) => newAmong(all, key, around, by);
  const withItsText = own.filter((one) => isSameSort(one.code_type, key.code_type) && accepts(texts, one));
  const inOwn = onlyOne(await newOnes(withItsText, 'text'), key);
  if (inOwn) return judged(inOwn);
  for (const file of new Set([around.files.get(key.file_path), renamed])) {
    const symbol = file && (await calledOtherwise(file, key, around));
    if (symbol === 'not known') return NOT_JUDGED;
    if (symbol) return { verdict: 'moved', symbol };
  }
  const inRenamed = await around.underItsName(key, renamed?.symbols ?? []);
  const isIn = inRenamed && (inRenamed.name === key.name || (await newOnes([inRenamed], 'name')).length > 0);
  return isIn ? judged(inRenamed) : undefined;
}

/** The end of step 3: the only new one with its last name, in the file that its own is now. */
export async function findNamesake(key: TouchKey, around: Around): Promise<LocatedSymbol | undefined> {
  const renamed = around.files.get(around.renamedTo.get(key) ?? key.file_path);
  const all = namesakesIn(renamed?.symbols ?? [], key);
  const [namesake, ...others] = await newAmong(all, key, around, 'name and text');
  return namesake && others.length === 0 ? judgedBy(key, namesake) : undefined;
}

/**
 * The steps from the fifth on.
 * @param stoodLater whether its symbol was there in a later commit than the one that it is looked for from: what has its name
 * may have come beside it
 */
export async function findAfar(key: TouchKey, around: Around, stoodLater: boolean): Promise<LocatedSymbol | undefined> {
  const isNow = around.renamedTo.get(key) ?? key.file_path;
  const renamed = around.files.get(isNow);
  const judged = (symbol: StandingSymbol): LocatedSymbol => judgedBy(key, symbol);
  const newOnes = (all: readonly StandingSymbol[], by: By) => newAmong(all, key, around, by);
  const candidates = candidatesFor(key, around);
  const withText = await newOnes(candidates.withText, 'text');
  const same = onlyOne(withText, key);
  if (same) return judged(same);
  if (withText.length > 0 || key.code_type === FILE_TYPE || stoodLater) return undefined;
  const named = await newOnes(candidates.named, 'name');
  const [first] = named;
  // Overloads have one name in one file: together they are one candidate.
  if (first && named.every(({ file_path }) => file_path === first.file_path)) {
    return judged((await around.underItsName(key, named)) ?? first);
  }
  // Several that are the same but for the name: that one of them is in its class tells nothing.
  const called = renamed ? await around.renamedFrom(key, renamed) : [];
  const ofItsSort = (renamed?.symbols ?? []).filter(
    (one) => isSameSort(one.code_type, key.code_type) && !called?.includes(one),
  );
  const elsewhere = candidates.namesakes.filter(({ file_path }) => file_path !== isNow);
  for (const some of [ofItsSort, elsewhere]) {
    const alike = await rewritten(key, await newOnes(some, 'name and text'), around);
    if (alike) return judged(alike);
  }
  return undefined;
}

/** What is found by no step; somebody may have confirmed that. */
export function notThere(key: TouchKey): LocatedSymbol {
  return acceptedTexts(key).includes(NO_TEXT) ? { verdict: 'unchanged' } : GONE;
}

/** @param key the link that was asked about, wherever its symbol was followed to */
export function judgedBy(key: TouchKey, symbol: CodeSymbol): LocatedSymbol {
  return { verdict: accepts(textsIn(key), symbol) ? 'moved' : 'changed', symbol };
}

/** In a file that has its name no more: the same text, in which other things have its old name, or have its new one. */
async function calledOtherwise(
  file: WorkingFile,
  key: TouchKey,
  around: Around,
): Promise<StandingSymbol | undefined | 'not known'> {
  if (key.code_type === FILE_TYPE || file.symbols.some(({ name }) => name === key.name)) return undefined;
  const renamed = await around.renamedFrom(key, file);
  if (!renamed) return 'not known';
  return onlyOne(await newAmong(renamed, key, around, 'text'), key);
}

function namesakesIn(symbols: readonly StandingSymbol[], key: TouchKey): StandingSymbol[] {
  if (key.code_type === FILE_TYPE) return [];
  const own = lastOf(key.name);
  return symbols.filter(({ name, code_type }) => lastOf(name) === own && isSameSort(code_type, key.code_type));
}

/** Of new symbols, the only one whose text is like the one that the link was made on; where one file has all of them. */
async function rewritten(
  key: TouchKey,
  candidates: readonly StandingSymbol[],
  { former, comparedAt }: Around,
): Promise<StandingSymbol | undefined> {
  const path = candidates[0]?.file_path;
  const isOneFile = candidates.every(({ file_path }) => file_path === path);
  if (path === undefined || !isOneFile) return undefined;
  const old = await former(key);
  if (old === undefined) return undefined;
  const file = comparedAt(path);
  return file && onlyAlike(old, candidates, file);
}

/** By its name and text: a name that is new there does not make it new where its text stood before under another one. */
type By = 'text' | 'name' | 'name and text';

/** Those that did not stand there when the link was made: a twin that did is not where the symbol went. */
async function newAmong(
  all: readonly StandingSymbol[],
  key: TouchKey,
  { past, isSaved }: Around,
  by: By,
): Promise<StandingSymbol[]> {
  const known = new Map<string, Stood>();
  const found: StandingSymbol[] = [];
  // What was put back as it was may have stood there before the code of the link was.
  const isRewritten = by === 'name and text';
  const before = async (path: string): Promise<Before | undefined> =>
    (await past?.before(key, path, isSaved(path))) ??
    (isRewritten ? await past?.beforeUncommitted(key, path) : undefined);
  for (const one of all) {
    const path = one.file_path;
    const stood = known.get(path) ?? stoodBefore(await before(path));
    known.set(path, stood);
    if (isNew(one, key, stood, by)) found.push(one);
  }
  return found;
}

/** What stood in a file when a link was made, as far as that is known. */
interface Stood {
  readonly known: 'as now' | 'all' | 'some';
  readonly byName: ReadonlyMap<string, readonly CodeSymbol[]>;
  readonly byText: ReadonlyMap<string, readonly CodeSymbol[]>;
}

function stoodBefore(before: Before | undefined): Stood {
  const [byName, byText] = [new Map<string, CodeSymbol[]>(), new Map<string, CodeSymbol[]>()];
  if (before === 'as now') return { known: before, byName, byText };
  for (const one of before?.symbols ?? []) {
    add(byName, one.name, one);
    add(byText, one.hash, one);
  }
  return { known: before?.all ? 'all' : 'some', byName, byText };
}

function isNew(candidate: StandingSymbol, key: TouchKey, { known, byName, byText }: Stood, by: By): boolean {
  if (known === 'as now') return false;
  const like = [...namesOf(candidate).map((name) => byName.get(name)), byText.get(candidate.hash)];
  if (like.some((some) => some?.some((one) => wasThere(one, candidate, key, by)))) return false;
  if (known === 'all') return true;
  // Without Git, the code graph says since when it has known this text there.
  const linked = key.linked_at === undefined ? undefined : Date.parse(key.linked_at);
  return linked === undefined || candidate.since === undefined || candidate.since > linked;
}

function wasThere(one: CodeSymbol, candidate: StandingSymbol, key: TouchKey, by: By): boolean {
  if (by === 'name and text' && one.hash === candidate.hash) return true;
  if (by !== 'text') {
    const isOwn = one.file_path === key.file_path && one.name === key.name;
    return one.name === candidate.name || (!isOwn && namesOf(candidate).includes(one.name));
  }
  // In the file of the link its own text stood, too: there a twin is what has its name already.
  return one.hash === candidate.hash && (one.file_path !== key.file_path || one.name === candidate.name);
}

/**
 * The one that is meant: by its name, else because there is no other. Several without a name tell nothing, and neither
 * does a text as short as `return true` under another name in another file, or a value as short as `3` under any other name.
 */
export function onlyOne<Found extends CodeSymbol>(all: readonly Found[], key: TouchKey): Found | undefined {
  const own = lastOf(key.name);
  const candidates = all.filter(
    (one) =>
      !isOtherValue(one, key) &&
      (!isTiny(one.hash) || one.file_path === key.file_path || (lastOf(one.name) === own && !isAnywhere(one.name))),
  );
  const named = candidates.filter(({ name }) => name === key.name);
  const alike = candidates.filter(({ name }) => lastOf(name) === own);
  const [first, second] = [named, alike, candidates].find((some) => some.length > 0) ?? [];
  return second === undefined ? first : undefined;
}

/** A value as short as `3` under another name is another one, also in its own file. */
export function isOtherValue({ hash, name }: CodeSymbol, key: SymbolPlace): boolean {
  return isValueKind(key.code_type) && isTiny(hash) && lastOf(name) !== lastOf(key.name);
}

/** What any file may hand out: in another one the name tells nothing. */
function isAnywhere(name: string): boolean {
  return name === DEFAULT || name === 'module.exports';
}

export function lastOf(qualified: string): string {
  return qualified.slice(qualified.lastIndexOf('.') + 1);
}

/** An empty file is like every other one. */
const EMPTY_FILE = fileHash(tokenize('', false));

/** The texts by which a symbol can be found. */
export function textsIn(key: TouchKey): string[] {
  return acceptedTexts(key).filter((one) => one !== EMPTY_FILE && one !== NO_TEXT);
}
