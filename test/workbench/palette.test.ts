import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goToLine, hoverAt, openFile, webview } from './support/editors';
import { inHost } from './support/host';
import { extensionLog } from './support/log';
import { runProgram, storeElsewhere } from './support/memory';
import { answer, commandsMatching, confirmPath, pick, quickInput, quickInputRows, runCommand } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import {
  isSaid,
  openView,
  pressInNotification,
  statusBarItem,
  treeRows,
  unfold,
  unnamedSessions,
} from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

const FILES = {
  'src/client.ts': [
    'const ATTEMPTS = 5;',
    '',
    'export class Client {',
    '  async retry(send: () => Promise<boolean>): Promise<boolean> {',
    '    // The provider blocks us after six attempts.',
    '    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {',
    '      if (await send()) return true;',
    '    }',
    '    return false;',
    '  }',
    '}',
    '',
    'export function baseUrl(): string {',
    "  return 'https://example.org';",
    '}',
    '',
  ].join('\n'),
};
const DECISION = 'Retries stop after five attempts';

describe('the palette', () => {
  let workbench: Workbench;
  const file = (path: string) => join(workbench.folder, path);
  /** What was said before is taken away, so that what is said after it is its own. */
  const title = (text: string) => workbench.page.locator('.quick-input-titlebar', { hasText: text });
  const command = async (title: string) => {
    await inHost(workbench, ({ commands }) => commands.executeCommand('notifications.clearAll'));
    await runCommand(workbench, `Agent Memory: ${title}`);
  };
  const said = (text: string | RegExp) => isSaid(workbench, text);

  beforeAll(async () => {
    const settings = {
      'workbench.colorTheme': 'Default Dark Modern',
      'files.simpleDialog.enable': true,
      'editor.minimap.enabled': false,
      'editor.wordWrap': 'on',
    };
    workbench = await openWorkbench({ files: FILES, settings, size: { width: 1280, height: 800 } });
  });
  afterAll(() => workbench?.close());

  it('makes no store by reading', async () => {
    // The palette does not offer them before; a key does.
    for (const title of ['Search Memories…', 'Forget', 'Undo Last Change'].map((one) => `Agent Memory: ${one}`)) {
      expect(await commandsMatching(workbench, title)).not.toContain(title);
    }
    for (const name of ['recall', 'export', 'verifyStaleness', 'forget', 'undo']) {
      await inHost(workbench, ({ commands }, id) => void commands.executeCommand(`agentMemory.${id}`), name);
      await said('There are no memories here yet.');
    }
    expect(existsSync(file('.svc'))).toBe(false);
  });

  it('initialises the memory, whose code graph is then built by itself', async () => {
    await command('Initialise Memory');
    await said('Created the store');
    expect(readFileSync(file('.svc/.gitignore'), 'utf8')).toMatch(/^\*$/m);
    await until('the graph is there', PATIENCE_MS, () => existsSync(file('.svc/graph.db')));
    await inHost(workbench, ({ commands }) => void commands.executeCommand('agentMemory.init'));
    await said('The store already exists');
  });

  it('builds the code graph, and says what is in it', async () => {
    await command('Build Code Graph');
    await said(/In the code graph: definitions \d, files 1/);
  });

  it('remembers what is selected, with its reasons, on the symbol under the cursor', async () => {
    await openFile(workbench, 'src/client.ts');
    // Below whole lines the cursor stands outside of what they are in.
    await goToLine(workbench, 4, 1);
    for (let lines = 0; lines < 7; lines++) await workbench.page.keyboard.press('Shift+ArrowDown');
    await command('Remember Selection…');
    await title('Remember on Client.retry').waitFor();
    await workbench.page.keyboard.press('Escape');
    // Code is no statement.
    await goToLine(workbench, 6, 5);
    await workbench.page.keyboard.press('Shift+End');
    await command('Remember Selection…');
    await pick(workbench, 'Fact');
    await workbench.page.getByText(/one statement/).waitFor();
    expect(await quickInput(workbench).inputValue()).toBe('');
    await quickInput(workbench).fill('Half a statement');
    await workbench.page.keyboard.press('Escape');
    // What was typed is not lost.
    await command('Remember Selection…');
    await pick(workbench, 'Fact');
    await workbench.page.getByText(/one statement/).waitFor();
    expect(await quickInput(workbench).inputValue()).toBe('Half a statement');
    await workbench.page.keyboard.press('Escape');
    await goToLine(workbench, 5, 5);
    await workbench.page.keyboard.press('Shift+End');
    await command('Remember Selection…');
    // How many steps there are is known when the kind is.
    await title('Remember on Client.retry').waitFor();
    expect(await title('(1').count()).toBe(0);
    await pick(workbench, 'Decision');
    await until(
      'the selection is filled in',
      PATIENCE_MS,
      async () => (await quickInput(workbench).inputValue()) === 'The provider blocks us after six attempts.',
    );
    await answer(workbench, /one statement/, DECISION);
    await title('Remember on Client.retry (3/5)').waitFor();
    // A step back has what was typed, and so has the step that was left.
    await quickInput(workbench).fill('The provider blocks us after six');
    await title('Remember on Client.retry').getByLabel('Back').click();
    await until(
      'it is the statement',
      PATIENCE_MS,
      async () => (await quickInput(workbench).inputValue()) === DECISION,
    );
    await workbench.page.keyboard.press('Enter');
    await workbench.page.getByText(/Why was this decided/).waitFor();
    expect(await quickInput(workbench).inputValue()).toBe('The provider blocks us after six');
    await workbench.page.keyboard.press('Enter');
    await answer(workbench, /What else was considered/, 'No limit; a limit by time');
    await until('the symbol is filled in', PATIENCE_MS, async () =>
      (await quickInput(workbench).inputValue()).includes('client.ts'),
    );
    expect(await quickInput(workbench).inputValue()).toBe('src/client.ts#Client.retry, ');
    await workbench.page.keyboard.type('retries');
    await workbench.page.keyboard.press('Enter');
    await said(`Remembered: ${DECISION}`);
    const why = await runProgram(workbench, 'svc-memory', 'why', DECISION);
    expect(why).toContain('**Rationale:** The provider blocks us after six');
    expect(why).toContain('**Rejected alternatives:** No limit, a limit by time');
    expect(await runProgram(workbench, 'svc-memory', 'about', 'retries')).toContain(DECISION);
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Decided: ' }).first().waitFor();
    await command('Remember Selection…');
    await pick(workbench, 'Decision');
    await answer(workbench, /one statement/, DECISION);
    await answer(workbench, /Why was this decided/, '');
    await answer(workbench, /What else was considered/, '');
    await until('the symbol is filled in', PATIENCE_MS, async () =>
      (await quickInput(workbench).inputValue()).includes('client.ts'),
    );
    await workbench.page.keyboard.press('Enter');
    await said(`Remembered already: ${DECISION}`);
  });

  it('starts a session, beside that of a write alone', async () => {
    const item = statusBarItem(workbench, 'agentMemory.status');
    await item.and(workbench.page.locator(`[aria-label*="Session: ${DECISION}"]`)).waitFor();
    expect(await item.textContent()).not.toContain(DECISION);
    await command('Start Session…');
    await answer(workbench, /What is the session about/, 'Make the client sturdy');
    await said('The session "Make the client sturdy" is open.');
    await item.filter({ hasText: 'Make the client sturdy' }).waitFor();
    // Before a title is asked for.
    await command('Start Session…');
    await pressInNotification(workbench, 'The session "Make the client sturdy" is still open.', 'End Session');
    await title('End Session: Make the client sturdy').waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('shows what is known of the symbol here, that of its file apart, to be opened', async () => {
    await storeElsewhere(workbench, 'All requests go through here', 'preference', '--entities', 'src/client.ts');
    await goToLine(workbench, 7, 5);
    await command('Ask About Symbol at Cursor');
    await quickInputRows(workbench).filter({ hasText: 'Ask Like an AgentClient.retry' }).waitFor();
    const rows = (await quickInputRows(workbench).allTextContents()).join('\n');
    expect(rows).toMatch(/five attempts[\s\S]*All requests go through here.*About the whole file/);
    await pick(workbench, 'Ask Like an AgentClient.retry');
    await webview(workbench).locator('#query:focus').waitFor();
    await workbench.page.keyboard.type('five attempts');
    expect(await webview(workbench).locator('#query').inputValue()).toBe('five attempts');
    await openFile(workbench, 'src/client.ts');
    await command('Ask About Symbol at Cursor');
    await pick(workbench, DECISION);
    await webview(workbench).locator('.page', { hasText: 'a limit by time' }).waitFor();
  });

  it('takes a file of another folder for what it is', async () => {
    const outside = join(workbench.home, 'far.ts');
    writeFileSync(outside, 'export function far() {\n  return 1;\n}\n');
    await inHost(
      workbench,
      async ({ window, Uri, Selection }, path: string) => {
        const editor = await window.showTextDocument(Uri.file(path));
        editor.selection = new Selection(1, 2, 1, 10);
      },
      outside,
    );
    await command('Ask About Symbol at Cursor');
    await said('This file is outside the folder of the memory.');
    await command('Remember Selection…');
    await pick(workbench, 'Fact');
    await answer(workbench, /one statement/, 'It is far away');
    await workbench.page.getByText(/What is it about/).waitFor();
    expect(await quickInput(workbench).inputValue()).toBe('');
    await workbench.page.keyboard.press('Escape');
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.closeActiveEditor'));
  });

  it('brings a forgotten memory back', async () => {
    const id = await storeElsewhere(workbench, 'The base address is fixed', 'fact', '--entities', 'baseUrl');
    await command('Restore Forgotten Memory');
    await workbench.page.getByPlaceholder('There are no memories to choose from.').waitFor();
    await workbench.page.keyboard.press('Escape');
    await command('Forget');
    await quickInput(workbench).fill('base address');
    await pick(workbench, 'The base address is fixed');
    await said('Forgotten: The base address is fixed');
    // A row of before, say.
    await inHost(
      workbench,
      ({ commands, workspace }, nodeId) => {
        const folder = workspace.workspaceFolders?.[0]?.uri.toString();
        void commands.executeCommand('agentMemory.confirm', { folder, nodeId });
      },
      id,
    );
    await said('This memory has been forgotten.');
    // As a web page does that had the focus before the palette, and gets it back.
    await inHost(workbench, async ({ commands }) => {
      void commands.executeCommand('agentMemory.restore');
      await new Promise((resolve) => setTimeout(resolve, 20));
      await commands.executeCommand('workbench.action.focusSideBar');
    });
    await pick(workbench, 'The base address is fixed');
    await said('Restored: The base address is fixed');
  });

  it('exports all memories to a file, and imports such a file and others', async () => {
    await command('Export All Memories…');
    await confirmPath(workbench, file('all.json'));
    await said(`Exported all memories of all namespaces to ${file('all.json')}`);
    const { nodes } = JSON.parse(readFileSync(file('all.json'), 'utf8')) as { nodes: { content: string }[] };
    expect(nodes.map(({ content }) => content)).toContain(DECISION);

    await command('Import Memories…');
    await confirmPath(workbench, file('all.json'));
    await said('The store has all of the file already, each memory in the namespace that it is from.');
    const list = [{ content: 'From another tool', kind: 'fact' }, { kind: 'fact' }];
    writeFileSync(file('list.json'), JSON.stringify(list));
    await command('Import Memories…');
    await confirmPath(workbench, file('list.json'));
    await said(/Imported 1 memories, sessions and entities\. Refused: 1\.(?! exit)/);
    await until('the log tells why', PATIENCE_MS, () => /nodes\[1\]: .*content/.test(extensionLog(workbench)));
    const told = () => runProgram(workbench, 'svc-memory', 'timeline', 'tool');
    expect(await told()).toContain('From another tool');
    await command('Undo Last Change');
    await said('Undone. Not remembered any more: From another tool');
    await until('it is not', PATIENCE_MS, async () => (await told()).includes('(Forgotten: '));
    await pressInNotification(workbench, 'Undone. Not remembered any more: From another tool', 'Redo');
    await until('it is again', PATIENCE_MS, async () => !(await told()).includes('(Forgotten: '));
  });

  it('imports nothing of a file when that is cancelled', async () => {
    const many = Array.from({ length: 60_000 }, (_, i) => ({ content: `Giraffe number ${i}`, kind: 'fact' }));
    writeFileSync(file('many.json'), JSON.stringify(many));
    await command('Import Memories…');
    await confirmPath(workbench, file('many.json'));
    await pressInNotification(workbench, 'Importing memories', 'Cancel');
    await said('Cancelled; nothing was imported.');
    expect(await runProgram(workbench, 'svc-memory', 'timeline', 'giraffe')).not.toContain('Giraffe number');
    rmSync(file('many.json'));
  });

  it('closes near-duplicates', async () => {
    await storeElsewhere(workbench, 'Fixed is the base address', 'fact', '--entities', 'baseUrl');
    const close = async (): Promise<void> => {
      await command('Close Near-Duplicates (Consolidate)');
      await said('Closed near-duplicates: 1.');
    };
    await close();
    // A program of the editor is undone like anything else that was done in it.
    await command('Undo Last Change');
    await said('Undone. As it was before:');
    await close();
    await pressInNotification(workbench, 'Closed near-duplicates: 1.', 'Undo');
    const list = () => runProgram(workbench, 'svc-memory', 'nodes');
    await until('both are open', PATIENCE_MS, async () => (await list()).match(/base address/g)?.length === 2);
    await close();
    await command('Close Near-Duplicates (Consolidate)');
    await said('There was nothing to consolidate.');
  });

  it('shows in the editor what is remembered on the code', async () => {
    await openFile(workbench, 'src/client.ts');
    await openView(workbench, 'Agent Memory');
    for (const session of [treeRows(workbench, 'Make the client sturdy', 'Sessions'), unnamedSessions(workbench)]) {
      await unfold(session.first());
    }
    await workbench.page.keyboard.press('Escape');
    await inHost(workbench, ({ commands }) => commands.executeCommand('notifications.clearAll'));
    await hoverAt(workbench, 'retry', DECISION);
    await workbench.screenshot('editor');
  });

  it('checks memories against the code, and leads to the review', async () => {
    await command('Check Memories Against the Code');
    await said(/No memory on code is in doubt\./);
    writeFileSync(file('src/client.ts'), FILES['src/client.ts'].replace('return false', 'return !true'));
    await command('Check Memories Against the Code');
    await pressInNotification(workbench, /^.*Memories that no longer fit their code: 1\./, 'Review');
    await treeRows(workbench, DECISION, 'Review').first().waitFor();
  });

  it('ends the session with what came of it', async () => {
    await command('End Session…');
    await answer(workbench, /What was the result/, 'The client gives up in time');
    await said('Ended the session "Make the client sturdy" and stored its outcome.');
    expect(await runProgram(workbench, 'svc-memory', 'timeline', 'client')).toContain('The client gives up in time');
    await command('End Session…');
    await said('The editor has no open session here.');
  });

  it('leads newcomers through all of it, and marks what is done', async () => {
    await command('Get Started');
    const steps = workbench.page.locator('.gettingStartedContainer .getting-started-step');
    await steps.filter({ hasText: 'Keep it true' }).waitFor();
    expect(await steps.count()).toBe(7);
    await workbench.screenshot('walkthrough');
    await command('Build Code Graph');
    const done = steps.filter({ hasText: 'Link memories to code' }).locator('.codicon.complete');
    await done.first().waitFor();
  });

  it('opens the explorer', async () => {
    await command('Open Memory Explorer');
    await webview(workbench).locator('h1').first().waitFor();
  });
});
