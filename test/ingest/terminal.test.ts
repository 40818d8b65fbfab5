import { expect, it } from 'vitest';
import { type CodeProject, SVC_FILE, withCodeProject } from '../support/code-project';
import { byName, NO_OLLAMA, withFakeModels } from '../support/fake-models';
import { CONTROL_C, runOnTerminal, type Typed } from '../support/terminal';

const FILES = {
  'src/store.ts': '/** Keeps rows of the ledger. */\nexport class Store {}\n',
  'docs/guide.md': '# Ledger\n\nRows are kept by `Store`.\n',
};
const ASKED = '[y/N] ';

type Env = Readonly<Record<string, string>>;
const ingestOn = (project: CodeProject, env: Env) => (typed: readonly Typed[], args: readonly string[]) =>
  runOnTerminal(project, SVC_FILE, ['ingest', 'docs', ...args], typed, env);

it('asks on a terminal before anything goes to the cloud, and sends nothing without a yes', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async (project) => {
      const ingest = ingestOn(project, models.anthropic);
      for (const answer of ['n\r', '\r', 'yesterday\r']) {
        const { status, screen } = await ingest([[ASKED, answer]], []);
        expect(status, answer).toBe(1);
        expect(screen).toContain('Send 1 section of 1 document, with names, signatures and summaries of code, never');
        expect(screen).toContain('to Anthropic (127.0.0.1:');
        expect(screen).toContain('Nothing was sent.');
      }
      expect((await ingest([[ASKED, CONTROL_C]], [])).status).toBe(130);
      expect(models.requests).toEqual([]);
    });
  });
});

it('asks once for each project and provider, and not at all with --yes', async () => {
  await withFakeModels({ judge: byName }, async (models) => {
    await withCodeProject(FILES, async (project) => {
      const ingest = ingestOn(project, models.anthropic);
      expect((await ingest([[ASKED, 'y\r']], [])).status).toBe(0);
      expect(models.questions).toHaveLength(1);
      await project.write('docs/guide.md', '# Ledger\n\nRows are kept by `Store`, always.\n');
      const again = await ingest([], []);
      expect(again.status).toBe(0);
      expect(again.screen).toContain('Sending 1 section of 1 document');
      expect(models.questions).toHaveLength(2);

      const elsewhere = ingestOn(project, models.openai);
      expect((await elsewhere([[ASKED, 'n\r']], [])).status).toBe(1);
      expect(models.questions).toHaveLength(2);
      expect((await elsewhere([], ['--yes'])).status).toBe(0);
      expect(models.questions).toHaveLength(3);
    });
  });
});

it('asks who sits at the terminal what to do when nobody can be asked, in lines that fit it', async () => {
  await withCodeProject(FILES, async (project) => {
    const ingest = ingestOn(project, NO_OLLAMA);
    const stopped = await ingest([['to stop: ', '\r']], []);
    expect(stopped.status).toBe(2);
    expect(stopped.screen).toContain('No provider of a language model is set up');
    expect(stopped.screen.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const { status, screen } = await ingest([['to stop: ', 'none\r']], []);
    expect(status).toBe(0);
    expect(screen).toContain('Bindings: 1 (added 1');
  });
});
