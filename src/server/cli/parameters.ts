/** Derives the parameters of a command from the schema of a tool. */
import * as z from 'zod/v4';
import type { Tool } from '../tools/define-tool';

/** One parameter of a tool as the command line sees it, derived from the tool's schema. */
export interface Parameter {
  /** As the tool has it: `budget_tokens`. */
  readonly name: string;
  /** Without the dashes: `budget-tokens`. */
  readonly flag: string;
  readonly kind: 'text' | 'number' | 'flag' | 'list' | 'json';
  readonly description: string;
  readonly required: boolean;
  readonly choices: readonly string[] | undefined;
  readonly default: unknown;
  /** `0 to 2`, `at least 50`; undefined when every value will do. */
  readonly range: string | undefined;
}

/** The parts of a JSON Schema that parameters are made of. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** What a tool takes, as the arguments and options of its command: with dashes, and lists that can be repeated. */
export function parametersOf(tool: Tool): Parameter[] {
  // The JSON Schema of a zod object always has this shape.
  const schema = z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' }) as Schema;
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, property]) =>
    parameter(name, property, required.has(name)),
  );
}

/** `memory_end_session` → `end-session` */
export function commandName(toolName: string): string {
  return kebab(toolName.replace(/^memory_/, ''));
}

function parameter(name: string, property: Schema, required: boolean): Parameter {
  const schema = property.anyOf?.find((choice) => choice.type !== 'null') ?? property;
  const items = schema.type === 'array' ? schema.items : undefined;
  return {
    name,
    flag: kebab(name),
    kind: kindOf(schema),
    description: property.description ?? schema.description ?? '',
    required,
    choices: (items ?? schema).enum?.map(String),
    default: property.default,
    range: rangeOf(schema),
  };
}

function kindOf(schema: Schema): Parameter['kind'] {
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'flag';
    case 'array':
      return schema.items?.type === 'string' ? 'list' : 'json';
    default:
      return 'json';
  }
}

function rangeOf({ type, minimum, maximum }: Schema): string | undefined {
  if (type !== 'integer' && type !== 'number') return undefined;
  // zod bounds an integer by the safe integers when the schema does not
  const from = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const to = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (from !== undefined && to !== undefined) return `${from} to ${to}`;
  if (from !== undefined) return `at least ${from}`;
  return to === undefined ? undefined : `at most ${to}`;
}

function kebab(name: string): string {
  return name.replaceAll('_', '-');
}
