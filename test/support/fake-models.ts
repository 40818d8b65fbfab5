import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Question } from '../../src/question/question';

/** What the scripted model answers: verdicts, any text, or an HTTP status with the text of an error. */
export type Scripted =
  | { readonly bindings: readonly { id: string; confidence: number; reason: string }[] }
  | { readonly text: string }
  /** The whole body of the answer. */
  | { readonly raw: string }
  | { readonly status: number; readonly text?: string; readonly headers?: Readonly<Record<string, string>> };

export interface Recorded {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The endpoints of all three kinds of models on one port of this machine, with everything that came in. */
export interface FakeModels {
  readonly requests: readonly Recorded[];
  readonly questions: readonly Question[];
  /** How the environment of a program leads to it. */
  readonly anthropic: Readonly<Record<string, string>>;
  readonly openai: Readonly<Record<string, string>>;
  readonly ollama: Readonly<Record<string, string>>;
  forget(): void;
}

export const ANTHROPIC_KEY = 'sk-ant-test-0123456789-planted';
export const OPENAI_KEY = 'sk-test-0123456789-planted';
/** No local server answers here, whatever runs on the machine of the tests. */
export const NO_OLLAMA = { OLLAMA_HOST: '127.0.0.1:1' };

export interface FakeOptions {
  readonly judge: (question: Question, nth: number) => Scripted | Promise<Scripted>;
  /** Of the local server. */
  readonly models?: readonly (string | { readonly name: string; readonly remote_host: string })[];
}

export async function withFakeModels<Result>(
  { judge, models = ['qwen3:8b'] }: FakeOptions,
  work: (models: FakeModels) => Promise<Result>,
): Promise<Result> {
  const requests: Recorded[] = [];
  const questions: Question[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await read(request);
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers, body });
    const send = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    };
    if (path === '/api/tags')
      return send(200, {
        models: models.map((one) =>
          typeof one === 'string' ? { name: one, model: one } : { model: one.name, ...one },
        ),
      });
    const asked = JSON.parse(body) as Asked;
    if (path === '/api/embed') return send(200, { model: asked.model, embeddings: (asked.input ?? []).map(vectorOf) });
    const question = JSON.parse(asked.messages?.findLast(({ role }) => role === 'user')?.content ?? '{}') as Question;
    questions.push(question);
    const scripted = await judge(question, questions.length - 1);
    if ('status' in scripted) {
      return send(scripted.status, { error: { message: scripted.text ?? 'scripted' } }, scripted.headers);
    }
    if ('raw' in scripted) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(scripted.raw);
      return;
    }
    const text = 'text' in scripted ? scripted.text : JSON.stringify(scripted);
    send(200, answered(path, asked.model ?? '', text));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  try {
    return await work({
      ...{ requests, questions },
      anthropic: { ANTHROPIC_API_KEY: ANTHROPIC_KEY, ANTHROPIC_BASE_URL: url, ...NO_OLLAMA },
      openai: { OPENAI_API_KEY: OPENAI_KEY, OPENAI_BASE_URL: `${url}/v1`, ...NO_OLLAMA },
      ollama: { OLLAMA_HOST: `127.0.0.1:${port}` },
      forget() {
        requests.length = 0;
        questions.length = 0;
      },
    });
  } finally {
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  }
}

/** A model that binds each candidate whose bare name stands in the section. */
export function byName({ section, candidates }: Question): Scripted {
  const found = candidates.filter(({ name }) => section.includes(name.slice(name.lastIndexOf('.') + 1)));
  return { bindings: found.map(({ id, name }) => ({ id, confidence: 0.9, reason: `speaks of ${name}` })) };
}

interface Asked {
  readonly model?: string;
  readonly input?: readonly string[];
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
}

function answered(path: string, model: string, text: string): unknown {
  if (path.endsWith('/messages')) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    return {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage,
    };
  }
  if (path.endsWith('/chat/completions')) {
    const message = { role: 'assistant', content: text, refusal: null };
    return {
      id: 'c',
      object: 'chat.completion',
      created: 0,
      model,
      choices: [{ index: 0, message, finish_reason: 'stop' }],
    };
  }
  return { model, created_at: '', message: { role: 'assistant', content: text }, done: true };
}

/** Texts that share letters have vectors that are alike. */
function vectorOf(text: string): number[] {
  const vector = new Array<number>(26).fill(0);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < 26) vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}

async function read(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  return body;
}
