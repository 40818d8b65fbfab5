/** The memory that Claude Code keeps by itself: one fact a file, and an index. The form is not documented. */
import { join } from 'node:path';
import type { MemoryKind } from '../../../kinds/kinds';
import type { Draft } from '../../memory/transfer/draft';
import { fitContent, fitRationale, hashOfFiles, MAX_NAMES } from '../fit';
import { type FoundFile, pathsIn, readFiles } from '../look';
import { codeIn, fieldText, type Page, pageOf, withoutComments } from '../markdown';
import type { SourceReader } from '../source-reader';
import { statementDrafts } from '../statements';

const INDEX = 'MEMORY.md';
const KINDS: Readonly<Record<string, MemoryKind>> = { user: 'preference', feedback: 'preference' };

export const claudeMemory: SourceReader = {
  name: 'claude-memory',
  detect: ({ root, home }) =>
    pathsIn(folderOf(root, home), '', /\.md$/i).length > 0 ? [`~/.claude/projects/${slugOf(root)}/memory`] : [],
  read: ({ root, home }, name) => {
    const folder = folderOf(root, home);
    const { files, unread } = readFiles(folder, pathsIn(folder, '', /\.md$/i));
    const facts = files.filter(({ path }) => path !== INDEX);
    // In older versions all of it stands in the index.
    const drafts = facts.length > 0 ? facts.flatMap(factOf) : files.flatMap(({ text }) => noted(pageOf(text).body));
    return { name, hash: hashOfFiles(files), drafts, unread };
  },
};

function folderOf(root: string, home: string): string {
  return join(home, '.claude', 'projects', slugOf(root), 'memory');
}

function slugOf(root: string): string {
  return root.replace(/[^A-Za-z0-9]/g, '-');
}

function factOf({ path, text }: FoundFile): Draft[] {
  const page = pageOf(text);
  const body = withoutComments(page.body).trim();
  const at = body.search(/^\**why\**:/im);
  const said = (at < 0 ? body : body.slice(0, at)).trim();
  const title = fieldText(page, 'description') ?? fieldText(page, 'name') ?? '';
  if (said === '' && title === '') return [];
  const why = at < 0 ? '' : body.slice(at).replace(/^\**why\**:\**\s*/i, '');
  const type = typeOf(page);
  return [
    {
      kind: KINDS[type] ?? (type === 'project' && why !== '' ? 'decision' : 'fact'),
      content: fitContent(said === '' ? title : said),
      rationale: fitRationale(why),
      entities: [path, ...linked(body), ...codeIn(body)].slice(0, MAX_NAMES),
      anchor: path,
    },
  ];
}

/** In `metadata.type`, in older versions in `type`. */
function typeOf(page: Page): string {
  const { metadata } = page.fields;
  const inner = typeof metadata === 'object' && metadata !== null && 'type' in metadata ? metadata.type : undefined;
  return typeof inner === 'string' ? inner : (fieldText(page, 'type') ?? '');
}

function linked(text: string): string[] {
  return [...text.matchAll(/\[\[([^\][\n|]{1,100})/g)].map(([, name = '']) => name.trim());
}

function noted(body: string): Draft[] {
  return statementDrafts(body, { kindOf: () => 'fact' });
}
