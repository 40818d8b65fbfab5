/** Finds the symbols with memories that a diff changes. */
import type { ChangedFile } from '../git/diff';
import { isSameSort } from '../graph/parsed';
import { acceptedTexts, accepts, NO_TEXT, textsBeside } from '../memory/code/accepted-texts';
import type { MemoryOnSymbol } from '../memory/code/memories-around-diff';
import type { CodeSymbol, Doubtful, SymbolPlace, Touch } from '../memory/code/touches';
import type { DiffSides } from './diff-sides';
import { hasName, isOtherValue, lastOf, onlyOne } from './find-moved';
import { type ComparedFile, onlyAlike } from './most-alike';
import { allBecame, isForAll, withTheOthers } from './overloads';
import { namedIn } from './parts-of-file';
import { formerName } from './renamed-symbols';
import { namedAs } from './under-its-name';
import { FILE_TYPE } from './working-files';

/** A symbol with memories that a change rewrites or removes. */
export interface ChangedSymbol {
  readonly verdict: Doubtful;
  readonly was: { readonly file_path: string; readonly code_type: string; readonly name: string };
  /** Where it stands after the change; null when it is gone. */
  readonly now: {
    readonly file_path: string;
    readonly code_type: string;
    readonly name: string;
    readonly start_line: number;
    readonly end_line: number;
  } | null;
}

/**
 * What a diff did to the symbol of a link. Its symbol before the diff is the one that stood where it was linked, with a
 * text that the link accepts; else one that stood where it was found last, before this diff or after it (a build may have
 * followed it already); else what stood there with another text; else the one place in the diff where its text stood.
 * Where nothing stood, the diff brought it. @returns an empty list when the diff left the symbol alone, moved it, or brought
 * what the link accepts; several changes for overloads that look the same
 */
export async function changesOf(
  sides: DiffSides,
  { touch, last, stands, isGone }: Pick<MemoryOnSymbol, 'touch' | 'last' | 'stands' | 'isGone'>,
): Promise<ChangedSymbol[]> {
  const texts = acceptedTexts(touch);
  const isKnown = (symbol: CodeSymbol): boolean => accepts(texts, symbol);
  const among = async (olds: readonly CodeSymbol[]): Promise<ChangedSymbol[]> =>
    (await changesAmong(sides, olds, { isKnown, touch, stands }))
      // Somebody has confirmed it since its code went.
      .filter(({ verdict }) => verdict !== 'gone' || !texts.includes(NO_TEXT));
  const here = await stoodAt(sides, touch);
  if (here.some(isKnown)) return among(here.filter(isKnown).slice(0, 1));
  const theirs = new Set(textsBeside(touch));
  const rewritten = here.filter(({ hash }) => !theirs.has(hash));
  const byPlace: CodeSymbol[][] = [];
  for (const place of placesBefore(sides, last)) byPlace.push(await stoodAt(sides, place));
  const left = byPlace.map((symbols) => symbols.find(isKnown)).find((symbol) => symbol !== undefined);
  if (left || rewritten.length > 0) {
    const ofLeft = left ? await among([left]) : [];
    return ofLeft.length > 0 ? ofLeft : among(rewritten);
  }
  const byText = onlyOne(await withText(sides, isKnown, touch), touch);
  if (byText) return among([byText]);
  const stood = byPlace.find((symbols) => symbols.length > 0);
  if (stood) return among(stood);
  return texts.includes(NO_TEXT_KNOWN) ? [] : sinceBrought(sides, { touch, last, isGone }, isKnown);
}

/** What the diff brought with the text of the link, and has changed or removed since then, as a branch does in several commits. */
async function sinceBrought(
  sides: DiffSides,
  { touch, last, isGone }: Pick<MemoryOnSymbol, 'touch' | 'last' | 'isGone'>,
  isKnown: IsKnown,
): Promise<ChangedSymbol[]> {
  const theirs = new Set(textsBeside(touch));
  const texts = acceptedTexts(touch);
  for (const place of last ? [last, touch] : [touch]) {
    const file = sides.arrived(place.file_path);
    if (!file || !(await isKnownBefore(sides, file, place))) continue;
    const named = likeNamed(await sides.after(file), place);
    if (named.some(isKnown)) return [];
    const changed = named.find(({ hash }) => !theirs.has(hash));
    const { file_path, code_type, name } = touch;
    if (!changed) continue;
    const renamed = await renamedFrom(sides, file, 'after', { ...touch, texts });
    if (renamed.includes(changed) || !(await sides.isJudged(file, code_type))) return [];
    return [{ verdict: 'changed', was: { file_path, code_type, name }, now: placeOf(changed) }];
  }
  // What the working files have is not staged yet.
  return isGone ? goneSinceBrought(sides, touch) : [];
}

async function goneSinceBrought(
  sides: DiffSides,
  { file_path, code_type, name, commit }: Touch,
): Promise<ChangedSymbol[]> {
  const file = sides.arrived(file_path) ?? sides.changed(file_path);
  if (!file || !(await isKnownBefore(sides, file, { file_path, code_type, name }))) return [];
  if (!(await sides.isJudged(file, code_type)) || !(await sides.isWithin(commit, file_path))) return [];
  return [{ verdict: 'gone', was: { file_path, code_type, name }, now: null }];
}

/** Of what is left out, or stood behind a filter as the name of its text, nobody knows what was in it. */
async function isKnownBefore(sides: DiffSides, file: ChangedFile, { code_type }: SymbolPlace): Promise<boolean> {
  if (file.old_path === undefined) return true;
  const stood = await sides.before(file);
  return stood.some((one) => one.code_type !== FILE_TYPE) && sides.isJudged(file, code_type);
}

/** Whether it stood before the diff, where `changesOf` looks for it, with a text that the link accepts. */
export async function stoodAsLinked(
  sides: DiffSides,
  { touch, last }: Pick<MemoryOnSymbol, 'touch' | 'last'>,
): Promise<boolean> {
  const texts = acceptedTexts(touch);
  const isKnown = (symbol: CodeSymbol): boolean => accepts(texts, symbol);
  for (const place of [touch, ...placesBefore(sides, last)]) {
    if ((await stoodAt(sides, place)).some(isKnown)) return true;
  }
  return onlyOne(await withText(sides, isKnown, touch), touch) !== undefined;
}

/** Whether the revision asked about has it by now as a link accepts it: the diff is about to meet it there. */
export async function standsThere(sides: DiffSides, { touch }: Pick<MemoryOnSymbol, 'touch'>): Promise<boolean> {
  const texts = acceptedTexts(touch);
  return likeNamed(await sides.theirs(touch.file_path), touch).some((one) => accepts(texts, one));
}

/** A place as it was before the diff, by the names that its file had. */
function placesBefore(sides: DiffSides, last: SymbolPlace | undefined): SymbolPlace[] {
  const old = last && sides.arrived(last.file_path)?.old_path;
  return last ? [last, ...(old === undefined ? [] : [{ ...last, file_path: old }])] : [];
}

async function stoodAt(sides: DiffSides, place: SymbolPlace): Promise<CodeSymbol[]> {
  return likeNamed(await sides.stood(place.file_path), place);
}

function likeNamed(symbols: readonly CodeSymbol[], place: SymbolPlace): CodeSymbol[] {
  const named = place.code_type === FILE_TYPE ? symbols : namedIn(symbols, place.name);
  return named.filter((one) => isNamed(one, place));
}

function isNamed({ code_type, name }: CodeSymbol, place: SymbolPlace): boolean {
  return code_type === place.code_type && (code_type === FILE_TYPE || name === place.name);
}

async function withText(sides: DiffSides, isKnown: IsKnown, touch: Touch): Promise<readonly CodeSymbol[]> {
  const found: CodeSymbol[] = [];
  for (const file of sides.files) {
    found.push(
      ...(await sides.before(file)).filter((one) => isKnown(one) && isSameSort(one.code_type, touch.code_type)),
    );
  }
  const own = found.length === 0 ? sides.changed(touch.file_path) : undefined;
  return own ? renamedFrom(sides, own, 'before', { ...touch, texts: acceptedTexts(touch) }) : found;
}

/** Those on a side of a file that are the same but for the name, which other things in them have, too. */
async function renamedFrom(
  sides: DiffSides,
  file: ChangedFile,
  side: 'before' | 'after',
  was: SymbolPlace & { readonly texts: readonly string[] },
): Promise<readonly CodeSymbol[]> {
  const all = await sides[side](file);
  if (was.code_type === FILE_TYPE || namedIn(all, was.name).length > 0) return [];
  const found = await sides.renamed(file, side, formerName(was, was.texts));
  return found.filter((one) => !isOtherValue(one, was));
}

/** The hash of what a link follows by its name alone. */
export const NO_TEXT_KNOWN = '?';

type IsKnown = (symbol: CodeSymbol) => boolean;

/** What is known of the symbol of a link. */
interface Known extends Pick<MemoryOnSymbol, 'touch' | 'stands'> {
  readonly isKnown: IsKnown;
}

async function changesAmong(sides: DiffSides, olds: readonly CodeSymbol[], known: Known): Promise<ChangedSymbol[]> {
  const found: ChangedSymbol[] = [];
  for (const old of olds) {
    const file = sides.changed(old.file_path);
    if (file) found.push(...(await changesIn(sides, file, old, known)));
  }
  return found;
}

/** What the diff did to a symbol that stood in a changed file, and the overloads that it got; none where it did nothing to it. */
async function changesIn(sides: DiffSides, file: ChangedFile, old: CodeSymbol, known: Known): Promise<ChangedSymbol[]> {
  const { isKnown, touch } = known;
  const was = { file_path: old.file_path, code_type: old.code_type, name: old.name };
  const changed = (now: CodeSymbol): ChangedSymbol => ({ verdict: 'changed', was, now: placeOf(now) });
  const isFile = old.code_type === FILE_TYPE;
  const olds = likeNamed(await sides.before(file), old);
  const news = (await sides.after(file)).filter(({ code_type }) => (code_type === FILE_TYPE) === isFile);
  const elsewhere = isFile ? undefined : await followedTo(sides, file, old, known);
  if (elsewhere) {
    const isSame = isKnown(elsewhere) || elsewhere.hash === old.hash;
    return isSame || (await movedTo(sides, file, old, news)) === elsewhere ? [] : [changed(elsewhere)];
  }
  const named = namedAs(news, old);
  const same = named.filter(({ hash }) => hash === old.hash);
  // One of several of this name (overloads) that is there no more, while the others stay as they were.
  const { rewritten, added } = await rewrittenAmong(sides, file, old, { olds, named });
  const theirs = new Set(textsBeside(touch));
  const fresh = (isForAll(touch) ? added : []).filter(
    (one) => one.code_type === old.code_type && !isKnown(one) && !theirs.has(one.hash),
  );
  const more = fresh.length === 0 ? fresh : withTheOthers(fresh, named, await sides.textOf(file, 'after'));
  const twins = olds.filter(({ hash }) => hash === old.hash);
  if (same.length > 0 && !(rewritten && same.length < twins.length)) return more.map(changed);
  // One of several of its name is there no more, and the others are as they were.
  const now = rewritten ?? (olds.length > 1 ? named[0] : undefined);
  if (now) return [...(isKnown(now) ? [] : [now]), ...more].map(changed);
  if (await movedTo(sides, file, old, news)) return [];
  // What stands in a file that is left out is not known, nor what had which name where that takes too long to find out.
  if (!(await sides.isJudged(file, old.code_type))) return [];
  const renamed = isFile ? undefined : await rewrittenAs(sides, file, old);
  if (!renamed) return [{ verdict: 'gone', was, now: null }];
  // Somebody has confirmed it since it was rewritten.
  return isKnown(renamed) ? [] : [changed(renamed)];
}

/** What an overload is after the diff; of one that is one of several with its text, what none of them was. */
async function rewrittenAmong(
  sides: DiffSides,
  file: ChangedFile,
  old: CodeSymbol,
  { olds, named }: Readonly<Record<'olds' | 'named', readonly CodeSymbol[]>>,
): Promise<{ readonly rewritten: CodeSymbol | undefined; readonly added: readonly CodeSymbol[] }> {
  const lost = olds.filter(({ hash }) => !named.some((one) => one.hash === hash));
  const free = named.filter(({ hash }) => !olds.some((one) => one.hash === hash));
  const after = lost.length * free.length > 1 ? await comparedAfter(sides, file) : undefined;
  const former = (was: CodeSymbol) => sides.former(file, was);
  const became = await allBecame({ lost, free }, { former, comparedAt: () => after });
  const one = lost.find(({ start_line, hash }) => start_line === old.start_line && hash === old.hash);
  const taken = new Set(became.values());
  return { rewritten: one ? became.get(one) : free[0], added: free.filter((now) => !taken.has(now)) };
}

/**
 * Where the working files have it, when that is not its own name in its own file: from commit to commit more can be told than
 * by two texts. What is only there, and not in the index that is asked about, tells nothing, and neither does a twin that
 * stood there before.
 */
async function followedTo(
  sides: DiffSides,
  { new_path }: ChangedFile,
  old: CodeSymbol,
  { isKnown, touch, stands }: Known,
): Promise<CodeSymbol | undefined> {
  if (!stands || (stands.file_path === new_path && stands.name === old.name)) return undefined;
  const there = likeNamed(await sides.stands(stands.file_path), stands);
  const theirs = new Set(textsBeside(touch));
  const found =
    there.find((one) => isKnown(one) || one.hash === old.hash) ??
    there.find(({ hash }) => !theirs.has(hash)) ??
    there[0];
  if (!found) return undefined;
  const stood = await sides.stood(await sides.origin(stands.file_path));
  const isTwin = ({ file_path, name, hash }: CodeSymbol): boolean =>
    (file_path !== old.file_path || name !== old.name) && (name === found.name || hash === found.hash);
  return stood.some(isTwin) ? undefined : found;
}

/** The one place where the diff put this text: in its own file under another name, else in another one. */
async function movedTo(
  sides: DiffSides,
  file: ChangedFile,
  old: CodeSymbol,
  news: readonly CodeSymbol[],
): Promise<CodeSymbol | undefined> {
  // A twin that stood there before is not where it went.
  const stood = await sides.before(file);
  const here = news.filter(
    (now) =>
      now.hash === old.hash &&
      !isOtherValue(now, old) &&
      !stood.some((one) => one.name === now.name && one.hash === now.hash),
  );
  if (here.length > 0) return here.length === 1 ? here[0] : undefined;
  const called = await renamedFrom(sides, file, 'after', { ...old, texts: [old.hash] });
  const renamed = called.filter((now) => !stood.some((one) => one.name === now.name && one.hash === now.hash));
  if (renamed.length > 0) return renamed.length === 1 ? renamed[0] : undefined;
  const elsewhere: CodeSymbol[] = [];
  for (const other of sides.files) {
    if (other === file || other.new_path === undefined) continue;
    const arrived = (await sides.after(other)).filter(
      ({ hash, code_type }) => hash === old.hash && isSameSort(code_type, old.code_type),
    );
    if (arrived.length === 0) continue;
    const known = new Set((await sides.before(other)).map(({ hash }) => hash));
    if (!known.has(old.hash)) elsewhere.push(...arrived);
  }
  return onlyOne(elsewhere, old);
}

/** What it was rewritten to under another name, or in another file; as the working files are judged. */
async function rewrittenAs(sides: DiffSides, file: ChangedFile, old: CodeSymbol): Promise<CodeSymbol | undefined> {
  const own = await brought(sides, file, old);
  // Its class was renamed.
  const [alone, ...twins] = own.filter(({ name }) => lastOf(name) === lastOf(old.name));
  if (alone && twins.length === 0) return alone;
  const arrived: { readonly file: ChangedFile; readonly symbols: readonly CodeSymbol[] }[] = [];
  for (const other of sides.files) {
    if (other === file || other.new_path === undefined || !hasName(old)) continue;
    const symbols = (await brought(sides, other, old)).filter(({ name }) => lastOf(name) === lastOf(old.name));
    if (symbols.length > 0) arrived.push({ file: other, symbols });
  }
  const named = arrived.filter(({ symbols }) => symbols.some(({ name }) => name === old.name));
  if (named.length === 1) return named[0]?.symbols.find(({ name }) => name === old.name);
  // Several that are the same but for the name: that one of them is in its class tells nothing.
  const called = await renamedFrom(sides, file, 'after', { ...old, texts: [old.hash] });
  const symbols = own.filter((one) => !called.includes(one));
  const inOwn = await onlyRewritten(sides, { file, old }, { file, symbols });
  const [other, ...more] = arrived;
  return inOwn ?? (other && more.length === 0 ? onlyRewritten(sides, { file, old }, other) : undefined);
}

/** Those of its sort. */
async function brought(sides: DiffSides, file: ChangedFile, { code_type }: CodeSymbol): Promise<CodeSymbol[]> {
  return (await sides.brought(file)).filter((one) => isSameSort(one.code_type, code_type));
}

/** The only one of these whose text is like the old one. */
async function onlyRewritten(
  sides: DiffSides,
  { file, old }: { readonly file: ChangedFile; readonly old: CodeSymbol },
  into: { readonly file: ChangedFile; readonly symbols: readonly CodeSymbol[] },
): Promise<CodeSymbol | undefined> {
  if (into.symbols.length === 0) return undefined;
  const former = await sides.former(file, old);
  const compared = former && (await comparedAfter(sides, into.file));
  return compared && onlyAlike(former, into.symbols, compared);
}

async function comparedAfter(sides: DiffSides, file: ChangedFile): Promise<ComparedFile | undefined> {
  const [text, symbols] = [await sides.textOf(file, 'after'), await sides.after(file)];
  return text === undefined ? undefined : sides.compared(file.new_path ?? '', () => ({ text, symbols }));
}

function placeOf({ file_path, code_type, name, start_line, end_line }: CodeSymbol) {
  return { file_path, code_type, name, start_line, end_line };
}
