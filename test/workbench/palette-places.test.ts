import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeLenses, openFile, webview } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { answer, commandsMatching, pick, quickInput, runCommand } from './support/palette';
import { notification, statusBarItem } from './support/views';
import { withWorkbench } from './support/workbench';

describe('the palette', () => {
  it('asks for a folder where none is open', () =>
    withWorkbench({ empty: true }, async (workbench) => {
      for (const title of ['Initialise Memory', 'Recall…', 'Remember Selection…', 'Ingest Documents…']) {
        await runCommand(workbench, `Agent Memory: ${title}`);
        await notification(workbench, 'Agent Memory needs one').first().waitFor();
        await runCommand(workbench, 'Notifications: Clear All Notifications');
      }
    }));

  it('works in the folder that is chosen of several, or in that of the file at hand', () =>
    withWorkbench(
      { folders: { red: { 'a.ts': 'export function a() {}\n' }, blue: { 'b.ts': '' } } },
      async (workbench) => {
        const { folder } = workbench;
        await runCommand(workbench, 'Agent Memory: Initialise Memory');
        await pick(workbench, 'blue');
        await notification(workbench, 'Created the store').waitFor();
        expect(existsSync(join(folder, 'blue', '.svc', 'memory.db'))).toBe(true);
        expect(existsSync(join(folder, 'red', '.svc'))).toBe(false);

        await openFile(workbench, 'a.ts');
        await runCommand(workbench, 'Agent Memory: Remember Selection…');
        await pick(workbench, 'Fact');
        await answer(workbench, /one statement/, 'It is red here');
        await answer(workbench, /Names separated by commas/, '');
        await notification(workbench, 'Remembered: It is red here').waitFor();
        expect(
          await runProgram({ ...workbench, folder: join(folder, 'red') }, 'svc-memory', 'recall', 'red'),
        ).toContain('It is red here');

        await runCommand(workbench, 'Agent Memory: Export All Memories…');
        await quickInput(workbench).waitFor();
        await workbench.page.locator('.quick-input-title', { hasText: 'Use the memory of which folder?' }).waitFor();
      },
    ));

  it('only reads while the workspace is not trusted', () =>
    withWorkbench({ files: { 'a.ts': '' }, trust: true }, async (workbench) => {
      await runProgram(workbench, 'svc-memory', 'init');
      await storeElsewhere(workbench, 'Everybody may read this', 'fact');
      for (const title of ['Initialise Memory', 'Remember Selection…', 'Ingest Documents…', 'Install Agent Hooks']) {
        expect(await commandsMatching(workbench, `Agent Memory: ${title}`)).not.toContain(`Agent Memory: ${title}`);
      }
      await inHost(workbench, ({ commands }) => void commands.executeCommand('agentMemory.writeAgentsBlock'));
      await notification(workbench, 'not trusted').waitFor();
      expect(existsSync(join(workbench.folder, 'AGENTS.md'))).toBe(false);
      expect(existsSync(join(workbench.folder, '.svc', 'graph.db'))).toBe(false);
      await runCommand(workbench, 'Agent Memory: Recall…');
      await answer(workbench, /A question or keywords/, 'everybody');
      await workbench.page.locator('.view-line', { hasText: 'Everybody may read this' }).waitFor();
    }));

  it('speaks the language of the editor', () =>
    withWorkbench(
      { files: { 'a.ts': 'export function a() {}\n', '.git/HEAD': 'ref: refs/heads/main\n' }, language: 'de' },
      async (workbench) => {
        await runCommand(workbench, 'Agent Memory: Abrufen …');
        await notification(workbench, 'Hier gibt es noch keine Erinnerungen.').first().waitFor();
        // What the language server says, too.
        await runProgram(workbench, 'svc-memory', 'init');
        await runProgram(workbench, 'svc', 'build');
        await storeElsewhere(workbench, 'It does nothing', 'decision', '--entities', 'a');
        await openFile(workbench, 'a.ts');
        await codeLenses(workbench, /^1 Entscheidung$/).waitFor();
      },
    ));

  it('makes no store by reading', () =>
    withWorkbench({ files: { 'a.ts': '' } }, async (workbench) => {
      const reading = ['Recall…', 'Export All Memories…', 'Check Memories Against the Code', 'Forget'];
      for (const title of [...reading, 'Undo Last Change']) {
        await runCommand(workbench, `Agent Memory: ${title}`);
        await notification(workbench, 'There are no memories here yet.').first().waitFor();
        await runCommand(workbench, 'Notifications: Clear All Notifications');
      }
      expect(existsSync(join(workbench.folder, '.svc'))).toBe(false);
    }));

  it('says why a store cannot be used, in words for people', () =>
    withWorkbench(
      { files: { 'a.ts': '', '.svc/memory.db': 'This is no database.\n'.repeat(200) } },
      async (workbench) => {
        const status = statusBarItem(workbench, 'agentMemory.status').locator('a[aria-label*="damaged"]');
        await status.waitFor();
        expect(await status.getAttribute('aria-label')).toMatch(
          /, \S*memory\.db is damaged .*"svc-memory doctor" tells more/,
        );
        await runCommand(workbench, 'Agent Memory: Open Memory Explorer');
        const problem = webview(workbench).locator('.problem');
        await problem.waitFor();
        expect(await problem.textContent()).toMatch(/^\S*memory\.db is damaged /);
      },
    ));
});
