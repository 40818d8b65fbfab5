import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type CodeProject, SVC_FILE, withCodeProject } from '../support/code-project';
import { startEditor } from '../support/editor-client';
import { byName, type FakeModels, withFakeModels } from '../support/fake-models';
import { openSqlite } from '../support/sqlite';
import { runOnTerminal } from '../support/terminal';

const FILES = {
  'src/store.ts': '/** Keeps rows of the ledger. */\nexport class Store {}\n',
  'docs/guide.md': '# Ledger\n\nRows are kept by `Store`.\n',
};
const ASKED = '[y/N] ';

type Env = Readonly<Record<string, string>>;

function withBoth(work: (models: FakeModels, project: CodeProject) => Promise<void>): Promise<void> {
  return withFakeModels({ judge: byName }, (models) => withCodeProject(FILES, (project) => work(models, project)));
}

/** A person at a terminal, who says yes. */
async function agree(project: CodeProject, env: Env): Promise<void> {
  const { status } = await runOnTerminal(project, SVC_FILE, ['ingest', 'docs'], [[ASKED, 'y\r']], env);
  expect(status).toBe(0);
}

it('sends nothing without a terminal because a key is there: an agent has the key of its user, too', async () => {
  await withBoth(async (models, { run }) => {
    for (const env of [models.anthropic, models.openai]) {
      const { status, out, err } = await run(['ingest', 'docs'], { program: SVC_FILE, env });
      expect({ status, out }).toEqual({ status: 1, out: '' });
      expect(err).toMatch(
        /^unavailable: Nothing was sent: nobody has agreed to send documents of this project to (Anthropic|OpenAI) \(127\.0\.0\.1:\d+, [^)]+\), and there is no terminal to ask on\. Pass --yes, or run the command once on a terminal/,
      );
    }
    const told = await run(['ingest', 'docs', '--json'], { program: SVC_FILE, env: models.anthropic });
    expect(JSON.parse(told.out)).toEqual({
      unsent: {
        ...{ provider: 'anthropic', model: 'claude-haiku-5-5', sections: 1, documents: 1 },
        host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      },
    });
    expect(models.requests).toEqual([]);
  });
});

it('sends with --yes, for this once', async () => {
  await withBoth(async (models, { run, write, home }) => {
    const options = { program: SVC_FILE, env: models.anthropic };
    expect((await run(['ingest', 'docs', '--yes'], options)).status).toBe(0);
    expect(models.questions).toHaveLength(1);
    expect(existsSync(join(home, '.svc', 'consent'))).toBe(false);
    await write('docs/guide.md', '# Ledger\n\nRows are kept by `Store`, always.\n');
    expect((await run(['sync'], options)).err).toMatch(/^unavailable: Nothing was sent/);
    expect(models.questions).toHaveLength(1);
    expect((await run(['sync', '--yes'], options)).status).toBe(0);
    expect(models.questions).toHaveLength(2);
  });
});

it('sends without a terminal what a person agreed to on one, to that server', async () => {
  await withBoth(async (models, project) => {
    const options = { program: SVC_FILE, env: models.anthropic };
    await agree(project, models.anthropic);
    await project.write('docs/guide.md', '# Ledger\n\nRows are kept by `Store`, always.\n');
    const { status, err } = await project.run(['sync'], options);
    expect(status).toBe(0);
    expect(err).toMatch(/^Sending 1 section of 1 document/);
    expect(models.questions).toHaveLength(2);
    await withFakeModels({ judge: byName }, async (elsewhere) => {
      await project.write('docs/guide.md', '# Ledger\n\nRows are kept by `Store`, for ever.\n');
      expect((await project.run(['sync'], { ...options, env: elsewhere.anthropic })).status).toBe(1);
      expect(elsewhere.requests).toEqual([]);
    });
  });
});

it('sends from then on what a person agreed to in the editor, to that server and in a trusted workspace alone', async () => {
  await withBoth(async (models, project) => {
    const options = { program: SVC_FILE, env: models.anthropic };
    const told = await project.run(['ingest', 'docs', '--json'], options);
    const { provider, host } = JSON.parse(told.out).unsent;
    const editor = await startEditor(project, { settings: { trusted: false } });
    try {
      const params = { folder: editor.uri('.'), provider, host };
      expect(await editor.request('svc/rememberConsent', params)).toMatchObject({ error: { code: 'unavailable' } });
      expect((await project.run(['ingest', 'docs'], options)).status).toBe(1);
      await editor.configure({ trusted: true });
      expect(await editor.request('svc/rememberConsent', params)).toEqual({ ok: true });
    } finally {
      await editor.end();
    }
    expect((await project.run(['ingest', 'docs'], options)).status).toBe(0);
    expect(models.questions).toHaveLength(1);
    await withFakeModels({ judge: byName }, async (elsewhere) => {
      await project.write('docs/guide.md', '# Ledger\n\nRows are kept by `Store`, for ever.\n');
      expect((await project.run(['sync'], { ...options, env: elsewhere.anthropic })).status).toBe(1);
      expect(elsewhere.requests).toEqual([]);
    });
  });
});

it('takes nothing that lies in a project for the word of a person', async () => {
  await withBoth(async (models, project) => {
    await project.build();
    const graph = await openSqlite(project.path('.svc', 'graph.db'));
    const { host } = new URL(models.anthropic.ANTHROPIC_BASE_URL ?? '');
    await graph.all(`INSERT INTO graph_facts (name, value) VALUES ('ingest_consent:anthropic:${host}', 'given')`);
    await graph.close();
    const env = models.anthropic;
    expect((await project.run(['ingest', 'docs'], { program: SVC_FILE, env })).status).toBe(1);
    expect((await runOnTerminal(project, SVC_FILE, ['ingest', 'docs'], [[ASKED, 'n\r']], env)).status).toBe(1);
    expect(models.requests).toEqual([]);
  });
});

it('keeps the consent of one project from another, also from one that a link leads to', async () => {
  await withBoth(async (models, project) => {
    await agree(project, models.anthropic);
    models.forget();
    await withCodeProject(FILES, async ({ run, folder }) => {
      const env = { ...models.anthropic, HOME: project.home };
      expect((await run(['ingest', 'docs'], { program: SVC_FILE, env })).status).toBe(1);
      // Reached through a path inside of the project that has the consent.
      symlinkSync(folder, project.path('linked'));
      const options = { program: SVC_FILE, env, cwd: 'linked' };
      expect((await project.run(['ingest', 'docs'], options)).status).toBe(1);
      expect(models.requests).toEqual([]);
    });
  });
});
