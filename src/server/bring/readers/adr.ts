/** Records of architecture decisions, one a file. */
import { basename, posix } from 'node:path';
import { shownPath } from '../../base/text';
import type { Draft } from '../../memory/transfer/draft';
import type { Adr } from '../adr/adr';
import { readAdr, whyNoAdr } from '../adr/read-adr';
import { hashOfFiles, MAX_NAMES } from '../fit';
import { type FoundFile, isThere, pathsIn, readFiles } from '../look';
import { codeIn } from '../markdown';
import type { SourceReader } from '../source-reader';

/** Where adr-tools, MADR and log4brains put them. */
const FOLDERS = [
  'docs/adr',
  'docs/decisions',
  'docs/architecture/decisions',
  'docs/adrs',
  'doc/adr',
  'adr',
  'decisions',
];
/** Records begin with a number or a day. */
const IS_NUMBERED = /^(?:adr[-_ ]?)?\d/i;
/** Pages about the records, where somebody gave them a number. */
const IS_PAGE = /^\d+[-_](?:adr[-_])?(?:readme|index|template)\.\w+$/i;
/** adr-tools names another folder here. */
const NAMED_IN = '.adr-dir';

export const adr: SourceReader = {
  name: 'adr',
  detect: ({ root }) => foldersOf(root).filter((folder) => recordsIn(root, folder).length > 0),
  read: ({ root }, folder) => {
    const { files, unread } = readFiles(root, recordsIn(root, folder));
    const read = withoutSuccessor(
      folder,
      files.map(({ path, text }) => ({ path, text, record: readAdr(text) })),
    );
    const records = read.flatMap(({ record, ...file }) =>
      record && whyNotKept(record) === undefined ? [{ ...file, record }] : [],
    );
    const left = read.flatMap((file) => {
      const why = whyLeft(file);
      return why === undefined ? [] : [`${shownPath(file.path)} ${why}`];
    });
    const pathOf = pathsByName(
      folder,
      records.map(({ path }) => path),
    );
    const drafts = records.map(({ path, text, record }): Draft => {
      const older = records.flatMap((other) =>
        other.record.status.is === 'superseded' && other.record.status.by.some((by) => pathOf(by) === path)
          ? [other.path]
          : [],
      );
      const supersedes = [...older, ...record.supersedes.flatMap((name) => pathOf(name) ?? [])];
      return draftOf(
        path,
        text,
        record,
        [...new Set(supersedes)].filter((one) => one !== path),
      );
    });
    return { name: folder, hash: hashOfFiles(files), drafts, unread: [...unread, ...left] };
  },
};

type ReadFile = FoundFile & { readonly record: Adr | undefined };

/** What was superseded by a record that is not there, or that is not decided yet, was given up all the same. */
function withoutSuccessor(folder: string, read: readonly ReadFile[]): ReadFile[] {
  const decided = read.flatMap(({ path, record }) => (record && record.status.is !== 'undecided' ? [path] : []));
  const pathOf = pathsByName(folder, decided);
  return read.map((file) => {
    const { path, record } = file;
    if (record?.status.is !== 'superseded') return file;
    const isFollowed = record.status.by.some((by) => ![undefined, path].includes(pathOf(by)));
    return isFollowed ? file : { ...file, record: { ...record, status: { is: 'deprecated' } } };
  });
}

/** Nothing for what is brought, and for pages that do not look like records. */
function whyLeft({ path, text, record }: ReadFile): string | undefined {
  const name = basename(path);
  if (IS_PAGE.test(name)) return undefined;
  return record ? whyNotKept(record) : whyNoAdr(text, IS_NUMBERED.test(name));
}

/** What is not decided yet is no decision; what was given up at no known time would stand as if it were true. */
function whyNotKept({ status, valid_from, valid_until }: Adr): string | undefined {
  if (status.is === 'undecided') return 'is not decided yet';
  const isUndated = (valid_until ?? valid_from) === undefined;
  return status.is === 'deprecated' && isUndated ? 'was given up, and has no date' : undefined;
}

function foldersOf(root: string): string[] {
  const named = readFiles(root, isThere(root, NAMED_IN) ? [NAMED_IN] : []).files[0]?.text.trim() ?? '';
  const isInside = named !== '' && named.length < 200 && !named.includes('..') && !posix.isAbsolute(named);
  return [...new Set([...(isInside ? [posix.normalize(named).replace(/\/$/, '')] : []), ...FOLDERS])];
}

function recordsIn(root: string, folder: string): string[] {
  return pathsIn(root, folder, /^(?!readme|index|template|adr-template).*\.(?:md|markdown)$/i);
}

/** By the name of a file, with or without its folder, or by its number. */
function pathsByName(folder: string, paths: readonly string[]): (name: string) => string | undefined {
  const byFile = new Map(paths.map((path) => [basename(path), path]));
  const byNumber = new Map(
    [...paths].reverse().flatMap((path) => {
      const number = /\d+/.exec(basename(path))?.[0];
      return number === undefined ? [] : [[Number(number), path] as const];
    }),
  );
  return (name) =>
    /^\d+$/.test(name) ? byNumber.get(Number(name)) : byFile.get(posix.basename(posix.join(folder, name)));
}

function draftOf(path: string, text: string, record: Adr, supersedes: readonly string[]): Draft {
  const { content, rationale, alternatives_rejected, valid_from, confidence, id, status } = record;
  const names = id === undefined ? [path, ...codeIn(text)].slice(0, MAX_NAMES) : record.about;
  return {
    ...{ kind: 'decision', rationale, alternatives_rejected, valid_from, confidence, id, supersedes, anchor: path },
    content: status.is === 'rejected' ? `Rejected: ${content}` : content,
    entities: names,
    valid_until: record.valid_until ?? (status.is === 'deprecated' ? valid_from : undefined),
  };
}
