/** Memory banks: https://docs.cline.bot/prompting/cline-memory-bank, and that of Roo Code with a log of decisions. */
import type { MemoryKind } from '../../../kinds/kinds';
import { oneLine } from '../../base/text';
import type { Draft } from '../../memory/transfer/draft';
import { dateOf, fitContent, fitRationale, hashOfFiles, MAX_NAMES } from '../fit';
import { pathsIn, readFiles } from '../look';
import { codeIn, type Part, pageOf, partsOf, withoutComments } from '../markdown';
import type { SourceReader } from '../source-reader';
import { statementDrafts } from '../statements';

const FOLDERS = ['memory-bank', '.memory-bank', 'docs/memory-bank'];
const LOG = /(?:^|\/)decisionlog\.md$/i;
/** What is being worked on just now is soon over. */
const LEFT_OUT = /(?:^|\/)activecontext\.md$/i;
const OUTCOMES = /(?:^|\/)progress\.md$/i;

export const memoryBank: SourceReader = {
  name: 'memory-bank',
  detect: ({ root }) => FOLDERS.filter((folder) => pathsIn(root, folder, /\.md$/i, true).length > 0),
  read: ({ root }, folder) => {
    const paths = pathsIn(root, folder, /\.md$/i, true).filter((path) => !LEFT_OUT.test(path));
    const { files, unread } = readFiles(root, paths);
    const drafts = files.flatMap(({ path, text }) => {
      const { body } = pageOf(text);
      const kind: MemoryKind = OUTCOMES.test(path) ? 'outcome' : 'fact';
      return LOG.test(path) ? decisionsIn(body) : statementDrafts(body, { kindOf: () => kind });
    });
    return { name: folder, hash: hashOfFiles(files), drafts, unread };
  },
};

/** Entries of Roo Code: a dated heading, or `Decision`, `Rationale` and `Implications` as headings or labels. */
function decisionsIn(body: string): Draft[] {
  const parts = partsOf(body);
  const starts = parts.flatMap((part, i) => (isEntry(part, parts[i + 1]) ? [i] : []));
  return starts.flatMap((start, i) => decisionOf(parts.slice(start, starts[i + 1] ?? parts.length)));
}

const DATE = /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?/;
const LABEL = /^[-*\s]*\**(?:decision|rationale|implications?|implementation details)\b/i;

function isEntry({ depth, title, body }: Part, next: Part | undefined): boolean {
  if (LABEL.test(title) && !/\blog\b/i.test(title)) return false;
  return depth > 0 && (DATE.test(title) || labelled(body, 'decision') !== '' || /^decision$/i.test(next?.title ?? ''));
}

function decisionOf([entry, ...inner]: readonly Part[]): Draft[] {
  if (!entry) return [];
  const said = (name: string): string => {
    const section = inner.find(({ title }) => title.toLowerCase().startsWith(name));
    return withoutComments(section?.body ?? labelled(entry.body, name)).trim();
  };
  const date = DATE.exec(entry.title) ?? DATE.exec(entry.body);
  const title = entry.title.replace(DATE, '').replace(/^[\s[\]:–—-]+|[\s[\]:–—-]+$/g, '');
  const words = said('decision');
  const content = words !== '' ? words : title;
  if (oneLine(content) === '') return [];
  const implications = said('implication');
  return [
    {
      kind: 'decision',
      content: fitContent(oneLine(content)),
      rationale: fitRationale(
        [said('rationale'), implications === '' ? '' : `Implications: ${implications}`].filter(Boolean).join('\n\n'),
      ),
      entities: codeIn(entry.body + inner.map(({ body }) => body).join('\n')).slice(0, MAX_NAMES),
      valid_from: dateOf(date?.[0].slice(0, 10)),
    },
  ];
}

/** `**Decision:** …` up to the next label. */
function labelled(body: string, name: string): string {
  const lines = body.split('\n');
  const start = lines.findIndex((line) => LABEL.test(line) && line.toLowerCase().includes(name));
  if (start < 0) return '';
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => LABEL.test(line));
  const first = (lines[start] ?? '').replace(/^[-*\s]*\**[\w ]+:?\**:?\s*/, '');
  return [first, ...rest.slice(0, end < 0 ? rest.length : end)].join('\n').trim();
}
