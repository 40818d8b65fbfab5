import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectTo, withTeam } from '../support/team-server';
import { startServer } from './support/chat';
import { inHost } from './support/host';
import { extensionLog } from './support/log';
import { runProgram } from './support/memory';
import { answer, runCommand } from './support/palette';
import { dialog, notification, pressInDialog } from './support/views';
import { type Workbench, withWorkbench } from './support/workbench';

const MEMORY = 'mcp_agent_memory_';
const COMMAND = "Agent Memory: Use the Team's Memory…";

const recall = (workbench: Workbench): Promise<string> =>
  inHost(workbench, async ({ lm, LanguageModelTextPart }) => {
    const { content } = await lm.invokeTool('mcp_agent_memory_memory_recall', {
      input: { query: 'retries' },
      toolInvocationToken: undefined,
    });
    return content.map((part) => (part instanceof LanguageModelTextPart ? part.value : '')).join('');
  });

it("agents of the editor are told of the team's memory, once a person has agreed and given a token", () =>
  withTeam(async (team) => {
    const server = await team.start();
    const bob = await connectTo(server, await team.token('bob', 'shop=writer'));
    await bob.value('memory_store', { content: 'Retries stop after five attempts', kind: 'decision' });
    const token = await team.token('anna', 'shop=reader');
    await withWorkbench({ files: { 'a.ts': 'export function a() {}\n' } }, async (workbench) => {
      await runProgram(workbench, 'svc-memory', 'init');
      await runCommand(workbench, COMMAND);
      await notification(workbench, /This project names no team/).waitFor();
      await writeFile(join(workbench.folder, '.svc', 'config.yaml'), `team: ${server.address}/shop\n`);
      await startServer(workbench, 'svc-memory', MEMORY);
      expect(await recall(workbench)).toContain('0 items');

      await runCommand(workbench, COMMAND);
      await dialog(workbench)
        .filter({ hasText: `${server.address}/shop` })
        .waitFor();
      await workbench.screenshot('team');
      await pressInDialog(workbench, 'Cancel');
      await runCommand(workbench, COMMAND);
      await pressInDialog(workbench, 'Ask It');
      await answer(workbench, /The operator of the server/, 'svcm_nobody');
      await notification(workbench, /lets nobody in with this token/).waitFor();
      await runCommand(workbench, COMMAND);
      await pressInDialog(workbench, 'Ask It');
      await answer(workbench, /The operator of the server/, token);
      await notification(workbench, /The team's memory answers: 1 memory/).waitFor();
      await startServer(workbench, 'svc-memory', MEMORY);
      await expect.poll(() => recall(workbench), { timeout: 60_000 }).toContain('· team — Retries stop after five');

      // Taken back, and another one given for the same address: the editor starts the server again by itself.
      const listed = await team.admin('token', 'team', '--list');
      await team.admin('token', 'team', '--revoke', /^\S+(?=.*anna)/m.exec(listed)?.[0] ?? '');
      await expect.poll(() => recall(workbench), { timeout: 60_000 }).toContain('does not let you in');
      await runCommand(workbench, COMMAND);
      await pressInDialog(workbench, 'Ask It');
      await answer(workbench, /The operator of the server/, await team.token('anna', 'shop=reader'));
      await expect.poll(() => recall(workbench), { timeout: 60_000 }).toContain('· team — Retries stop after five');
      expect(extensionLog(workbench)).not.toContain(token);
      for (const file of await filesIn(workbench.folder)) {
        expect((await readFile(file)).includes(token), file).toBe(false);
      }
    });
  }));

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
}
