import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectServer } from '../support/stdio-client';
import { askAgent, chatItems, enableChat, followScript, modelRequests } from './support/chat';
import { codeLenses, decorationOf, editorOf, goToLine, openFile, save } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { answer, pick, runCommand } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import { inlineAction, notification, openView, statusBarItem, treeRows, unfold } from './support/views';
import { EVERY_SIGNAL, openWorkbench, type Workbench } from './support/workbench';

const LOGIN = `export function keepSession(user: string): string {
  return "redis:" + user;
}
`;
const DECISION = 'Sessions are kept in Redis';
/** Written by each side at the same time. */
const STORES = 30;
const CONFIRMATIONS = 4;

describe('the whole story', () => {
  let workbench: Workbench;
  const status = (): Locator => statusBarItem(workbench, 'agentMemory.status');
  const decided = (view: string): Locator => treeRows(workbench, DECISION, view).first();

  beforeAll(async () => {
    const settings = { 'workbench.colorTheme': 'Default Dark Modern', 'files.autoSave': 'off', ...EVERY_SIGNAL };
    const files = { 'login.ts': LOGIN, '.git/HEAD': 'ref: refs/heads/main\n' };
    workbench = await openWorkbench({ files, settings, chat: true, size: { width: 1600, height: 900 } });
    await runProgram(workbench, 'svc-memory', 'init');
    await runProgram(workbench, 'svc', 'build');
    await enableChat(workbench);
    await openFile(workbench, 'login.ts');
    await openView(workbench, 'Agent Memory');
  });
  afterAll(() => workbench?.close());

  it('what an agent decides is in the tree and on the function', async () => {
    await followScript(workbench, [
      { tool: 'memory_recall', input: { query: 'project context' } },
      { tool: 'memory_start_session', input: { name: 'Log people in' } },
      {
        tool: 'memory_store',
        input: {
          ...{ content: DECISION, kind: 'decision', entities: ['keepSession'] },
          ...{ rationale: 'A restart must not log people out', alternatives_rejected: ['memory', 'cookies'] },
        },
      },
      { text: 'It is decided and kept.' },
    ]);
    await askAgent(workbench, 'Where do sessions live?');
    await chatItems(workbench, 'It is decided and kept.').waitFor();

    const answered = (await modelRequests(workbench)).at(-1);
    expect(answered?.messages.at(-1)?.text).toMatch(/"node_id":\s*"d_/);
    await treeRows(workbench, 'Log people in', 'Sessions').filter({ hasText: '· 1' }).waitFor();
    await unfold(treeRows(workbench, 'Log people in', 'Sessions').first());
    await decided('Sessions').waitFor();
    await codeLenses(workbench, 'Decided: ').waitFor();
    await workbench.screenshot('agent-decides-dark');
  });

  it('the decision is marked as stale when its function changes', async () => {
    await editorOf(workbench, 'login.ts').click();
    await goToLine(workbench, 2, 11);
    await workbench.page.keyboard.type('sql');
    await save(workbench);
    await codeLenses(workbench, '1 memory may be out of date').waitFor();
    await decided('Review').waitFor();
    await status().filter({ hasText: '1' }).waitFor();
    await until('the row in the tree is marked', PATIENCE_MS, async () =>
      (await decided('Sessions').getAttribute('aria-label'))?.includes('code changed'),
    );
    await openView(workbench, 'Explorer');
    await until('the file is marked', PATIENCE_MS, async () =>
      (await decorationOf(workbench, 'login.ts')).includes('Memories whose code was changed: 1'),
    );
  });

  it('and no longer when somebody confirms it in the Review view', async () => {
    await openView(workbench, 'Agent Memory');
    await inlineAction(decided('Review'), 'Still True');
    await decided('Review').waitFor({ state: 'detached' });
    await notification(workbench, `Still true: ${DECISION}`).waitFor();
    await codeLenses(workbench, 'Decided: ').waitFor();
    await status().filter({ hasText: '1' }).waitFor({ state: 'detached' });
    await openView(workbench, 'Explorer');
    await until(
      'the badge is gone',
      PATIENCE_MS,
      async () => !(await decorationOf(workbench, 'login.ts')).includes('Memories'),
    );
    await openView(workbench, 'Agent Memory');
  });

  it('two windows and a server write at the same time: nothing is lost, and both windows show all', async () => {
    const nodeId = await storeElsewhere(workbench, 'Doubted by all', 'fact', '--confidence', '0.1');
    // Each window has an extension host of its own; the newest writes its door over that of the one before.
    const first: Workbench = { ...workbench, probeFile: join(workbench.data, 'first-door') };
    copyFileSync(workbench.probeFile, first.probeFile);
    rmSync(workbench.probeFile);
    const page: Page = await workbench.openWindow();
    const second: Workbench = { ...workbench, page };
    await openFile(second, 'login.ts');
    await openView(second, 'Agent Memory');
    const server = await connectServer({ folder: workbench.folder, home: workbench.home }, { clientName: 'Elsewhere' });

    const confirm = (window: Workbench): Promise<void> =>
      inHost(
        window,
        async ({ commands, workspace }, [id, times]: readonly [string, number]) => {
          const folder = workspace.workspaceFolders?.[0]?.uri.toString();
          for (let i = 0; i < times; i += 1)
            await commands.executeCommand('agentMemory.confirm', { folder, nodeId: id });
        },
        [nodeId, CONFIRMATIONS] as const,
      );
    const store = async (): Promise<void> => {
      for (let i = 1; i <= STORES; i += 1) {
        await server.text('memory_store', { content: `Elsewhere ${i}`, kind: 'fact', entities: ['keepSession'] });
      }
    };
    const remember = async (window: Workbench, content: string): Promise<void> => {
      await runCommand(window, 'Agent Memory: Remember Selection…');
      await pick(window, 'Fact');
      await answer(window, 'Write one statement that can be understood on its own.', content);
      await answer(window, 'Names separated by commas', 'keepSession');
    };
    await server.text('memory_start_session', { name: 'Work elsewhere' });
    await Promise.all([
      ...[confirm(first), confirm(second), store()],
      ...[remember(first, 'From the first window'), remember(second, 'From the second window')],
    ]);
    const node = JSON.parse(await runProgram(workbench, 'svc-memory', 'node', nodeId, '--json')) as {
      confidence: number;
    };
    expect(node.confidence).toBeCloseTo(0.1 + 2 * CONFIRMATIONS * 0.1, 5);
    for (const window of [first, second]) {
      await codeLenses(window, `· ${STORES + 2} more`).waitFor();
      await treeRows(window, 'Work elsewhere', 'Sessions')
        .filter({ hasText: `· ${STORES}` })
        .waitFor();
    }
    await workbench.screenshot('two-windows-dark');
    await server.close();
    await page.close();
  });
});
