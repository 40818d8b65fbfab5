import { setTimeout as delay } from 'node:timers/promises';
import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  type ListPromptsResult,
  type ListResourcesResult,
  type ListToolsResult,
  type ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js';
import * as memoryServer from '../../../src/server/mcp/memory-server';
import type { Call, Methods, Params } from '../../../src/server/mcp/serve';

/**
 * Tools, resources and prompts that the official conformance suite asks a server for by name. `server.ts` builds the
 * server with this module in place of src/server/mcp/memory-server.
 */

export const CAPABILITIES: ServerCapabilities = {
  ...memoryServer.CAPABILITIES,
  logging: {},
  resources: { subscribe: true },
};

export const memoryMethods: typeof memoryServer.memoryMethods = (...given) =>
  withFixtures(memoryServer.memoryMethods(...given));

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** No samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';
const STEP_MS = 50;

const textContent = (text: string) => ({ type: 'text', text });
const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, text: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text },
});

type Fixture = (given: Params, call: Call) => Promise<unknown[]>;

const TOOLS: Readonly<Record<string, Fixture>> = {
  test_simple_text: async () => [textContent('This is a simple text response for testing.')],
  test_image_content: async () => [image],
  test_audio_content: async () => [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: async () => [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: async () => [
    textContent('Multiple content types test:'),
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  test_tool_with_logging: async (_, call) => {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await call.sendNotification({ method: 'notifications/message', params: { level: 'info', data } });
      await delay(STEP_MS);
    }
    return [textContent('Logged three times.')];
  },
  test_tool_with_progress: async (_, call) => {
    const progressToken = call._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await call.sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      }
      await delay(STEP_MS);
    }
    return [textContent('Done.')];
  },
  test_sampling: async ({ prompt }, call) => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: String(prompt) } }];
    const answer = await call.sendRequest(
      { method: 'sampling/createMessage', params: { messages, maxTokens: 100 } },
      CreateMessageResultSchema,
    );
    return [textContent(`LLM response: ${JSON.stringify(answer.content)}`)];
  },
  test_elicitation: ({ message }, call) =>
    elicit(call, String(message), {
      username: { type: 'string', description: "User's response" },
      email: { type: 'string', description: "User's email address" },
    }),
  test_elicitation_sep1034_defaults: (_, call) =>
    elicit(call, 'Defaults', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  test_elicitation_sep1330_enums: (_, call) =>
    elicit(call, 'Enums', {
      untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
      titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
      titledMulti: { type: 'array', items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') } },
    }),
  test_reconnection: async () => {
    await delay(STEP_MS);
    return [textContent('Reconnected.')];
  },
};

function titled(...titles: readonly string[]) {
  return titles.map((title, i) => ({ const: `value${i + 1}`, title }));
}

type ElicitedProperties = Record<string, Record<string, unknown>>;

async function elicit(call: Call, message: string, properties: ElicitedProperties): Promise<unknown[]> {
  const required = Object.keys(properties);
  const request = {
    method: 'elicitation/create',
    params: { message, requestedSchema: { type: 'object', properties, required } },
  };
  // The suite checks the schemas; the SDK's type of them is narrower than what the suite asks for.
  const { action, content } = await call.sendRequest(request as Parameters<Call['sendRequest']>[0], ElicitResultSchema);
  return [textContent(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)];
}

const JSON_SCHEMA_TOOL = {
  name: 'json_schema_2020_12_tool',
  description: 'Tool with JSON Schema 2020-12 features',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object' as const,
    $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
};

const RESOURCES: Readonly<Record<string, { mimeType: string; text?: string; blob?: string }>> = {
  'test://static-text': { mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
  'test://static-binary': { mimeType: 'image/png', blob: PNG },
  'test://watched-resource': { mimeType: 'text/plain', text: 'Watched.' },
};

const PROMPTS: Readonly<Record<string, { arguments: readonly string[]; contents: (given: Params) => unknown[] }>> = {
  test_simple_prompt: { arguments: [], contents: () => [textContent('This is a simple prompt for testing.')] },
  test_prompt_with_arguments: {
    arguments: ['arg1', 'arg2'],
    contents: ({ arg1, arg2 }) => [textContent(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: ['resourceUri'],
    contents: ({ resourceUri }) => [
      resource(String(resourceUri), 'text/plain', 'Embedded resource content for testing.'),
      textContent('Please process the embedded resource above.'),
    ],
  },
  test_prompt_with_image: { arguments: [], contents: () => [image, textContent('Please analyze the image above.')] },
};

const description = 'For the conformance suite';

/** The server's own methods, with the fixtures in front of them. */
function withFixtures(own: Methods): Methods {
  const ask = async <Result>(method: string, params: Params, call: Call): Promise<Result> =>
    (await own[method]?.(params, call)) as Result;
  return {
    ...own,
    'resources/subscribe': async () => ({}),
    'resources/unsubscribe': async () => ({}),
    'tools/list': async (params, call) => {
      const { tools } = await ask<ListToolsResult>('tools/list', params, call);
      const added = Object.keys(TOOLS).map((name) => ({ name, description, inputSchema: { type: 'object' } }));
      return { tools: [...tools, ...added, JSON_SCHEMA_TOOL] };
    },
    'tools/call': async (params, call) => {
      if (params.name === 'test_error_handling') {
        return { isError: true, content: [textContent('This tool intentionally returns an error for testing')] };
      }
      const fixture = TOOLS[String(params.name)];
      if (!fixture) return ask('tools/call', params, call);
      return { content: await fixture((params.arguments ?? {}) as Params, call) };
    },
    'prompts/list': async (params, call) => {
      const { prompts } = await ask<ListPromptsResult>('prompts/list', params, call);
      const added = Object.entries(PROMPTS).map(([name, prompt]) => ({
        name,
        description,
        arguments: prompt.arguments.map((argument) => ({ name: argument, description, required: true })),
      }));
      return { prompts: [...prompts, ...added] };
    },
    'prompts/get': async (params, call) => {
      const fixture = PROMPTS[String(params.name)];
      if (!fixture) return ask('prompts/get', params, call);
      const contents = fixture.contents((params.arguments ?? {}) as Params);
      return { messages: contents.map((content) => ({ role: 'user', content })) };
    },
    'resources/list': async (params, call) => {
      const { resources } = await ask<ListResourcesResult>('resources/list', params, call);
      const added = Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({ uri, name: uri, description, mimeType }));
      return { resources: [...resources, ...added] };
    },
    'resources/read': async (params, call) => {
      const uri = String(params.uri);
      const fixture = RESOURCES[uri];
      if (fixture) return { contents: [{ uri, ...fixture }] };
      const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
      if (id === undefined) return ask('resources/read', params, call);
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return { contents: [{ uri, mimeType: 'application/json', text }] };
    },
  };
}
