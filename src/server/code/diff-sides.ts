/** The symbols of files before and after a diff. */
import type { ChangedFile, GitDiff } from '../git/diff';
import { acceptedTexts } from '../memory/code/accepted-texts';
import type { MemoryOnSymbol } from '../memory/code/memories-around-diff';
import type { FormerName } from '../memory/code/renamed-symbol';
import type { CodeIndex, CodeSymbol, SymbolPlace, Touch } from '../memory/code/touches';
import { type ComparedFiles, comparedFiles, type FormerText } from './most-alike';
import { aroundIn, linesAmong, namedIn } from './parts-of-file';
import { formerName, type Renamed, renamedSymbols } from './renamed-symbols';
import { FILE_TYPE } from './working-files';

/** The symbols of files before and after a diff. A file is read and parsed only when it is asked for. */
export interface DiffSides {
  readonly files: readonly ChangedFile[];
  before(file: ChangedFile): Promise<readonly CodeSymbol[]>;
  after(file: ChangedFile): Promise<readonly CodeSymbol[]>;
  /** Those that the diff brought into a file, with names and texts that nothing there had. */
  brought(file: ChangedFile): Promise<readonly CodeSymbol[]>;
  /** The whole text of a file; undefined where there is none on that side. */
  textOf(file: ChangedFile, side: 'before' | 'after'): Promise<string | undefined>;
  /** The text of what stood in a file before; undefined where it had none. */
  former(file: ChangedFile, old: CodeSymbol): Promise<FormerText | undefined>;
  /** Files as they are after the diff, by their paths there. */
  readonly compared: ComparedFiles;
  /** Links that will be asked about: a side of a file is taken apart once for the names of all of them. */
  expect(links: readonly Link[]): void;
  /**
   * Those of the symbols on a side of a file that had this name, but for which nothing has changed. Where to find out takes
   * too long there are none, and the file is not judged.
   */
  renamed(file: ChangedFile, side: 'before' | 'after', former: FormerName): Promise<readonly CodeSymbol[]>;
  /** What stood at a path before, whether the diff changes it or not; none where nothing did. */
  stood(path: string): Promise<readonly CodeSymbol[]>;
  /** The same after the diff. */
  stands(path: string): Promise<readonly CodeSymbol[]>;
  /** What stands at a path in the revision asked about, where that went on since. */
  theirs(path: string): Promise<readonly CodeSymbol[]>;
  /** The changed file that was at this path; undefined for what the diff leaves as it is. */
  changed(path: string): ChangedFile | undefined;
  /** Whether the symbols on both sides of a file are known; a symbol of the whole file needs only its text. */
  isJudged(file: ChangedFile, codeType: string): Promise<boolean>;
  /** The changed file that is at this path now. */
  arrived(path: string): ChangedFile | undefined;
  /** Where a file was before the diff that is at this path now, as Git follows it from commit to commit. */
  origin(path: string): Promise<string>;
  /** Whether what a link of this commit is on, which did not stand there before, came with the diff. */
  isWithin: GitDiff['isWithin'];
  /** All symbols that stood in the changed files. */
  allBefore(): Promise<readonly CodeSymbol[]>;
}

type Link = Pick<MemoryOnSymbol, 'touch' | 'last'>;

/** What is known of the links that will be asked about. */
interface Expected {
  /** By the paths where they were made and where they were found last. */
  readonly byPath: Map<string, Touch[]>;
  readonly names: Set<string>;
  readonly texts: Set<string>;
}

type AskedSide = Promise<Renamed<CodeSymbol>>;

type Texts = () => Promise<ReadonlyMap<string, string>>;

/** What one side has at a path. */
interface Side {
  readonly symbols: readonly CodeSymbol[];
  /** `whole`: nothing is known but its text as a whole. */
  readonly known: 'all' | 'whole' | 'nothing';
}

const NOTHING: Side = { symbols: [], known: 'nothing' };
/** Of a file that is not on that side. */
const NONE: Side = { symbols: [], known: 'all' };

export function diffSides(code: CodeIndex, diff: GitDiff): DiffSides {
  /** Parses what a side has at a path, once. */
  const sideOf = (textsOf: Texts): ((path: string | undefined) => Promise<Side>) => {
    const parse = onceFor(async (path: string): Promise<Side> => {
      const text = (await textsOf()).get(path);
      if (text === undefined) return NOTHING;
      const symbols = await code.inFile(path, text);
      return { symbols, known: (await code.leftOut?.(path, text)) === undefined ? 'all' : 'whole' };
    });
    return async (path) => (path === undefined ? NONE : parse(path));
  };
  const oldTexts = once(() => diff.before());
  const newTexts = once(() => diff.after());
  const oldSide = sideOf(oldTexts);
  const newSide = sideOf(newTexts);
  const before = async (path: string | undefined) => (await oldSide(path)).symbols;
  const after = async (path: string | undefined) => (await newSide(path)).symbols;
  const reading = (textsAt: GitDiff['unchanged']): DiffSides['stood'] =>
    onceFor(async (path) => {
      const text = (await textsAt([path])).get(path);
      return text === undefined ? [] : code.inFile(path, text);
    });
  const inDiff = new Set(diff.files.flatMap(({ old_path }) => (old_path === undefined ? [] : [old_path])));
  // All of them are read together when the first one is asked for: each reading starts Git.
  const theirsOfDiff = once(() => diff.theirs([...inDiff]));
  const theirs: GitDiff['theirs'] = (paths) =>
    paths.every((path) => inDiff.has(path)) ? theirsOfDiff() : diff.theirs(paths);
  const unchanged = reading((paths) => diff.unchanged(paths));
  const olds = byPath(diff.files, ({ old_path }) => old_path);
  const news = byPath(diff.files, ({ new_path }) => new_path);
  const textOf: DiffSides['textOf'] = async ({ old_path, new_path }, side) =>
    side === 'before' ? (await oldTexts()).get(old_path ?? '') : (await newTexts()).get(new_path ?? '');
  const findBrought = async (file: ChangedFile): Promise<readonly CodeSymbol[]> => {
    const stood = await before(file.old_path);
    const texts = new Set(stood.map(({ hash }) => hash));
    return (await after(file.new_path)).filter(
      ({ name, hash }) => !texts.has(hash) && namedIn(stood, name).length === 0,
    );
  };
  const oldLines = onceFor(async (file: ChangedFile) => (await textOf(file, 'before'))?.split('\n'));
  const expected: Expected = { byPath: new Map(), names: new Set(), texts: new Set() };
  const notKnown = new Set<ChangedFile>();
  const renamedOn = { before: new Map<ChangedFile, AskedSide>(), after: new Map<ChangedFile, AskedSide>() };
  const openRenamed = async (file: ChangedFile, side: 'before' | 'after'): AskedSide => {
    const [stood, stands] = [await before(file.old_path), await after(file.new_path)];
    const symbols = side === 'before' ? stood : stands;
    const there = new Set(symbols.map(({ name }) => name));
    const isLost = ({ name }: SymbolPlace): boolean => !there.has(name);
    const { old_path = '', new_path = '' } = file;
    const linked = [...new Set([old_path, new_path])].flatMap((path) => expected.byPath.get(path) ?? []).filter(isLost);
    // What the diff took away is asked about with the text that it had.
    const isExpected = ({ name, hash }: CodeSymbol): boolean => expected.names.has(name) || expected.texts.has(hash);
    const former = [
      ...linked.map((touch) => formerName(touch, acceptedTexts(touch))),
      ...stood.filter((one) => isLost(one) && isExpected(one)).map((one) => formerName(one, [one.hash])),
    ];
    const path = side === 'before' ? old_path : new_path;
    return renamedSymbols({ path, textOf: () => textOf(file, side), symbols, former }, code.renamedIn);
  };
  const findOrigin = async (path: string): Promise<string> => {
    const head = code.commit?.() ?? diff.base;
    const [stepwise] = head === diff.base ? [] : ((await code.pathsAt?.(diff.base, [[head, path]])) ?? []);
    return stepwise !== undefined && stepwise !== path ? stepwise : (news.get(path)?.old_path ?? path);
  };
  return {
    files: diff.files,
    before: ({ old_path }) => before(old_path),
    after: ({ new_path }) => after(new_path),
    brought: onceFor(findBrought),
    textOf,
    async former(file, old) {
      const lines = await oldLines(file);
      const level = aroundIn(await before(file.old_path))(old).length;
      return lines && { name: old.name, text: linesAmong(lines, old), level };
    },
    compared: comparedFiles(),
    expect(links) {
      const { byPath, names, texts } = expected;
      for (const { touch, last } of links) {
        for (const text of acceptedTexts(touch)) texts.add(text);
        for (const { name } of last ? [touch, last] : [touch]) names.add(name);
        for (const path of new Set([touch.file_path, last?.file_path ?? touch.file_path])) {
          const known = byPath.get(path);
          if (known) known.push(touch);
          else byPath.set(path, [touch]);
        }
      }
    },
    async renamed(file, side, former) {
      const asked = renamedOn[side].get(file) ?? openRenamed(file, side);
      renamedOn[side].set(file, asked);
      const found = await (await asked)(former);
      if (!found) notKnown.add(file);
      return found ?? [];
    },
    changed: (path) => olds.get(path),
    async isJudged(file, codeType) {
      const { old_path, new_path } = file;
      if (notKnown.has(file) && codeType !== FILE_TYPE) return false;
      const sides = [await oldSide(old_path), await newSide(new_path)];
      return sides.every(({ known }) => known === 'all' || (known === 'whole' && codeType === FILE_TYPE));
    },
    arrived: (path) => news.get(path),
    async stood(path) {
      if (olds.has(path)) return before(path);
      return news.has(path) ? [] : unchanged(path);
    },
    async stands(path) {
      if (news.has(path)) return after(path);
      return olds.has(path) ? [] : unchanged(path);
    },
    theirs: reading(theirs),
    origin: onceFor(findOrigin),
    isWithin: (commit, path) => diff.isWithin(commit, path),
    async allBefore() {
      const all: CodeSymbol[] = [];
      for (const file of diff.files) all.push(...(await before(file.old_path)));
      return all;
    },
  };
}

function onceFor<Asked, Answer>(find: (asked: Asked) => Promise<Answer>): (asked: Asked) => Promise<Answer> {
  const known = new Map<Asked, Promise<Answer>>();
  return (asked) => {
    const answer = known.get(asked) ?? find(asked);
    known.set(asked, answer);
    return answer;
  };
}

function once(read: Texts): Texts {
  let texts: ReturnType<Texts> | undefined;
  return () => {
    texts ??= read();
    return texts;
  };
}

function byPath(
  files: readonly ChangedFile[],
  pathOf: (file: ChangedFile) => string | undefined,
): ReadonlyMap<string, ChangedFile> {
  return new Map(
    files.flatMap((file) => {
      const path = pathOf(file);
      return path === undefined ? [] : [[path, file] as const];
    }),
  );
}
