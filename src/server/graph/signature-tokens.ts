/** One piece of a source that a signature can be made of. What a literal holds is not in it. */
export interface SignatureToken {
  readonly kind: 'word' | 'mark' | 'literal';
  /** '…' for a literal. */
  readonly text: string;
  /** White space, a comment or a line break stands before it. */
  readonly gap: boolean;
  readonly newline: boolean;
}

export interface SignatureTokens {
  /** Undefined at the end, and from the first token on that is not certain. */
  peek(): SignatureToken | undefined;
  next(): SignatureToken | undefined;
}

export const LEFT_OUT = '…';

const SLASH_COMMENT = String.raw`\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?\*\/`;
const HASH_COMMENT = String.raw`#[^\n]*`;
/** The preprocessor's lines; a definition itself may begin with one. */
const DIRECTIVE = String.raw`(?<=[\s\S])#(?:\\\r?\n|[^\n])*`;
const DOUBLE = String.raw`"(?:\\[\s\S]|[^"\\\n])*"`;
const DOUBLE_LINES = String.raw`"(?:\\[\s\S]|[^"\\])*"`;
const SINGLE = String.raw`'(?:\\[\s\S]|[^'\\\n])*'`;
const SINGLE_LINES = String.raw`'(?:\\[\s\S]|[^'\\])*'`;
const TRIPLE_DOUBLE = String.raw`"""(?:\\[\s\S]|(?!""")[^\\])*"""`;
const TRIPLE_SINGLE = String.raw`'''(?:\\[\s\S]|(?!''')[^\\])*'''`;
const RUST_CHARACTER = String.raw`'(?:\\(?:u\{[^}'\n]*\}|x[^'\n]{2}|[^\n])|[^'\\\n])'`;
const WORD = String.raw`[$A-Z_a-z\u0080-\uffff][$\w\u0080-\uffff]*`;
/** What begins or ends a literal in a way that none of the patterns covers. */
const UNTOLD = String.raw`["'\x60]|\/\*`;
/** A lifetime is no literal. */
const UNTOLD_IN_RUST = String.raw`["\x60]|'(?![A-Z_a-z])|\/\*`;
const NUMBER = String.raw`\d(?:[\w.]|'(?=\w))*`;
const NEVER = '(?!)';

interface Shape {
  readonly comment: string;
  readonly literal: string;
  readonly word?: string;
  /** Raw, interpolated and other literals whose end takes a parser to find. */
  readonly untold?: string;
}

const ECMASCRIPT: Shape = {
  comment: SLASH_COMMENT,
  literal: `${DOUBLE}|${SINGLE}|${String.raw`\x60(?:\\[\s\S]|\$(?!\{)|[^\x60\\$])*\x60`}`,
  word: `#?${WORD}`,
  // A regular expression, which may hold quotes.
  untold: String.raw`\/(?![/*])`,
};
const C: Shape = {
  comment: `${SLASH_COMMENT}|${DIRECTIVE}`,
  literal: `${DOUBLE}|${SINGLE}`,
  untold: String.raw`\w*R"`,
};
const SHAPES: Readonly<Record<string, Shape>> = {
  ...{ typescript: ECMASCRIPT, tsx: ECMASCRIPT, javascript: ECMASCRIPT, c: C, cpp: C },
  python: {
    comment: HASH_COMMENT,
    literal: `${TRIPLE_DOUBLE}|${TRIPLE_SINGLE}|${DOUBLE}|${SINGLE}`,
    untold: `[rRbBuU]*[fFtT][rRbBuU]*["']`,
  },
  ruby: {
    comment: HASH_COMMENT,
    literal: String.raw`"(?:\\[\s\S]|#(?!\{)|[^"\\#])*"|${SINGLE_LINES}`,
    word: `${WORD}[?!]?`,
    untold: String.raw`\/|%\w*[^\w\s(=]|%\w*\((?=[\s\S])|<<[~\-"'\x60\w]|\?\S`,
  },
  shell: { comment: String.raw`(?<=\s)#[^\n]*`, literal: NEVER },
  php: {
    comment: String.raw`${SLASH_COMMENT}|#(?!\[)[^\n]*`,
    literal: String.raw`"(?:\\[\s\S]|\{(?!\$)|\$(?!\{)|[^"\\{$])*"|${SINGLE_LINES}`,
    untold: '<<<',
  },
  go: { comment: SLASH_COMMENT, literal: String.raw`${DOUBLE}|${SINGLE}|\x60[^\x60]*\x60` },
  java: { comment: SLASH_COMMENT, literal: `${TRIPLE_DOUBLE}|${DOUBLE}|${SINGLE}` },
  'c-sharp': { comment: SLASH_COMMENT, literal: `${DOUBLE}|${SINGLE}`, untold: `[@$]+"|"""` },
  rust: {
    // They stand in each other there.
    comment: String.raw`\/\/[^\n]*|\/\*(?:(?!\/\*)[\s\S])*?\*\/`,
    literal: `${RUST_CHARACTER}|${DOUBLE_LINES}`,
    word: `'[A-Z_a-z]\\w*(?!')|r#${WORD}|${WORD}`,
    untold: '[bc]?r#*"',
  },
};
const ANY: Shape = { comment: NEVER, literal: NEVER };

const patterns = new Map<string, RegExp>();

function patternOf(language: string): RegExp {
  let pattern = patterns.get(language);
  if (!pattern) {
    const { comment, literal, word = WORD, untold = NEVER } = SHAPES[language] ?? ANY;
    pattern = new RegExp(
      String.raw`(\s+|${comment})|(${untold})|(${literal}|${NUMBER})|(${language === 'rust' ? UNTOLD_IN_RUST : UNTOLD})|(${word})|(=>|->|[=!]==?|<=|>=|::|\.\.\.|[\s\S])`,
      'y',
    );
    patterns.set(language, pattern);
  }
  return pattern;
}

/** Takes a source apart, one token at a time: a body behind the signature is never looked at. */
export function signatureTokens(source: string, language: string): SignatureTokens {
  const pattern = patternOf(language);
  let at = 0;
  let ahead: SignatureToken | undefined;
  const read = (): SignatureToken | undefined => {
    let gap = false;
    let newline = false;
    while (at < source.length) {
      pattern.lastIndex = at;
      const [all = '', passed, untold, literal, stray, word] = pattern.exec(source) ?? [];
      if (untold !== undefined || stray !== undefined || all === '') break;
      at += all.length;
      if (passed !== undefined) {
        gap = true;
        newline ||= passed.includes('\n');
        continue;
      }
      if (literal !== undefined) return { kind: 'literal', text: LEFT_OUT, gap, newline };
      if (all === LEFT_OUT) return { kind: 'literal', text: LEFT_OUT, gap, newline };
      return { kind: word === undefined ? 'mark' : 'word', text: all, gap, newline };
    }
    at = source.length;
    return undefined;
  };
  return {
    peek: () => {
      ahead ??= read();
      return ahead;
    },
    next: () => {
      const token = ahead ?? read();
      ahead = undefined;
      return token;
    },
  };
}
