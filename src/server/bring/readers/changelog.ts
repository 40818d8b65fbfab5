/**
 * Changelogs in the form of Keep a Changelog (https://keepachangelog.com), and as changesets and the tools for conventional
 * commits (https://www.conventionalcommits.org) write them.
 */
import type { MemoryKind } from '../../../kinds/kinds';
import type { Draft } from '../../memory/transfer/draft';
import { dateOf, fitContent, hashOfFiles, MAX_NAMES } from '../fit';
import { isThere, readFiles } from '../look';
import { codeIn, type Part, pageOf, partsOf, statementsOf } from '../markdown';
import type { SourceReader } from '../source-reader';

interface Section {
  readonly kind: MemoryKind;
  /** What an entry of it says of a version: "Fixed in 1.2.0". */
  readonly was: string;
}

const FILES = ['CHANGELOG.md', 'docs/CHANGELOG.md', 'changelog.md'];
/** What was added is there to see; what was changed, taken away or mended often is not. */
const SECTIONS: Readonly<Record<string, Section>> = {
  changed: { kind: 'decision', was: 'Changed' },
  removed: { kind: 'decision', was: 'Removed' },
  deprecated: { kind: 'decision', was: 'Deprecated' },
  fixed: { kind: 'outcome', was: 'Fixed' },
  security: { kind: 'outcome', was: 'Security' },
  'major changes': { kind: 'decision', was: 'Breaking' },
  'breaking changes': { kind: 'decision', was: 'Breaking' },
  'patch changes': { kind: 'outcome', was: 'Patched' },
  'bug fixes': { kind: 'outcome', was: 'Fixed' },
  'performance improvements': { kind: 'outcome', was: 'Faster' },
  reverts: { kind: 'outcome', was: 'Reverted' },
};
/** `1.2.0`, `[1.2.0]`, `v1.2`, and behind a name: `Cargo 1.65`, `Version 1.2.0`. */
const VERSION = /^(?:[a-z@][\w@/.-]* )?\[?v?(\d+\.\d+[\w.+-]*)\]?/i;
const DATE = /\d{4}-\d{2}-\d{2}/;
/** Of the newest versions. Older ones are long past. */
const MAX_VERSIONS = 20;

export const changelog: SourceReader = {
  name: 'changelog',
  detect: ({ root }) => FILES.filter((path) => isThere(root, path)).slice(0, 1),
  read: ({ root }, path) => {
    const { files, unread } = readFiles(root, [path]);
    return { name: path, hash: hashOfFiles(files), drafts: files.flatMap(({ text }) => draftsOf(text)), unread };
  },
};

/** Only of versions that are out: what is not may still change. */
function draftsOf(text: string): Draft[] {
  let version: { readonly name: string; readonly date: string | undefined } | undefined;
  let versions = 0;
  return partsOf(pageOf(text).body).flatMap((part): Draft[] => {
    const name = part.depth <= 3 ? VERSION.exec(part.title)?.[1] : undefined;
    if (name !== undefined || part.depth <= 2) {
      version = name === undefined ? undefined : { name, date: dateOf(DATE.exec(part.title)?.[0]) };
      if (version) versions += 1;
    }
    const section = part.depth === 3 ? SECTIONS[wordsOf(part.title)] : undefined;
    return version && section && versions <= MAX_VERSIONS ? entriesOf(part, section, version) : [];
  });
}

/** Tools put signs before them. */
function wordsOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .trim();
}

function entriesOf(part: Part, { kind, was }: Section, version: { name: string; date: string | undefined }): Draft[] {
  return statementsOf(part.body)
    .map(withoutReferences)
    .filter((statement) => statement !== '' && !UPDATES.test(statement))
    .map((statement) => ({
      kind,
      content: fitContent(`${was} in ${version.name}: ${statement}`),
      entities: codeIn(statement).slice(0, MAX_NAMES),
      valid_from: version.date,
    }));
}

/** Lines of changesets about the versions of other packages: `Updated dependencies [abc1234]`, `@shop/total@1.0.1`. */
const UPDATES = /^updated dependencies\b|^@?[\w./-]{1,214}@\d[\w.+-]*$/i;
/** `abc1234: `, as changesets put it before an entry. */
const COMMIT = /^[0-9a-f]{7,40}: /;
/** ` ([abc1234](…)), closes [#12](…)` and ` abc1234`, as tools for conventional commits put them behind one. */
const BEHIND = /(?: \(?\[?[0-9a-f]{7,40}(?:\]\([^()\s]{1,300}\))?\)?)?(?:, closes [^\n]{1,300})?$/;

/** Without the commits and people, which are no part of what is said. */
function withoutReferences(statement: string): string {
  const [first = '', ...more] = statement.split('\n');
  const own = withoutThanks(first)
    .replace(COMMIT, '')
    .replace(/^\*\*([^*\n]{1,100}:)\*\*/, '$1');
  return [own.replace(BEHIND, ''), ...more].join('\n');
}

/** `[#12](…) [`abc1234`](…) Thanks [@ada](…)! - Carts are kept`, as changesets have it. */
function withoutThanks(line: string): string {
  const end = line.slice(0, 1_000).indexOf('! - ');
  return line.startsWith('[') && /\bthanks\b/i.test(line.slice(0, Math.max(end, 0))) ? line.slice(end + 4) : line;
}
