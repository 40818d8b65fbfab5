import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeLenses, openFile, webview } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { commandsMatching, pick, picked, runCommand, tick } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import { isSaid, notification, statusBarItem } from './support/views';
import { withWorkbench } from './support/workbench';

describe('the palette', () => {
  it('speaks the language of the editor', () =>
    withWorkbench(
      { files: { 'a.ts': 'export function a() {}\n', '.git/HEAD': 'ref: refs/heads/main\n' }, language: 'de' },
      async (workbench) => {
        const title = 'Agent Memory: Gedächtnis anlegen';
        // The palette does not take in what was contributed after it was opened.
        await until('the palette is in German', PATIENCE_MS, async () =>
          (await commandsMatching(workbench, title)).includes(title),
        );
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

  it('tells other agents of the memory, after a look at what that writes, and takes it out again', () =>
    withWorkbench(
      { files: { 'a.ts': 'export function a() {}\n' }, size: { width: 1280, height: 800 } },
      async (workbench) => {
        await runProgram(workbench, 'svc-memory', 'init');
        const rulesFile = join(workbench.folder, 'AGENTS.md');
        const share = async (): Promise<void> => {
          await inHost(workbench, ({ commands }) => commands.executeCommand('notifications.clearAll'));
          await runCommand(workbench, 'Agent Memory: Share Memory with Other Agents…');
        };
        const inAnswer = (text: string) =>
          workbench.page.locator('.editor-instance .view-line', { hasText: text }).first().waitFor();

        const rules = '# Rules\n';
        writeFileSync(rulesFile, rules);
        const settings = join(workbench.home, '.codex', 'config.toml');
        mkdirSync(dirname(settings), { recursive: true });
        writeFileSync(settings, 'model = "mine" # fast\n');

        await share();
        await picked(workbench, 'Codex').waitFor();
        await tick(workbench, 'AGENTS.md');
        await workbench.page.keyboard.press('Enter');
        await inAnswer('[mcp_servers.svc-memory]');
        expect(readFileSync(settings, 'utf8')).toBe('model = "mine" # fast\n');
        await workbench.page.getByText('Write this for Codex').first().waitFor();
        // Somebody reads the page meanwhile.
        await workbench.page.locator('.editor-instance .view-lines').first().click();
        await pick(workbench, 'Write');
        await isSaid(workbench, /Written: .*config\.toml/);
        expect(readFileSync(settings, 'utf8')).toMatch(/^model = "mine" # fast\n[\s\S]*\[mcp_servers\.svc-memory\]/);
        expect(readFileSync(rulesFile, 'utf8')).toMatch(/^# Rules\n\n<!-- svc-memory[\s\S]*memory_recall/);

        await share();
        await pick(workbench, 'Take It Out Again');
        await inAnswer('- [mcp_servers.svc-memory]');
        await workbench.page
          .getByText(/Take this out for .*Codex/)
          .first()
          .waitFor();
        await pick(workbench, 'Take Out');
        await isSaid(workbench, /Removed from: .*AGENTS\.md/);
        expect(readFileSync(settings, 'utf8')).toBe('model = "mine" # fast\n');
        expect(readFileSync(rulesFile, 'utf8')).toBe(rules);
        expect(existsSync(join(workbench.home, '.codex', 'hooks.json'))).toBe(false);
      },
    ));
});
