/** Cuts the last name off a path of Rust. */

const NAME_CHARACTER = /\w/;

/** What a path of Rust stands in: `a::b` for `a::b::Type`, empty for a single name. */
export function enclosingPath(path: string): string {
  let start = path.length;
  while (start > 0 && NAME_CHARACTER.test(path.charAt(start - 1))) start -= 1;
  if (start === path.length) return path;
  return path.slice(0, path.endsWith('::', start) ? start - 2 : start);
}
