/** Takes invisible text out of whole answers. */
import { seen } from './text';

/** A value with all texts in it as people see them; itself where they are so already, as nearly all are. */
export function seenIn<Value>(value: Value): Value;
export function seenIn(value: unknown): unknown {
  if (typeof value === 'string') return seen(value);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => seenIn(item));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(
    ([name, field]: [string, unknown]) => [name, field, seenIn(field)] as const,
  );
  if (entries.every(([, field, own]) => field === own)) return value;
  return Object.fromEntries(entries.map(([name, , own]) => [name, own]));
}
