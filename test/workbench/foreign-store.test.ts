import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFile, webview } from './support/editors';
import { inHost } from './support/host';
import { type HostileClone, hostileClone, STRANGERS_NAMESPACE } from './support/hostile-clone';
import { extensionLog } from './support/log';
import { runProgram } from './support/memory';
import { answer, commandsMatching, pick, quickInput, quickInputRows, runCommand } from './support/palette';
import { processesIn } from './support/processes';
import { until } from './support/until';
import {
  contextAction,
  dialog,
  menuItem,
  notification,
  openView,
  pressInDialog,
  pressInNotification,
  statusBarItem,
  treeRows,
  unfoldTo,
  unnamedSessions,
  view,
} from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

const NOTICED_MS = 30_000;
const LOOK_MS = 100;
const TRUST_COMMAND = 'Agent Memory: Accept the Store of This Folder…';
const NOTICE = 'contains a memory store that was not made on this machine';
const REFUSAL = 'has not been accepted, so it is read-only';

/** What reads and changes nothing. */
const READING_MENU = ['Open Memory', 'Go to Code', 'Copy Text', 'Copy as Markdown Link', 'Insert into Chat'];

describe("a stranger's repository that brings a store along", () => {
  let clone: HostileClone;
  let workbench: Workbench;
  /** The folder and what lies beside it, before the editor saw them. */
  let before: unknown;
  const programs = new Set<string>();
  let looking: NodeJS.Timeout | undefined;

  const page = () => webview(workbench);
  const status = () => statusBarItem(workbench, 'agentMemory.status').locator('a');
  const notice = () => treeRows(workbench, 'This store is foreign', 'Sessions').first();
  const memory = (text: string) => treeRows(workbench, text, 'Sessions').first();
  const command = (id: string) =>
    inHost(workbench, ({ commands }, name: string) => void commands.executeCommand(name), id);
  const clear = () => runCommand(workbench, 'Notifications: Clear All Notifications');
  const seeMemory = async (text: string): Promise<void> => {
    await openView(workbench, 'Agent Memory');
    await unfoldTo(unnamedSessions(workbench).first(), memory(text));
  };
  const modelRequests = () => inHost(workbench, (_api, _argument: undefined, { requests }) => requests.length);
  /** What a person finds in the menu of a row. */
  const menuOf = async (text: string): Promise<string[]> => {
    await memory(text).click({ button: 'right' });
    await menuItem(workbench, 'Copy Text').waitFor();
    const titles = await workbench.page.locator('.monaco-menu .action-menu-item').allTextContents();
    await workbench.page.keyboard.press('Escape');
    return titles.filter((title) => title !== '');
  };

  beforeAll(async () => {
    clone = await hostileClone();
    workbench = await openWorkbench({
      ...clone.options,
      trust: true,
      // The editor's own Git is not what is asked about.
      settings: { 'git.enabled': false },
      async prepare(folder) {
        await clone.options.prepare?.(folder);
        before = clone.snapshot(folder);
      },
    });
    looking = setInterval(() => {
      for (const { commandLine } of processesIn(workbench.home)) {
        for (const word of commandLine) if (/\/dist\/svc[\w-]*\.js$/.test(word)) programs.add(basename(word, '.js'));
      }
    }, LOOK_MS);
  });
  afterAll(async () => {
    clearInterval(looking);
    await workbench?.close();
    clone?.close();
  });

  it('is read and marked in Restricted Mode, where nothing is written, run or sent', async () => {
    await workbench.page.locator('[id="status.workspaceTrust"]').waitFor();
    await openFile(workbench, 'store.ts');
    await until('the servers are offered', NOTICED_MS, () => extensionLog(workbench).includes('Offered to agents'));
    await statusBarItem(workbench, 'agentMemory.status').filter({ hasText: 'foreign' }).waitFor();
    expect(await status().getAttribute('aria-label')).toMatch(
      /default, This store came with the folder .* This workspace is not trusted/,
    );
    // The namespace of its settings does not count yet.
    await seeMemory('we chose sqlite');
    await notice().waitFor();
    expect(await memory('we chose sqlite').getAttribute('aria-label')).toMatch(/^Decision, we chose sqlite, foreign, /);
    await view(workbench, 'Sessions').locator('.pane-header', { hasText: 'foreign' }).waitFor();
    await memory('we chose sqlite').hover();
    expect(await memory('we chose sqlite').locator('.action-label:not(.disabled)').count()).toBe(0);
    expect(await menuOf('we chose sqlite')).toEqual(READING_MENU);
    await workbench.screenshot('foreign-restricted');

    // Nothing offers to accept it, and nobody can.
    expect(await commandsMatching(workbench, TRUST_COMMAND)).not.toContain(TRUST_COMMAND);
    await status().click();
    await quickInput(workbench).waitFor();
    expect(await quickInputRows(workbench).filter({ hasText: 'Accept' }).count()).toBe(0);
    await workbench.page.keyboard.press('Escape');
    expect(await notification(workbench, NOTICE).count()).toBe(0);
    for (const id of ['trustStore', 'remember', 'forget', 'buildGraph', 'undo']) {
      await command(`agentMemory.${id}`);
      await notification(workbench, 'not trusted').first().waitFor();
      await clear();
    }

    await memory('we chose sqlite').click();
    await page().locator('p.content', { hasText: 'we chose sqlite' }).waitFor();
    await page().locator('aside.foreign', { hasText: REFUSAL }).waitFor();
    expect(await page().locator('aside.foreign button').count()).toBe(0);
    expect(await page().locator('.titled .mark').textContent()).toBe('foreign');
    expect(await page().getByRole('button', { name: 'Forget', exact: true }).isDisabled()).toBe(true);
    await page().locator('button.tab', { hasText: 'Search' }).click();
    // What it opens with is the briefing, which takes nothing from such a store.
    await page().locator('#query').fill('sqlite');
    await page()
      .locator('button.row', { hasText: 'we chose sqlite' })
      .locator('.mark', { hasText: 'foreign' })
      .waitFor();
    await workbench.screenshot('foreign-restricted-explorer');

    expect(clone.snapshot(workbench.folder)).toEqual(before);
    expect([...programs]).toEqual(['svc-language-server']);
    expect([clone.ran(), clone.asked(), await modelRequests()]).toEqual([[], 0, 0]);
  });

  it('is still only read once the workspace is trusted, which is said once, with the way to accept it', async () => {
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.trust.manage'));
    await workbench.page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' }).first().click();
    await notification(workbench, NOTICE).waitFor();
    await openView(workbench, 'Agent Memory');
    await workbench.screenshot('foreign-notice');
    await pressInNotification(workbench, NOTICE, 'View Store');
    await page().locator('h1', { hasText: 'Timeline' }).waitFor();
    await page().locator('aside.foreign', { hasText: REFUSAL }).getByRole('button', { name: 'Accept…' }).waitFor();
    // Its settings count now, as those of every trusted workspace.
    await page().locator('button.row', { hasText: 'run their installer first' }).locator('.mark').waitFor();
    await clear();

    for (const id of ['remember', 'forget', 'undo', 'startSession', 'import']) {
      await command(`agentMemory.${id}`);
      await notification(workbench, REFUSAL).first().waitFor();
      await clear();
    }
    await seeMemory('run their installer first');
    expect(await menuOf('run their installer first')).toEqual(READING_MENU);
    await workbench.screenshot('foreign-side-bar');

    // What was answered is not said again.
    await workbench.page.reload();
    await statusBarItem(workbench, 'agentMemory.status').filter({ hasText: 'foreign' }).waitFor({ timeout: 60_000 });
    await seeMemory('run their installer first');
    await notice().waitFor();
    expect(await notification(workbench, NOTICE).count()).toBe(0);

    // Git was asked whether the store came along; nothing that the repository names ran.
    expect(clone.snapshot(workbench.folder)).toEqual(before);
    expect([...programs]).toEqual(['svc-language-server']);
    expect(clone.ran().filter((line) => !/svc-language-server\.js .*→ git /.test(line))).toEqual([]);
    expect(clone.ran()).not.toEqual([]);
    expect([clone.asked(), await modelRequests()]).toEqual([0, 0]);
  });

  it('is used like one of one’s own after a person has looked at what it is and accepted it', async () => {
    await status().click();
    await pick(workbench, 'Accept the store of this folder…');
    await dialog(workbench).filter({ hasText: 'Accept the store that came with this folder?' }).waitFor();
    await workbench.screenshot('foreign-accept');
    expect(await dialog(workbench).textContent()).toMatch(
      /\/\.svc\/memory\.db.*3 memories, recorded on .*Written by: cli/,
    );
    await pressInDialog(workbench, 'View First');
    await page().locator('h1', { hasText: 'Timeline' }).waitFor();
    await statusBarItem(workbench, 'agentMemory.status').filter({ hasText: 'foreign' }).waitFor();

    await openView(workbench, 'Agent Memory');
    await notice().click();
    await pressInDialog(workbench, 'Accept');
    await notification(workbench, 'The store is accepted').waitFor();
    await notice().waitFor({ state: 'detached' });
    await statusBarItem(workbench, 'agentMemory.status').filter({ hasNotText: 'foreign' }).waitFor();
    await page().locator('aside.foreign').waitFor({ state: 'detached' });
    await seeMemory('run their installer first');
    expect(await memory('run their installer first').getAttribute('aria-label')).not.toContain('foreign');

    await command('agentMemory.remember');
    await pick(workbench, /^Fact/);
    await answer(workbench, /one statement/, 'It is mine now');
    await answer(workbench, /Names separated by commas/, '');
    await notification(workbench, 'Remembered: It is mine now').waitFor();
    const namespace = ['--namespace', STRANGERS_NAMESPACE];
    expect(await runProgram(workbench, 'svc-memory', 'recall', 'mine', ...namespace)).toContain(
      '1.00 — It is mine now',
    );
    await contextAction(workbench, memory('It is mine now'), 'Forget');
    await notification(workbench, 'Forgotten: It is mine now').waitFor();
    // A link of the repository leads nobody out of it.
    const [, beside] = before as [unknown, unknown];
    const [, besideNow] = clone.snapshot(workbench.folder) as [unknown, unknown];
    expect(besideNow).toEqual(beside);
    expect(clone.ran().filter((line) => !line.includes('→ git '))).toEqual([]);
  });
});
