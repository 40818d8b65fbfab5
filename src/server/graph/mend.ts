/** Mends what macros and conditional compilation make of a source, so that a grammar can read it. */
import type { Language } from './language';
import { blank, withoutBranches } from './mend-conditions';

/** The source as the grammar is to see it. What is taken out becomes spaces, so that every place stays where it is. */
export function mend(text: string, { preprocessor }: Pick<Language, 'preprocessor'>): string {
  if (preprocessor === 'none') return text;
  // Macros first: a branch that stands behind one is no part of a statement.
  const unmarked = preprocessor === 'macros' ? withoutMacros(text) : text;
  return /^[ \t]*#[ \t]*if/m.test(unmarked) ? withoutBranches(unmarked) : unmarked;
}

const MACRO = '[A-Z][A-Z0-9_]{2,}';
const DECLARES =
  'static|inline|extern|constexpr|virtual|explicit|friend|template|typedef|struct|class|enum|union|namespace|void|bool|char|short|int|long|float|double|unsigned|signed|auto';
/** A macro before a declaration, behind the words that one may begin with. */
const BEFORE = new RegExp(
  `^([ \\t]*(?:(?:static|inline|extern|constexpr|virtual|explicit|friend)[ \\t]+)*)(${MACRO}(?:\\([^()]*\\))?)` +
    `(?=[ \\t]+(?:(?:${DECLARES})\\b|[A-Za-z_][\\w:<>]*[ \\t*&]+[A-Za-z_~]\\w*[ \\t]*\\())`,
);
const BEFORE_NAME = new RegExp(
  `(\\b(?:class|struct|union)[ \\t]+)(${MACRO}(?:\\([^()]*\\))?)(?=[ \\t]+[A-Za-z_]\\w*[ \\t]*(?:final[ \\t]*)?(?:[:{]|$))`,
);
const ALONE = new RegExp(`^[ \\t]*${MACRO}[ \\t]*\\r?$`);
const HAS_MACRO = new RegExp(`\\b${MACRO}\\b`);
/** What a macro that opens or closes a namespace stands behind: the end of a statement, or a directive. */
const ENDS = new Set(['', ';', '{', '}', '#']);
/** More than these do not stand before one declaration. */
const MOST_MACROS = 4;

/** Only in lines that begin with one, or with a class: elsewhere a name in capitals may be a type or a value. */
function withoutMacros(text: string): string {
  if (!HAS_MACRO.test(text)) return text;
  const lines = text.split('\n');
  let last = '';
  let isDirective = false;
  let changed = false;
  for (const [i, line] of lines.entries()) {
    const begins = line.trimStart();
    if (isDirective || begins.startsWith('#')) {
      isDirective = /\\\r?$/.test(line);
      last = '#';
      continue;
    }
    if (begins === '' || /^(?:\/[/*]|\*)/.test(begins)) continue;
    const mended = ENDS.has(last) && ALONE.test(line) && opens(lines[i + 1] ?? '') ? blank(line) : withoutMarks(line);
    if (mended !== line) changed = true;
    lines[i] = mended;
    last =
      line
        .replace(/\/\/.*|\/\*.*\*\/\s*$/, '')
        .trimEnd()
        .at(-1) ?? last;
  }
  return changed ? lines.join('\n') : text;
}

/** Whether a declaration begins there, and not the name and the parameters of a function whose type the macro would be. */
function opens(next: string): boolean {
  return /^[ \t]*(?:$|[\w#/[~])/.test(next) && !/^[ \t]*[\w:~]+[ \t]*\(/.test(next);
}

function withoutMarks(line: string): string {
  let mended = line;
  for (let i = 0; i < MOST_MACROS; i++) {
    const next = mended.replace(BEFORE, (_, before: string, macro: string) => before + blank(macro));
    if (next === mended) break;
    mended = next;
  }
  return mended.replace(BEFORE_NAME, (_, before: string, macro: string) => before + blank(macro));
}
