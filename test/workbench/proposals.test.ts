import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webview } from './support/editors';
import { runProgram, storeElsewhere } from './support/memory';
import { answer, quickInput, quickInputRows, runCommand } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import {
  contextAction,
  dialog,
  inlineAction,
  notification,
  openView,
  pressInDialog,
  pressInNotification,
  statusBarItem,
  tooltipOf,
  treeRows,
  unfold,
  view,
} from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

const NODES = [
  { kind: 'decision', content: 'The cache is Redis', entities: ['cache'] },
  { kind: 'fact', content: 'Redis listens on 6379' },
  { kind: 'procedure', content: 'Restart it with make cache' },
];

const RULES = [
  '- Tests come before the code they test',
  '- Names of files are in lower case',
  '- Commits are small, one step each',
  '',
].join('\n');

describe('what was proposed', () => {
  let workbench: Workbench;
  const rows = (text: string) => treeRows(workbench, text, 'Review').first();

  beforeAll(async () => {
    workbench = await openWorkbench({ files: { 'a.ts': '', 'AGENTS.md': RULES }, size: { width: 1280, height: 900 } });
    await runProgram(workbench, 'svc-memory', 'init');
    writeFileSync(join(workbench.folder, 'notes.json'), JSON.stringify(NODES));
    await runProgram(workbench, 'svc-memory', 'import', 'notes.json');
    await openView(workbench, 'Agent Memory');
  });
  afterAll(() => workbench?.close());

  it('waits in Review by its source, and is counted by the badge', async () => {
    await rows('From notes.json').waitFor();
    await rows('The cache is Redis').waitFor();
    const badge = workbench.page.locator('.activitybar .action-item:has(a[aria-label^="Agent Memory"]) .badge-content');
    await badge.filter({ hasText: '3' }).waitFor();
    await statusBarItem(workbench, 'agentMemory.status').locator('a[aria-label*="Proposed memories: 3"]').waitFor();
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
    await contextAction(workbench, rows('Restart it with make cache'), 'Rewrite…');
    await answer(workbench, 'What should be remembered in its place?', 'Restart it with make restart-cache');
    await rows('Restart it with make cache').waitFor({ state: 'detached' });
    const found = await runProgram(workbench, 'svc-memory', 'recall', 'restart');
    // Others of its source still wait, and are marked.
    expect(found.split('\n').find((line) => line.includes('make restart-cache'))).not.toContain('proposed');
  });

  it('is dropped with all of its source', async () => {
    await inlineAction(rows('From notes.json'), 'Drop All of This Source');
    await rows('Redis listens on 6379').waitFor({ state: 'detached' });
    expect(await runProgram(workbench, 'svc-memory', 'review', '--only', 'proposals')).toContain('Nothing waits');
  });

  it('is brought from the project, and kept or dropped with one key each', async () => {
    await runCommand(workbench, 'Agent Memory: Draft Memories from This Project…');
    await quickInputRows(workbench).filter({ hasText: 'AGENTS.md' }).waitFor();
    await workbench.screenshot('bring');
    await workbench.page.locator('.quick-input-widget .quick-input-action', { hasText: 'OK' }).click();
    await pressInNotification(workbench, 'In Review until you keep or drop them: 3 memories.', 'Show Review');
    const source = workbench.page.locator('.monaco-list-row.focused.selected', { hasText: 'From AGENTS.md' });
    await source.waitFor();
    const [tests, names, commits] = ['Tests come before', 'Names of files', 'Commits are small'].map(rows);
    await tests?.click();
    await workbench.page.keyboard.press('y');
    await tests?.waitFor({ state: 'detached' });
    const row = (state: string, text: string) =>
      workbench.page.locator(`.monaco-list-row${state}`, { hasText: text }).count();
    await until(
      'the next one is selected',
      PATIENCE_MS,
      async () => (await row('.focused.selected', 'Names of files')) > 0,
    );
    // The list is read once more after what was kept, which may put the mark back on a slow machine.
    await until('the mark is on the last one', PATIENCE_MS, async () => {
      // What the mouse rests on shows its tooltip, which covers the rows below; one that comes late goes with the next move.
      await workbench.page.mouse.move(0, 0);
      await workbench.page.mouse.move(1, 1);
      await commits?.click({ timeout: 2_000 }).catch(() => undefined);
      return (await row('.focused.selected', 'Commits are small')) > 0;
    });
    // Its page opens beside it, and leaves the keys where they are.
    await webview(workbench).getByRole('button', { name: 'Drop' }).waitFor();
    await webview(workbench).getByText('Commits are small').first().waitFor();
    await workbench.page.keyboard.press('Delete');
    await commits?.waitFor({ state: 'detached' });
    await names?.waitFor();
    expect(await runProgram(workbench, 'svc-memory', 'recall', 'tests before code')).toMatch(
      /conf [\d.]+ — Tests come/,
    );
    expect(await runProgram(workbench, 'svc-memory', 'nodes')).not.toContain('Commits are small');
    // It belongs to no session, and is in the list of sessions all the same.
    await unfold(treeRows(workbench, 'In no session', 'Sessions').first());
    await treeRows(workbench, 'Tests come before', 'Sessions').first().waitFor();
  });

  it('is never kept unseen: after the last one of a source, keys go on with the first of the next', async () => {
    const list = (name: string, ...contents: readonly string[]) => {
      writeFileSync(
        join(workbench.folder, name),
        JSON.stringify(contents.map((content) => ({ kind: 'fact', content }))),
      );
      return runProgram(workbench, 'svc-memory', 'import', name);
    };
    await list('first.json', 'Alone in its file');
    await list('second.json', 'One of two', 'Two of two');
    await rows('Two of two').waitFor();
    const focused = (text: string) =>
      workbench.page.locator('.monaco-list-row.focused.selected', { hasText: text }).waitFor();
    await rows('Alone in its file').click();
    await focused('Alone in its file');
    await workbench.page.keyboard.press('y');
    await rows('Alone in its file').waitFor({ state: 'detached' });
    await focused('of two');
    // So does the page beside them.
    await webview(workbench).locator('p.content', { hasText: 'of two' }).waitFor();
    const next = view(workbench, 'Review').locator('.monaco-list-row.focused.selected');
    const kept = /(?:One|Two) of two/.exec((await next.textContent()) ?? '')?.[0] ?? '';
    await workbench.page.keyboard.press('y');
    await notification(workbench, `Kept: ${kept}`).waitFor();
    await rows(kept).waitFor({ state: 'detached' });
    // What is taken back has the keys again: the next one is not kept in its place.
    await workbench.page.keyboard.press('Control+z');
    await next.filter({ hasText: kept }).waitFor();
    await rows('One of two').waitFor();
    await rows('Two of two').waitFor();
  });

  it('is counted without what came closed from records, and files that were not read are named', async () => {
    const records = join(workbench.folder, 'docs', 'adr');
    mkdirSync(records, { recursive: true });
    const record = (status: string, decision: string) =>
      `# Notes\n\n* Status: ${status}\n\n## Decision\n\n${decision}\n`;
    writeFileSync(join(records, '0001-files.md'), record('superseded by [2](0002-rows.md)', 'Notes are files.'));
    writeFileSync(join(records, '0002-rows.md'), record('accepted', 'Notes are rows.'));
    writeFileSync(join(records, '0003-bun.md'), record('proposed', 'Notes are thoughts.'));
    await runCommand(workbench, 'Agent Memory: Draft Memories from This Project…');
    await quickInputRows(workbench).filter({ hasText: 'docs/adr' }).filter({ hasText: 'not read: 1' }).waitFor();
    await workbench.screenshot('bring-unread');
    await workbench.page.locator('.quick-input-widget .quick-input-action', { hasText: 'OK' }).click();
    const told =
      'In Review until you keep or drop them: 1 memory. 1 more was replaced at its source, and is kept with what replaced it. Not read: docs/adr/0003-bun.md is not decided yet.';
    await pressInNotification(workbench, told, 'Undo');
    await rows('Notes are rows').waitFor({ state: 'detached' });
  });

  it('is settled by its source only after a question, where the filter hides some of it', async () => {
    const filter = async (typed: string): Promise<void> => {
      await runCommand(workbench, 'Agent Memory: Filter Side Bar…');
      await quickInput(workbench).fill(typed);
      await workbench.page.keyboard.press('Enter');
    };
    await filter('One of two');
    const source = rows('From second.json').filter({ hasText: '1 of 2 proposed' });
    await source.waitFor();
    await rows('Two of two').waitFor({ state: 'detached' });
    expect(await rows('Settle some of these').count()).toBe(0);
    await inlineAction(source, 'Drop All of This Source');
    await dialog(workbench).filter({ hasText: 'The filter hides 1 memory of this source' }).waitFor();
    await pressInDialog(workbench, 'Cancel');
    await filter('giraffe');
    await rows('No review items match the filter.').waitFor();
    await runCommand(workbench, 'Agent Memory: Clear Filter');
    await rows('Two of two').waitFor();
  });

  it('tells what it nearly repeats, which is a pair to decide about once it is kept', async () => {
    const there = 'joinPaths returns path1 unchanged when path2 is empty';
    const again = 'joinPaths returns path1 unchanged if path2 is an empty text';
    await storeElsewhere(workbench, there, 'fact');
    writeFileSync(join(workbench.folder, 'again.json'), JSON.stringify([{ kind: 'fact', content: again }]));
    await runProgram(workbench, 'svc-memory', 'import', 'again.json');
    const row = rows(again).filter({ hasText: 'nearly repeats another' });
    await row.waitFor();
    await tooltipOf(workbench, row, `Says nearly the same as: ${there}`);
    await row.click();
    const told = webview(workbench).locator('aside', { hasText: 'Says nearly the same as' });
    await told.getByRole('button', { name: there }).waitFor();
    await workbench.screenshot('nearly-repeats');
    await inlineAction(row, 'Keep');
    await row.waitFor({ state: 'detached' });
    await webview(workbench).locator('section', { hasText: 'Says nearly the same as' }).waitFor();
    await runCommand(workbench, 'Agent Memory: Find Near-Duplicates');
    await rows('Say nearly the same').waitFor();
    const older = rows(there);
    await older.waitFor();
    await workbench.screenshot('near-pairs');
    await inlineAction(older, 'Keep Both');
    await rows('No near-duplicates').waitFor();

    // Kept in other words it makes a pair as well, where the keys do not go.
    const third = 'joinPaths returns path1 unchanged when path2 is an empty text';
    const other = 'Something else altogether';
    writeFileSync(
      join(workbench.folder, 'third.json'),
      JSON.stringify([third, other].map((content) => ({ kind: 'fact', content }))),
    );
    await runProgram(workbench, 'svc-memory', 'import', 'third.json');
    await rows(third).click();
    await webview(workbench).locator('p.content', { hasText: third }).waitFor();
    await workbench.page.keyboard.press('F2');
    await quickInput(workbench).waitFor();
    await quickInput(workbench).fill(`${third}, always`);
    await workbench.page.keyboard.press('Enter');
    await rows('Say nearly the same').waitFor();
    await view(workbench, 'Review').locator('.monaco-list-row.focused.selected', { hasText: other }).waitFor();
  });
});
