import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webview } from './support/editors';
import { runProgram, storeElsewhere } from './support/memory';
import { confirmPath, pick, quickInput, quickInputRows, runCommand } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import {
  notification,
  openView,
  pressInDialog,
  pressInNotification,
  statusBarItem,
  treeRows,
  unnamedSessions,
} from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

const LOST = /was deleted while it was open/;

describe('backups, in the editor', () => {
  let workbench: Workbench;
  const file = (): string => join(workbench.folder, '.svc', 'memory.db');
  const command = (title: string) => runCommand(workbench, `Agent Memory: ${title}`);
  const clear = () => runCommand(workbench, 'Notifications: Clear All Notifications');
  const recalled = (query: string) => runProgram(workbench, 'svc-memory', 'recall', query);
  const session = () => unnamedSessions(workbench).first();
  const restored = async (): Promise<void> => {
    await notification(workbench, /Restored \d+ memor/).waitFor();
    await clear();
  };

  beforeAll(async () => {
    workbench = await openWorkbench({ files: { 'a.ts': 'export function a() {}\n' } });
    await runProgram(workbench, 'svc-memory', 'init');
    await storeElsewhere(workbench, 'A zebra has stripes', 'fact');
    await openView(workbench, 'Agent Memory');
    await session().waitFor();
  });
  afterAll(() => workbench?.close());

  it('makes one beside the others, and one in a file', async () => {
    await command('Back Up the Store…');
    await pick(workbench, 'Keep it with the other backups');
    await notification(workbench, /Backed up 1 memory to .*made-/).waitFor();
    await command('Back Up the Store…');
    await pick(workbench, 'Choose a file…');
    const copy = join(workbench.home, 'copy.db');
    await until('the dialog is there', PATIENCE_MS, async () =>
      (await quickInput(workbench).inputValue()).endsWith('memory-backup.db'),
    );
    await confirmPath(workbench, copy);
    await notification(workbench, /Backed up 1 memory to .*copy\.db/).waitFor();
    expect(existsSync(copy)).toBe(true);
    await clear();
  });

  it('brings back the one that is chosen, and keeps what was there', async () => {
    await storeElsewhere(workbench, 'A giraffe has spots', 'fact');
    await command('Restore a Backup…');
    await quickInputRows(workbench).filter({ hasText: 'made manually' }).waitFor();
    await workbench.screenshot('restore-backup');
    await pick(workbench, 'made manually');
    await pressInDialog(workbench, 'Restore');
    await notification(workbench, /Restored 1 memory\. The previous file is kept: .*replaced-/).waitFor();
    await clear();
    expect(await recalled('zebra')).toContain('A zebra has stripes');
    expect(await recalled('giraffe')).not.toContain('A giraffe has spots');

    await command('Restore a Backup…');
    await pick(workbench, 'replaced by another backup');
    await pressInDialog(workbench, 'Restore');
    await restored();
    expect(await recalled('giraffe')).toContain('A giraffe has spots');
  });

  it('says that nothing is restored where nobody wants it', async () => {
    await command('Restore a Backup…');
    await pick(workbench, 'made manually');
    await pressInDialog(workbench, 'Cancel');
    expect(await recalled('giraffe')).toContain('A giraffe has spots');
  });

  it('is offered where the store is deleted under the window, and brings all of it back', async () => {
    await command('Open Memory Explorer');
    await webview(workbench).locator('#query').waitFor();
    rmSync(join(workbench.folder, '.svc'), { recursive: true });
    await notification(workbench, LOST).waitFor();
    await treeRows(workbench, 'The store was lost', 'Sessions').waitFor();
    await webview(workbench).locator('.problem', { hasText: LOST }).waitFor();
    await webview(workbench).getByRole('button', { name: 'Restore a Backup…' }).waitFor();
    await statusBarItem(workbench, 'agentMemory.status').locator('a[aria-label*="was deleted"]').waitFor();
    await workbench.screenshot('lost-store');
    // What would begin a store asks first: nobody would hear of the loss any more.
    await clear();
    await command('Draft Memories from This Project…');
    await notification(workbench, LOST).locator('a', { hasText: 'Begin a New Store' }).waitFor();
    expect(existsSync(file())).toBe(false);
    await pressInNotification(workbench, LOST, 'Restore a Backup…');
    await pick(workbench, 'rescued when the store was lost');
    await pressInDialog(workbench, 'Restore');
    await restored();
    await webview(workbench).locator('#query').waitFor();
    await session().waitFor();
    expect(await recalled('giraffe')).toContain('A giraffe has spots');
    expect(await notification(workbench, LOST).count()).toBe(0);
  });

  it.each([
    ['written over', 'This is no database.\n'.repeat(500)],
    ['emptied', ''],
  ])('is offered where the store is damaged: %s', async (_, text) => {
    writeFileSync(file(), text);
    await notification(workbench, /is damaged/).waitFor();
    await treeRows(workbench, 'The store is damaged', 'Sessions').waitFor();
    await treeRows(workbench, 'The store is damaged', 'Review').waitFor();
    await statusBarItem(workbench, 'agentMemory.status').locator('a').click();
    await pick(workbench, 'Restore a backup…');
    await quickInputRows(workbench).filter({ hasText: 'rescued when the store was lost' }).waitFor();
    await pick(workbench, 'rescued when the store was lost');
    await pressInDialog(workbench, 'Restore');
    await restored();
    await session().waitFor();
    expect(await recalled('giraffe')).toContain('A giraffe has spots');
  });

  it('is offered where the store is gone when the folder is opened, until that is put aside', async () => {
    const loadAgain = () => runCommand(workbench, 'Developer: Reload Window');
    await runProgram(workbench, 'svc-memory', 'backup');
    rmSync(join(workbench.folder, '.svc'), { recursive: true });
    await loadAgain();
    await pressInNotification(workbench, /no longer exists/, 'Begin a New Store');
    await notification(workbench, 'Created the store').waitFor();
    await until('the store is there', PATIENCE_MS, () => readdirSync(workbench.folder).includes('.svc'));
    expect(await recalled('giraffe')).not.toContain('A giraffe has spots');
  });
});
