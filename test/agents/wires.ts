/** The forms in which four interfaces of models are asked and answer. */
import type { OfferedTool, Reply } from './model-server';

type Sent = Readonly<Record<string, unknown>>;

export interface Wire {
  readonly path: RegExp;
  readonly tools: (asked: Sent) => OfferedTool[];
  /** Tools that a search has brought, where they stand elsewhere. */
  readonly found?: (asked: Sent) => OfferedTool[];
  readonly whole: (reply: Reply) => object;
  readonly events: (reply: Reply) => { readonly event?: string; readonly data: object }[];
  /** What ends a stream. */
  readonly end: string;
}

let calls = 0;
const newCall = (): string => `call_${++calls}`;

const list = (value: unknown): Sent[] => (Array.isArray(value) ? (value as Sent[]) : []);
const tool = (sent: unknown, name: unknown, group?: unknown): OfferedTool => ({
  ...{ sent, name: String(name) },
  ...(typeof group === 'string' ? { group } : {}),
});

const MESSAGES: Wire = {
  path: /\/v1\/messages$/,
  tools: ({ tools }) => list(tools).map((each) => tool(each, each.name)),
  whole: (reply) => ({ ...message(), content: [block(reply)], stop_reason: stopOf(reply) }),
  events: (reply) => {
    const content = block(reply);
    const [empty, delta] =
      content.type === 'text'
        ? [
            { type: 'text', text: '' },
            { type: 'text_delta', text: content.text },
          ]
        : [
            { ...content, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(content.input) },
          ];
    return [
      { type: 'message_start', message: { ...message(), content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: empty },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: stopOf(reply), stop_sequence: null },
        usage: { output_tokens: 1 },
      },
      { type: 'message_stop' },
    ].map((data) => ({ event: data.type, data }));
  },
  end: '',
};

function message() {
  const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  return { id: newCall(), type: 'message', role: 'assistant', model: 'scripted', stop_sequence: null, usage };
}

function block(reply: Reply) {
  return 'text' in reply
    ? { type: 'text', text: reply.text }
    : { type: 'tool_use', id: newCall(), name: reply.call.tool.name, input: reply.call.input };
}

function stopOf(reply: Reply): string {
  return 'text' in reply ? 'end_turn' : 'tool_use';
}

const COMPLETIONS: Wire = {
  path: /\/chat\/completions$/,
  tools: ({ tools }) => list(tools).map((each) => tool(each, (each.function as Sent | undefined)?.name)),
  whole: (reply) => ({
    ...completion('chat.completion'),
    choices: [{ index: 0, message: spoken(reply), ...finish(reply) }],
    usage: COUNTED,
  }),
  events: (reply) => [
    {
      data: {
        ...completion('chat.completion.chunk'),
        choices: [{ index: 0, delta: spoken(reply), finish_reason: null }],
      },
    },
    { data: { ...completion('chat.completion.chunk'), choices: [{ index: 0, delta: {}, ...finish(reply) }] } },
    { data: { ...completion('chat.completion.chunk'), choices: [], usage: COUNTED } },
  ],
  end: 'data: [DONE]\n\n',
};

/** In a stream it comes last, alone: some agents take a chunk that has it for nothing else. */
const COUNTED = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function completion(object: string) {
  return { id: newCall(), object, created: 1, model: 'scripted' };
}

function spoken(reply: Reply) {
  if ('text' in reply) return { role: 'assistant', content: reply.text };
  const { tool: called, input } = reply.call;
  const call = { name: called.name, arguments: JSON.stringify(input) };
  return {
    role: 'assistant',
    content: null,
    tool_calls: [{ index: 0, id: newCall(), type: 'function', function: call }],
  };
}

function finish(reply: Reply) {
  return { finish_reason: 'text' in reply ? 'stop' : 'tool_calls' };
}

const RESPONSES: Wire = {
  path: /\/responses$/,
  tools: ({ tools }) => inNamespaces(tools),
  found: ({ input }) =>
    list(input).flatMap((item) => (item.type === 'tool_search_output' ? inNamespaces(item.tools) : [])),
  whole: (reply) => responded(reply),
  events: (reply) => {
    const whole = responded(reply);
    const [item] = whole.output;
    return [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: whole },
    ].map((data) => ({ event: data.type, data }));
  },
  end: '',
};

function inNamespaces(tools: unknown): OfferedTool[] {
  return list(tools).flatMap((each) =>
    each.type === 'namespace'
      ? list(each.tools).map((inner) => tool(inner, inner.name, each.name))
      : [tool(each, each.name ?? each.type)],
  );
}

function responded(reply: Reply) {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const item = 'text' in reply ? said(reply.text) : called(reply.call);
  return { id: newCall(), object: 'response', status: 'completed', model: 'scripted', output: [item], usage };
}

function said(text: string): Sent {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: newCall(), role: 'assistant', status: 'completed', content };
}

function called({ tool: wanted, input }: Extract<Reply, { call: unknown }>['call']): Sent {
  const id = newCall();
  const { name, group, sent } = wanted;
  // A tool of free text takes it as it is.
  if ((sent as Sent).type === 'custom') {
    return { type: 'custom_tool_call', id, call_id: id, status: 'completed', name, input: String(input.input) };
  }
  if ((sent as Sent).type === 'tool_search') {
    return { type: 'tool_search_call', id, call_id: id, status: 'completed', execution: 'client', arguments: input };
  }
  return {
    ...{ type: 'function_call', id, call_id: id, status: 'completed', name, arguments: JSON.stringify(input) },
    ...(group === undefined ? {} : { namespace: group }),
  };
}

const CONTENT: Wire = {
  path: /:(?:streamG|g)enerateContent$/,
  tools: ({ tools }) =>
    list(tools).flatMap(({ functionDeclarations }) => list(functionDeclarations).map((each) => tool(each, each.name))),
  whole: generated,
  events: (reply) => [{ data: generated(reply) }],
  end: '',
};

function generated(reply: Reply) {
  const part =
    'text' in reply
      ? { text: reply.text }
      : { functionCall: { id: newCall(), name: reply.call.tool.name, args: reply.call.input } };
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    modelVersion: 'scripted',
  };
}

export const WIRES: readonly Wire[] = [MESSAGES, COMPLETIONS, RESPONSES, CONTENT];
