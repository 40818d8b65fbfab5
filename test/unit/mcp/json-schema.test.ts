import { expect, test } from 'vitest';
import * as z from 'zod/v4';
import { inputSchema, outputSchema } from '../../../src/server/mcp/json-schema';

test('an argument schema is small: no dialect, no bounds that tell a model nothing', () => {
  const input = z.strictObject({
    text: z.string().max(1_000_000).describe('What'),
    count: z.int().default(3),
    names: z.array(z.string()).max(200).optional(),
    place: z.string().nullish(),
  });
  expect(inputSchema(input)).toEqual({
    type: 'object',
    properties: {
      text: { type: 'string', description: 'What' },
      count: { type: 'integer', description: 'default 3' },
      names: { type: 'array', items: { type: 'string' } },
      place: { type: ['string', 'null'] },
    },
    required: ['text'],
    additionalProperties: false,
  });
});

test('an answer may have more fields than its schema names', () => {
  const output = z.object({
    state: z.enum(['on', 'off']).nullable(),
    flag: z.union([z.literal(0), z.literal(1)]),
    counts: z.record(z.enum(['a', 'b']), z.int()),
    inner: z.array(z.object({ id: z.string() })),
  });
  expect(outputSchema(output)).toEqual({
    type: 'object',
    properties: {
      state: { type: ['string', 'null'], enum: ['on', 'off', null] },
      flag: { type: 'number', enum: [0, 1] },
      counts: { type: 'object', additionalProperties: { type: 'integer' } },
      inner: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } },
    },
    required: ['state', 'flag', 'counts', 'inner'],
  });
});

test('a list has none, because structured content must be an object', () => {
  expect(outputSchema(z.array(z.string()))).toBeUndefined();
});

test('a parameter of no use to a model is not listed', () => {
  const input = z.strictObject({ shown: z.string(), taken: z.unknown().optional().meta({ unlisted: true }) });
  expect(inputSchema(input).properties).toEqual({ shown: { type: 'string' } });
});
