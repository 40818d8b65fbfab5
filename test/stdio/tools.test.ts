import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import type { JsonSchemaType } from '@modelcontextprotocol/sdk/validation/types.js';
import { describe, expect, test } from 'vitest';
import { type ConnectedServer, textOf, withServer } from '../support/stdio-client';
import { realTokenizer } from '../support/tokenizer';

const MOST_TOKENS_OF_THE_LIST = 4_000;

describe('the list of tools', () => {
  test('fits into 4,000 tokens', () =>
    withServer(async ({ client }) => {
      const list = JSON.stringify(await client.listTools());
      expect((await realTokenizer()).count(list)).toBeLessThanOrEqual(MOST_TOKENS_OF_THE_LIST);
    }));

  test('tells a host of each tool what it does to the store', () =>
    withServer(async ({ client }) => {
      const { tools } = await client.listTools();
      const hints = Object.fromEntries(tools.map((tool) => [tool.name, tool.annotations]));
      expect(hints.memory_recall).toEqual({
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(hints.memory_store).toEqual({
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      });
      expect(hints.memory_forget).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    }));

  test('asks a host that defers tools to load the four that a model needs unasked', () =>
    withServer(async ({ client }) => {
      const { tools } = await client.listTools();
      const asked = tools.filter(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true).map(({ name }) => name);
      expect(asked).toEqual(['memory_store', 'memory_recall', 'memory_end_session', 'memory_for_code']);
    }));

  test('describes every tool and every parameter', () =>
    withServer(async ({ client }) => {
      const { tools } = await client.listTools();
      for (const tool of tools) {
        expect(tool.title, tool.name).toBeTruthy();
        expect(tool.description, tool.name).toBeTruthy();
        for (const [name, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
          expect(schema, `${tool.name} ${name}`).toHaveProperty('description', expect.stringMatching(/\S/));
        }
      }
    }));

  test('keeps to the part of JSON Schema that every host understands', () =>
    withServer(async ({ client }) => {
      const { tools } = await client.listTools();
      for (const tool of tools) {
        for (const schema of [tool.inputSchema, tool.outputSchema ?? {}]) {
          const text = JSON.stringify(schema);
          for (const word of ['$schema', '$ref', 'anyOf', 'oneOf', 'allOf', '9007199254740991']) {
            expect(text, `${tool.name} without ${word}`).not.toContain(`"${word}"`);
          }
          for (const part of partsOf(schema)) {
            if (part.type === 'array') expect(part.items, `items of an array in ${tool.name}`).toBeDefined();
          }
        }
      }
    }));
});

/** A schema and every schema inside it. */
function* partsOf(schema: unknown): Generator<Record<string, unknown>> {
  if (typeof schema !== 'object' || schema === null) return;
  if (!Array.isArray(schema)) yield schema as Record<string, unknown>;
  for (const value of Object.values(schema)) yield* partsOf(value);
}

describe('an answer', () => {
  test('of an object tool is the object as JSON text and as structured content that fits the schema', () =>
    withServer(async (server) => {
      const result = await server.call('memory_store', {
        content: 'Sessions live in Redis.',
        kind: 'fact',
        entities: ['Redis'],
      });
      expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
      expect(result.structuredContent).toEqual({
        node_id: expect.stringMatching(/^f_/),
        linked_entity_ids: [expect.stringMatching(/^e_/)],
        created_entity_ids: [expect.stringMatching(/^e_/)],
      });
      await expectToFitSchema(server, 'memory_store', result.structuredContent);
    }));

  test('of a Markdown tool is one text and nothing structured', () =>
    withServer(async (server) => {
      await server.call('memory_store', { content: 'Sessions live in Redis.', kind: 'fact' });
      const result = await server.call('memory_recall', { query: 'sessions' });
      expect(textOf(result)).toContain('— Sessions live in Redis.');
      expect(result.structuredContent).toBeUndefined();
    }));

  test('of a list tool is the JSON array as text and nothing structured', () =>
    withServer(async (server) => {
      await server.call('memory_start_session', { name: 'Fix the login' });
      const result = await server.call('memory_list_sessions');
      const sessions = JSON.parse(textOf(result)) as unknown[];
      expect(sessions).toHaveLength(1);
      expect(result.structuredContent).toBeUndefined();
      const { tools } = await server.client.listTools();
      expect(tools.find(({ name }) => name === 'memory_list_sessions')).not.toHaveProperty('outputSchema');
    }));

  test('comes after what the calls before it wrote, also when nobody waited for them', () =>
    withServer(async (server) => {
      const [, recalled] = await Promise.all([
        server.text('memory_store', { content: 'The cache is written through.', kind: 'fact' }),
        server.text('memory_recall', { query: 'cache' }),
        server.text('memory_switch_namespace', { namespace: 'elsewhere' }),
      ]);
      expect(recalled).toContain('The cache is written through.');
    }));
});

async function expectToFitSchema(server: ConnectedServer, name: string, value: unknown): Promise<void> {
  const { tools } = await server.client.listTools();
  // What came over the wire is a JSON schema; the SDK has two types for one.
  const schema = tools.find((tool) => tool.name === name)?.outputSchema as JsonSchemaType;
  const validate = new AjvJsonSchemaValidator().getValidator(schema);
  expect(validate(value).errorMessage).toBeUndefined();
}

describe('a refusal', () => {
  test('is an error result with one text that starts with its code', () =>
    withServer(async (server) => {
      const result = await server.call('memory_store', { content: ' ', kind: 'fact' });
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      expect(textOf(result)).toMatch(/^invalid_input: "content" is blank\. /);
    }));

  test('of an unknown parameter names it and those that there are', () =>
    withServer(async (server) => {
      const refusal = await server.refusal('memory_recall', { query: 'a', limit: 3 });
      expect(refusal).toMatch(/^invalid_input: "limit" is no parameter\. /);
      expect(refusal).toContain('budget_tokens');
    }));

  test('is not made for an optional parameter that is null: it counts as absent', () =>
    withServer(async (server) => {
      expect(
        await server.text('memory_recall', { query: 'anything', budget_tokens: null, kinds: null, as_of: null }),
      ).toContain('/500 tokens)');
    }));

  test('of arguments that are not an object says so', () =>
    withServer(async (server) => {
      const wrong = ['content'] as unknown as Record<string, unknown>;
      await expect(server.refusal('memory_store', wrong)).resolves.toMatch(/^invalid_input: /);
    }));

  test('of an unknown tool is an error of the protocol that names the tools', () =>
    withServer(async (server) => {
      await expect(server.call('memory_rekall')).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(/There is no tool "memory_rekall".*memory_recall/),
      });
    }));

  test('of an unknown method is an error of the protocol', () =>
    withServer(async ({ client }) => {
      await expect(client.setLoggingLevel('debug')).rejects.toThrow();
      await expect(client.ping()).resolves.toEqual({});
    }));
});
