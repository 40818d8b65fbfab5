/** Records of architecture decisions, one a file. */
import { basename, posix } from 'node:path';
import { shownPath } from '../../base/text';
import type { Draft } from '../../memory/transfer/draft';
import { readAdr, whyNoAdr } from '../adr/read-adr';
import { type KeptRecord, keptRecords, type ReadFile } from '../adr/successors';
import { turnedDown } from '../adr/told';
import { hashOfFiles, MAX_NAMES } from '../fit';
import { isThere, pathsIn, readFiles } from '../look';
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
    const read = files.map((file) => ({ ...file, record: readAdr(file.text) }));
    const kept = keptRecords(folder, read);
    const brought = new Set(kept.map(({ path }) => path));
    const left = read.flatMap((file) => {
      const why = brought.has(file.path) ? undefined : whyLeft(file);
      return why === undefined ? [] : [`${shownPath(file.path)} ${why}`];
    });
    return { name: folder, hash: hashOfFiles(files), drafts: kept.map(draftOf), unread: [...unread, ...left] };
  },
};

/** Nothing for pages that do not look like records. */
function whyLeft({ path, text, record }: ReadFile): string | undefined {
  const name = basename(path);
  if (IS_PAGE.test(name)) return undefined;
  if (!record) return whyNoAdr(text, IS_NUMBERED.test(name));
  if (record.status.is === 'undecided') return 'is not decided yet';
  return `was ${record.status.is === 'deprecated' ? 'given up' : 'superseded'}, and has no date`;
}

function foldersOf(root: string): string[] {
  const named = readFiles(root, isThere(root, NAMED_IN) ? [NAMED_IN] : []).files[0]?.text.trim() ?? '';
  const isInside = named !== '' && named.length < 200 && !named.includes('..') && !posix.isAbsolute(named);
  return [...new Set([...(isInside ? [posix.normalize(named).replace(/\/$/, '')] : []), ...FOLDERS])];
}

function recordsIn(root: string, folder: string): string[] {
  return pathsIn(root, folder, /^(?!readme|index|template|adr-template).*\.(?:md|markdown)$/i);
}

function draftOf({ path, text, record, older, newer, isOver }: KeptRecord): Draft {
  const { content, rationale, alternatives_rejected, valid_from, confidence, id, status } = record;
  const supersedes = [...older].map((one) => one.path);
  const endsByDate = status.is === 'deprecated' || (isOver && newer.size === 0);
  return {
    ...{ kind: 'decision', rationale, alternatives_rejected, valid_from, confidence, id, supersedes, anchor: path },
    content: status.is === 'rejected' ? turnedDown(content) : content,
    entities: id === undefined ? [path, ...codeIn(text)].slice(0, MAX_NAMES) : record.about,
    valid_until: record.valid_until ?? (endsByDate ? valid_from : undefined),
  };
}
