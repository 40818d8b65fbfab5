// Several folders in one window, each with a store of its own. One editor: every test finds what those before it made.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from './support/chat';
import { codeLenses, goToLine, openFile, webview } from './support/editors';
import { inHost } from './support/host';
import { offeredToAgents } from './support/log';
import { runProgram, storeElsewhere } from './support/memory';
import { answer, pick, quickInput, runCommand } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import { notification, openView, statusBarItem, treeRows, unfoldTo, unnamedSessions } from './support/views';
import { EVERY_SIGNAL, openWorkbench, type Workbench } from './support/workbench';

/** How the editor names the tools of the memory. */
const MEMORY = 'mcp_agent_memory_';

describe('several folders in one window', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench({
      folders: {
        red: { 'a.ts': 'export function a() {}\n' },
        blue: { 'b.ts': '' },
        green: { 'c.js': 'const res = {};\nres.send = function send() {\n  return 1;\n};\n' },
      },
      settings: EVERY_SIGNAL,
    });
  });
  afterAll(() => workbench?.close());

  const inFolder = (name: string): Workbench => ({ ...workbench, folder: join(workbench.folder, name) });
  const page = () => webview(workbench);
  const row = (text: string) => page().locator('button.row', { hasText: text }).first();

  it('leave the status bar with the folder of the last file while a page is in front', async () => {
    const status = () => statusBarItem(workbench, 'agentMemory.status').locator('a').getAttribute('aria-label');
    await openFile(workbench, 'b.ts');
    await until('the folder of the file is shown', PATIENCE_MS, async () => (await status())?.includes('/blue/.svc/'));
    await inHost(workbench, ({ commands }) => commands.executeCommand('agentMemory.openExplorer'));
    await page().locator('h1').waitFor();
    // Something that makes it look again.
    await runProgram(inFolder('blue'), 'svc-memory', 'init');
    await until('it has looked again', PATIENCE_MS, async () => (await status())?.includes('No session is open'));
    expect(await status()).toContain('/blue/.svc/');
  });

  it('are asked for by the palette, which works in the one that is chosen', async () => {
    await runCommand(workbench, 'Agent Memory: Initialise Memory');
    await pick(workbench, 'red');
    await notification(workbench, 'Created the store').waitFor();
    expect(existsSync(join(workbench.folder, 'red', '.svc', 'memory.db'))).toBe(true);
    expect(existsSync(join(workbench.folder, 'green', '.svc'))).toBe(false);

    await runCommand(workbench, 'Agent Memory: Export All Memories…');
    await quickInput(workbench).waitFor();
    await workbench.page.locator('.quick-input-title', { hasText: 'Use the memory of which folder?' }).waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('have a row each in the side bar', async () => {
    await storeElsewhere(inFolder('red'), 'Only here', 'fact');
    await openView(workbench, 'Agent Memory');
    await treeRows(workbench, /^red/, 'Sessions').first().waitFor();
    const session = unnamedSessions(workbench).first();
    await unfoldTo(session, treeRows(workbench, 'Only here', 'Sessions').first());
    const green = treeRows(workbench, /^green/, 'Sessions').first();
    expect(await green.getAttribute('aria-label')).toContain('empty');
    await treeRows(workbench, 'No memory has been stored yet', 'Sessions').first().waitFor();
    await workbench.screenshot('side-bar-folders');
  });

  it('are written to in that of the file at hand', async () => {
    await openFile(workbench, 'a.ts');
    await runCommand(workbench, 'Agent Memory: Remember Selection…');
    await pick(workbench, 'Fact');
    await answer(workbench, /one statement/, 'It is red here');
    await answer(workbench, /Names separated by commas/, '');
    await notification(workbench, 'Remembered: It is red here').waitFor();
    expect(await runProgram(inFolder('red'), 'svc-memory', 'recall', 'red')).toContain('It is red here');
  });

  it('get their first memory on the function at the cursor, before there is a store', async () => {
    expect(existsSync(join(workbench.folder, 'green', '.svc'))).toBe(false);
    await openFile(workbench, 'c.js');
    await goToLine(workbench, 3);
    await runCommand(workbench, 'Agent Memory: Remember Selection…');
    await pick(workbench, 'Fact');
    await answer(workbench, /one statement/, 'It is green here');
    await until('the symbol is filled in', PATIENCE_MS, async () =>
      (await quickInput(workbench).inputValue()).includes('c.js'),
    );
    // The comma is there for further names.
    expect(await quickInput(workbench).inputValue()).toBe('c.js#res.send, ');
    await workbench.page.keyboard.press('Enter');
    await notification(workbench, 'Remembered: It is green here').waitFor();
    await codeLenses(workbench, /1 memory$/).waitFor();
  });

  it('have one server for all of them, and the chat its tools, which take the folder: as many as for one', async () => {
    expect(offeredToAgents(workbench)).toBe('svc-memory, svc');
    await storeElsewhere(inFolder('blue'), 'The colour is blue.', 'fact');
    expect(await startServer(workbench, 'svc-memory', MEMORY)).toHaveLength(17);
    const recalled = (folder?: string) =>
      inHost(
        workbench,
        async ({ lm, LanguageModelTextPart }, named: string | null) => {
          const input = { query: 'colour', folder: named };
          const { content } = await lm.invokeTool('svc_memory_recall', {
            input,
            toolInvocationToken: undefined,
          });
          return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
        },
        folder ?? null,
      );
    expect(await recalled('blue')).toContain('The colour is blue.');
    for (const answered of [await recalled(), await recalled('green')]) expect(answered).not.toContain('is blue');
  });

  it('each get back what was forgotten in it, by one undoing of rows of two of them', async () => {
    const left = await storeElsewhere(inFolder('red'), 'Red stays as it is', 'fact');
    const rows = [
      { folder: 'red', nodeId: await storeElsewhere(inFolder('red'), 'Red comes back', 'fact') },
      { folder: 'green', nodeId: await storeElsewhere(inFolder('green'), 'Green comes back', 'fact') },
    ];
    await inHost(
      workbench,
      async ({ commands, workspace }, wanted) => {
        const uriOf = (name: string) => workspace.workspaceFolders?.find((one) => one.name === name)?.uri.toString();
        const selected = wanted.map(({ folder, nodeId }) => ({ folder: uriOf(folder), namespace: 'default', nodeId }));
        await commands.executeCommand('agentMemory.forget', selected[0], selected);
        await commands.executeCommand('agentMemory.undo');
      },
      rows,
    );
    await notification(workbench, 'Undone. 2 memories are as they were before.').waitFor();
    const isForgotten = async (folder: string, id: string): Promise<boolean> =>
      (JSON.parse(await runProgram(inFolder(folder), 'svc-memory', 'node', id, '--json')) as { tombstoned: number })
        .tombstoned === 1;
    for (const { folder, nodeId } of [...rows, { folder: 'red', nodeId: left }]) {
      expect([folder, await isForgotten(folder, nodeId)]).toEqual([folder, false]);
    }
  });

  it('are shown in the explorer one at a time, and without the one that is closed', async () => {
    const shownFolder = () => page().getByLabel('Folder').locator('option:checked');
    for (const name of ['red', 'blue']) {
      await storeElsewhere(inFolder(name), `Decided for ${name}`, 'decision', '--entities', `${name} thing`);
    }
    await inHost(workbench, ({ commands }) => commands.executeCommand('agentMemory.openExplorer'));
    for (const [name, other] of [
      ['red', 'blue'],
      ['blue', 'red'],
      ['red', 'blue'],
      ['blue', 'red'],
    ] as const) {
      await page().getByLabel('Folder').selectOption(name);
      await row(`Decided for ${name}`).waitFor();
      expect(await row(`Decided for ${other}`).count()).toBe(0);
    }
    await workbench.screenshot('explorer-folders');

    // What is opened from elsewhere in the window brings its folder with it.
    await openView(workbench, 'Agent Memory');
    const memory = treeRows(workbench, 'Decided for red', 'Sessions').first();
    await unfoldTo(unnamedSessions(workbench).first(), memory);
    await memory.click();
    await page().locator('p.content', { hasText: 'Decided for red' }).waitFor();
    expect(await shownFolder().textContent()).toBe('red');

    await page().getByLabel('Folder').selectOption('blue');
    await row('Decided for blue').waitFor();
    await inHost(workbench, ({ workspace }) => workspace.updateWorkspaceFolders(1, 2));
    await row('Decided for red').waitFor();
    await page().getByLabel('Folder').waitFor({ state: 'detached' });
  });
});
