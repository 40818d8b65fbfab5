import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectTo, withTeam } from '../support/team-server';
import { webview } from './support/editors';
import { runProgram, storeElsewhere } from './support/memory';
import { answer, commandsMatching, quickInput, quickInputRows, runCommand } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import { notification, openView, pressInDialog, treeRows, unfoldTo, unnamedSessions } from './support/views';
import { withWorkbench } from './support/workbench';

const SHARE = 'Agent Memory: Share with the Team…';

it("the team's memories are there before the folder has a store, and commands of a team go with it", () =>
  withTeam(async (team) => {
    const server = await team.start();
    const bob = await connectTo(server, await team.token('bob', 'shop=writer'));
    await bob.value('memory_store', { content: 'Retries stop after five attempts', kind: 'decision' });
    const token = await team.token('anna', 'shop=writer');
    await withWorkbench({ files: { 'a.ts': 'export function a() {}\n' } }, async (workbench) => {
      const row = (text: string | RegExp) => treeRows(workbench, text).first();
      const config = join(workbench.folder, '.svc', 'config.yaml');
      const names = (text: string): Promise<void> => writeFile(config, text);
      await mkdir(join(workbench.folder, '.svc'));
      await names(`team: ${server.address}/shop\n`);
      await openView(workbench, 'Agent Memory');
      await workbench.page.getByText('There are no memories here yet').first().waitFor();
      await runCommand(workbench, "Agent Memory: Use the Team's Memory…");
      await pressInDialog(workbench, 'Ask It');
      await answer(workbench, /The operator of the server/, token);
      await notification(workbench, /The team's memory answers: 1 memory/).waitFor();
      await unfoldTo(row('Team · shop'), row('Retries stop after five attempts'));
      await workbench.screenshot('team-alone');
      await row('Retries stop after five attempts').click();
      await webview(workbench).getByText('This is a memory of the team. Here it is only read.').waitFor();
      await runCommand(workbench, 'Agent Memory: Search Memories…');
      await quickInput(workbench).fill('retries');
      await quickInputRows(workbench).filter({ hasText: 'team · bob' }).first().waitFor();
      await workbench.page.keyboard.press('Escape');
      expect(existsSync(join(workbench.folder, '.svc', 'memory.db'))).toBe(false);

      await runProgram(workbench, 'svc-memory', 'init');
      await storeElsewhere(workbench, 'Retries are logged', 'fact');
      await unnamedSessions(workbench).first().waitFor();
      await row('Team · shop').waitFor();
      const canShare = async (): Promise<boolean> => (await commandsMatching(workbench, SHARE)).includes(SHARE);
      await until('a memory can be shared', PATIENCE_MS, canShare);
      await names('');
      await row('Team · shop').waitFor({ state: 'detached' });
      await until('no memory can be shared', PATIENCE_MS, async () => !(await canShare()));
    });
  }));
