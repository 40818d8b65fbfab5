/** What two memories must share to say the same. */
import { analyze, stem } from '../text/analyze';

/** What has to agree exactly before two statements can say the same, and the words by which they are compared. */
export interface Fingerprint {
  /** Numbers in their order, negations, and words that turn a statement round. */
  readonly key: string;
  /** Distinct. */
  readonly stems: readonly string[];
}

export function fingerprint(content: string): Fingerprint {
  const numbers = numbersOf(content);
  const turns: string[] = [];
  const stems = new Set<string>();
  // In lower case identifiers stay whole, so that SQLite and sqlite are one word.
  for (const word of analyze(content.toLowerCase()).words) {
    const stemmed = NUMBER_WORDS.get(word) ?? cachedStem(word);
    stems.add(stemmed);
    const turn = NEGATIONS.get(word) ?? (OPPOSITES.has(stemmed) ? stemmed : undefined);
    if (turn !== undefined) turns.push(turn);
  }
  // Texts of punctuation alone have nothing to be compared by.
  const text = stems.size === 0 ? content : '';
  return { key: JSON.stringify([numbers, turns.sort(), text]), stems: [...stems] };
}

/** Whether one word of the one list is a word of the other with a prefix that negates: "stable" and "unstable". */
export function negatesByPrefix(some: readonly string[], others: readonly string[]): boolean {
  return some.some((word) => NEGATING_PREFIXES.some((prefix) => others.includes(prefix + word)));
}

const NEGATING_PREFIXES = ['un', 'in', 'im', 'ir', 'il', 'dis', 'de', 'non', 'anti', 'mis'];

const NEGATIONS = new Map(
  [
    'not dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt couldnt cant cannot hasnt havent hadnt mustnt',
    'no',
    'none nobody nothing nowhere',
    'never',
    'neither nor',
    'without',
    'hardly barely scarcely rarely seldom',
    'nicht',
    'kein keine keiner keinen keinem keines',
    'nie niemals',
    'ohne',
    'ne pas jamais',
    'sin nunca',
    '不 没 無 未 非',
  ].flatMap((line) => {
    const [first = '', ...rest] = line.split(' ');
    return [first, ...rest].map((word): [string, string] => [word, first]);
  }),
);

// Two texts that differ in one of these alone say the opposite or another thing.
const OPPOSITES: ReadonlySet<string> = new Set(
  `enable disable allow deny forbid permit accept reject start stop begin end open close include exclude required
   optional increase decrease raise lower add remove create delete insert drop before after above below up down on off
   true false yes no pass fail success failure sync async public private internal external minimum maximum min max
   least most more less first last old new upper earlier later always only all some any left right in out read write
   push pull encode decode encrypt decrypt lock unlock import export input output client server source target north
   south east west monday tuesday wednesday thursday friday saturday sunday january february march april may june july
   august september october november december today yesterday tomorrow`
    .split(/\s+/)
    .map((word) => stem(word)),
);

const NUMBER_WORDS = new Map(
  [
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
    'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth',
    'zero once twice thrice',
  ].flatMap((line) => line.split(' ').map((word, value): [string, string] => [word, String(value)])),
);
for (const word of 'thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half double triple quarter dozen'.split(
  ' ',
)) {
  NUMBER_WORDS.set(word, word);
}

const UNITS: ReadonlySet<string> = new Set(
  `ns us µs ms s sec secs second seconds m min mins minute minutes h hour hours d day days week weeks month months year
   years b kb mb gb tb kib mib gib tib bit bits byte bytes kbit mbit gbit hz khz mhz ghz mm cm km kg g mg l ml % percent
   usd eur gbp dollars euros k`.split(/\s+/),
);

/** A longer run without a space is no number with something around it (keys, unspaced scripts). */
const MAX_NUMBER_LENGTH = 60;

/** "retries 3 times within 5 ms", "three" → ["3", "5", "ms", "3"] */
function numbersOf(content: string): string[] {
  const numbers: string[] = [];
  let afterNumber = false;
  for (const token of content.toLowerCase().split(/\s+/u)) {
    const isNumeral = /\p{N}/u.test(token);
    const bare = token.length > MAX_NUMBER_LENGTH || BARE.test(token) ? token : withoutMarks(token);
    const worded = NUMBER_WORDS.get(bare);
    if (isNumeral) {
      if (token.length <= MAX_NUMBER_LENGTH) numbers.push(bare);
      else for (const [run] of token.matchAll(/\p{N}+(?:[.,:]\p{N}+)*/gu)) numbers.push(run);
    } else if (afterNumber && UNITS.has(bare)) numbers.push(bare);
    else if (worded !== undefined) numbers.push(worded);
    afterNumber = isNumeral || worded !== undefined;
  }
  return numbers;
}

const BARE = /^[\p{L}\p{N}%]+$/u;
const BEGINS = /[\p{L}\p{N}%+-]/u;
const ENDS = /[\p{L}\p{N}%]/u;

/** Without the punctuation around it. */
function withoutMarks(token: string): string {
  const characters = [...token];
  const start = characters.findIndex((one) => BEGINS.test(one));
  const end = characters.findLastIndex((one) => ENDS.test(one));
  return start < 0 ? '' : characters.slice(start, end + 1).join('');
}

const MAX_CACHED_STEMS = 100_000;
const stems = new Map<string, string>();

function cachedStem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MAX_CACHED_STEMS) stems.clear();
  const stemmed = stem(word);
  stems.set(word, stemmed);
  return stemmed;
}
