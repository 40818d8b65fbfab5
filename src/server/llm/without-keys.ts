/** Takes keys out of what a server says. */

const KEY_LIKE = /\b(?:sk|rk|pk)-[\w-]{8,}/g;
const REMOVED = '[key removed]';

/** A server knows the key that it was asked with, and may say it; what it says is kept and shown. */
export function withoutKeys(text: string, keys: readonly string[]): string {
  const known = keys.filter((key) => key.length > 0);
  return known.reduce((rest, key) => rest.replaceAll(key, REMOVED), text).replace(KEY_LIKE, REMOVED);
}
