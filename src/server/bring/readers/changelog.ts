/** Changelogs in the form of Keep a Changelog (https://keepachangelog.com). */
import type { MemoryKind } from '../../../kinds/kinds';
import type { Draft } from '../../memory/transfer/draft';
import { dateOf, fitContent, hashOfFiles, MAX_NAMES } from '../fit';
import { isThere, readFiles } from '../look';
import { codeIn, type Part, pageOf, partsOf, statementsOf } from '../markdown';
import type { SourceReader } from '../source-reader';

const FILES = ['CHANGELOG.md', 'docs/CHANGELOG.md', 'changelog.md'];
/** What was added is there to see; what was changed, taken away or mended often is not. */
const KINDS: Readonly<Record<string, MemoryKind>> = {
  changed: 'decision',
  removed: 'decision',
  deprecated: 'decision',
  fixed: 'outcome',
  security: 'outcome',
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
    if (part.depth <= 2) {
      const name = VERSION.exec(part.title)?.[1];
      version = name === undefined ? undefined : { name, date: dateOf(DATE.exec(part.title)?.[0]) };
      if (version) versions += 1;
    }
    const kind = part.depth === 3 ? KINDS[part.title.toLowerCase()] : undefined;
    if (!version || kind === undefined || versions > MAX_VERSIONS) return [];
    return entriesOf(part, kind, version);
  });
}

function entriesOf(part: Part, kind: MemoryKind, version: { name: string; date: string | undefined }): Draft[] {
  return statementsOf(part.body).map((statement) => ({
    kind,
    content: fitContent(`${part.title} in ${version.name}: ${statement}`),
    entities: codeIn(statement).slice(0, MAX_NAMES),
    valid_from: version.date,
  }));
}
