/** Makes the JSON Schemas of tools from their declarations. */
import * as z from 'zod/v4';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The schema of a tool's arguments. */
export function inputSchema(input: z.ZodObject): JsonSchema {
  const { properties = {}, ...schema } = portableSchema(input, 'input');
  const listed = Object.entries(properties).filter(([, property]) => !isUnlisted(property));
  return { ...schema, properties: Object.fromEntries(listed) };
}

/** Whether it is taken, and of no use to a model. */
function isUnlisted(property: unknown): boolean {
  return typeof property === 'object' && property !== null && 'unlisted' in property;
}

/**
 * The schema of `structuredContent`; undefined for a list. Structured content must be an object, and a host that finds a
 * text which differs from it shows a model both, so a list is text alone.
 */
export function outputSchema(output: z.ZodType): JsonSchema | undefined {
  const schema = portableSchema(output, 'output');
  return schema.type === 'array' ? undefined : schema;
}

/** Small, and in the part of JSON Schema that the models of all hosts understand. */
function portableSchema(type: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      replaceNullUnion(jsonSchema);
      replaceConstants(jsonSchema);
      // Sizes that only abuse reaches, and the bounds of safe integers: the error names them, a model need not.
      delete jsonSchema.maxLength;
      delete jsonSchema.maxItems;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      delete jsonSchema.propertyNames;
      // Strict validators ask for a definition of each required name.
      if (!jsonSchema.properties) delete jsonSchema.required;
      tellDefault(jsonSchema);
      // A later version may answer with more fields.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return schema;
}

/** Some APIs refuse the keyword `default`; a model reads it in the description just as well. */
function tellDefault(schema: JsonSchema): void {
  const usual = schema.default;
  delete schema.default;
  if (typeof usual !== 'number' && usual !== true) return;
  schema.description = [schema.description, `default ${String(usual)}`].filter(Boolean).join('; ');
}

/** `anyOf: [X, null]` becomes X whose type may also be null, where X has one plain type. */
function replaceNullUnion(schema: JsonSchema): void {
  const [some, none] = schema.anyOf ?? [];
  if (schema.anyOf?.length !== 2 || typeof some !== 'object' || typeof none !== 'object') return;
  if (none.type !== 'null' || typeof some.type !== 'string') return;
  const { type, enum: values, ...rest } = some;
  delete schema.anyOf;
  // JSON Schema allows a list of types; the library's type knows only single ones.
  Object.assign(schema, rest, { type: [type, 'null'] }, values ? { enum: [...values, null] } : {});
}

/** `anyOf` of constants becomes `enum`. */
function replaceConstants(schema: JsonSchema): void {
  const options = schema.anyOf ?? [];
  const constants = options.flatMap((option) => (typeof option === 'object' && 'const' in option ? [option] : []));
  if (constants.length === 0 || constants.length !== options.length) return;
  const { type } = constants[0] ?? {};
  delete schema.anyOf;
  Object.assign(schema, type ? { type } : {}, { enum: constants.map((constant) => constant.const) });
}
