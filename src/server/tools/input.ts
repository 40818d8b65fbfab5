/** The parameters that tools share, and what is said of wrong ones. */
import * as z from 'zod/v4';
import { MEMORY_KINDS } from '../../kinds/kinds';
import { parseTimestamp } from '../base/clock';
import { type Phrase, parameter, phrase } from '../base/phrase';
import { isBlank, quoted } from '../base/text';
import { isTooLong, LONGEST_CONTENT, MAX_ENTITIES, MAX_NAME_LENGTH, SMALLEST_BUDGET_TOKENS } from '../memory/limits';
import { checkNamespace } from '../memory/namespaces';

/** Parameters that several tools share, with the descriptions that agents read. */

const notBlank = (value: string): boolean => !isBlank(value);

/** Text that must say something. Nobody asks for more than this many characters. */
export const text = (description: string): z.ZodType<string> =>
  z.string().max(MAX_ASKED_LENGTH).refine(notBlank, 'is blank').describe(description);

const MAX_ASKED_LENGTH = 1_000_000;

const content = z
  .string()
  .refine((value) => !isTooLong(value), `is longer than ${LONGEST_CONTENT}: split it`)
  .refine(notBlank, 'is blank');

/** Text that is stored. */
export const storedText = (description: string): z.ZodType<string> => content.describe(description);

export const nodeId = (description: string): z.ZodType<string> =>
  z.string().refine(notBlank, 'is blank').describe(description);

export const kind = z.enum(MEMORY_KINDS);

export const confidence = z.number().min(0).max(1);

export const names = (description: string) =>
  z.array(z.string().max(MAX_NAME_LENGTH).refine(notBlank, 'is blank')).max(MAX_ENTITIES).describe(description);

/** Longer texts than names: options, reasons. */
export const texts = (description: string) => z.array(content).max(MAX_ENTITIES).describe(description);

export const namespace = (description: string): z.ZodType<string> =>
  z.string().max(MAX_NAME_LENGTH).refine(notBlank, 'is blank').describe(description);

export const budgetTokens = z.int().min(SMALLEST_BUDGET_TOKENS).describe('Largest size of the answer');

/** What memory_forget and memory_clear_session answer. */
export const forgotten = z.object({
  count: z.int(),
  mode: z.enum(['tombstone', 'purge']),
  ids: z.array(z.string()),
  /** Shared memories that were meant, too, and stay until they are forgotten by their ids. */
  shared_ids: z.array(z.string()).optional(),
  /** Out of sight and not deleted: the session that is named, where it has shared memories. */
  hidden_ids: z.array(z.string()).optional(),
  /** Those that held what was purged. */
  removed_backups: z.int().optional(),
  /** What of it is left where a purge does not reach. */
  remains: z.string().optional(),
  /** The file of a shared memory, which was removed. */
  path: z.string().optional(),
});

/** A date or date-time, handed on in our own 24-character form. */
export const time = (description: string) => z.string().describe(description);

/** `null` for an optional parameter is the same as leaving it out. */
export function withoutNulls(input: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null && value !== undefined));
}

/** Reads a time parameter that may be absent. */
export function optionalTime(value: string | undefined, parameter: string, boundary?: 'start' | 'end') {
  return value === undefined ? undefined : parseTimestamp(value, parameter, boundary);
}

/** Checks a namespace parameter that may be absent. */
export function optionalNamespace(value: string | undefined): string | undefined {
  return value === undefined ? undefined : checkNamespace(value);
}

/** `content (required), kind (required), entities, …` */
export function parameterNames(schema: z.ZodObject): string {
  const names = Object.entries(schema.shape).map(
    ([name, field]) => `${name}${(field as z.ZodType).safeParse(undefined).success ? '' : ' (required)'}`,
  );
  return names.length > 0 ? names.join(', ') : 'none';
}

/** One of zod's issues in our words: which parameter, what is wrong with it, what was expected. */
export function describeIssue(issue: z.core.$ZodIssue, input: unknown): Phrase {
  const [first, ...rest] = issue.path;
  const name = parameter(
    first === undefined ? '' : String(first),
    rest.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join(''),
  );
  switch (issue.code) {
    case 'unrecognized_keys':
      return phrase`${issue.keys.map(quoted).join(', ')} ${issue.keys.length === 1 ? 'is no parameter' : 'are no parameters'}`;
    case 'invalid_type':
      return valueAt(input, issue.path) === undefined
        ? phrase`The parameter ${name} is missing`
        : phrase`${name} must be ${article(issue.expected)}`;
    case 'invalid_value':
      return valueAt(input, issue.path) === undefined
        ? phrase`The parameter ${name} is missing`
        : phrase`${name} must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return phrase`${name} must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string'
        ? phrase`${name} must be at most ${issue.maximum} characters long`
        : issue.origin === 'array'
          ? phrase`${name} must have at most ${issue.maximum} entries`
          : phrase`${name} must be at most ${issue.maximum}`;
    default:
      return phrase`${name} ${issue.message}`;
  }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[step];
  return value;
}

function article(type: string): string {
  const names: Record<string, string> = {
    string: 'text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
  };
  return names[type] ?? `of type ${type}`;
}
