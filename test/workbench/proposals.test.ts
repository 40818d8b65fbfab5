import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from './support/memory';
import { answer } from './support/palette';
import { inlineAction, openView, pressInNotification, treeRows } from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

const NODES = [
  { kind: 'decision', content: 'The cache is Redis', entities: ['cache'] },
  { kind: 'fact', content: 'Redis listens on 6379' },
  { kind: 'procedure', content: 'Restart it with make cache' },
];

describe('what was proposed', () => {
  let workbench: Workbench;
  const rows = (text: string) => treeRows(workbench, text, 'Review').first();

  beforeAll(async () => {
    workbench = await openWorkbench({ files: { 'a.ts': '' }, size: { width: 1280, height: 900 } });
    await runProgram(workbench, 'svc-memory', 'init');
    writeFileSync(join(workbench.folder, 'notes.json'), JSON.stringify(NODES));
    await runProgram(workbench, 'svc-memory', 'import', 'notes.json');
    await openView(workbench, 'Agent Memory');
  });
  afterAll(() => workbench?.close());

  it('waits in Review by its source, and is counted by the badge', async () => {
    await rows('Proposed by the file notes.json').waitFor();
    await rows('The cache is Redis').waitFor();
    const badge = workbench.page.locator('.activitybar .action-item:has(a[aria-label^="Agent Memory"]) .badge-content');
    await badge.filter({ hasText: '3' }).waitFor();
    await workbench.screenshot('proposals');
  });

  it('is kept by a click, which can be taken back', async () => {
    await inlineAction(rows('The cache is Redis'), 'Keep');
    await rows('The cache is Redis').waitFor({ state: 'detached' });
    await pressInNotification(workbench, 'Kept: The cache is Redis', 'Undo');
    await rows('The cache is Redis').waitFor();
    await inlineAction(rows('The cache is Redis'), 'Keep');
    await rows('The cache is Redis').waitFor({ state: 'detached' });
    expect(await runProgram(workbench, 'svc-memory', 'recall', 'project context')).toContain('The cache is Redis');
  });

  it('is kept in other words', async () => {
    await inlineAction(rows('Restart it with make cache'), 'Rewrite…');
    await answer(workbench, 'What should be remembered in its place?', 'Restart it with make restart-cache');
    await rows('Restart it with make cache').waitFor({ state: 'detached' });
    const found = await runProgram(workbench, 'svc-memory', 'recall', 'restart');
    // Others of its source still wait, and are marked.
    expect(found.split('\n').find((line) => line.includes('make restart-cache'))).not.toContain('proposed');
  });

  it('is dropped with all of its source', async () => {
    await inlineAction(rows('Proposed by the file notes.json'), 'Drop All of This Source');
    await rows('Redis listens on 6379').waitFor({ state: 'detached' });
    expect(await runProgram(workbench, 'svc-memory', 'review', '--only', 'proposals')).toContain('Nothing waits');
  });
});
