// A window without a folder: what the views and the palette say there.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inHost } from './support/host';
import { commandsMatching, runCommand } from './support/palette';
import { notification, openView, statusBarItem, view } from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

describe('a window without a folder', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench({ empty: true });
  });
  afterAll(() => workbench?.close());

  it('says in the side bar what a memory belongs to', async () => {
    await openView(workbench, 'Agent Memory');
    await view(workbench, 'Sessions').getByText('Open Folder', { exact: true }).waitFor();
    expect(await statusBarItem(workbench, 'agentMemory.status').count()).toBe(0);
    await inHost(workbench, ({ commands }) => void commands.executeCommand('agentMemory.forget'));
    await notification(workbench, 'Agent Memory needs one').waitFor();
    await runCommand(workbench, 'Notifications: Clear All Notifications');
  });

  it('has nothing in the palette that needs one', async () => {
    const titles = ['Initialise Memory', 'Search Memories…', 'Remember Selection…', 'Ingest Documents…', 'Forget'];
    for (const title of titles.map((one) => `Agent Memory: ${one}`)) {
      expect(await commandsMatching(workbench, title)).not.toContain(title);
    }
  });

  it('is asked for by what a key or another extension runs', async () => {
    for (const command of ['init', 'recall', 'remember', 'ingest']) {
      await inHost(workbench, ({ commands }, name) => void commands.executeCommand(`agentMemory.${name}`), command);
      await notification(workbench, 'Agent Memory needs one').first().waitFor();
      await runCommand(workbench, 'Notifications: Clear All Notifications');
    }
  });
});
