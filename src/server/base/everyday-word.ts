/** Which names of code are words of prose as well. */

const EVERYDAY_WORD = /^\p{Ll}[\p{Ll}\p{Lo}\p{M}\p{Nd}]*$/u;

/** One word of small letters; `open()`, `openFile`, `open_file` and `Store` are none. */
export function isEverydayWord(name: string): boolean {
  return EVERYDAY_WORD.test(name.trim());
}
