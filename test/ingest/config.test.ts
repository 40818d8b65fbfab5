import { expect, it } from 'vitest';
import { type CodeProject, SVC_FILE, withCodeProject } from '../support/code-project';
import { ANTHROPIC_KEY, byName, type FakeModels, OPENAI_KEY, withFakeModels } from '../support/fake-models';

const FILES = {
  'src/store.ts': '/** Keeps rows of the ledger. */\nexport class Store {}\n',
  'docs/guide.md': '# Ledger\n\nRows are kept by `Store`.\n',
};

type Ingest = (...args: string[]) => ReturnType<CodeProject['run']>;

/** A person with the keys of both clouds, who lets everything be sent; `ingest` with what the file holds. */
function withConfig(work: (models: FakeModels, config: (text: string) => Promise<Ingest>) => Promise<void>) {
  return withFakeModels({ judge: byName }, (models) =>
    withCodeProject(FILES, ({ run, write }) => {
      const env = { ...models.anthropic, ...models.openai };
      return work(models, async (text) => {
        await write('.svc/config.yaml', text);
        models.forget();
        return (...args) => run(['ingest', 'docs', '--yes', ...args], { program: SVC_FILE, env });
      });
    }),
  );
}

it('names provider and model, unless a flag does', async () => {
  await withConfig(async (models, config) => {
    const ingest = await config('llm:\n  provider: openai\n  model: gpt-mine\n');
    expect((await ingest()).status).toBe(0);
    expect(JSON.parse(models.requests[0]?.body ?? '')).toMatchObject({ model: 'gpt-mine' });
    models.forget();
    // The flag counts before the file, whose model is that of its own provider.
    expect((await ingest('--llm', 'anthropic')).status).toBe(0);
    expect(JSON.parse(models.requests[0]?.body ?? '')).toMatchObject({ model: 'claude-haiku-5-5' });
  });
});

const BOTH = 'ANTHROPIC_API_KEY or OPENAI_API_KEY';

it('holds no key: one is refused with the variable of the provider beside it, and never repeated', async () => {
  await withConfig(async (models, config) => {
    for (const [text, variable] of [
      [`llm:\n  provider: anthropic\n  api_key: ${ANTHROPIC_KEY}\n`, 'ANTHROPIC_API_KEY'],
      // A key without the mark of its maker.
      [`llm:\n  provider: anthropic\n  api_key: ${OPENAI_KEY}\n`, 'ANTHROPIC_API_KEY'],
      [`llm: {"provider": "openai", api_key: ${ANTHROPIC_KEY}}\n`, 'OPENAI_API_KEY'],
      [`provider: anthropic\n# ${OPENAI_KEY}\nllm: [broken\n`, 'ANTHROPIC_API_KEY'],
      [`llm:\n  provider: ollama\n  token: ${OPENAI_KEY}\n`, 'OPENAI_API_KEY'],
      [`# ${OPENAI_KEY}\n`, 'OPENAI_API_KEY'],
      ['llm:\n  provider: openai\n  apiKey: planted-of-no-shape\n', 'OPENAI_API_KEY'],
      ['anthropic_api_key: planted-of-no-shape\n', 'ANTHROPIC_API_KEY'],
      ['llm:\n  secret: planted-of-no-shape\n', BOTH],
      [`# ${OPENAI_KEY} ${ANTHROPIC_KEY}\n`, BOTH],
    ] as const) {
      const { status, out, err } = await (await config(text))();
      expect(status, text).toBe(1);
      expect(err).toMatch(/^invalid_input: .*config\.yaml holds an API key/);
      expect(err).toContain(`set ${variable} in the environment`);
      expect(out + err).not.toContain('planted');
      expect(models.requests).toEqual([]);
    }
  });
});

it('holds nothing else: what is not known is named, and nobody is contacted', async () => {
  await withConfig(async (models, config) => {
    for (const [text, problem] of [
      ['provider: ollama\n', 'has "provider" outside of the block "llm", and it belongs inside'],
      ['model: mine\nllm:\n  provider: openai\n', 'has "model" outside of the block "llm", and it belongs inside'],
      [
        'lmm:\n  provider: ollama\n',
        'has "lmm", and knows only "keep", "tools", "share", "team" and the block "llm" with "provider" and "model"',
      ],
      ['other: 1\nprovider: ollama\n', 'has "provider" outside of the block "llm", and it belongs inside'],
      ['llm:\n  base_url: http://x\n', 'has "base_url" in its block "llm", which knows "provider" and "model"'],
      ['llm: [broken\n', 'is not valid YAML (line 2)'],
    ] as const) {
      const ingest = await config(text);
      for (const args of text.startsWith('lmm') ? [[], ['--explain'], ['--dry-run'], ['--llm', 'openai']] : [[]]) {
        const { status, out, err } = await ingest(...args);
        expect({ status, out }, text).toEqual({ status: 1, out: '' });
        expect(err).toMatch(/^invalid_input: /);
        expect(err).toContain(
          `config.yaml ${problem}. Correct the file and try again. It may hold "keep", "tools", "share", "team", and "llm:" with`,
        );
      }
    }
    expect(models.requests).toEqual([]);
    expect((await (await config('# nothing yet\n'))()).status).toBe(0);
  });
});
