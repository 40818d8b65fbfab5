/** Cuts what is left over at the end of a signature. */

const OPEN_END = /[\s=:,|.]/;

/** A signature without what is left over at its end: spaces, arrows, and what announces a value. */
export function withoutOpenEnd(signature: string): string {
  let end = signature.length;
  for (;;) {
    if (signature.endsWith('=>', end) || signature.endsWith('->', end)) end -= 2;
    else if (OPEN_END.test(signature.charAt(end - 1))) end -= 1;
    else return signature.slice(0, end);
  }
}
