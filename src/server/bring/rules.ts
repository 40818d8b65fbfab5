/** Readers of the files in which people tell agents what to do. */
import { hashOfFiles } from './fit';
import { isThere, pathsIn, readFiles } from './look';
import { fieldList, pageOf } from './markdown';
import type { SourceName } from './source-names';
import type { SourceReader } from './source-reader';
import { kindOfRule, SHORTEST_RULE, statementDrafts } from './statements';

export interface RuleFiles {
  readonly name: SourceName;
  /** Each file is a source. */
  readonly files?: readonly string[];
  /** With what is in the folders in it. */
  readonly folder?: { readonly path: string; readonly pattern: RegExp };
  /** The field that says for which files a page holds. */
  readonly globs?: string;
}

/** One statement of such a file is one memory; a file that holds for some paths alone is about those without stars. */
export function ruleReader({ name, files = [], folder, globs = '' }: RuleFiles): SourceReader {
  return {
    name,
    detect: ({ root }) => [
      ...files.filter((path) => isThere(root, path)),
      ...(folder ? pathsIn(root, folder.path, folder.pattern, true) : []),
    ],
    read: ({ root }, path) => {
      const { files: found, unread } = readFiles(root, [path]);
      const drafts = found.flatMap(({ text }) => {
        const page = pageOf(withoutOwnBlocks(text));
        const about = fieldList(page, globs).flatMap((glob) => glob.replace(/^["']|["']$/g, '').replace(/^\.?\//, ''));
        return statementDrafts(page.body, { kindOf: kindOfRule, about: about.filter(isPath), shortest: SHORTEST_RULE });
      });
      return { name: path, hash: hashOfFiles(found), drafts, unread };
    },
  };
}

/** `src/store.ts`, and none with a star in it. */
function isPath(glob: string): boolean {
  return glob !== '' && !/[*?{}[\]!\s]/.test(glob);
}

const OWN_END = '<!-- /svc-memory -->';

/** What "svc-memory agents-block" and "export --to agents-md" wrote there is about this memory, or from it. */
function withoutOwnBlocks(text: string): string {
  const start = text.indexOf('<!-- svc-memory:');
  const end = start < 0 ? -1 : text.indexOf(OWN_END, start);
  return end < 0 ? text : text.slice(0, start) + withoutOwnBlocks(text.slice(end + OWN_END.length));
}
