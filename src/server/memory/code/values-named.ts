/** Finds the constants and variables that the text of a memory names: "at most `MOST_HOPS` steps" is about that value, too. */

/** As the code graph calls their kinds. */
const VALUE_TYPES: readonly string[] = ['constant', 'variable'];

export function isValueType(codeType: string): boolean {
  return VALUE_TYPES.includes(codeType);
}

/** Begins what is no name of an entity, and means values alone. It stands in no name that is stored. */
const OF_TEXT = '\u0001';

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const IN_BACKTICKS = /`([\p{L}_$][\p{L}\p{N}_$]*)`/gu;
/** `maxHops`, `MaxHops`, `max_hops`, `MAX`: no word of prose. */
const CODE_LIKE = /\p{Ll}\p{Lu}|[^_]_[^_]|^\p{Lu}[\p{Lu}\p{N}]{2,}$/u;

const LONGEST_WORD = 100;
const MOST_WORDS = 20;
const MOST_FILES = 4;

/**
 * Names of values that a memory may be about beside what it says that it is: words of its text that look like code, in the
 * files that it is about.
 * @param content its text
 * @param names what it is about, as people write it
 * @returns names for `CodeIndex.match`, which are kept nowhere
 */
export function valuesNamed(content: string, names: readonly string[]): string[] {
  // `Cache.get` may be a file, too.
  const paths = names.filter((name) => /[#/\\]/.test(name));
  const files = [...new Set([...paths, ...names].flatMap(filesNamed))].slice(0, MOST_FILES);
  if (files.length === 0) return [];
  const known = new Set(names);
  const words = wordsOfCode(content).slice(0, MOST_WORDS);
  return files.flatMap((file) =>
    words.flatMap((word) => (known.has(`${file}#${word}`) ? [] : [`${OF_TEXT}${file}#${word}`])),
  );
}

/** The words of a text that look like names of code. */
export function wordsOfCode(content: string): string[] {
  const quoted = [...content.matchAll(IN_BACKTICKS)].flatMap(([, word]) => word ?? []);
  const words = (content.match(WORD) ?? []).filter((word) => CODE_LIKE.test(word));
  return [...new Set([...quoted, ...words])].filter((word) => word.length <= LONGEST_WORD);
}

/** A name without the mark that it means values alone, and whether it has that. */
export function readValueName(name: string): { readonly name: string; readonly isValue: boolean } {
  return name.startsWith(OF_TEXT) ? { name: name.slice(OF_TEXT.length), isValue: true } : { name, isValue: false };
}

/** The file that a name may be a path of, as `path` or `path#name`. */
export function filesNamed(name: string): string[] {
  const [path = ''] = name.trim().split('#');
  return /[./\\]/.test(path) ? [path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')] : [];
}
