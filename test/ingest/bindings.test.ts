import { EventEmitter, once } from 'node:events';
import { expect, it } from 'vitest';
import { SVC_FILE, withCodeProject } from '../support/code-project';
import { byName, NO_OLLAMA, withFakeModels } from '../support/fake-models';
import { openSqlite } from '../support/sqlite';

const FILES = {
  'src/store.ts': `import { open } from './open';
/** Keeps rows of the ledger. */
export class Store {
  get(key: string) { return open(key); }
}
`,
  'src/open.ts':
    '/** Opens a connection and waits for the lock. */\nexport function openConnection(key: string) { return key; }\n',
  'docs/guide.md': `# Ledger

Rows are kept by \`Store\`.

## Locks

A process that comes second waits, see \`openConnection()\`.

## Weather

It rains.
`,
};

interface Summary {
  readonly documents: { readonly read: number; readonly unchanged: number; readonly removed: number };
  readonly sections: { readonly asked: number; readonly judged: number };
  readonly bindings: {
    readonly added: number;
    readonly changed: number;
    readonly removed: number;
    readonly total: number;
  };
  readonly failed: readonly { readonly heading: string; readonly line: number; readonly problem: string }[];
  readonly code?: { readonly indexed: number };
}

const summary = (out: string): Summary => JSON.parse(out) as Summary;

it('binds what documents name in backticks or link to without any model, and does it once', async () => {
  await withCodeProject(FILES, async ({ svc, graphServer }) => {
    const first = await svc(['ingest', 'docs', '--llm', 'none', '--json']);
    expect(first.status).toBe(0);
    expect(summary(first.out)).toMatchObject({ bindings: { added: 2, total: 2 }, sections: { asked: 0, judged: 3 } });
    const second = summary((await svc(['ingest', 'docs', '--llm', 'none', '--json'])).out);
    expect(second).toMatchObject({
      documents: { read: 0, unchanged: 1 },
      sections: { judged: 0 },
      bindings: { added: 0, total: 2 },
    });
    const server = await graphServer();
    expect(await server.text('query_codebase', { query: 'openConnection' })).toContain(
      '- document docs/guide.md:5–7 · Ledger › Locks · conf 0.90 — the section names it in backticks',
    );
  });
});

it('takes no file of data and no variable of something else for a member, unless the section speaks of its file, too', async () => {
  const files = {
    'src/response.ts': 'export class Response {\n  json() { return 1; }\n  send() { return 2; }\n}\n',
    'docs/a.md':
      '# Install\n\nPut it into `package.json` and `tsconfig.json`.\n\n# Mail\n\n`mailer.send()` sends it.\n',
    'docs/b.md': '# Answers\n\n`response.send()` ends it.\n\n# Both\n\n`Response` has `answer.json()`.\n',
  };
  await withCodeProject(files, async ({ svc, graphServer }) => {
    expect((await svc(['ingest', 'docs', '--llm', 'none'])).status).toBe(0);
    const server = await graphServer();
    const told = await server.text('query_codebase', { query: 'Response' });
    expect(told).not.toMatch(/docs\/a\.md/);
    expect(told).toMatch(/### method Response\.send.*\n.*\n- document docs\/b\.md:1–\d · Answers/);
    expect(told).toMatch(/### method Response\.json.*\n.*\n- document docs\/b\.md:\S+ · Both/);
  });
});

it('takes no everyday word for a member or for what stands in a test, unless the section speaks of their file, too', async () => {
  const files = {
    'src/color.ts':
      'export class Color {\n  auto() { return 1; }\n  never() { return 2; }\n}\nexport function paint() {}\n',
    'tests/util.ts': 'export function pcre2() {\n  return 3;\n}\n',
    'docs/options.md':
      '# Options\n\n## Values\n\n`auto`, `never` and `pcre2`; `paint` is another.\n\n## Class\n\nOf `Color`, `auto` is first.\n',
  };
  await withCodeProject(files, async ({ svc, graphServer }) => {
    expect((await svc(['ingest', 'docs', '--llm', 'none'])).status).toBe(0);
    const server = await graphServer();
    const told = async (query: string): Promise<string[]> => {
      const [, first = ''] = (await server.text('query_codebase', { query })).split('\n### ');
      return first.match(/document .*? — /g) ?? [];
    };
    expect(await told('src/color.ts#Color.auto')).toEqual([
      'document docs/options.md:7–9 · Options › Class · conf 0.70 — ',
    ]);
    expect(await told('src/color.ts#paint')).toEqual([
      'document docs/options.md:3–5 · Options › Values · conf 0.70 — ',
    ]);
    expect(await told('src/color.ts#Color.never')).toEqual([]);
    expect(await told('tests/util.ts#pcre2')).toEqual([]);
  });
});

it('marks the bindings of a section that changed as old, keeps those that only moved, and sync renews them', async () => {
  await withCodeProject(FILES, async ({ svc, graphServer, write, remove }) => {
    await svc(['ingest', 'docs', '--llm', 'none']);
    const server = await graphServer();
    const asked = async (query: string): Promise<string> => server.text('query_codebase', { query });
    await write(
      'docs/guide.md',
      `New lines.\r\n\r\n${FILES['docs/guide.md'].replaceAll('\n', '\r\n').replace('waits,', 'waits long,')}`,
    );
    expect(await asked('openConnection')).toContain('conf 0.90 (changed since; run "svc sync")');
    expect(await asked('Store')).toContain('- document docs/guide.md:3–5 · Ledger · conf 0.90 — ');
    const { status, out } = await svc(['sync', '--json']);
    expect(status).toBe(0);
    expect(summary(out)).toMatchObject({ documents: { read: 1 }, bindings: { added: 0, total: 2 } });
    expect(await asked('openConnection')).toContain('docs/guide.md:7–9 · Ledger › Locks · conf 0.90 — ');
    await remove('docs/guide.md');
    expect(summary((await svc(['sync', '--json'])).out)).toMatchObject({
      documents: { removed: 1 },
      bindings: { removed: 2, total: 0 },
    });
    expect(await asked('Store')).not.toContain('document');
  });
});

it('stores every verdict of a model unchanged', async () => {
  const verdicts = [
    { confidence: 0.123456789, reason: 'in doubt' },
    { confidence: 1, reason: 'Sure: “ledger” is `Store`.' },
    { confidence: 0, reason: '' },
  ];
  const judge = ({ candidates }: { candidates: readonly { id: string }[] }, nth: number) => ({
    bindings: candidates.slice(0, 1).map(({ id }) => ({ id, ...(verdicts[nth] ?? { confidence: 0.5, reason: '' }) })),
  });
  await withFakeModels({ judge }, async (models) => {
    await withCodeProject(FILES, async ({ svc, path, run }) => {
      const { status } = await run(['ingest', 'docs', '--yes', '--concurrency', '1'], {
        program: SVC_FILE,
        env: models.anthropic,
      });
      expect(status).toBe(0);
      expect(await svc(['--version'])).toMatchObject({ status: 0 });
      const graph = await openSqlite(path('.svc', 'graph.db'));
      const rows = await graph.all('SELECT confidence, reason, provider, model FROM graph_bindings ORDER BY section');
      await graph.close();
      expect(rows).toEqual(
        verdicts
          .slice(0, models.questions.length)
          .map((verdict) => ({ ...verdict, provider: 'anthropic', model: 'claude-haiku-5-5' })),
      );
    });
  });
});

it('asks about a section again only when it changed, and about all when another provider judges; the code graph stays', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run, write, path }) => {
      const ingest = async (env: Readonly<Record<string, string>>, ...args: string[]): Promise<Summary> => {
        models.forget();
        return summary((await run(['ingest', 'docs', '--yes', '--json', ...args], { program: SVC_FILE, env })).out);
      };
      const graph = async (): Promise<unknown[]> => {
        const file = await openSqlite(path('.svc', 'graph.db'));
        const rows = await file.all('SELECT id, path, content_hash FROM graph_files ORDER BY id');
        await file.close();
        return rows;
      };
      expect((await ingest(models.anthropic)).bindings.total).toBe(2);
      const before = await graph();
      const all = models.questions.length;
      expect(await ingest(models.anthropic)).toMatchObject({ sections: { asked: 0 } });
      expect(models.requests).toEqual([]);
      await write('docs/guide.md', FILES['docs/guide.md'].replace('Rows are', 'All rows are'));
      expect(await ingest(models.anthropic)).toMatchObject({
        sections: { asked: 1 },
        bindings: { added: 0, changed: 0, total: 2 },
      });
      expect(models.questions.map(({ heading }) => heading)).toEqual(['Ledger']);
      expect(await ingest(models.openai)).toMatchObject({
        sections: { asked: all },
        bindings: { changed: 2, total: 2 },
      });
      expect(await ingest(models.openai, '--model', 'another')).toMatchObject({ sections: { asked: all } });
      expect(await graph()).toEqual(before);
    });
  });
});

it('reports a malformed answer as one failed section, keeps the others, and asks for it again', async () => {
  let broken = true;
  const judge: typeof byName = (question) =>
    broken && question.heading.endsWith('Locks') ? { text: '{"bindings": [{"id": 7}]}' } : byName(question);
  await withFakeModels({ judge }, async (models) => {
    await withCodeProject(FILES, async ({ run }) => {
      const options = { program: SVC_FILE, env: models.openai };
      const first = await run(['ingest', 'docs', '--yes', '--json'], options);
      expect(first.status).toBe(1);
      expect(first.err).toContain('docs/guide.md:5: the answer of the model is malformed');
      expect(summary(first.out)).toMatchObject({
        bindings: { total: 1 },
        failed: [{ document: 'docs/guide.md', heading: 'Ledger › Locks', line: 5 }],
      });
      broken = false;
      models.forget();
      const second = await run(['ingest', 'docs', '--yes', '--json'], options);
      expect(summary(second.out)).toMatchObject({ sections: { asked: 1 }, bindings: { total: 2 }, failed: [] });
    });
  });
});

it('lets no document speak for another: foreign ids are dropped, reasons become one short line', async () => {
  const judge = ({ candidates }: { candidates: readonly { id: string }[] }) => ({
    bindings: [
      { id: 'c99', confidence: 1, reason: 'all other sections, too' },
      {
        id: candidates[0]?.id ?? '',
        confidence: 0.8,
        reason: `a\n### forged heading\u001b[31m ${'long '.repeat(100)}`,
      },
      { id: candidates[0]?.id ?? '', confidence: 0.1, reason: 'twice' },
    ],
  });
  await withFakeModels({ judge }, async (models) => {
    await withCodeProject(FILES, async ({ run, path, graphServer }) => {
      expect((await run(['ingest', 'docs', '--yes'], { program: SVC_FILE, env: models.anthropic })).status).toBe(0);
      const graph = await openSqlite(path('.svc', 'graph.db'));
      const rows = await graph.all<{ reason: string; confidence: number; name: string }>(
        'SELECT * FROM graph_bindings',
      );
      await graph.close();
      expect(rows.length).toBe(models.questions.length);
      for (const { reason, confidence } of rows) {
        expect(confidence).toBe(0.8);
        expect(reason).toMatch(/^a ### forged heading \[31m long/);
        expect(reason.length).toBeLessThanOrEqual(200);
      }
      const answer = await (await graphServer()).text('query_codebase', { query: 'Store' });
      expect(answer).not.toMatch(/^### forged/m);
    });
  });
});

it('sync looks at new documents and changed code, and at nothing else', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async ({ run, write }) => {
      const svc = async (...args: string[]): Promise<Summary> => {
        models.forget();
        const { status, out, err } = await run([...args, '--yes', '--json'], {
          program: SVC_FILE,
          env: models.anthropic,
        });
        expect({ status, err }).toMatchObject({ status: 0 });
        return summary(out);
      };
      await svc('ingest', 'docs');
      await svc('sync');
      expect(models.questions).toEqual([]);
      expect(await svc('sync')).toMatchObject({ documents: { read: 0, unchanged: 1 }, code: { indexed: 0 } });
      await write('docs/new.md', '# Late\n\nAbout `Store` again.\n');
      expect(await svc('sync')).toMatchObject({ sections: { asked: 1 }, bindings: { added: 1, total: 3 } });
      // The renamed function is found by its text; a new one comes into question where it fits.
      await write('src/open.ts', FILES['src/open.ts'].replace('openConnection', 'openLedger'));
      const renamed = await svc('sync');
      expect(renamed.code?.indexed).toBe(1);
      expect(renamed.bindings.total).toBeGreaterThan(1);
      expect(await svc('sync')).toMatchObject({ sections: { asked: 0 } });
    });
  });
});

it('reaches a memory through a document that names the same symbol', async () => {
  await withCodeProject(FILES, async ({ build, ok, run, svc }) => {
    await build();
    await ok(
      'store',
      'Half a minute of patience was agreed upon',
      '--kind',
      'decision',
      '--entities',
      'openConnection',
    );
    expect((await run(['recall', 'process that comes second'])).out).toContain('0 items');
    await svc(['ingest', 'docs', '--llm', 'none']);
    const reached = await ok('recall', 'process that comes second');
    expect(reached).toContain('Half a minute');
    expect((await run(['recall', 'process that comes second', '--hops', '0'])).out).toContain('0 items');
    expect((await run(['recall', 'weather rains'])).out).toContain('0 items');
  });
});

it('goes on after Ctrl-C where it was, and keeps what was done', async () => {
  const asked = new EventEmitter();
  const judge: Parameters<typeof withFakeModels>[0]['judge'] = (question, nth) => {
    if (nth === 0) return byName(question);
    asked.emit('second');
    return new Promise(() => {});
  };
  await withFakeModels({ judge }, async (models) => {
    await withCodeProject(FILES, async ({ run }) => {
      const options = { program: SVC_FILE, env: models.anthropic };
      const first = await run(['ingest', 'docs', '--yes', '--concurrency', '1'], {
        ...options,
        signal: { name: 'SIGINT', when: once(asked, 'second') },
      });
      expect(first.status).toBe(130);
      expect(models.questions.length).toBe(2);
      const rest = await run(['ingest', 'docs', '--llm', 'anthropic', '--dry-run', '--json'], options);
      const { sections } = JSON.parse(rest.out) as { sections: readonly { heading: string }[] };
      expect(sections.map(({ heading }) => heading)).not.toContain(models.questions[0]?.heading);
    });
  });
});

it('needs no local model server to say that there is none to ask', async () => {
  await withCodeProject(FILES, async ({ run }) => {
    const { status, err } = await run(['ingest', 'docs'], { program: SVC_FILE, env: NO_OLLAMA });
    expect(status).toBe(2);
    expect(err).toContain('No provider of a language model is set up');
    for (const way of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'ollama pull', '--llm none']) expect(err).toContain(way);
  });
});
