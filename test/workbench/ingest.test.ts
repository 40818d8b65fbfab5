import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byName, type FakeModels, withFakeModels } from '../support/fake-models';
import { inHost } from './support/host';
import { runProgram } from './support/memory';
import { pick, quickInputRows, runCommand } from './support/palette';
import { dialog, notification, pressInDialog, pressInNotification } from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

const FILES = {
  'src/store.ts': 'export function openStore(): void {}\n',
  'docs/design.md': '# Storage\n\nWho needs the store calls `openStore` once.\n',
  'CHANGELOG.md': '# 1.0.0\n\n`openStore` is new.\n',
  'docs/long.md': '# One\n\nopenStore again.\n\n# Two\n\nopenStore, too.\n',
};

describe('ingesting documents from the palette', () => {
  let workbench: Workbench;
  let models: FakeModels;
  let close: () => void = () => {};
  let closed: Promise<void> = Promise.resolve();
  /** The model says nothing as long as this is not fulfilled. */
  let mayAnswer: Promise<void> = Promise.resolve();

  const ingest = async (...answers: readonly (string | RegExp)[]) => {
    await inHost(workbench, ({ commands }) => commands.executeCommand('notifications.clearAll'));
    await runCommand(workbench, 'Agent Memory: Ingest Documents…');
    for (const each of answers) await pick(workbench, each);
  };

  /** With all documents left ticked that are shown. */
  const ingestAll = async (provider: string) => {
    await ingest('All documents of this folder');
    await quickInputRows(workbench).filter({ hasText: '2 sections' }).waitFor();
    await workbench.page.keyboard.press('Enter');
    await pick(workbench, provider);
  };

  beforeAll(async () => {
    await new Promise<void>((ready) => {
      const judge = async (question: Parameters<typeof byName>[0]) => {
        await mayAnswer;
        return byName(question);
      };
      closed = withFakeModels({ judge }, (started) => {
        models = started;
        ready();
        return new Promise<void>((done) => {
          close = done;
        });
      });
    });
    workbench = await openWorkbench({
      files: FILES,
      environment: { ...models.anthropic, ...models.ollama, OPENAI_API_KEY: '' },
    });
    await runProgram(workbench, 'svc-memory', 'init');
  });
  afterAll(async () => {
    await workbench?.close();
    close();
    await closed;
  });

  it('says where documents would go before anybody is asked', async () => {
    await ingest('All documents of this folder');
    // A changelog is none of them.
    await quickInputRows(workbench).filter({ hasText: '2 sections' }).waitFor();
    expect(await quickInputRows(workbench).count()).toBe(2);
    await workbench.screenshot('ingest-documents');
    await workbench.page.keyboard.press('Enter');
    const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
    await rows.filter({ hasText: /are sent to 127\.0\.0\.1:\d+, with the key in ANTHROPIC_API_KEY/ }).waitFor();
    await rows.filter({ hasText: 'Needs a key in the environment variable OPENAI_API_KEY' }).waitFor();
    await rows.filter({ hasText: 'Nothing leaves the machine.' }).waitFor();
    await workbench.page.keyboard.press('Escape');
    expect(models.questions).toEqual([]);
  });

  it('binds what documents name, without a model', async () => {
    await ingestAll('No model');
    await notification(workbench, /Read 3 sections of 2 documents\. There is 1 link to code now\./)
      .first()
      .waitFor();
    expect(models.questions).toEqual([]);
  });

  it('asks the model of this machine, can be cancelled, and goes on where it was', async () => {
    let answer = (): void => {};
    mayAnswer = new Promise((done) => {
      answer = done;
    });
    await ingest('All documents of this folder', 'A model on this machine');
    const progress = notification(workbench, 'Ingesting').first();
    await progress.waitFor();
    await progress.locator('a.monaco-button', { hasText: 'Cancel' }).click();
    await notification(workbench, 'Cancelled. The work that was finished is kept.').first().waitFor();
    answer();
    await ingest('All documents of this folder', 'A model on this machine');
    await notification(workbench, /Read [1-9] sections? of \d documents?\./)
      .first()
      .waitFor();
  });

  it('shows the name of a document as a name, whatever it looks like', async () => {
    let answer = (): void => {};
    mayAnswer = new Promise((done) => {
      answer = done;
    });
    const file = join(workbench.folder, 'docs', '[read](command:workbench.action.closeWindow).md');
    writeFileSync(file, '# Links\n\nopenStore\n');
    await inHost(
      workbench,
      ({ commands, Uri }, path: string) => void commands.executeCommand('agentMemory.ingest', Uri.file(path)),
      file,
    );
    await pick(workbench, 'A model on this machine');
    const progress = notification(workbench, 'Ingesting').first();
    await progress.waitFor();
    expect(await progress.textContent()).toContain('[read] (command:');
    expect(await progress.locator('.notification-list-item-message a').count()).toBe(0);
    await progress.locator('a.monaco-button', { hasText: 'Cancel' }).click();
    await notification(workbench, 'Cancelled. The work that was finished is kept.').first().waitFor();
    answer();
    rmSync(file);
  });

  it('syncs with the provider that judged last, and asks nobody about what did not change', async () => {
    models.forget();
    await inHost(workbench, ({ commands }) => commands.executeCommand('notifications.clearAll'));
    await runCommand(workbench, 'Agent Memory: Sync Documents and Code');
    await notification(
      workbench,
      /Nothing was new to read\. There (is|are) [1-9]\d* links? to code now\. 2 documents are unchanged\./,
    )
      .first()
      .waitFor();
    expect(models.questions).toEqual([]);
  });

  it('sends to the cloud what was chosen to go there, and asks before a sync sends more', async () => {
    const sent = () => models.requests.filter(({ path }) => path === '/v1/messages').length;
    // The model of this machine has judged them, and each model is asked for itself.
    await ingestAll('Anthropic');
    const question = dialog(workbench).filter({ hasText: /Ask Anthropic about \d sections\?/ });
    await question.waitFor();
    expect(await question.textContent()).toMatch(
      /About [\d,]+ tokens go there, and [\d,]+ come back\.\s*That costs about < \$0\.01\./,
    );
    expect(sent()).toBe(0);
    await pressInDialog(workbench, 'Send');
    await notification(workbench, /Read [1-9] sections? of \d documents?\./)
      .first()
      .waitFor();
    const before = sent();
    expect(before).toBeGreaterThan(0);
    writeFileSync(join(workbench.folder, 'docs/more.md'), '# More\n\nopenStore at last.\n');
    for (const [button, said, requests] of [
      ['Cancel', undefined, before],
      ['Send', /Read 1 section of 1 document\. .* 2 documents are unchanged\./, before + 1],
    ] as const) {
      await inHost(workbench, ({ commands }) => commands.executeCommand('notifications.clearAll'));
      await runCommand(workbench, 'Agent Memory: Sync Documents and Code');
      await dialog(workbench)
        .filter({ hasText: /Send sections of documents to Anthropic \(127\.0\.0\.1:\d+\)\?/ })
        .waitFor();
      await pressInDialog(workbench, button);
      if (said) await notification(workbench, said).first().waitFor();
      expect(sent()).toBe(requests);
    }
    // It was asked once for this project.
    writeFileSync(join(workbench.folder, 'docs/more.md'), '# More\n\nopenStore after all.\n');
    writeFileSync(
      join(workbench.folder, 'docs/key.md'),
      `# Key\n\nopenStore takes ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}\n`,
    );
    await inHost(workbench, ({ commands }) => commands.executeCommand('notifications.clearAll'));
    await runCommand(workbench, 'Agent Memory: Sync Documents and Code');
    await notification(
      workbench,
      /Read 1 section of 2 documents\. .* 1 section was not sent, because it holds a secret\./,
    )
      .first()
      .waitFor();
    expect(sent()).toBe(before + 2);
  });

  it('says in words why a model cannot be asked', async () => {
    await ingestAll('OpenAI');
    await pressInDialog(workbench, 'Send');
    await notification(workbench, 'OPENAI_API_KEY').locator('a.monaco-button', { hasText: 'Show Log' }).waitFor();
    // With the documents that were picked.
    await pressInNotification(workbench, 'OPENAI_API_KEY', 'Choose Another Model…');
    await pick(workbench, 'No model');
    await notification(workbench, /Read \d sections of \d documents\. There (is|are) [1-9]\d* links? to code now\./)
      .first()
      .waitFor();
  });
});
