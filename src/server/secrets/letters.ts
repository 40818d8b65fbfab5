/** How surprising letters are to who knows only words and names of code: letters that a machine drew surprise at each place. */

/**
 * Bits that a letter costs behind another one, as a digit: a row for each letter from a to z, in it one for each that follows.
 * Counted in the documentation and the names of 2,500 files of packages; 9 is "9 or more".
 */
const BITS = [
  '94449759596353959342667868',
  '36673888368277379446399969',
  '39583993494489289463599979',
  '47751768288577479547579879',
  '47436668799453857234867589',
  '38783499299478389455489949',
  '48792854399564479346499978',
  '27992999398666379464599969',
  '56454559998452359543959796',
  '37783887597789367716475889',
  '46661657397585568636597969',
  '37752789297388379955579949',
  '25872999388558439857599989',
  '48444638496786579833669979',
  '66558669686442559355455789',
  '39873896498378349354599989',
  '76998999786477689979086779',
  '38552769396656379544568959',
  '58472794396677448842487769',
  '39672794299678479345598959',
  '54564759498443749333999899',
  '39791979299988499767799999',
  '27773874397594389447899999',
  '48373696399658629972799868',
  '45564669397444429635796996',
  '39781976388588499967597965',
];

/** A capital letter begins a word of a name. */
const BITS_OF_A_CAPITAL = 7;
const BITS_OF_A_CAPITAL_BEHIND_ONE = 6;
/** Names and words take 4.6 and less, in 99 of 100; what was drawn takes 6.4, and 5.2 and more in 99 of 100. */
const FEWEST_BITS = 5;
/** The fewer letters, the more of what was drawn looks like a word, and the other way round. */
const FEWEST_BITS_OF_FEW = 5.3;
const FEW = 12;

const A = 'a'.charCodeAt(0);

/** Of all neighbours in a word of letters. */
function bitsOf(letters: string): number {
  const low = letters.toLowerCase();
  const isUpper = letters === letters.toUpperCase();
  let bits = 0;
  for (let i = 1; i < letters.length; i++) {
    if (!isUpper && letters.charAt(i) <= 'Z')
      bits += letters.charAt(i - 1) <= 'Z' ? BITS_OF_A_CAPITAL_BEHIND_ONE : BITS_OF_A_CAPITAL;
    else bits += Number(BITS[low.charCodeAt(i - 1) - A]?.charAt(low.charCodeAt(i) - A));
  }
  return bits;
}

/** Whether the letters of a text are in no order of words; what stands between them begins a new word. */
export function areNoWords(text: string): boolean {
  let bits = 0;
  let neighbours = 0;
  for (const [letters] of text.matchAll(/[A-Za-z]{2,}/g)) {
    bits += bitsOf(letters);
    neighbours += letters.length - 1;
  }
  return bits > neighbours * (neighbours < FEW ? FEWEST_BITS_OF_FEW : FEWEST_BITS);
}
