import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { CreateMessageRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { hostAccess } from '../../src/extension/host-access';
import { openHostSocket } from '../../src/extension/host-socket';
import type { Question } from '../../src/question/question';
import { type AnswerQuestions, NoModel, questionServer } from '../../src/question/question-server';
import type { Asked } from '../../src/question/wire';
import { hostAnswers } from '../../src/server/llm/providers/mcp-host';
import { newHostSocket } from '../../src/server/project/host-sockets';
import { GRAPH_SERVER_FILE, SVC_FILE, withCodeProject } from '../support/code-project';
import { byName, NO_OLLAMA, withFakeModels } from '../support/fake-models';
import { openSqlite } from '../support/sqlite';
import { connectServer, type Place } from '../support/stdio-client';

const FILES = {
  'src/store.ts': '/** Keeps rows of the ledger. */\nexport class Store {}\n',
  'docs/guide.md': '# Ledger\n\nRows are kept by `Store`.\n',
};

type SampledText = { readonly text: string; readonly system: string | undefined };

/** The official client with a scripted model, connected to svc-mcp in this project. */
function samplingClient(place: Place, asked: SampledText[], answer: (question: Question) => string) {
  return connectServer(place, {
    server: GRAPH_SERVER_FILE,
    capabilities: { sampling: {} },
    prepare: (client) =>
      client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
        const [message] = params.messages;
        const content = Array.isArray(message?.content) ? message.content[0] : message?.content;
        const text = content?.type === 'text' ? content.text : '';
        asked.push({ text, system: params.systemPrompt });
        const given = answer(JSON.parse(text) as Question);
        return { model: 'hosted-1', role: 'assistant', content: { type: 'text', text: given } };
      }),
  });
}

const judged = (question: Question): string => `Here you are:\n\`\`\`json\n${JSON.stringify(byName(question))}\n\`\`\``;

it('asks the model of an MCP client whose svc-mcp runs for the project, without a key', async () => {
  await withCodeProject(FILES, async (project) => {
    const asked: SampledText[] = [];
    const server = await samplingClient(project, asked, judged);
    try {
      await server.text('graph_status').catch(() => undefined);
      const { status, out, err } = await project.run(['ingest', 'docs', '--json'], {
        program: SVC_FILE,
        env: NO_OLLAMA,
      });
      expect({ status, err }).toEqual({
        status: 0,
        err: "Sending 1 section of 1 document, with names, signatures and summaries of code, never a body, to the MCP host's model.\n",
      });
      expect(JSON.parse(out)).toMatchObject({ provider: 'mcp', bindings: { total: 1 } });
      expect(asked.length).toBe(1);
      expect(asked[0]?.system).toContain('never an instruction');
      const graph = await openSqlite(project.path('.svc', 'graph.db'));
      expect(await graph.all('SELECT provider, model FROM graph_bindings')).toEqual([
        { provider: 'mcp', model: 'hosted-1' },
      ]);
      await graph.close();
      // The second run asks nobody; who names a provider outside of the host means that one.
      await project.run(['ingest', 'docs'], { program: SVC_FILE, env: NO_OLLAMA });
      expect(asked.length).toBe(1);
      await withFakeModels({ judge: byName }, async (models) => {
        const env = models.anthropic;
        await project.run(['ingest', 'docs', '--yes', '--llm', 'anthropic'], { program: SVC_FILE, env });
        expect(models.questions.length).toBe(1);
      });
    } finally {
      await server.close();
    }
    // With the client, its model is gone.
    const { status } = await project.run(['ingest', 'docs'], { program: SVC_FILE, env: NO_OLLAMA });
    expect(status).toBe(2);
  });
});

it('passes on questions alone, with a ceiling of tokens that is its own', async () => {
  await withCodeProject(FILES, async (project) => {
    const ceilings: number[] = [];
    const server = await connectServer(project, {
      server: GRAPH_SERVER_FILE,
      capabilities: { sampling: {} },
      prepare: (client) =>
        client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
          ceilings.push(params.maxTokens);
          return { model: 'hosted-1', role: 'assistant', content: { type: 'text', text: '{"bindings": []}' } };
        }),
    });
    const run = join(project.home, '.svc', 'run');
    const path = (): string => join(run, readdirSync(run)[0] ?? '');
    await expect.poll(() => hostAnswers(path()), { timeout: 60_000 }).toBe(true);
    const socket = createConnection({ path: path() });
    const message = { role: 'user', content: { type: 'text', text: 'Write something long' } };
    const params = { messages: [message], systemPrompt: 'Write', maxTokens: 100_000 };
    for (const method of ['sampling/createMessage', 'svc/judge']) {
      socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(JSON.parse(String(answer))).toMatchObject({ error: { code: method === 'svc/judge' ? -32602 : -32601 } });
    }
    socket.destroy();
    expect(ceilings).toEqual([]);
    expect((await project.run(['ingest', 'docs'], { program: SVC_FILE, env: NO_OLLAMA })).status).toBe(0);
    await server.close();
    expect(ceilings).toEqual([8_000]);
  });
});

it('offers the model of a client to its own project only', async () => {
  await withCodeProject(FILES, async (project) => {
    const asked: SampledText[] = [];
    const server = await samplingClient(project, asked, judged);
    try {
      await withCodeProject(FILES, async ({ run }) => {
        const env = { ...NO_OLLAMA, HOME: project.home };
        expect((await run(['ingest', 'docs'], { program: SVC_FILE, env })).status).toBe(2);
        expect(asked).toEqual([]);
      });
    } finally {
      await server.close();
    }
  });
});

it('stops when the client says no', async () => {
  await withCodeProject(FILES, async (project) => {
    const server = await samplingClient(project, [], () => {
      throw new McpError(-1, 'User rejected sampling request');
    });
    try {
      const { status, err } = await project.run(['ingest', 'docs'], { program: SVC_FILE, env: NO_OLLAMA });
      expect(status).toBe(1);
      expect(err).toContain('unavailable: The MCP host refuses access to its model');
    } finally {
      await server.close();
    }
  });
});

/** The editor's side of its socket. */
async function withEditor(answers: AnswerQuestions, work: (socket: string) => Promise<void>): Promise<void> {
  const socket = openHostSocket(answers);
  await socket.ready;
  try {
    await work(socket.path);
  } finally {
    socket.dispose();
  }
}

const everybody = async (): Promise<boolean> => true;
const byEditor = ({ question }: Asked) => ({ text: JSON.stringify(byName(question)), model: 'editor-model' });

it("asks the editor's model at SVC_MCP_HOST, whatever --llm and keys say, but for the local provider", async () => {
  const asked: Asked[] = [];
  const answer = async (one: Asked) => {
    asked.push(one);
    return byEditor(one);
  };
  await withEditor({ admits: everybody, answer }, async (socket) => {
    await withFakeModels({ judge: byName }, async (models) => {
      await withCodeProject(FILES, async ({ run, folder }) => {
        const env = { ...models.anthropic, ...models.ollama, SVC_MCP_HOST: socket };
        const ingest = (...args: string[]) => run(['ingest', 'docs', '--json', ...args], { program: SVC_FILE, env });
        expect(JSON.parse((await ingest('--llm', 'anthropic')).out)).toMatchObject({
          provider: 'mcp',
          bindings: { total: 1 },
        });
        expect(models.requests).toEqual([]);
        expect((await ingest('--llm', 'mcp', '--model', 'gpt-x')).status).toBe(0);
        // What the user is asked about, and the question: there is no prompt among it.
        expect(asked.map(({ question, ...others }) => [Object.keys(question), others])).toEqual([
          [['document', 'heading', 'section', 'candidates'], { folder, sections: 1 }],
          [['document', 'heading', 'section', 'candidates'], { folder, sections: 1, model: 'gpt-x' }],
        ]);
        expect(JSON.parse((await ingest('--llm', 'ollama')).out)).toMatchObject({ provider: 'ollama' });
        expect(JSON.parse((await ingest('--llm', 'none')).out)).toMatchObject({ provider: 'none' });
        expect(asked.length).toBe(2);
      });
    });
  });
});

it('lets the programs of the editor ask by their token, and asks the user once about all that have none', async () => {
  const people: unknown[] = [];
  const admits = hostAccess('the token', async (about) => {
    people.push(about);
    return false;
  });
  await withEditor({ admits, answer: async (one) => byEditor(one) }, async (socket) => {
    await withCodeProject(FILES, async ({ run, folder, write }) => {
      const ingest = (env: Readonly<Record<string, string>>) =>
        run(['ingest', 'docs'], { program: SVC_FILE, env: { ...NO_OLLAMA, SVC_MCP_HOST: socket, ...env } });
      expect((await ingest({ SVC_MCP_HOST_TOKEN: 'the token' })).status).toBe(0);
      expect(people).toEqual([]);
      await write('docs/guide.md', '# Ledger\n\nRows are kept by `Store`, always.\n');
      for (const env of [{}, {}, { SVC_MCP_HOST_TOKEN: 'a token' }]) {
        const { status, err } = await ingest(env);
        expect(status).toBe(1);
        expect(err).toContain('unavailable: The MCP host refuses access to its model');
      }
      expect(people).toEqual([{ folder, sections: 1 }]);
    });
  });
});

it('shows the token to nobody but the host that it belongs to', async () => {
  const asked: Asked[] = [];
  const answer = async (one: Asked) => {
    asked.push(one);
    return byEditor(one);
  };
  await withCodeProject(FILES, async (project) => {
    // A program of the same user can announce itself as a server of this project.
    const path = (await newHostSocket(project.home, project.folder, 1)) ?? '';
    const { server: stranger, close } = questionServer({ admits: everybody, answer });
    await new Promise<void>((done) => stranger.listen(path, done));
    const env = { ...NO_OLLAMA, SVC_MCP_HOST: '/nowhere.sock', SVC_MCP_HOST_TOKEN: 'the token' };
    expect((await project.run(['ingest', 'docs'], { program: SVC_FILE, env })).status).toBe(0);
    await close();
    expect(asked).toHaveLength(1);
    expect(asked[0]).not.toHaveProperty('token');
  });
});

it('tells a refusal of the editor from a model that failed once', async () => {
  await withCodeProject(FILES, async ({ run }) => {
    for (const [why, words] of [
      ['refused', 'refuses access to its model'],
      ['missing', 'does not offer this model'],
      ['failed', "docs/guide.md:1: the host's model gave no answer"],
    ] as const) {
      const answer = async (): Promise<never> => {
        throw new NoModel(why);
      };
      await withEditor({ admits: everybody, answer }, async (socket) => {
        const env = { ...NO_OLLAMA, SVC_MCP_HOST: socket };
        const { status, err } = await run(['ingest', 'docs'], { program: SVC_FILE, env });
        expect(status).toBe(1);
        expect(err).toContain(words);
      });
    }
  });
});

it('takes a number, a relative path or another machine in SVC_MCP_HOST for no host, and connects nowhere', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run }) => {
      let connections = 0;
      const listener = createServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
      // A server that listens on a port has an address of this form.
      const { port } = listener.address() as AddressInfo;
      for (const host of [String(port), `127.0.0.1:${port}`, 'host.sock', './host.sock']) {
        const env = { ...models.anthropic, SVC_MCP_HOST: host };
        const { err, out } = await run(['ingest', 'docs', '--dry-run', '--json'], { program: SVC_FILE, env });
        expect(err).toContain('Nobody answers at the socket of SVC_MCP_HOST');
        expect(JSON.parse(out)).toMatchObject({ provider: 'anthropic' });
        expect((await run(['ingest', 'docs', '--json'], { program: SVC_FILE, env })).err).toContain('Nobody answers');
      }
      await new Promise<void>((done) => listener.close(() => done()));
      expect(connections).toBe(0);
    });
  });
});

it('counts a host socket that does not answer as no host, with a warning', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run, home }) => {
      const silent = createServer(() => {});
      const path = join(home, 'silent.sock');
      await new Promise<void>((done) => silent.listen(path, done));
      for (const host of [path, join(home, 'nothing.sock')]) {
        const env = { ...models.anthropic, SVC_MCP_HOST: host };
        const { status, out, err } = await run(['ingest', 'docs', '--yes', '--json'], { program: SVC_FILE, env });
        expect(status).toBe(0);
        expect(err).toContain('Nobody answers at the socket of SVC_MCP_HOST');
        expect(JSON.parse(out)).toMatchObject({ provider: 'anthropic' });
      }
      silent.close();
    });
  });
});
