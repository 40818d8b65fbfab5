/** Knows the tokens that only a formatter needs, because it breaks lines there. */
import type { Language } from './language';
import { COMMENT, type Stretch } from './stretches';
import { CLOSING, OPENING } from './token-room';

const COMMA = 44;
const SEMICOLON = 59;
const GREATER = 62;
const BRACE = 123;
const BAR = 124;
const CLOSING_BRACE = 125;
const SPACE = /\s/;
const OPERAND = /[\w)\]>]$/;
/** What stands before a tuple, and not before what is called. */
const NO_CALL = new Set(
  'and as assert await break case const del elif else except for from if import in is lambda let match mut not or raise ref return static while with yield'.split(
    ' ',
  ),
);
/** What stands before the brackets of a type that has no name. */
const BEFORE_TYPE = /^(?:[=:<(,[?|&]|readonly)$/;

/** Where a source is read, and what stands before. */
interface Place {
  readonly at: number;
  /** Of the stretch that the place lies in. */
  readonly index: number;
  /** The last token that is no comment; `"` for a literal. */
  readonly before: string;
}

/** Whether `LayoutTokens` wants to be asked. */
export function isForLayout(code: number): boolean {
  return FOR_LAYOUT[code] === 1;
}

const FOR_LAYOUT = new Uint8Array(128);
for (const code of [COMMA, SEMICOLON, BAR, ...OPENING, ...CLOSING]) FOR_LAYOUT[code] = 1;

/** Asked for each bracket, comma, semicolon and bar of code, in order. */
export class LayoutTokens {
  /** For each open bracket: whether a comma in it says nothing when it is the last. */
  private readonly open: boolean[] = [];
  /** For each: whether semicolons in it stand behind the members of a type. */
  private readonly types: boolean[] = [];

  constructor(
    private readonly source: string,
    private readonly commas: Exclude<Language['trailingCommas'], 'kept'>,
    private readonly stretches: readonly Stretch[],
  ) {}

  /** Whether the text means the same without what stands there. */
  isOne(code: number, place: Place): boolean {
    if (OPENING.has(code)) {
      this.open.push(this.commas === 'free' || !this.mayBeTuple(code, place));
      this.types.push(this.commas === 'free' && code === BRACE && BEFORE_TYPE.test(place.before));
    } else if (CLOSING.has(code)) {
      this.open.pop();
      this.types.pop();
    } else if (code === COMMA) {
      const { length } = this.open;
      // Outside of all brackets it may stand behind the last parameter of a type.
      if (length === 0) return this.next(place) === GREATER;
      // A single element with a comma is a tuple; two are one without it.
      if (this.open[length - 1] || !this.isLast(place)) {
        this.open[length - 1] = true;
        // In JavaScript, nothing before a comma is an element.
        return !/^[,([{<]$/.test(place.before) && this.isLast(place);
      }
    } else if (this.commas === 'free') {
      if (code === SEMICOLON) return this.types.at(-1) === true && this.next(place) === CLOSING_BRACE;
      // Before the first of several lines of a union.
      return code === BAR && place.before !== '|' && BEFORE_TYPE.test(place.before);
    }
    return false;
  }

  private mayBeTuple(code: number, { at, index, before }: Place): boolean {
    // What is computed in a literal has brackets around it that group nothing.
    if (code === BRACE) return this.stretches[index]?.start === at;
    const isCalled = OPERAND.test(before) && !NO_CALL.has(before) && !(before === '>' && this.isNoType(at));
    return (this.source[at] === '(') !== isCalled;
  }

  /** `->`, `=>` or a comparison stands before, and not the end of a type. */
  private isNoType(at: number): boolean {
    return /[\s=-]>$|\s$/.test(this.source.slice(Math.max(0, at - 2), at));
  }

  private isLast(place: Place): boolean {
    const next = this.next(place);
    return CLOSING.has(next) || next === GREATER;
  }

  /** What comes behind a character and the comments that follow it. */
  private next({ at, index }: Place): number {
    let place = at + 1;
    let stretch = index + 1;
    for (;;) {
      while (SPACE.test(this.source[place] ?? '')) place += 1;
      while ((this.stretches[stretch]?.start ?? place) < place) stretch += 1;
      const here = this.stretches[stretch];
      if (here?.start !== place || here.mode !== COMMENT) break;
      stretch += 1;
      place = this.stretches[stretch]?.start ?? this.source.length;
    }
    return this.source.charCodeAt(place);
  }
}
