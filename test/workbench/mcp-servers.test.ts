import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tool } from '../../src/server/tools/define-tool';
import { GRAPH_TOOLS } from '../../src/server/tools/graph-registry';
import { MEMORY_TOOLS } from '../../src/server/tools/registry';
import { startServer } from './support/chat';
import { inHost } from './support/host';
import { extensionLog, offeredToAgents } from './support/log';
import { quickInputRows, runCommand } from './support/palette';
import { processesIn } from './support/processes';
import { PATIENCE_MS, until } from './support/until';
import { notification } from './support/views';
import { openWorkbench, type Workbench, withWorkbench } from './support/workbench';

/** How the editor names the tools of our two servers. */
const MEMORY = 'mcp_agent_memory_';
const GRAPH = 'mcp_code_graph_';

const namesOf = (tools: readonly Tool[]): string[] =>
  tools.flatMap(({ audience, name }) => (audience === 'human' ? [] : [name])).sort();

const offers = (workbench: Workbench, servers: string): Promise<unknown> =>
  until(`${servers} are offered`, PATIENCE_MS, () => offeredToAgents(workbench) === servers);

describe('the extension in an editor', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    // Without the chat, which has some of the tools from the extension: agent.test.ts asks for those.
    workbench = await openWorkbench({ files: { 'README.md': '# A project\n' } });
  });
  afterAll(() => workbench?.close());

  it('becomes active, and says in its log how long that took', async () => {
    await runCommand(workbench, 'Agent Memory: Show Log');
    await workbench.page.locator('.part.panel .view-line', { hasText: 'is active' }).first().waitFor();
    expect(extensionLog(workbench)).toMatch(/is active, after \d+ ms/);
  });

  it('offers agents the 17 tools of the memory and the 3 of the code graph, without making a store', async () => {
    const memory = await startServer(workbench, 'svc-memory', MEMORY);
    expect(memory.sort()).toEqual(namesOf(MEMORY_TOOLS).map((name) => MEMORY + name));
    const graph = await startServer(workbench, 'svc', GRAPH);
    expect(graph.sort()).toEqual(namesOf(GRAPH_TOOLS).map((name) => GRAPH + name));
    const answer = await inHost(workbench, async ({ lm, LanguageModelTextPart }) => {
      const input = { query: 'project context' };
      const { content } = await lm.invokeTool('mcp_agent_memory_memory_recall', {
        input,
        toolInvocationToken: undefined,
      });
      return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
    });
    expect(answer).toContain('0 items');
    expect(existsSync(join(workbench.folder, '.svc'))).toBe(false);
  });

  it('shows them to people as svc-memory and svc', async () => {
    await runCommand(workbench, 'MCP: List Servers');
    for (const label of ['svc-memory', 'svc']) {
      await quickInputRows(workbench)
        .filter({ has: workbench.page.getByText(label, { exact: true }) })
        .waitFor();
    }
    await workbench.page.keyboard.press('Escape');
  });

  it('does not offer what .mcp.json starts already, and offers it again when that is gone', async () => {
    const file = join(workbench.folder, '.mcp.json');
    const args = ['/somewhere/svc-memory-mcp.js'];
    await offers(workbench, 'svc-memory, svc');
    // A comment, and another name: it is the program that counts.
    const entry = { command: process.execPath, args: ['--no-warnings', ...args] };
    writeFileSync(file, `// ours\n${JSON.stringify({ mcpServers: { memory: entry } })}`);
    await offers(workbench, 'svc');
    rmSync(file);
    await offers(workbench, 'svc-memory, svc');
  });

  it('reports an entry that nothing can start, and offers its own server instead', async () => {
    const servers = { 'svc-memory': { command: 'svc-memory-gone', description: 'old' } };
    writeFileSync(join(workbench.folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
    const message = notification(workbench, 'its command "svc-memory-gone" is not found');
    await message.waitFor();
    expect(offeredToAgents(workbench)).toBe('svc-memory, svc');
    await message.locator('a.monaco-button', { hasText: 'Open .mcp.json' }).click();
    await workbench.page.locator('.tab.active', { hasText: '.mcp.json' }).waitFor();
  });

  it('makes no link of what such an entry is called', async () => {
    const servers = { '[Repair](command:workbench.action.closeWindow)': { command: './gone/svc-memory-mcp' } };
    writeFileSync(join(workbench.folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
    const message = notification(workbench, '[Repair]');
    await message.waitFor();
    expect(await message.locator('.notification-list-item-message a').count()).toBe(0);
  });
});

describe('a folder that is not to get a store of its own', () => {
  it('uses the one in the home directory; nothing that was started outlives the editor', async () => {
    const home = await withWorkbench({ settings: { 'agentMemory.autoInit': false } }, async (workbench) => {
      await startServer(workbench, 'svc-memory', MEMORY);
      await until('the home store is there', PATIENCE_MS, () => existsSync(join(workbench.home, '.svc', 'memory.db')));
      expect(existsSync(join(workbench.folder, '.svc'))).toBe(false);
      expect(processesIn(workbench.home)).not.toEqual([]);
      return workbench.home;
    });
    // The editor's own language servers look once in a while whether it is still there.
    await until('all has ended', PATIENCE_MS, () => processesIn(home).length === 0);
  });
});
