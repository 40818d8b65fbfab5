import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowButton, askAgent, chatInput, chatItems, enableChat, followScript, modelRequests } from './support/chat';
import { commandLine } from './support/command-line';
import { webview } from './support/editors';
import { inHost, reloadWindow } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { quickInputRows } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import { statusBarItem } from './support/views';
import { openWorkbench, type Workbench, withWorkbench } from './support/workbench';

const DECISION = 'Sessions are kept in Redis, because a restart must not log people out.';

describe('an agent in the editor', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    const files = { 'src/login.ts': 'export function log_in() {}\n' };
    workbench = await openWorkbench({ files, chat: true, settings: { 'agentMemory.chatTrace': true } });
    await enableChat(workbench);
  });
  afterAll(() => workbench?.close());
  const keep = (word: string) =>
    inHost(workbench, ({ workspace }, word) => workspace.getConfiguration('agentMemory').update('keep', word, 1), word);

  it('is told when to use the memory, recalls, and asks before it stores its decision in the store of the folder', async () => {
    await followScript(workbench, [
      { tool: 'memory_recall', input: { query: 'project context' } },
      {
        tool: 'memory_store',
        input: { content: DECISION, kind: 'decision', entities: ['src/login.ts#log_in'], rationale: '[x](command:a)' },
      },
      { text: 'It is decided and kept.' },
    ]);
    await keep('ask');
    const asking = askAgent(workbench, 'Where do sessions live?', { allow: false });
    const question = workbench.page.locator('.chat-confirmation-widget2', { hasText: 'Remember this on' }).last();
    // In sentences, and as text.
    await chatItems(workbench, 'Reading what is remembered of this project').first().waitFor();
    const asked = await question.textContent();
    expect(asked).toContain('Remember this on log\u02cdin in src/login.ts? (Decision)');
    expect(asked).toContain(DECISION);
    expect(asked).toContain('Rationale: [x](command:a)');
    expect(asked).toContain('It then waits in Review until you keep it.');
    expect(await question.locator('a[data-href]').count()).toBe(0);
    await keep('keep');
    await workbench.screenshot('chat-approval');
    await allowButton(workbench).click();
    await asking;
    await chatItems(workbench, 'It is decided and kept.').waitFor();

    const [first, second] = await modelRequests(workbench);
    const offered = first?.tools ?? [];
    // Nothing twice: what the chat has from the extension, the server leaves out.
    expect(offered.filter((name) => name.startsWith('svc_memory_'))).toHaveLength(7);
    expect(offered.filter((name) => name.startsWith('mcp_agent_memory_'))).toHaveLength(9);
    expect(offered.filter((name) => /memory_(?:recall|store|switch_namespace)$/.test(name))).toEqual([
      ...['svc_memory_recall', 'svc_memory_store'],
    ]);
    const told = first?.messages.map(({ text }) => text).join('\n') ?? '';
    // The instructions of the extension, and those of the server.
    expect(told).toContain('It is the MCP server `svc-memory`');
    expect(told).toContain('Load first, together: memory_recall');
    expect(second?.messages.at(-1)?.text).toContain('the memory of this folder begins with the first memory_store');

    expect(existsSync(join(workbench.folder, '.svc', 'memory.db'))).toBe(true);
    expect(await commandLine(workbench, 'recall', 'where are sessions kept')).toContain(DECISION);
  });

  it('can name a memory with a link that opens it', async () => {
    await followScript(workbench, [
      { tool: 'memory_recall', input: { query: 'where are sessions kept' } },
      { text: '?' },
    ]);
    await askAgent(workbench, 'Where, again?');
    const answered = (await modelRequests(workbench)).at(-1)?.messages.at(-1)?.text ?? '';
    const [, address = ''] = /link it: \[words\]\((\S+)<id>\)/.exec(answered) ?? [];
    const [, id = ''] = /\[(d_\w+)\][^\n]*in Redis/.exec(answered) ?? [];
    await followScript(workbench, [{ text: `They are in [Redis](${address}${id}).` }]);
    await askAgent(workbench, 'Where does it say so?');
    await chatItems(workbench)
      .locator('a:visible', { hasText: /^Redis$/ })
      .click();
    await webview(workbench).locator('p.content', { hasText: DECISION }).waitFor();
  });

  it('is said to have used a memory and what came of it, where a person wants to know, until they are forgotten', async () => {
    const outcome = 'A restart of the servers has logged nobody out.';
    await keep('propose');
    await followScript(workbench, [
      { tool: 'memory_store', input: { content: outcome, kind: 'outcome', entities: ['src/login.ts#log_in'] } },
      { tool: 'memory_why', input: { decision_ref: 'sessions in Redis' } },
      { text: 'It works.' },
    ]);
    await askAgent(workbench, 'Was it worth it?');
    const used = statusBarItem(workbench, 'agentMemory.used').filter({ hasText: 'Used' });
    await used.filter({ hasText: 'Used 2 memories' }).click();
    const row = (text: string) => quickInputRows(workbench).filter({ hasText: text }).first();
    await row(outcome).getByText('Outcome · proposed').waitFor();
    await row(DECISION).getByText('Decision', { exact: true }).waitFor();
    await workbench.screenshot('chat-used-memories');
    await workbench.page.keyboard.press('Escape');
    const kept = await commandLine(workbench, 'recall', 'where are sessions kept, what of a restart');
    // As on a branch without its file.
    const [, shared = ''] = /\[(d_\w+)\]/.exec(kept) ?? [];
    await commandLine(workbench, 'share', shared);
    await used.filter({ hasText: 'Used 2 memories' }).waitFor();
    const folder = join(workbench.folder, '.svc/memories');
    const file = join(folder, readdirSync(folder)[0] ?? '');
    renameSync(file, join(workbench.folder, 'away.md'));
    await used.filter({ hasText: 'Used 1 memory' }).waitFor();
    renameSync(join(workbench.folder, 'away.md'), file);
    await used.filter({ hasText: 'Used 2 memories' }).waitFor();
    for (const [, id = ''] of kept.matchAll(/\[([do]_\w+)\]/g)) await commandLine(workbench, 'forget', id);
    await used.waitFor({ state: 'hidden' });
  });
});

it('an agent in the editor has the tools of the server alone where a setting says so', () =>
  withWorkbench({ chat: true, settings: { 'agentMemory.chatTools': false } }, async (workbench) => {
    await enableChat(workbench);
    await followScript(workbench, [{ text: 'Hello.' }]);
    await askAgent(workbench, 'Who is there?');
    const offered = (await modelRequests(workbench))[0]?.tools ?? [];
    expect(offered.filter((name) => name.startsWith('mcp_agent_memory_'))).toHaveLength(17);
    expect(offered.filter((name) => name.startsWith('svc_memory_'))).toEqual([]);
  }));

it('a memory is written into the input of the chat, also where that opens for the first time in a window', () =>
  withWorkbench({ files: { 'a.ts': '' }, chat: true }, async (workbench) => {
    await runProgram(workbench, 'svc-memory', 'init');
    const nodeId = await storeElsewhere(workbench, DECISION, 'decision');
    await enableChat(workbench);
    await followScript(workbench, [{ text: 'Hello.' }]);
    await askAgent(workbench, 'Who is there?');
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.closeAuxiliaryBar'));
    await reloadWindow(workbench);
    await statusBarItem(workbench, 'agentMemory.status').waitFor();
    await enableChat(workbench, { open: false });
    const insert = () =>
      inHost(
        workbench,
        ({ commands, workspace }, nodeId) =>
          commands.executeCommand('agentMemory.insertIntoChat', {
            folder: String(workspace.workspaceFolders?.[0]?.uri),
            nodeId,
          }),
        nodeId,
      );
    const written = chatInput(workbench).locator('.view-lines', { hasText: nodeId });
    await insert();
    await written.waitFor();
    // The chat has put in what it had before, if anything.
    await workbench.page.waitForTimeout(3_000);
    expect(await written.count()).toBe(1);
    await workbench.screenshot('chat-inserted');
    // What was typed stays, and each insertion is a step of its own. Long lines are wrapped.
    const text = async () =>
      (await chatInput(workbench).locator('.view-line').allTextContents()).join(' ').replace(/\s+/gu, ' ');
    await workbench.page.keyboard.type('Mind this, too:');
    await insert();
    const both = new RegExp(`^Decision ${nodeId}: .* Mind this, too: Decision ${nodeId}: `);
    await until('both are there', PATIENCE_MS, async () => both.test(await text()));
    await chatInput(workbench).click();
    await workbench.page.keyboard.press('Control+Z');
    await until('the second is not', PATIENCE_MS, async () => (await text()).split(nodeId).length === 2);
    expect(await text()).toContain('Mind this, too:');
  }));
