import { cp, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { SVC_FILE, withCodeProject } from '../support/code-project';
import { ANTHROPIC_KEY, byName, NO_OLLAMA, OPENAI_KEY, withFakeModels } from '../support/fake-models';
import { removeFolder } from '../support/remove-folder';

const FILES = {
  'src/store.ts': '/** Keeps rows of the ledger. */\nexport class Store {}\n',
  'docs/guide.md': '# Ledger\n\nRows are kept by `Store`.\n',
};

it('asks Anthropic for structured output, with the key in its header', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run }) => {
      const { status, err } = await run(['ingest', 'docs', '--yes', '--model', 'claude-x'], {
        program: SVC_FILE,
        env: models.anthropic,
      });
      expect(status).toBe(0);
      const { host } = new URL(models.anthropic.ANTHROPIC_BASE_URL ?? '');
      expect(err).toBe(
        `Sending 1 section of 1 document, with names, signatures and summaries of code, never a body, to Anthropic (${host}, claude-x), with the key in ANTHROPIC_API_KEY.\n`,
      );
      const [request] = models.requests;
      expect(request?.path).toBe('/v1/messages');
      expect(request?.headers.authorization).toBe(`Bearer ${ANTHROPIC_KEY}`);
      const body = JSON.parse(request?.body ?? '') as {
        model: string;
        output_config: { format: { type: string; schema: unknown } };
      };
      expect(body.model).toBe('claude-x');
      expect(body.output_config.format.type).toBe('json_schema');
      expect(JSON.stringify(body.output_config.format.schema)).toContain('"enum":["c1"');
    });
  });
});

it('asks OpenAI for structured output, with the key in its header', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run }) => {
      expect((await run(['ingest', 'docs', '--yes'], { program: SVC_FILE, env: models.openai })).status).toBe(0);
      const [request] = models.requests;
      expect(request?.path).toBe('/v1/chat/completions');
      expect(request?.headers.authorization).toBe(`Bearer ${OPENAI_KEY}`);
      expect(JSON.parse(request?.body ?? '')).toMatchObject({
        model: 'gpt-6-luna',
        response_format: { type: 'json_schema', json_schema: { strict: true } },
      });
    });
  });
});

it('asks the local server after a probe, and uses an embedding model that is there already', async () => {
  await withFakeModels({ judge: byName, models: ['qwen3:8b', 'nomic-embed-text:latest'] }, async (models) => {
    await withCodeProject(FILES, async ({ run }) => {
      const options = { program: SVC_FILE, env: models.ollama };
      const { status, err } = await run(['ingest', 'docs'], options);
      expect({ status, err }).toEqual({ status: 0, err: '' });
      const paths = models.requests.map(({ path }) => path);
      expect(paths[0]).toBe('/api/tags');
      expect(paths.filter((path) => path === '/api/embed').length).toBe(2);
      const chat = models.requests.find(({ path }) => path === '/api/chat');
      expect(JSON.parse(chat?.body ?? '')).toMatchObject({
        model: 'qwen3:8b',
        stream: false,
        format: { type: 'object' },
      });
      models.forget();
      expect((await run(['ingest', 'docs'], options)).status).toBe(0);
      expect(models.requests.map(({ path }) => path)).toEqual(['/api/tags']);
      await run(['ingest', 'docs', '--model', 'nomic-embed-text'], options);
      // The vectors of the code are kept; only the section is embedded again.
      expect(models.requests.filter(({ path }) => path === '/api/embed').length).toBe(1);
    });
  });
});

it('says that the local server is not running, that a model is not pulled, that OLLAMA_HOST leads elsewhere', async () => {
  await withCodeProject(FILES, async ({ run }) => {
    const ingest = (env: Readonly<Record<string, string>>, ...args: string[]) =>
      run(['ingest', 'docs', '--llm', 'ollama', ...args], { program: SVC_FILE, env });
    const silent = await ingest(NO_OLLAMA);
    expect(silent.status).toBe(1);
    expect(silent.err).toMatch(/^unavailable: The local model server is not running: .* Start it with "ollama serve"/);
    expect((await ingest({ OLLAMA_HOST: 'models.example.com' })).err).toMatch(
      /^unavailable: OLLAMA_HOST names another machine/,
    );
    await withFakeModels({ judge: byName, models: ['llama3:8b'] }, async (models) => {
      expect((await ingest(models.ollama)).err).toMatch(
        /does not have the model qwen3:8b\. Run "ollama pull qwen3:8b", or choose an installed one with --model: llama3:8b/,
      );
      expect((await ingest(models.ollama, '--model', 'llama3:8b')).status).toBe(0);
    });
  });
});

it.each(['anthropic', 'openai', 'ollama'] as const)('%s: waits and asks again when it is told to', async (provider) => {
  const judge: Parameters<typeof withFakeModels>[0]['judge'] = (question, nth) =>
    nth < 2 ? { status: nth === 0 ? 429 : 503, headers: { 'retry-after': '0' } } : byName(question);
  await withFakeModels({ judge }, async (models) => {
    await withCodeProject(FILES, async ({ run }) => {
      const { status, out } = await run(['ingest', 'docs', '--yes', '--json'], {
        program: SVC_FILE,
        env: models[provider],
      });
      expect(status).toBe(0);
      expect(models.questions.length).toBe(3);
      expect(JSON.parse(out)).toMatchObject({ bindings: { total: 1 } });
    });
  });
});

it.each(
  (['anthropic', 'openai', 'ollama'] as const).flatMap((provider) =>
    ['null', '{}', '<html>', '{"message": {"content"'].map((raw) => [provider, raw] as const),
  ),
)('%s: an answer %s costs one section, and the others are kept', async (provider, raw) => {
  const two = { ...FILES, 'docs/other.md': '# Other\n\nAlso `Store`.\n' };
  const judge: Parameters<typeof withFakeModels>[0]['judge'] = (question) =>
    question.document === 'docs/guide.md' ? { raw } : byName(question);
  await withFakeModels({ judge }, async (models) => {
    await withCodeProject(two, async ({ run }) => {
      const { status, out, err } = await run(['ingest', 'docs', '--yes', '--json'], {
        program: SVC_FILE,
        env: models[provider],
      });
      expect(err).not.toContain('internal');
      expect(status).toBe(1);
      expect(JSON.parse(out)).toMatchObject({ bindings: { total: 1 }, failed: [{ document: 'docs/guide.md' }] });
    });
  });
});

it('takes no model of the local server that runs on another machine', async () => {
  const models = ['qwen3:8b', { name: 'big:latest', remote_host: 'https://ollama.com:443' }, 'gpt-oss:120b-cloud'];
  await withFakeModels({ judge: byName, models }, async (fake) => {
    await withCodeProject(FILES, async ({ run }) => {
      for (const model of ['big', 'gpt-oss:120b-cloud']) {
        const { status, err } = await run(['ingest', 'docs', '--model', model], {
          program: SVC_FILE,
          env: fake.ollama,
        });
        expect(status).toBe(1);
        expect(err).toMatch(/^unavailable: The model .* runs on another machine/);
      }
      expect(fake.questions).toEqual([]);
    });
  });
});

it('keeps no key that a server repeats in its reasons', async () => {
  const judge: Parameters<typeof withFakeModels>[0]['judge'] = ({ candidates }) => ({
    bindings: [{ id: candidates[0]?.id ?? '', confidence: 1, reason: `asked with my own planted-key` }],
  });
  await withFakeModels({ judge }, async (models) => {
    await withCodeProject(FILES, async ({ run, path }) => {
      const env = { ...models.openai, OPENAI_API_KEY: 'my own planted-key' };
      expect((await run(['ingest', 'docs', '--yes'], { program: SVC_FILE, env })).status).toBe(0);
      expect((await readFile(path('.svc', 'graph.db'), 'latin1')).includes('planted-key')).toBe(false);
    });
  });
});

it('says its own name to servers', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run }) => {
      await run(['ingest', 'docs', '--yes'], { program: SVC_FILE, env: models.openai });
      expect(models.requests[0]?.headers['user-agent']).toMatch(/^OpenAI\/JS /);
    });
  });
});

it('names the variable of a key that is refused, and repeats neither the key nor the server', async () => {
  for (const provider of ['anthropic', 'openai'] as const) {
    const judge = () => ({ status: 401, text: `bad key ${ANTHROPIC_KEY} ${OPENAI_KEY}` });
    await withFakeModels({ judge }, async (models) => {
      await withCodeProject(FILES, async ({ run }) => {
        const env = { ...models[provider], SVC_DEBUG: '1' };
        const { status, out, err } = await run(['ingest', 'docs', '--yes'], { program: SVC_FILE, env });
        expect(status).toBe(1);
        expect(err).toMatch(/unavailable: (Anthropic|OpenAI) refuses the API key in (ANTHROPIC|OPENAI)_API_KEY\. Set/);
        expect(out + err).not.toContain('planted');
        expect(out + err).not.toContain('bad key');
      });
    });
  }
});

it('says which variable is missing, and which provider does not exist', async () => {
  await withCodeProject(FILES, async ({ run }) => {
    const ingest = async (...args: string[]) =>
      (await run(['ingest', 'docs', ...args], { program: SVC_FILE, env: NO_OLLAMA })).err;
    expect(await ingest('--llm', 'openai')).toMatch(/^unavailable: OPENAI_API_KEY is not set/);
    expect(await ingest('--llm', 'gpt')).toMatch(
      /^invalid_input: Provider not found: --llm names "gpt"\. The providers are mcp, anthropic, openai, ollama/,
    );
    expect(await ingest('--llm', 'mcp')).toMatch(/^unavailable: There is no MCP host/);
  });
});

it('tells the exact install line where an official package is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-without-sdks-'));
  try {
    await cp(dirname(SVC_FILE), folder, {
      recursive: true,
      filter: (path) => !/-sdk\.js$|\.new-|webview|extension\.js|language-server|svc-memory/.test(basename(path)),
    });
    await withCodeProject(FILES, async ({ run }) => {
      const ingest = async (provider: string) => {
        const env = { ANTHROPIC_API_KEY: ANTHROPIC_KEY, OPENAI_API_KEY: OPENAI_KEY };
        return (await run(['ingest', 'docs', '--yes', '--llm', provider], { program: join(folder, 'svc.js'), env }))
          .err;
      };
      expect(await ingest('anthropic')).toMatch(
        /^unavailable: Provider not found: the package @anthropic-ai\/sdk, .* Run "npm install @anthropic-ai\/sdk"/,
      );
      expect(await ingest('openai')).toMatch(/Run "npm install openai"/);
    });
  } finally {
    await removeFolder(folder);
  }
});

it('shows in a dry run exactly what is sent afterwards, and contacts nobody', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run }) => {
      const options = {
        program: SVC_FILE,
        env: { ...models.anthropic, ...models.ollama, SVC_MCP_HOST: '/nowhere.sock' },
      };
      const dry = await run(['ingest', 'docs', '--llm', 'anthropic', '--dry-run', '--json'], options);
      expect(models.requests).toEqual([]);
      const shown = JSON.parse(dry.out) as {
        provider: string;
        sections: { request: { prompt: { system: string; user: string }; settings: object } }[];
        estimate: { questions: number; input_tokens: number; cost_usd: number };
      };
      // A host that is not asked is taken to answer: rule 1.
      expect(shown.provider).toBe('mcp');
      const env = models.anthropic;
      const real = await run(['ingest', 'docs', '--dry-run', '--json'], { program: SVC_FILE, env });
      const planned = JSON.parse(real.out) as typeof shown;
      expect(planned.estimate).toMatchObject({ questions: 1 });
      expect(planned.estimate.cost_usd).toBeGreaterThan(0);
      expect(models.requests).toEqual([]);
      const text = await run(['ingest', 'docs', '--dry-run'], { program: SVC_FILE, env });
      await run(['ingest', 'docs', '--yes'], { program: SVC_FILE, env });
      const body = JSON.parse(models.requests[0]?.body ?? '') as { system: string; messages: { content: string }[] };
      const { system, messages, ...settings } = body;
      const sent = { system, messages };
      expect(planned.sections.map(({ request }) => request)).toEqual([
        { prompt: { system: sent.system, user: sent.messages[0]?.content }, settings },
      ]);
      expect(text.out).toContain(sent.messages[0]?.content);
      expect(text.out).toContain(sent.system);
      expect(text.out).toContain(JSON.stringify(settings));
    });
  });
});

it('explains which rule matched and why', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run }) => {
      const explain = async (env: Readonly<Record<string, string>>, ...args: string[]) =>
        (await run(['ingest', '--explain', ...args], { program: SVC_FILE, env })).out;
      expect(await explain(models.anthropic)).toContain('→ 3. ANTHROPIC_API_KEY is set: Anthropic\n    it is set');
      expect(await explain({ ...models.openai, ...models.ollama }, '--llm', 'ollama')).toMatch(
        /→ 0\..*\n {4}--llm names ollama/,
      );
      expect(await explain(models.ollama)).toContain('→ 5. A model server on this machine answers');
      expect(await explain(NO_OLLAMA)).toContain('→ 6. Otherwise');
    });
  });
});
