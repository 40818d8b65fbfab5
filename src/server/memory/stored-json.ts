/**
 * A list of texts that a row keeps as JSON. A file that somebody else wrote may hold anything there: what is no list of
 * texts is none.
 */
export function textList(json: string | null): string[] {
  try {
    const value: unknown = json === null ? [] : JSON.parse(json);
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
