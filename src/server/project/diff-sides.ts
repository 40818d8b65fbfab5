import type { CodeIndex, CodeSymbol } from '../memory/touches';
import type { ChangedFile, GitDiff } from './git-diff';

/** The symbols of files before and after a diff. Nothing is read or parsed that nobody asks for. */
export interface DiffSides {
  readonly files: readonly ChangedFile[];
  before(file: ChangedFile): Promise<readonly CodeSymbol[]>;
  after(file: ChangedFile): Promise<readonly CodeSymbol[]>;
  /** What stood at a path before, whether the diff changes it or not; none where nothing did. */
  stood(path: string): Promise<readonly CodeSymbol[]>;
  /** The changed file that was at this path; undefined for what the diff leaves as it is. */
  changed(path: string): ChangedFile | undefined;
  /** The changed file that is at this path now. */
  arrived(path: string): ChangedFile | undefined;
  /** Of all symbols that stood in the changed files. */
  hashesBefore(): Promise<Set<string>>;
}

type Texts = () => Promise<ReadonlyMap<string, string>>;

export function diffSides(code: CodeIndex, diff: GitDiff): DiffSides {
  /** Parses what a side has at a path, once. */
  const symbolsOn = (readAll: Texts): ((path: string | undefined) => Promise<readonly CodeSymbol[]>) => {
    let texts: ReturnType<Texts> | undefined;
    const parsed = new Map<string, Promise<readonly CodeSymbol[]>>();
    const parse = async (path: string): Promise<readonly CodeSymbol[]> => {
      texts ??= readAll();
      const text = (await texts).get(path);
      return text === undefined ? [] : code.inFile(path, text);
    };
    return async (path) => {
      if (path === undefined) return [];
      const symbols = parsed.get(path) ?? parse(path);
      parsed.set(path, symbols);
      return symbols;
    };
  };
  const before = symbolsOn(() => diff.before());
  const after = symbolsOn(() => diff.after());
  const unchanged = new Map<string, Promise<readonly CodeSymbol[]>>();
  const readUnchanged = async (path: string): Promise<readonly CodeSymbol[]> => {
    const text = (await diff.unchanged([path])).get(path);
    return text === undefined ? [] : code.inFile(path, text);
  };
  const olds = byPath(diff.files, ({ old_path }) => old_path);
  const news = byPath(diff.files, ({ new_path }) => new_path);
  return {
    files: diff.files,
    before: ({ old_path }) => before(old_path),
    after: ({ new_path }) => after(new_path),
    changed: (path) => olds.get(path),
    arrived: (path) => news.get(path),
    async stood(path) {
      if (olds.has(path)) return before(path);
      if (news.has(path)) return [];
      const symbols = unchanged.get(path) ?? readUnchanged(path);
      unchanged.set(path, symbols);
      return symbols;
    },
    async hashesBefore() {
      const hashes = new Set<string>();
      for (const file of diff.files) for (const { hash } of await before(file.old_path)) hashes.add(hash);
      return hashes;
    },
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
