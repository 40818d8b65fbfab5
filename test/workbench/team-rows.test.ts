import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectTo, withTeam } from '../support/team-server';
import { webview } from './support/editors';
import { runProgram, storeElsewhere } from './support/memory';
import { answer, quickInput, quickInputRows, runCommand } from './support/palette';
import {
  contextAction,
  dialog,
  notification,
  openView,
  pressInDialog,
  treeRows,
  unfoldTo,
  unnamedSessions,
} from './support/views';
import { withWorkbench } from './support/workbench';

it("the team's memories have rows of their own, follow what others do, and stay while the server is away", () =>
  withTeam(async (team) => {
    const server = await team.start();
    const bob = await connectTo(server, await team.token('bob', 'shop=writer'));
    const stored = { content: 'Retries stop after five attempts', kind: 'decision', entities: ['src/retry.ts'] };
    await bob.value('memory_store', { ...stored, rationale: 'the provider blocks us' });
    const token = await team.token('anna', 'shop=writer');
    await withWorkbench({ files: { 'a.ts': 'export function a() {}\n' } }, async (workbench) => {
      const row = (text: string | RegExp) => treeRows(workbench, text).first();
      await runProgram(workbench, 'svc-memory', 'init');
      await storeElsewhere(workbench, 'Retries are logged', 'fact');
      await writeFile(join(workbench.folder, '.svc', 'config.yaml'), `team: ${server.address}/shop\n`);
      await openView(workbench, 'Agent Memory');
      await unnamedSessions(workbench).first().waitFor();
      expect(await row('Team · shop').count()).toBe(0);

      await runCommand(workbench, "Agent Memory: Use the Team's Memory…");
      await pressInDialog(workbench, 'Ask It');
      await answer(workbench, /The operator of the server/, token);
      await notification(workbench, /The team's memory answers: 1 memory/).waitFor();
      await unfoldTo(row('Team · shop'), row('Retries stop after five attempts'));
      expect(await row('Retries stop after five attempts').getAttribute('aria-label')).toMatch(
        /^Decision, team, Retries stop after five attempts, bob, /,
      );
      await bob.value('memory_store', { content: 'Retries wait a second longer each time', kind: 'fact' });
      await row('Retries wait a second longer each time').waitFor();
      await workbench.screenshot('team-rows');

      const own = row(/^Retries are logged/);
      await unfoldTo(unnamedSessions(workbench).first(), own);
      await contextAction(workbench, own, 'Share with the Team…');
      await dialog(workbench).filter({ hasText: 'Fact: Retries are logged' }).waitFor();
      await workbench.screenshot('team-share');
      await pressInDialog(workbench, 'Send');
      await notification(workbench, 'Sent to the team: 1 memory.').waitFor();
      await treeRows(workbench)
        .and(workbench.page.getByLabel(/^Fact, team, Retries are logged, anna, /))
        .waitFor();

      await row('Retries stop after five attempts').click();
      const page = webview(workbench);
      await page.getByText('This is a memory of the team. Here it is only read.').waitFor();
      await page.getByText('the provider blocks us').waitFor();
      expect(await page.locator('.actions button').allTextContents()).toEqual([
        ...['Copy as Markdown Link', 'Insert into Chat', 'What an agent gets'],
      ]);
      await workbench.screenshot('team-page');

      await runCommand(workbench, 'Agent Memory: Search Memories…');
      await quickInput(workbench).fill('retries');
      await quickInputRows(workbench).filter({ hasText: 'team · bob' }).nth(1).waitFor();
      await quickInputRows(workbench).filter({ hasText: 'Retries are logged' }).first().waitFor();
      await workbench.screenshot('team-search');
      await workbench.page.keyboard.press('Escape');

      server.process.kill('SIGTERM');
      await server.exit;
      const line = row('You see its copy of');
      await line.waitFor();
      await page.getByText("The team's memory does not answer.").waitFor();
      await row('Retries stop after five attempts').waitFor();
      expect(await row('Team · shop').getAttribute('aria-label')).toMatch(
        /^Team · shop, The team's memory does not answer\. You see its copy of .+\.$/,
      );
      await workbench.screenshot('team-away');
      await team.start('--listen', server.address.replace('http://', ''));
      await line.waitFor({ state: 'detached' });
      await page.getByText("The team's memory does not answer.").waitFor({ state: 'detached' });
      expect(await row('Team · shop').getAttribute('aria-label')).toBe('Team · shop');
    });
  }));
