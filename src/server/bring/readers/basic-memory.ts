/** Notes of basic-memory (https://docs.basicmemory.com): Markdown with observations and relations. */
import type { MemoryKind } from '../../../kinds/kinds';
import type { Draft } from '../../memory/transfer/draft';
import { dateOf, fitContent, hashOfFiles, MAX_NAMES } from '../fit';
import { type FoundFile, isThere, pathsIn, readFiles } from '../look';
import { codeIn, fieldText, pageOf, withoutComments } from '../markdown';
import type { SourceReader } from '../source-reader';

const FOLDERS = ['basic-memory', '.basic-memory', 'docs/basic-memory', 'notes'];
const KINDS: Readonly<Record<string, MemoryKind>> = {
  decision: 'decision',
  preference: 'preference',
  procedure: 'procedure',
  method: 'procedure',
  outcome: 'outcome',
  result: 'outcome',
};
const OBSERVATION = /^\s*[-*]\s+\[([A-Za-z][\w -]{1,40})\]\s+(.+)$/;
const RELATION = /\[\[([^\][\n|]{1,100})/g;

export const basicMemory: SourceReader = {
  name: 'basic-memory',
  // Its notes have a permalink; others in such a folder are none of it.
  detect: ({ root }) => FOLDERS.filter((folder) => isThere(root, folder) && notesIn(root, folder).files.length > 0),
  read: ({ root }, folder) => {
    const { files, unread } = notesIn(root, folder);
    return { name: folder, hash: hashOfFiles(files), drafts: files.flatMap(draftsOf), unread };
  },
};

function notesIn(root: string, folder: string) {
  const { files, unread } = readFiles(root, pathsIn(root, folder, /\.md$/i, true));
  return { files: files.filter(({ text }) => fieldText(pageOf(text), 'permalink') !== undefined), unread };
}

/** `- [category] text #tag (context)` */
function draftsOf({ text }: FoundFile): Draft[] {
  const page = pageOf(text);
  const body = withoutComments(page.body);
  const title = fieldText(page, 'title') ?? fieldText(page, 'permalink') ?? '';
  const targets = [...body.matchAll(RELATION)].map(([, name = '']) => name.trim());
  return body.split('\n').flatMap((line): Draft[] => {
    const [, category = '', said = ''] = OBSERVATION.exec(line) ?? [];
    const content = said.replace(/(?:^|\s)#[\w/-]+/g, '').trim();
    if (content === '') return [];
    return [
      {
        kind: KINDS[category.toLowerCase()] ?? 'fact',
        content: fitContent(content),
        entities: [...new Set([title, ...targets, ...codeIn(said)])].slice(0, MAX_NAMES),
        valid_from: dateOf(fieldText(page, 'created')),
      },
    ];
  });
}
