/** Finds the symbols with memories that a diff changes. */
import type { ChangedFile } from '../git/diff';
import type { MemoryOnSymbol, SymbolPlace } from '../memory/code/memories-around-diff';
import { type CodeSymbol, type Doubtful, textsBeside } from '../memory/code/touches';
import type { DiffSides } from './diff-sides';
import { isSameSort, onlyOne } from './locate-symbols';
import { FILE_TYPE } from './working-files';

/** A symbol with memories that a change moves, changes or removes. */
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
 * What a diff did to the symbol of an edge. Its symbol before the diff is the one that stood where the edge is, with a
 * text that the edge knows; else one that stood where it has been (a build may have followed this very diff); else what
 * stood there with another text; else the one place in the diff where its text stood.
 * @returns an empty list when the diff left the symbol alone; several changes for overloads that look the same
 */
export async function changesOf(
  sides: DiffSides,
  { touch, moved, before }: Pick<MemoryOnSymbol, 'touch' | 'moved' | 'before'>,
): Promise<ChangedSymbol[]> {
  // Kept on what the diff brings: stored or confirmed after the change.
  if (!moved && (await standsAfter(sides, touch))) return [];
  const isKnown = ({ hash }: CodeSymbol): boolean => hash === touch.hash || hash === touch.seen;
  const here = await stoodAt(sides, touch);
  if (here.some(isKnown)) return changesAmong(sides, here.filter(isKnown).slice(0, 1));
  const theirs = new Set(textsBeside(touch).flat());
  const rewritten = here.filter(({ hash }) => !theirs.has(hash));
  const byPlace: CodeSymbol[][] = [];
  for (const place of before) byPlace.push(await stoodAt(sides, place));
  const left = byPlace.map((symbols) => symbols.find(isKnown)).find((symbol) => symbol !== undefined);
  if (left || rewritten.length > 0) {
    const ofLeft = left ? await changesAmong(sides, [left]) : [];
    return ofLeft.length > 0 ? ofLeft : changesAmong(sides, rewritten);
  }
  const byText = onlyOne(await withText(sides, isKnown, touch), touch);
  if (byText) return changesAmong(sides, [byText]);
  return changesAmong(sides, byPlace.find((symbols) => symbols.length > 0) ?? []);
}

/** The diff puts exactly what the edge was made on where the edge is. */
async function standsAfter(sides: DiffSides, touch: MemoryOnSymbol['touch']): Promise<boolean> {
  const file = sides.arrived(touch.file_path);
  if (!file) return false;
  return (await sides.after(file)).some((one) => isNamed(one, touch) && one.hash === touch.hash);
}

async function stoodAt(sides: DiffSides, place: SymbolPlace): Promise<CodeSymbol[]> {
  return (await sides.stood(place.file_path)).filter((one) => isNamed(one, place));
}

function isNamed({ code_type, name }: CodeSymbol, place: SymbolPlace): boolean {
  return code_type === place.code_type && (code_type === FILE_TYPE || name === place.name);
}

async function withText(
  sides: DiffSides,
  isKnown: (symbol: CodeSymbol) => boolean,
  { code_type }: SymbolPlace,
): Promise<CodeSymbol[]> {
  const found: CodeSymbol[] = [];
  for (const file of sides.files) {
    found.push(...(await sides.before(file)).filter((one) => isKnown(one) && isSameSort(one.code_type, code_type)));
  }
  return found;
}

async function changesAmong(sides: DiffSides, olds: readonly CodeSymbol[]): Promise<ChangedSymbol[]> {
  const found: ChangedSymbol[] = [];
  for (const old of olds) {
    const file = sides.changed(old.file_path);
    const change = file && (await changeOf(sides, file, old));
    if (change) found.push(change);
  }
  return found;
}

/** What the diff did to a symbol that stood in a changed file; undefined when it did nothing to it. */
async function changeOf(sides: DiffSides, file: ChangedFile, old: CodeSymbol): Promise<ChangedSymbol | undefined> {
  const isFile = old.code_type === FILE_TYPE;
  const olds = (await sides.before(file)).filter((one) => isNamed(one, old));
  const news = (await sides.after(file)).filter(({ code_type }) => isSameSort(code_type, old.code_type));
  const was = { file_path: old.file_path, code_type: old.code_type, name: old.name };
  const named = news.filter((one) => isFile || (one.name === old.name && one.code_type === old.code_type));
  const same = named.filter(({ hash }) => hash === old.hash);
  // One of several of this name (overloads) that is there no more, while the others stay as they were.
  const rewritten = named.find(({ hash }) => !olds.some((one) => one.hash === hash));
  const twins = olds.filter(({ hash }) => hash === old.hash);
  const [first] = same;
  if (first && !(rewritten && same.length < twins.length)) {
    return first.file_path === old.file_path ? undefined : { verdict: 'moved', was, now: placeOf(first) };
  }
  if (rewritten) return { verdict: 'changed', was, now: placeOf(rewritten) };
  // What stands in a file that is left out is not known.
  if (!(await sides.isJudged(file, old.code_type))) return undefined;
  const moved = await movedTo(sides, file, old, news);
  return moved ? { verdict: 'moved', was, now: placeOf(moved) } : { verdict: 'gone', was, now: null };
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
    ({ hash, name }) => hash === old.hash && !stood.some((one) => one.name === name && one.hash === hash),
  );
  if (here.length > 0) return here.length === 1 ? here[0] : undefined;
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

function placeOf({ file_path, code_type, name, start_line, end_line }: CodeSymbol) {
  return { file_path, code_type, name, start_line, end_line };
}
