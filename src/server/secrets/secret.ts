/** What is said of a secret in a text: what it is and where, never what it says. */

/** A stretch of a text, from `at` up to `end`, in UTF-16 units. */
export interface Found {
  /** In words, without an article: `GitHub token`. */
  readonly kind: string;
  readonly at: number;
  readonly end: number;
}

/** `a GitHub token`, `an AWS access key` */
export function withArticle(kind: string): string {
  return `${/^(?:[aeiou]|npm|ReadMe$)/i.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** `at character 17`, `in line 3 at character 17`; both counted from 1. */
export function placeIn(text: string, { at }: Pick<Found, 'at'>): string {
  const before = text.slice(0, at);
  const character = at - before.lastIndexOf('\n');
  return text.includes('\n')
    ? `in line ${before.split('\n').length} at character ${character}`
    : `at character ${character}`;
}
