import { expect, it } from 'vitest';
import { SVC_FILE, withCodeProject } from '../support/code-project';
import { byName, NO_OLLAMA, withFakeModels } from '../support/fake-models';

const FILES = {
  'src/store.ts': '/** Keeps rows of the ledger. */\nexport class Store {}\n',
  'docs/guide.md': '# Ledger\n\nRows are kept by `Store`.\n',
};

it('brings the code graph up to date where nothing was ingested', async () => {
  await withCodeProject(FILES, async ({ run }) => {
    const { status, out } = await run(['sync', '--llm', 'none', '--json'], { program: SVC_FILE, env: NO_OLLAMA });
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ code: { indexed: 1 }, documents: { read: 0 }, bindings: { total: 0 } });
  });
});

it('goes on with the provider and the model of the last run, and judges all anew when another one is named', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run, write }) => {
      const env = { ...models.anthropic, ...models.openai };
      const svc = async (...args: string[]) =>
        JSON.parse((await run([...args, '--json'], { program: SVC_FILE, env })).out) as unknown;
      await svc('ingest', 'docs', '--llm', 'openai', '--model', 'gpt-mine');
      await write('docs/guide.md', FILES['docs/guide.md'].replace('Rows', 'All rows'));
      expect(await svc('sync')).toMatchObject({ provider: 'openai', model: 'gpt-mine', sections: { asked: 1 } });
      expect(await svc('sync', '--llm', 'anthropic')).toMatchObject({
        provider: 'anthropic',
        sections: { asked: 1 },
        bindings: { added: 0, changed: 1, removed: 0, total: 1 },
        code: { indexed: 0 },
      });
      expect(await svc('sync')).toMatchObject({ provider: 'anthropic', sections: { asked: 0 } });
    });
  });
});

it('asks nothing again about a document that has another path now', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run, write, remove }) => {
      const svc = async (...args: string[]) =>
        JSON.parse((await run([...args, '--json'], { program: SVC_FILE, env: models.anthropic })).out) as unknown;
      await svc('ingest', 'docs');
      await write('docs/later.md', FILES['docs/guide.md']);
      await remove('docs/guide.md');
      expect(await svc('sync')).toMatchObject({
        documents: { read: 1, removed: 1 },
        sections: { asked: 0 },
        bindings: { removed: 0, total: 1 },
      });
    });
  });
});

it('takes the bindings of code that is gone with it', async () => {
  await withCodeProject(FILES, async ({ svc, write }) => {
    await svc(['ingest', 'docs', '--llm', 'none']);
    await write('src/store.ts', '/** Keeps rows of the ledger. */\nexport class Shelf { rows = 1; }\n');
    const { out } = await svc(['sync', '--json']);
    expect(JSON.parse(out)).toMatchObject({ bindings: { removed: 1, total: 0 } });
  });
});

it('asks about a section once when two runs go at the same time', async () => {
  const documents = Array.from({ length: 6 }, (_, i) => [`docs/part${i}.md`, `# Part ${i}\n\nRows of \`Store\`.\n`]);
  const judge: Parameters<typeof withFakeModels>[0]['judge'] = async (question) => {
    await new Promise((done) => setTimeout(done, 200));
    return byName(question);
  };
  await withFakeModels({ judge }, async (models) => {
    await withCodeProject(
      { ...FILES, ...(Object.fromEntries(documents) as Record<string, string>) },
      async ({ run }) => {
        const ingest = () =>
          run(['ingest', 'docs', '--concurrency', '1'], { program: SVC_FILE, env: models.anthropic });
        await Promise.all([ingest(), ingest()]);
        await ingest();
        const asked = models.questions.map(({ document }) => document);
        expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted());
        expect(asked.length).toBe(7);
      },
    );
  });
});
