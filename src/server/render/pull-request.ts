/** What a change of code means for memories, for those who review it: a comment in Markdown, and SARIF. */
import { shownDay, shownId, shownWord } from '../base/shown';
import { cut, oneLine } from '../base/text';
import type { ShownCheck } from './check';
import { describeChange } from './code-change';

/** By it the comment of an earlier run is found again. */
export const COMMENT_MARK = '<!-- svc-memory -->';

const MOST_SHOWN = 30;
const LONGEST_TEXT = 600;

export interface ReviewedChange extends ShownCheck {
  /** The file of a shared memory, relative to the root, with `/`. */
  readonly fileOf: (id: string) => string | undefined;
}

/** The text of one comment. What somebody stored stands in code spans, where nothing is a link, a mention or HTML. */
export function renderComment({ base, memories, not_judged, fileOf }: ReviewedChange): string {
  const since = code(base);
  if (memories.length === 0) return `${COMMENT_MARK}\nCompared with ${since}, this change leaves no memory in doubt.\n`;
  const items = memories.slice(0, MOST_SHOWN).map(({ id, kind, content, rationale, valid_from, symbols }) => {
    const file = fileOf(id);
    const from = file === undefined ? code(shownId(id)) : code(file);
    const places = symbols.map((symbol) => {
      const place = symbol.now ?? symbol.was;
      const at = symbol.now ? `:${symbol.now.start_line}` : '';
      const name = symbol.was.code_type === 'file' ? '' : ` ${code(place.name)}`;
      return `${describeChange(symbol)}: ${code(`${place.file_path}${at}`)}${name}`;
    });
    return [
      `- **${capital(shownWord(kind))}** of ${shownDay(valid_from)}: ${code(content)}`,
      ...(rationale === null ? [] : [`  because ${code(rationale)}`]),
      ...places.map((place) => `  - ${place}`),
      `  - in ${from}`,
    ].join('\n');
  });
  const more = memories.length - items.length;
  return [
    COMMENT_MARK,
    `### This change touches ${memories.length === 1 ? 'a memory' : `${memories.length} memories`}`,
    '',
    `What is remembered about code that changed since ${since}. Does it still hold? If not, change its file, or store what holds now.`,
    '',
    ...items,
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...(not_judged.length === 0 ? [] : ['', `Not judged: ${not_judged.slice(0, MOST_SHOWN).map(code).join(', ')}`]),
    '',
  ].join('\n');
}

const RULES = [
  { id: 'memory-changed', text: 'The code that a memory is about has changed' },
  { id: 'memory-gone', text: 'The code that a memory is about is gone' },
] as const;

/** The same as SARIF 2.1.0: one result for each symbol of a memory. @param version of this program */
export function renderSarif({ memories, fileOf }: ReviewedChange, version: string): object {
  const results = memories.flatMap(({ id, kind, content, symbols }) =>
    symbols.map((symbol) => {
      const { now, was, verdict } = symbol;
      const uri = encodeURI((now ?? was).file_path);
      const text = `${capital(shownWord(kind))}: ${cut(oneLine(content), LONGEST_TEXT)} (${fileOf(id) ?? id}). ${describeChange(symbol)}. Does it still hold?`;
      return {
        ruleId: verdict === 'gone' ? RULES[1].id : RULES[0].id,
        level: 'note',
        message: { text: escapeLinks(text) },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
              region: { startLine: now?.start_line ?? 1 },
            },
          },
        ],
        partialFingerprints: { 'memory/v1': `${id} ${was.file_path}#${was.name}` },
      };
    }),
  );
  const rules = RULES.map(({ id, text }) => ({ id, shortDescription: { text } }));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'svc-memory', version, rules } }, results }],
  };
}

/** In SARIF's plain messages, brackets make links. */
function escapeLinks(text: string): string {
  return text.replace(/[[\]\\]/g, '\\$&');
}

/** A code span that ends nowhere inside the text. */
function code(text: string): string {
  const shown = cut(oneLine(text), LONGEST_TEXT);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = shown.startsWith('`') || shown.endsWith('`') || shown.trim() === '' ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
