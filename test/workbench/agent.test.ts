import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAgent, chatItems, enableChat, followScript, modelRequests } from './support/chat';
import { commandLine } from './support/command-line';
import { openWorkbench, type Workbench } from './support/workbench';

const DECISION = 'Sessions are kept in Redis, because a restart must not log people out.';

describe('an agent in the editor', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench({ files: { 'src/login.ts': 'export function login() {}\n' }, chat: true });
    await enableChat(workbench);
  });
  afterAll(() => workbench?.close());

  it('is told when to use the memory, recalls, and stores its decision in the store of the folder', async () => {
    await followScript(workbench, [
      { tool: 'memory_recall', input: { query: 'project context' } },
      { tool: 'memory_store', input: { content: DECISION, kind: 'decision', rationale: 'People complained.' } },
      { text: 'It is decided and kept.' },
    ]);
    await askAgent(workbench, 'Where do sessions live?');
    await chatItems(workbench, 'It is decided and kept.').waitFor();

    const [first, second] = await modelRequests(workbench);
    expect(first?.tools.filter((name) => name.startsWith('mcp_agent_memory_'))).toHaveLength(17);
    const told = first?.messages.map(({ text }) => text).join('\n') ?? '';
    // The instructions of the extension, and those of the server.
    expect(told).toContain('It is the MCP server `svc-memory`.');
    expect(told).toContain('Load first, together: memory_recall');
    expect(second?.messages.at(-1)?.text).toContain('0 items');

    expect(existsSync(join(workbench.folder, '.svc', 'memory.db'))).toBe(true);
    expect(await commandLine(workbench, 'recall', 'where are sessions kept')).toContain(DECISION);
  });
});
