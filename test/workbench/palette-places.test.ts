import { describe, expect, it } from 'vitest';
import { codeLenses, openFile, webview } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { commandsMatching, runCommand } from './support/palette';
import { notification, statusBarItem } from './support/views';
import { withWorkbench } from './support/workbench';

describe('the palette', () => {
  it('speaks the language of the editor', () =>
    withWorkbench(
      { files: { 'a.ts': 'export function a() {}\n', '.git/HEAD': 'ref: refs/heads/main\n' }, language: 'de' },
      async (workbench) => {
        const title = 'Agent Memory: Gedächtnis anlegen';
        expect(await commandsMatching(workbench, title)).toContain(title);
        await inHost(workbench, ({ commands }) => void commands.executeCommand('agentMemory.recall'));
        await notification(workbench, 'Hier gibt es noch keine Erinnerungen.').first().waitFor();
        // What the language server says, too.
        await runProgram(workbench, 'svc-memory', 'init');
        await runProgram(workbench, 'svc', 'build');
        await storeElsewhere(workbench, 'It does nothing', 'decision', '--entities', 'a()');
        await openFile(workbench, 'a.ts');
        await codeLenses(workbench, 'Entschieden: ').waitFor();
      },
    ));

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
