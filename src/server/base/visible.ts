/**
 * Takes out of a text what nobody sees and a program reads all the same: tags, zero-width characters, selectors without
 * a base, overrides of direction. A hidden sentence gets in nowhere by it, and names that look the same are the same.
 * What letters and emoji need to look as they do stays.
 */

// What Unicode calls default ignorable, marks of interlinear annotation, and the joiners of hieroglyphs. The signs that
// are written before Arabic numbers are format characters, too, but everybody sees them.
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u{13430}-\u{1343f}]+/gu;

/**
 * The text without what is invisible.
 * @param text without halves of surrogate pairs: what hides between two would make a character of them
 */
export function visible(text: string): string {
  return text.replace(INVISIBLE, neededOf);
}

/** Calls `hide` on each run of characters that `visible` would take out, wholly or in part. */
export function replaceInvisible(text: string, hide: (run: string) => string): string {
  return text.replace(INVISIBLE, (run, at: number, whole: string) =>
    neededOf(run, at, whole) === run ? run : hide(run),
  );
}

type Test = Pick<RegExp, 'test'>;

interface Need {
  readonly mark: Test;
  /** The character before it; that after it, where it takes both. */
  readonly behind: Test;
  readonly ahead?: Test;
}

/** Letters of scripts whose letters take another form beside a joiner. Made when it is needed: that takes 2 ms. */
const JOINING: Test = {
  test: (character) => {
    joining ??= joiningLetters();
    return joining.test(character);
  },
};
let joining: RegExp | undefined;

function joiningLetters(): RegExp {
  return new RegExp(
    `^(?=[\\p{L}\\p{M}])[${[
      ...['Arabic', 'Syriac', 'Mandaic', 'Nko', 'Mongolian', 'Phags_Pa', 'Adlam', 'Hanifi_Rohingya', 'Manichaean'],
      ...[
        'Devanagari',
        'Bengali',
        'Gurmukhi',
        'Gujarati',
        'Oriya',
        'Tamil',
        'Telugu',
        'Kannada',
        'Malayalam',
        'Sinhala',
      ],
      ...['Khmer', 'Myanmar', 'Tibetan', 'Balinese', 'Javanese', 'Sundanese', 'Kaithi', 'Newa', 'Tirhuta', 'Grantha'],
    ]
      .map((script) => `\\p{scx=${script}}`)
      .join('')}]$`,
    'u',
  );
}
const MONGOLIAN = /^\p{Script=Mongolian}$/u;
const MARK = /^\p{M}$/u;
const EMOJI = /^\p{Extended_Pictographic}$/u;
const ZWNJ = /\u200c/;
const ZWJ = /\u200d/;

/** What chooses the form of the character before it; the first that is meant there stays. */
const SELECTORS: readonly Need[] = [
  // As text or as a picture. Digits are pictures on keycaps only.
  { mark: /[\ufe0e\ufe0f]/, behind: /^(?![0-9#*])\p{Emoji}$/u },
  { mark: /[\ufe0e\ufe0f]/, behind: /^[0-9#*]$/, ahead: /^\u20e3$/ },
  {
    mark: /[\ufe00-\ufe02]/,
    behind: /^[\p{Script=Han}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Script=Manichaean}\p{Sm}]$/u,
  },
  { mark: /[\u180b-\u180d\u180f]/, behind: MONGOLIAN },
];
/** What joins two characters or keeps them apart; the first that is meant there stays. */
const JOINERS: readonly Need[] = [
  { mark: ZWJ, behind: /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u, ahead: EMOJI },
  // A letter takes its joined form at the end of a word as well, and at the start of one.
  { mark: ZWJ, behind: JOINING },
  { mark: ZWJ, behind: /^/, ahead: JOINING },
  { mark: ZWNJ, behind: JOINING, ahead: JOINING },
  { mark: /\u180e/, behind: MONGOLIAN, ahead: MONGOLIAN },
  { mark: /\u034f/, behind: MARK, ahead: MARK },
];

const BLACK_FLAG = '\u{1f3f4}';
/** England, Scotland and Wales: all sequences of tags that fonts have a picture for. */
const FLAG_TAGS: ReadonlySet<string> = new Set(['gbeng', 'gbsct', 'gbwls'].map((region) => `${tags(region)}\u{e007f}`));

function tags(region: string): string {
  return [...region].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('');
}

/** What of a run of invisible characters is needed where it stands. */
function neededOf(run: string, at: number, whole: string): string {
  const behind = characterBefore(whole, at);
  if (behind === BLACK_FLAG && FLAG_TAGS.has(run)) return run;
  const ahead = characterAt(whole, at + run.length);
  // A run may be long, but has few kinds of marks that anything needs.
  const marks = [...new Set(run)];
  const first = (needs: readonly Need[]): string =>
    marks.find((mark) => needs.some((need) => need.mark.test(mark) && isMet(need, behind, ahead))) ?? '';
  return first(SELECTORS) + first(JOINERS);
}

function isMet({ behind, ahead }: Need, before: string, after: string): boolean {
  return behind.test(before) && (ahead === undefined || ahead.test(after));
}

function characterBefore(text: string, at: number): string {
  const pair = at >= 2 ? characterAt(text, at - 2) : '';
  return pair.length === 2 ? pair : text.charAt(at - 1);
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}
