/** The database of claude-mem: what it observed in sessions of Claude Code, and what it sums them up to. */
import { createHash } from 'node:crypto';
import { basename, isAbsolute, join, relative } from 'node:path';
import type { MemoryKind } from '../../../kinds/kinds';
import { timestamp } from '../../base/clock';
import { leadsOut } from '../../base/project-path';
import { oneLine } from '../../base/text';
import { type ForeignRow, readForeignRows } from '../../db/foreign-rows';
import type { Draft } from '../../memory/transfer/draft';
import { fitContent, fitRationale, MAX_DRAFTS, MAX_NAMES } from '../fit';
import { isThere } from '../look';
import { codeIn } from '../markdown';
import type { SourceReader } from '../source-reader';

const FOLDER = '.claude-mem';
const FILE = 'claude-mem.db';

/** What it calls a choice, a mistake that was mended and so on. What it marks as sensitive is nobody's to pass on. */
const KINDS: Readonly<Record<string, MemoryKind>> = {
  decision: 'decision',
  bugfix: 'outcome',
  feature: 'outcome',
  refactor: 'outcome',
  change: 'outcome',
  discovery: 'fact',
  security_alert: 'fact',
  security_note: 'fact',
};

/** It knows a project by the name of its folder alone. */
export const claudeMem: SourceReader = {
  name: 'claude-mem',
  detect: ({ root, home }) =>
    isThere(join(home, FOLDER), FILE) ? [`~/${FOLDER}/${FILE}, project ${oneLine(basename(root))}`] : [],
  async read({ root, home, signal }, name) {
    const where = { column: 'project', text: basename(root) };
    const newest = { where, newestBy: 'created_at_epoch', most: MAX_DRAFTS };
    const [observed = [], sums = []] = await readForeignRows(
      join(home, FOLDER, FILE),
      [
        {
          ...{ table: 'observations', ...newest },
          columns: [
            ...['type', 'title', 'subtitle', 'facts', 'narrative', 'text'],
            ...['files_read', 'files_modified', 'created_at_epoch'],
          ],
        },
        {
          ...{ table: 'session_summaries', ...newest },
          columns: ['request', 'learned', 'completed', 'files_edited', 'created_at_epoch'],
        },
      ],
      signal,
    );
    const drafts = [
      ...observed.flatMap((row) => observation(row, root)),
      ...sums.flatMap((row) => summary(row, root)),
    ].sort((a, b) => ((a.valid_from ?? '') < (b.valid_from ?? '') ? -1 : 1));
    const hash = createHash('sha256')
      .update(JSON.stringify([observed, sums]))
      .digest('hex');
    // The newest ones where there are too many.
    return { name, hash, drafts: drafts.slice(-MAX_DRAFTS), unread: [] };
  },
};

function observation(row: ForeignRow, root: string): Draft[] {
  const kind = KINDS[textOf(row, 'type')];
  const title = textOf(row, 'title');
  if (kind === undefined || title === '') return [];
  const subtitle = textOf(row, 'subtitle');
  const told = textOf(row, 'narrative') || listOf(row, 'facts').join(' ') || textOf(row, 'text');
  const isChoice = kind === 'decision';
  return [
    {
      kind,
      content: fitContent([title, isChoice ? subtitle : told || subtitle].filter((part) => part !== '').join(': ')),
      ...(isChoice ? { rationale: fitRationale(told) } : {}),
      entities: named(root, [...listOf(row, 'files_modified'), ...listOf(row, 'files_read')], told),
      valid_from: momentOf(row),
    },
  ];
}

function summary(row: ForeignRow, root: string): Draft[] {
  const [request, completed, learned] = ['request', 'completed', 'learned'].map((column) => textOf(row, column));
  const base = { entities: named(root, listOf(row, 'files_edited'), completed ?? ''), valid_from: momentOf(row) };
  return [
    ...(completed ? [{ ...base, kind: 'outcome' as const, content: fitContent([request, completed].join(': ')) }] : []),
    ...(learned ? [{ ...base, kind: 'fact' as const, content: fitContent(learned) }] : []),
  ];
}

function textOf(row: ForeignRow, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value.trim() : '';
}

/** A list of texts in JSON. */
function listOf(row: ForeignRow, column: string): string[] {
  try {
    const list: unknown = JSON.parse(textOf(row, column) || '[]');
    return Array.isArray(list) ? list.filter((one): one is string => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Files of this project, and what stands in backticks. */
function named(root: string, files: readonly string[], told: string): string[] {
  const paths = files.flatMap((file) => {
    const path = (isAbsolute(file) ? relative(root, file) : file).replaceAll('\\', '/').replace(/^\.\//, '');
    return path === '' || leadsOut(path) ? [] : [path];
  });
  return [...new Set([...paths, ...codeIn(told)])].slice(0, MAX_NAMES);
}

function momentOf(row: ForeignRow): string | undefined {
  const ms = row.created_at_epoch;
  // What is no day of a calendar is no date.
  return typeof ms === 'number' && ms > 0 && ms < 8.64e15 ? timestamp(Math.trunc(ms)) : undefined;
}
