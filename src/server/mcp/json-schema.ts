/** Makes the JSON Schemas of tools from their declarations. */
import * as z from 'zod/v4';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The schema of a tool's arguments. */
export function inputSchema(input: z.ZodObject): JsonSchema {
  return portableSchema(input, 'input');
}

/** The schema of `structuredContent`, which must be an object: a list is wrapped as `{ result: […] }`. */
export function outputSchema(output: z.ZodType): JsonSchema {
  const schema = portableSchema(output, 'output');
  return schema.type === 'array' ? { type: 'object', properties: { result: schema }, required: ['result'] } : schema;
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
      // A later version may answer with more fields.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return schema;
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
