import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import Ajv2020 from 'ajv/dist/2020';
import { toStrictJsonSchema } from 'openai/lib/transform';
import { beforeAll, describe, expect, test } from 'vitest';
import { GRAPH_SERVER_FILE } from '../support/code-project';
import { withServer } from '../support/stdio-client';
import { realTokenizer } from '../support/tokenizer';

/** Of both servers together. */
const MOST_TOKENS_OF_A_MODEL = 2_300;
const MOST_TOKENS_OF_THE_LISTS = 4_400;
const MOST_TOKENS_OF_INSTRUCTIONS = 300;

type Schema = Readonly<Record<string, unknown>>;

const offered: { instructions: string; tools: Tool[] }[] = [];
const allTools = (): Tool[] => offered.flatMap(({ tools }) => tools);

beforeAll(async () => {
  for (const server of [undefined, GRAPH_SERVER_FILE]) {
    await withServer(
      async ({ client }) => {
        const { tools } = await client.listTools();
        offered.push({ instructions: client.getInstructions() ?? '', tools });
      },
      server === undefined ? {} : { server },
    );
  }
});

async function tokens(value: unknown): Promise<number> {
  return (await realTokenizer()).count(typeof value === 'string' ? value : JSON.stringify(value));
}

describe('what a model gets of both servers', () => {
  test('are 20 tools in at most 2,300 tokens', async () => {
    const shown = allTools().map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(shown).toHaveLength(20);
    expect(await tokens(shown)).toBeLessThanOrEqual(MOST_TOKENS_OF_A_MODEL);
  });

  test('are instructions of at most 300 tokens', async () => {
    const all = offered.map(({ instructions }) => instructions);
    expect(all.every((text) => text !== '')).toBe(true);
    expect(await tokens(all.join('\n'))).toBeLessThanOrEqual(MOST_TOKENS_OF_INSTRUCTIONS);
  });

  test('comes over the wire in at most 4,400 tokens', async () => {
    let sum = 0;
    for (const { tools } of offered) sum += await tokens({ tools });
    expect(sum).toBeLessThanOrEqual(MOST_TOKENS_OF_THE_LISTS);
  });
});

describe('the schema of every tool', () => {
  test('compiles in a strict validator, in both dialects that clients use', () => {
    for (const { name, inputSchema, outputSchema } of allTools()) {
      for (const schema of [inputSchema, outputSchema].filter((one) => one !== undefined)) {
        const strict = { strict: true, allowUnionTypes: true } as const;
        expect(() => new Ajv2020(strict).compile(schema), name).not.toThrow();
      }
    }
  });

  test('has a type everywhere, and no default, which some APIs refuse', () => {
    for (const { name, inputSchema } of allTools()) {
      for (const { path, schema } of schemasIn(inputSchema)) {
        expect(schema, `${name} ${path}`).toHaveProperty('type');
        expect(schema, `${name} ${path}`).not.toHaveProperty('default');
      }
    }
  });

  test('becomes a strict one of OpenAI with every parameter in it', () => {
    for (const { name, inputSchema } of allTools()) {
      const strict = toStrictJsonSchema(asOpenAiTakesIt(inputSchema)) as Schema;
      expect(pathsIn(strict), name).toEqual(pathsIn(inputSchema));
      for (const { path, schema } of schemasIn(strict)) {
        if (schema.type !== 'object') continue;
        expect(schema.additionalProperties, `${name} ${path}`).toBe(false);
        expect(schema.required, `${name} ${path}`).toEqual(Object.keys(schema.properties as object));
      }
    }
  });

  test("becomes one of Gemini's with every parameter, type, choice and description in it", async () => {
    const sent = await asGeminiIsSent(allTools());
    for (const { name, inputSchema } of allTools()) {
      const parameters = sent.get(name);
      // A tool without parameters is sent without a schema.
      if (Object.keys(inputSchema.properties ?? {}).length === 0) continue;
      for (const { path, schema } of schemasIn(inputSchema)) {
        const theirs = [...schemasIn(parameters)].find((one) => one.path === path)?.schema;
        for (const word of ['type', 'description', 'enum', 'required']) {
          expect(theirs?.[word], `${word} of ${name} ${path}`).toEqual(schema[word]);
        }
      }
    }
  });
});

/** An optional parameter of OpenAI's strict form is one that may be null; ours takes null as left out. */
function asOpenAiTakesIt(schema: Schema): Schema {
  const required = (schema.required ?? []) as readonly string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, inner]) => {
    const taken = asOpenAiTakesIt(inner);
    if (schema.type !== 'object' || required.includes(name)) return [name, taken];
    const values = taken.enum as readonly unknown[] | undefined;
    return [name, { ...taken, type: [taken.type, 'null'], ...(values ? { enum: [...values, null] } : {}) }];
  });
  return {
    ...schema,
    ...(schema.type === 'object'
      ? { properties: Object.fromEntries(properties), required: properties.map(([name]) => name) }
      : {}),
    ...(schema.items ? { items: asOpenAiTakesIt(schema.items as Schema) } : {}),
  };
}

/** The schemas that the AI SDK sends to Google's interface, by the name of the tool. */
async function asGeminiIsSent(tools: readonly Tool[]): Promise<Map<string, Schema | undefined>> {
  let body = '';
  const google = createGoogleGenerativeAI({
    apiKey: 'none',
    fetch: async (_, request) => {
      body = String(request?.body);
      return Response.json({ candidates: [{ content: { parts: [{ text: 'ok' }] }, finishReason: 'STOP' }] });
    },
  });
  await google('gemini-flash').doGenerate({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    tools: tools.map(({ name, description, inputSchema }) => ({
      ...{ type: 'function' as const, name, description: description ?? '' },
      inputSchema,
    })),
  });
  const { tools: sent } = JSON.parse(body) as {
    tools: { functionDeclarations: { name: string; parameters?: Schema }[] }[];
  };
  return new Map(sent[0]?.functionDeclarations.map(({ name, parameters }) => [name, parameters]));
}

/** A schema and all schemas in it, with where they stand. */
function* schemasIn(schema: unknown, path = ''): Generator<{ path: string; schema: Schema }> {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties, items } = schema as Schema;
  yield { path, schema: schema as Schema };
  for (const [name, inner] of Object.entries((properties ?? {}) as object)) yield* schemasIn(inner, `${path}.${name}`);
  if (items) yield* schemasIn(items, `${path}[]`);
}

function pathsIn(schema: unknown): string[] {
  return [...schemasIn(schema)].map(({ path }) => path);
}
