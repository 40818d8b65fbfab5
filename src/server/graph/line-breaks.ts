/** Decides whether a line break has a meaning of its own. */
import type { Language } from './language';

/**
 * Whether a formatter has to keep the line break between two tokens: another statement would stand there without it.
 * Where both forms mean the same, it is none.
 * @param before the last token that is no comment; `"` for a literal
 * @param at where the next one begins
 */
export function isBreakKept(breaks: Language['lineBreaks'], source: string, before: string, at: number): boolean {
  const kept = KEPT[breaks];
  return kept?.(before, source, at) ?? false;
}

type IsKept = (before: string, source: string, at: number) => boolean;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const WORD = /^\.?[\w$\u0080-\uffff]/;
const NEXT_WORD = /[\w$]*/y;

function wordAt(source: string, at: number): string {
  NEXT_WORD.lastIndex = at;
  return NEXT_WORD.exec(source)?.[0] ?? '';
}

/** What ends an expression, whatever the language. */
function isOperand(before: string): boolean {
  return WORD.test(before) || before === '"' || before === ')' || before === ']' || before === '}';
}

const SCRIPT_ENDS = words('return throw break continue yield async');
const SCRIPT_BEGINS = words('else do');

/** Statements that end at the end of a line, and steps that would belong to the line before. */
const inScripts: IsKept = (before, source, at) => {
  const next = source[at];
  if (SCRIPT_ENDS.has(before)) return next !== ';' && next !== '}';
  if (next !== '+' && next !== '-') return false;
  // Behind a bracket stands the body of a loop or a condition.
  return source[at + 1] === next && (before === ']' || (WORD.test(before) && !SCRIPT_BEGINS.has(before)));
};

const GO_GOES_ON = words(
  'case chan const default defer else for func go goto if import interface map package range select struct switch type var',
);

/** As the language reads a semicolon into the end of a line; none is needed before a closing bracket. */
const inGo: IsKept = (before, source, at) => {
  const next = source[at];
  if (next === ')' || next === '}') return false;
  return (isOperand(before) && !GO_GOES_ON.has(before)) || before === '++' || before === '--';
};

const RUBY_GOES_ON = words(
  'and or not if unless while until then do else elsif begin ensure in case when alias undef class module',
);
const RUBY_CLOSES = words('end else elsif when in then ensure');

const inRuby: IsKept = (before, source, at) => {
  const next = source[at] ?? '';
  if (/[.)\]},;|]/.test(next) || (next === '&' && /[&.]/.test(source[at + 1] ?? ''))) return false;
  if (!isOperand(before) && before !== '?' && before !== '!') return false;
  // A word cannot follow what is closed, except on a line of its own.
  if (WORD.test(next)) return WORD.test(before) && !RUBY_GOES_ON.has(before) && !RUBY_CLOSES.has(wordAt(source, at));
  return !RUBY_GOES_ON.has(before);
};

const SHELL_GOES_ON = words('then do else elif if while until in');

const inShells: IsKept = (before, source, at) => {
  const next = source[at] ?? '';
  if (/[|&;({\\!]/.test(before) || SHELL_GOES_ON.has(before)) return false;
  return next !== ')' && next !== ';' && next !== '{';
};

const POWERSHELL_CLOSES = words('else elseif catch finally while until');

const inPowerShell: IsKept = (before, source, at) => {
  if (before === ']' || !isOperand(before)) return false;
  if (/[{})\]|,;.]/.test(source[at] ?? '')) return false;
  return !POWERSHELL_CLOSES.has(wordAt(source, at).toLowerCase());
};

const KEPT: Readonly<Partial<Record<Language['lineBreaks'], IsKept>>> = {
  ...{ script: inScripts, go: inGo, ruby: inRuby, shell: inShells, powershell: inPowerShell },
};
