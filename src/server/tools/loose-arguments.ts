/** Reads arguments as smaller models write them. */
import type * as z from 'zod/v4';

/**
 * A text where a list is expected is a list of one; the JSON text of a list or a number is that list or number. Anything
 * else stays as it is, for the schema to judge.
 */
export function readLoosely(schema: z.ZodObject, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const field = schema.shape[name] as z.ZodType | undefined;
      return [name, typeof value === 'string' && field ? readText(value, wantedBy(field)) : value];
    }),
  );
}

type Wanted = 'names' | 'list' | 'number' | undefined;

function readText(text: string, wanted: Wanted): unknown {
  if (wanted === undefined) return text;
  const value = parsed(text);
  if (wanted === 'number') return typeof value === 'number' ? value : text;
  if (Array.isArray(value)) return value;
  return wanted === 'names' ? [text] : text;
}

function wantedBy(field: z.ZodType): Wanted {
  // What wraps a schema has the inner one in its definition; the library's types tell so of each class alone.
  const { type, innerType } = field.def as { type: string; innerType?: z.ZodType };
  if (innerType) return wantedBy(innerType);
  if (type === 'array') return 'names';
  if (type === 'number') return 'number';
  // A list whose entries are looked at one by one.
  return field.meta()?.type === 'array' ? 'list' : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
