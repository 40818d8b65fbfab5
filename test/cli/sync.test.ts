import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SVC_FILE, withCodeProject } from '../support/code-project';
import { byName, NO_OLLAMA, withFakeModels } from '../support/fake-models';
import { openSqlite } from '../support/sqlite';

const FILES = {
  'src/store.ts': '/** Keeps rows of the ledger. */\nexport class Store {}\n',
  'docs/guide.md': '# Ledger\n\nRows are kept by `Store`.\n',
};

const SIX_PARTS = Object.fromEntries(
  Array.from({ length: 6 }, (_, i) => [`docs/part${i}.md`, `# Part ${i}\n\nRows of \`Store\`.\n`]),
);

type Judge = Parameters<typeof withFakeModels>[0]['judge'];

it('brings the code graph up to date where nothing was ingested', async () => {
  await withCodeProject(FILES, async ({ run }) => {
    const { status, out } = await run(['sync', '--llm', 'none', '--json'], { program: SVC_FILE, env: NO_OLLAMA });
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ code: { indexed: 1 }, documents: { read: 0 }, bindings: { total: 0 } });
  });
});

it('goes on with the provider and the model of the last run, and judges everything again when another one is named', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run, write }) => {
      const env = { ...models.anthropic, ...models.openai };
      const svc = async (...args: string[]) =>
        JSON.parse((await run([...args, '--yes', '--json'], { program: SVC_FILE, env })).out) as unknown;
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
        JSON.parse(
          (await run([...args, '--yes', '--json'], { program: SVC_FILE, env: models.anthropic })).out,
        ) as unknown;
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

it.each(['none', 'anthropic'])('has nothing to do right after an ingest by %s', async (provider) => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run, write }) => {
      const svc = async (...args: string[]) =>
        JSON.parse(
          (await run([...args, '--yes', '--json'], { program: SVC_FILE, env: models.anthropic })).out,
        ) as unknown;
      const nothing = {
        documents: { read: 0, removed: 0 },
        sections: { asked: 0, judged: 0 },
        bindings: { added: 0, changed: 0, removed: 0 },
      };
      await svc('ingest', 'docs', '--llm', provider);
      models.forget();
      expect(await svc('sync')).toMatchObject(nothing);
      // The same when code and all documents changed between two.
      await write('src/open.ts', '/** Opens the ledger. */\nexport function openLedger() {}\n');
      await write('docs/guide.md', FILES['docs/guide.md'].replace('Rows', 'All rows'));
      await svc('ingest', 'docs', '--llm', provider);
      models.forget();
      expect(await svc('sync')).toMatchObject(nothing);
      expect(models.questions).toEqual([]);
    });
  });
});

it('looks at documents again that an ingest of others did not show the new code to', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run, write }) => {
      const svc = async (...args: string[]) => {
        models.forget();
        return JSON.parse(
          (await run([...args, '--yes', '--json'], { program: SVC_FILE, env: models.anthropic })).out,
        ) as unknown;
      };
      await svc('ingest', 'docs');
      await write('src/rows.ts', '/** Rows of the ledger. */\nexport class LedgerRows {}\n');
      await write('notes/late.md', '# Late\n\nAbout `LedgerRows`.\n');
      await svc('ingest', 'notes');
      expect(await svc('sync')).toMatchObject({ sections: { asked: 1 } });
      expect(models.questions.map(({ document }) => document)).toEqual(['docs/guide.md']);
    });
  });
});

it('asks again about new code when it got no answer', async () => {
  let broken = false;
  const judge: typeof byName = (question) => (broken ? { text: 'no JSON' } : byName(question));
  await withFakeModels({ judge }, async (models) => {
    await withCodeProject(FILES, async ({ run, write }) => {
      const svc = async (...args: string[]) =>
        JSON.parse(
          (await run([...args, '--yes', '--json'], { program: SVC_FILE, env: models.anthropic })).out,
        ) as unknown;
      await svc('ingest', 'docs');
      await write('src/rows.ts', '/** Rows of the ledger. */\nexport class Rows {}\n');
      broken = true;
      expect(await svc('sync')).toMatchObject({ failed: [{ document: 'docs/guide.md' }] });
      broken = false;
      expect(await svc('sync')).toMatchObject({ sections: { asked: 1 }, failed: [], bindings: { total: 2 } });
    });
  });
});

it('loses nothing and binds nothing twice when two runs go at the same time', async () => {
  const judge: Judge = async (question) => {
    await setTimeout(200);
    return byName(question);
  };
  await withFakeModels({ judge }, async (models) => {
    await withCodeProject({ ...FILES, ...SIX_PARTS }, async ({ run }) => {
      const args = ['ingest', 'docs', '--yes', '--json', '--concurrency', '1'];
      const ingest = () => run(args, { program: SVC_FILE, env: models.anthropic });
      for (const { status, out, err } of await Promise.all([ingest(), ingest()])) {
        expect(status, err).toBe(0);
        expect(JSON.parse(out)).toMatchObject({ failed: [] });
      }
      models.forget();
      expect(JSON.parse((await ingest()).out)).toMatchObject({ bindings: { added: 0, total: 7 } });
      expect(models.questions).toEqual([]);
    });
  });
});

it('goes on at once where a run was killed', async () => {
  const asked = new EventEmitter();
  let killed = false;
  const judge: Judge = (question, nth) => {
    if (killed || nth === 0) return byName(question);
    asked.emit('second');
    return new Promise(() => {});
  };
  await withFakeModels({ judge }, async (models) => {
    await withCodeProject({ ...FILES, ...SIX_PARTS }, async ({ run }) => {
      const options = { program: SVC_FILE, env: models.anthropic };
      const args = ['ingest', 'docs', '--yes', '--json', '--concurrency', '1'];
      const first = await run(args, { ...options, signal: { name: 'SIGKILL', when: once(asked, 'second') } });
      expect(first.status).toBe('SIGKILL');
      killed = true;
      const rest = await run(args, options);
      expect(rest.status).toBe(0);
      expect(JSON.parse(rest.out)).toMatchObject({ sections: { asked: 6, judged: 6 }, bindings: { total: 7 } });
      expect(JSON.parse((await run(['sync', '--yes', '--json'], options)).out)).toMatchObject({
        sections: { asked: 0 },
        documents: { read: 0 },
      });
    });
  });
});

it('keeps what a later run judged when one that began with an older text comes to its end', async () => {
  const moments = new EventEmitter();
  const asked = once(moments, 'asked');
  const overtaken = once(moments, 'overtaken');
  const judge: Judge = async (question, nth) => {
    if (nth === 0) {
      moments.emit('asked');
      await overtaken;
    }
    return byName(question);
  };
  await withFakeModels({ judge }, async (models) => {
    const two = { ...FILES, 'docs/guide.md': `${FILES['docs/guide.md']}\n## Closing\n\n\`Store\` again.\n` };
    await withCodeProject(two, async ({ run, write }) => {
      const ingest = async () =>
        JSON.parse(
          (
            await run(['ingest', 'docs', '--yes', '--json', '--concurrency', '1'], {
              program: SVC_FILE,
              env: models.anthropic,
            })
          ).out,
        ) as unknown;
      const first = ingest();
      await asked;
      await write('docs/guide.md', '# Ledger\n\nAll rows are kept by `Store`.\n');
      expect(await ingest()).toMatchObject({ bindings: { total: 1 } });
      moments.emit('overtaken');
      expect(await first).toMatchObject({ bindings: { added: 0, total: 1 } });
      expect(await ingest()).toMatchObject({ sections: { asked: 0 }, bindings: { total: 1 } });
    });
  });
});

it('tells an unknown provider before it reads any code', async () => {
  await withCodeProject(FILES, async ({ svc, path }) => {
    const { status, err } = await svc(['sync', '--llm', 'gpt']);
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining('Provider not found') });
    expect(existsSync(path('.svc', 'graph.db'))).toBe(false);
  });
});

it('judges once what an older release had cut into other sections', async () => {
  await withCodeProject(FILES, async ({ svc, path }) => {
    const ingest = async () => JSON.parse((await svc(['ingest', 'docs', '--llm', 'none', '--json'])).out) as unknown;
    await ingest();
    const graph = await openSqlite(path('.svc', 'graph.db'));
    await graph.all("UPDATE graph_sections SET hash = 'older', judged_hash = ''");
    await graph.close();
    expect(await ingest()).toMatchObject({ sections: { judged: 1 }, bindings: { total: 1 } });
    expect(await ingest()).toMatchObject({ sections: { judged: 0 }, bindings: { total: 1 } });
  });
});
