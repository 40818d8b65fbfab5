import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { CreateMessageRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { NoModel, openHostSocket } from '../../src/extension/host-socket';
import type { CreateMessageParams } from '../../src/protocol/host-model';
import { GRAPH_SERVER_FILE, SVC_FILE, withCodeProject } from '../support/code-project';
import { type AskedQuestion, byName, NO_OLLAMA, withFakeModels } from '../support/fake-models';
import { openSqlite } from '../support/sqlite';
import { connectServer, type Place } from '../support/stdio-client';

const FILES = {
  'src/store.ts': '/** Keeps rows of the ledger. */\nexport class Store {}\n',
  'docs/guide.md': '# Ledger\n\nRows are kept by `Store`.\n',
};

type Question = { readonly text: string; readonly system: string | undefined };

/** The official client with a scripted model, connected to svc-mcp in this project. */
function samplingClient(place: Place, asked: Question[], answer: (question: AskedQuestion) => string) {
  return connectServer(place, {
    server: GRAPH_SERVER_FILE,
    capabilities: { sampling: {} },
    prepare: (client) =>
      client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
        const [message] = params.messages;
        const content = Array.isArray(message?.content) ? message.content[0] : message?.content;
        const text = content?.type === 'text' ? content.text : '';
        asked.push({ text, system: params.systemPrompt });
        const given = answer(JSON.parse(text) as AskedQuestion);
        return { model: 'hosted-1', role: 'assistant', content: { type: 'text', text: given } };
      }),
  });
}

const judged = (question: AskedQuestion): string =>
  `Here you are:\n\`\`\`json\n${JSON.stringify(byName(question))}\n\`\`\``;

it('asks the model of an MCP client whose svc-mcp runs for the project, without a key', async () => {
  await withCodeProject(FILES, async (project) => {
    const asked: Question[] = [];
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
        await project.run(['ingest', 'docs', '--llm', 'anthropic'], { program: SVC_FILE, env });
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

it('offers the model of a client to its own project only', async () => {
  await withCodeProject(FILES, async (project) => {
    const asked: Question[] = [];
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
      expect(err).toContain('unavailable: The MCP host does not let its model be asked');
    } finally {
      await server.close();
    }
  });
});

it("asks the editor's model at SVC_MCP_HOST, whatever --llm and keys say, but for the local provider", async () => {
  const asked: CreateMessageParams[] = [];
  const socket = openHostSocket(async (params) => {
    asked.push(params);
    const question = JSON.parse(params.messages[0]?.content.text ?? '') as AskedQuestion;
    return {
      role: 'assistant',
      content: { type: 'text', text: JSON.stringify(byName(question)) },
      model: 'editor-model',
    };
  });
  await socket.ready;
  try {
    await withFakeModels({ judge: byName }, async (models) => {
      await withCodeProject(FILES, async ({ run }) => {
        const env = { ...models.anthropic, ...models.ollama, SVC_MCP_HOST: socket.path };
        const ingest = (...args: string[]) => run(['ingest', 'docs', '--json', ...args], { program: SVC_FILE, env });
        expect(JSON.parse((await ingest('--llm', 'anthropic')).out)).toMatchObject({
          provider: 'mcp',
          bindings: { total: 1 },
        });
        expect(asked.length).toBe(1);
        expect(models.requests).toEqual([]);
        expect((await ingest('--llm', 'mcp', '--model', 'gpt-x')).status).toBe(0);
        expect(asked[1]?.modelPreferences).toEqual({ hints: [{ name: 'gpt-x' }] });
        expect(JSON.parse((await ingest('--llm', 'ollama')).out)).toMatchObject({ provider: 'ollama' });
        expect(JSON.parse((await ingest('--llm', 'none')).out)).toMatchObject({ provider: 'none' });
        expect(asked.length).toBe(2);
      });
    });
  } finally {
    socket.dispose();
  }
});

it('tells a refusal of the editor from a model that failed once', async () => {
  await withCodeProject(FILES, async ({ run }) => {
    for (const [why, words] of [
      ['refused', 'does not let its model be asked'],
      ['missing', 'offers no such model'],
      ['failed', "docs/guide.md:1: the host's model gave no answer"],
    ] as const) {
      const socket = openHostSocket(async () => {
        throw new NoModel(why);
      });
      await socket.ready;
      const env = { ...NO_OLLAMA, SVC_MCP_HOST: socket.path };
      const { status, err } = await run(['ingest', 'docs'], { program: SVC_FILE, env });
      socket.dispose();
      expect(status).toBe(1);
      expect(err).toContain(words);
    }
  });
});

it('hangs up on a line without an end', async () => {
  const socket = openHostSocket(async () => {
    throw new NoModel('failed');
  });
  await socket.ready;
  try {
    const client = createConnection(socket.path).on('error', () => {});
    const closed = new Promise<void>((done) => client.on('close', () => done()));
    // More than any question, in pieces, as a program without a bound would send it.
    for (let i = 0; i < 80; i++) client.write('x'.repeat(100_000));
    await closed;
  } finally {
    socket.dispose();
  }
});

it('counts a host socket that does not answer as no host, with a warning', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run, home }) => {
      const silent = createServer(() => {});
      const path = join(home, 'silent.sock');
      await new Promise<void>((done) => silent.listen(path, done));
      for (const host of [path, join(home, 'nothing.sock')]) {
        const env = { ...models.anthropic, SVC_MCP_HOST: host };
        const { status, out, err } = await run(['ingest', 'docs', '--json'], { program: SVC_FILE, env });
        expect(status).toBe(0);
        expect(err).toContain('Nobody answers at the socket of SVC_MCP_HOST');
        expect(JSON.parse(out)).toMatchObject({ provider: 'anthropic' });
      }
      silent.close();
    });
  });
});
