/** Takes Markdown apart into blocks. */
import MarkdownIt, { type StateBlock, type Token } from 'markdown-it';

/** A paragraph, a list, a table, a heading …, outside of which no other block of the document stands. */
export interface Block {
  /** 1 to 6 for a heading, else 0. */
  readonly depth: number;
  /** Of a heading, without its marks. */
  readonly words: string;
  /** It says something by itself: it is neither a heading nor a line across the page. */
  readonly speaks: boolean;
  /** Counted from 0, the end excluded. */
  readonly lines: readonly [start: number, end: number];
  /** What stands in backticks, in its order. */
  readonly code: readonly string[];
  /** Where its links and definitions lead to, as they are written. */
  readonly links: readonly string[];
}

/** More than what is let through to the parser can have, which would pass over what lies deeper. */
const MAX_NESTING = 300;
/** What a link by a label leads to: that stands at the definition of the label, and is told there. */
const BY_LABEL = { title: '', href: '' };
const DEFINITION = 'definition';
/** The mark of a note at the foot of the page. */
const NOTE = /\[\^[^\]\s]+\]/g;

const markdown = openMarkdown();

/** @param text with `\n` at the end of each line */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let first: Token | undefined;
  let code: string[] = [];
  let links: string[] = [];
  let words = '';
  for (const token of markdown.parse(text, { references: {} })) {
    first ??= token;
    if (token.type === DEFINITION) links.push(token.content);
    for (const part of token.children ?? []) {
      if (part.type === 'code_inline') code.push(part.content);
      const url = part.attrGet(part.type === 'image' ? 'src' : 'href');
      if (typeof url === 'string' && url !== '') links.push(url);
      if (first.type === 'heading_open') words += wordsOf(part);
    }
    if (token.level > 0 || token.nesting > 0) continue;
    const { type, tag, map } = first;
    const depth = type === 'heading_open' ? Number(tag.slice(1)) : 0;
    const speaks = depth === 0 && type !== 'hr';
    if (map) blocks.push({ depth, words, speaks, lines: map, code, links });
    [first, code, links, words] = [undefined, [], [], ''];
  }
  return blocks;
}

function wordsOf({ type, content }: Token): string {
  if (type === 'text') return content.replace(NOTE, '');
  if (type === 'code_inline' || type === 'image') return content;
  return type === 'softbreak' || type === 'hardbreak' ? ' ' : '';
}

function openMarkdown() {
  const parser = new MarkdownIt('default', { html: true, maxNesting: MAX_NESTING });
  // Links are read, not shown: whatever they lead to, they stay as they are written.
  parser.normalizeLink = (url) => url;
  parser.validateLink = () => true;
  const { ruler } = parser.block;
  const rules = ruler.getRules('');
  ruler.disable('reference');
  const others = new Set(ruler.getRules(''));
  const readDefinition = rules.find((rule) => !others.has(rule));
  ruler.at('reference', (state, start, end, silent) => {
    // A note at the foot of the page speaks like any paragraph.
    if (!readDefinition || state.src.startsWith('[^', firstOf(state, start))) return false;
    const known = state.env.references ?? {};
    state.env.references = {};
    const isDefinition = readDefinition(state, start, end, silent);
    const [found] = Object.entries(state.env.references);
    state.env.references = known;
    if (!found || !isDefinition) return false;
    const [label, { href }] = found;
    known[label] ??= BY_LABEL;
    // The parser itself leaves no trace of it among the blocks.
    const token = state.push(DEFINITION, '', 0);
    token.map = [start, state.line];
    token.content = href;
    return true;
  });
  ruler.enable('reference');
  return parser;
}

/** Where the first character of a line stands. */
function firstOf(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
}
