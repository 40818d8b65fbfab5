import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webview } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { answer, pick, quickInput, runCommand } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import {
  contextAction,
  inlineAction,
  notification,
  openView,
  pressInNotification,
  statusBarItem,
  tooltipOf,
  treeRows,
  unfold,
  unfoldTo,
  view,
} from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

const FILES = { 'store.ts': 'export function openStore(): string {\n  return "files";\n}\n' };

describe('the side bar', () => {
  let workbench: Workbench;
  const rows = (text: string | RegExp, inView?: string) => treeRows(workbench, text, inView).first();

  beforeAll(async () => {
    const settings = { 'workbench.colorTheme': 'Default Dark Modern' };
    workbench = await openWorkbench({ files: FILES, settings, size: { width: 1280, height: 900 } });
  });
  afterAll(() => workbench?.close());

  it('says what to do while nothing is remembered', async () => {
    await openView(workbench, 'Agent Memory');
    for (const offer of ['Draft Memories from This Project…', 'let the agent of the chat read the project']) {
      await view(workbench, 'Sessions').getByText(offer).waitFor();
    }
    await workbench.screenshot('side-bar-welcome');
  });

  it('shows what another process stores as soon as it is there, the newest first', async () => {
    await runProgram(workbench, 'svc-memory', 'init');
    await runProgram(workbench, 'svc-memory', 'start-session', 'Move the store to SQLite');
    await storeElsewhere(workbench, 'The store is one SQLite file', 'decision', '--entities', 'storage');
    await storeElsewhere(workbench, 'Many processes write at once', 'fact', '--entities', 'storage');
    const session = rows('Move the store to SQLite', 'Sessions');
    await session.waitFor();
    expect(await session.getAttribute('aria-label')).toContain('open, left by');
    await unfold(session);
    await rows('Many processes write at once').waitFor();
    const labels = await treeRows(workbench, undefined, 'Sessions').locator('.label-name').allTextContents();
    expect(labels).toEqual([
      'Move the store to SQLite',
      'Many processes write at once',
      'The store is one SQLite file',
    ]);
    expect(await rows('The store is one SQLite file').getAttribute('aria-label')).toMatch(/^Decision, The store is/);
  });

  it('narrows all views while people type, says so, and shows everything again', async () => {
    await runCommand(workbench, 'Agent Memory: Filter Side Bar…');
    await quickInput(workbench).fill('sqlite FILE');
    await rows('Many processes write at once').waitFor({ state: 'detached' });
    await rows('The store is one SQLite file').waitFor();
    await view(workbench, 'Sessions').locator('.pane-header', { hasText: '1 memory · filter: sqlite FILE' }).waitFor();
    expect(await view(workbench, 'Review').locator('.pane-header').textContent()).toMatch(
      /^Review\s*filter: sqlite FILE/,
    );
    expect(await rows('Move the store to SQLite', 'Sessions').textContent()).toContain('1 of 2');
    // The session's name has the first word, too; what is below it are the hits. Only where there are none, it is all.
    await quickInput(workbench).fill('move');
    await rows('its name matches', 'Sessions').waitFor();
    await rows('Many processes write at once').waitFor();
    await quickInput(workbench).fill('store');
    await rows('Many processes write at once').waitFor({ state: 'detached' });
    expect(await rows('Move the store to SQLite', 'Sessions').textContent()).toContain('1 of 2');
    await quickInput(workbench).fill(':fact');
    await rows('The store is one SQLite file').waitFor({ state: 'detached' });
    await rows('Many processes write at once').waitFor();
    await quickInput(workbench).fill('sqlite FILE');
    await rows('The store is one SQLite file').waitFor();
    await workbench.page.keyboard.press('Enter');
    // Escape brings back what was there before; the same with the next one.
    await runCommand(workbench, 'Agent Memory: Filter Side Bar…');
    await quickInput(workbench).fill(':fact');
    await rows('Many processes write at once').waitFor();
    await workbench.page.keyboard.press('Escape');
    await rows('Many processes write at once').waitFor({ state: 'detached' });
    await view(workbench, 'Sessions').locator('.pane-header', { hasText: '1 memory · filter: sqlite FILE' }).waitFor();
    await view(workbench, 'Sessions').locator('.pane-header').hover();
    await view(workbench, 'Sessions').locator('.action-label[aria-label^="Clear Filter"]').click();
    await rows('Many processes write at once').waitFor();
    // What was folded hides no hit, also where no session goes out of the list.
    await rows('Move the store to SQLite', 'Sessions').locator('.monaco-tl-twistie').click();
    await rows('Many processes write at once').waitFor({ state: 'detached' });
    await runCommand(workbench, 'Agent Memory: Filter Side Bar…');
    await quickInput(workbench).fill('s');
    await rows('The store is one SQLite file').waitFor();
    await quickInput(workbench).fill('');
    await workbench.page.keyboard.press('Enter');
    await rows('Many processes write at once').waitFor();
    // The heading is of the last letter, also where that takes away rows that are to be unfolded.
    const session = rows('Move the store to SQLite', 'Sessions');
    const header = view(workbench, 'Sessions').locator('.pane-header');
    for (const [typed, said] of [
      ['many', '1 memory · filter: many'],
      ['zz', '0 memories · filter: zz'],
    ] as const) {
      await session.locator('.monaco-tl-twistie').click();
      await runCommand(workbench, 'Agent Memory: Filter Side Bar…');
      await quickInput(workbench).fill(typed);
      await workbench.page.keyboard.press('Enter');
      await header.filter({ hasText: said }).waitFor();
    }
    await header.hover();
    await view(workbench, 'Sessions').locator('.action-label[aria-label^="Clear Filter"]').click();
    await unfoldTo(session, rows('Many processes write at once'));
  });

  it('forgets from the menu of a row, and takes it back by the button in the message', async () => {
    await contextAction(workbench, rows('Many processes write at once'), 'Forget');
    await rows('Many processes write at once').waitFor({ state: 'detached' });
    await pressInNotification(workbench, 'Forgotten: Many processes write at once', 'Undo');
    await rows('Many processes write at once').waitFor();
  });

  it('shows no session for a filter that only what was forgotten in it passes', async () => {
    const session = rows('Move the store to SQLite', 'Sessions');
    await contextAction(workbench, rows('Many processes write at once'), 'Forget');
    await runCommand(workbench, 'Agent Memory: Filter Side Bar…');
    await quickInput(workbench).fill('processes');
    await workbench.page.keyboard.press('Enter');
    await session.waitFor({ state: 'detached' });
    await runCommand(workbench, 'Agent Memory: Clear Filter');
    await session.waitFor();
    await runCommand(workbench, 'Agent Memory: Undo Last Change');
    await unfoldTo(session, rows('Many processes write at once'));
  });

  it('does the same to several rows at once', async () => {
    // With the key held from the first row on: without it, a click opens the memory.
    await rows('Many processes write at once').click({ modifiers: ['ControlOrMeta'] });
    await rows('The store is one SQLite file').click({ modifiers: ['ControlOrMeta'] });
    await contextAction(workbench, rows('The store is one SQLite file'), 'No Longer True');
    await notification(workbench, 'No longer true: 2 memories').waitFor();
    await rows('The store is one SQLite file').waitFor({ state: 'detached' });
    await pressInNotification(workbench, 'No longer true: 2 memories', 'Undo');
    await rows('The store is one SQLite file').waitFor();
    await rows('Many processes write at once').waitFor();

    // What is for one memory takes the row that was clicked.
    const [other, clicked] = ['Many processes write at once', 'The store is one SQLite file'] as const;
    for (const one of [other, clicked]) await rows(one).click({ modifiers: ['ControlOrMeta'] });
    await contextAction(workbench, rows(clicked), 'Rewrite…');
    await expect.poll(() => quickInput(workbench).inputValue()).toBe(clicked);
    await workbench.page.keyboard.press('Escape');
    await contextAction(workbench, rows(clicked), 'Copy as Markdown Link');
    const copied = async () =>
      (await inHost(workbench, ({ env }) => env.clipboard.readText())).match(/^\[.*?\]/gm)?.sort();
    await expect.poll(copied).toEqual([other, clicked].map((text) => `[${text}]`));

    // The command takes all of a step back, too.
    await contextAction(workbench, rows('The store is one SQLite file'), 'Forget');
    await notification(workbench, 'Forgot 2 memories').waitFor();
    await runCommand(workbench, 'Agent Memory: Undo Last Change');
    await notification(workbench, 'Undone. 2 memories are as they were before.').waitFor();
    await rows('The store is one SQLite file').waitFor();
    await rows('Many processes write at once').waitFor();
    // What is done again is one step, as it was.
    await pressInNotification(workbench, 'Undone. 2 memories are as they were before.', 'Redo');
    await rows('The store is one SQLite file').waitFor({ state: 'detached' });
    await rows('Many processes write at once').waitFor({ state: 'detached' });
    await runCommand(workbench, 'Agent Memory: Undo Last Change');
    await rows('The store is one SQLite file').waitFor();
    await rows('Many processes write at once').waitFor();
  });

  it('shares a memory with the repository as a file, and takes that back', async () => {
    const files = (): string[] => {
      const folder = join(workbench.folder, '.svc/memories');
      return existsSync(folder) ? readdirSync(folder) : [];
    };
    await contextAction(workbench, rows('Many processes write at once'), 'Share with the Repository');
    await notification(workbench, 'Shared in .svc/memories, to be committed: Many processes').waitFor();
    expect(files()).toEqual([expect.stringMatching(/^many-processes-write-at-once-\w+\.md$/)]);
    await contextAction(workbench, rows('Many processes write at once'), 'Rewrite…');
    await answer(workbench, /What is true now/, 'Many processes write in turn');
    const rewritten = 'Rewritten in .svc/memories, to be committed: Many processes write in turn';
    await notification(workbench, rewritten).waitFor();
    expect(files()).toHaveLength(2);
    await pressInNotification(workbench, rewritten, 'Undo');
    await until('its file to be gone', PATIENCE_MS, () => files().length === 1);
    await pressInNotification(workbench, 'Shared in .svc/memories', 'Undo');
    await until('the file to be gone', PATIENCE_MS, () => files().length === 0);
    await rows('Many processes write at once').waitFor();
  });

  it('asks for the text that supersedes a memory, with the old one filled in, until it is taken', async () => {
    await contextAction(workbench, rows('Many processes write at once'), 'Rewrite…');
    await quickInput(workbench).waitFor();
    expect(await quickInput(workbench).inputValue()).toBe('Many processes write at once');
    const secret = `Many write at once with ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    await answer(workbench, /What is true now/, secret);
    await notification(workbench, /secret|token/i).waitFor();
    await until('what was typed is there again', PATIENCE_MS, async () => {
      return (await quickInput(workbench).inputValue()) === secret;
    });
    await answer(workbench, /What is true now/, 'Any number of processes write at once');
    await rows('Any number of processes write at once').waitFor();
    await rows('Many processes write at once').waitFor({ state: 'detached' });
    await runCommand(workbench, 'Agent Memory: Show Superseded and Forgotten');
    const old = rows('Many processes write at once');
    await old.waitFor();
    expect(await old.getAttribute('aria-label')).toContain('superseded or no longer true');
    await runCommand(workbench, 'Agent Memory: Hide Superseded and Forgotten');
    await old.waitFor({ state: 'detached' });
  });

  it('lists below an entity what is known of it', async () => {
    const entities = view(workbench, 'Entities');
    await entities.locator('.pane-header').click();
    const entity = rows('storage', 'Entities');
    await unfold(entity);
    await rows('The store is one SQLite file', 'Entities').waitFor();
    await workbench.screenshot('side-bar-dark');
    await entities.locator('.pane-header').click();
  });

  it('opens an entity, a session and a memory in the explorer', async () => {
    const entities = view(workbench, 'Entities');
    await entities.locator('.pane-header').click();
    for (const [row, kind, content, below] of [
      [rows('storage', 'Entities'), 'Entity', 'storage', 'Known about it'],
      [rows('Move the store to SQLite', 'Sessions'), 'Session', 'Move the store to SQLite', 'Stored in it'],
      [rows('The store is one SQLite file', 'Sessions'), 'Decision', 'The store is one SQLite file', 'Origin'],
    ] as const) {
      await contextAction(workbench, row, 'Open Memory');
      await webview(workbench).locator('h1', { hasText: kind }).waitFor();
      await webview(workbench).locator('p.content', { hasText: content }).waitFor();
      await webview(workbench).locator('h2', { hasText: below }).waitFor();
    }
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.closeAllEditors'));
    await entities.locator('.pane-header').click();
  });

  it('finds near-duplicates, and closes the older one when asked to', async () => {
    await storeElsewhere(workbench, 'One SQLite file is the store', 'decision', '--entities', 'storage');
    await runCommand(workbench, 'Agent Memory: Find Near-Duplicates');
    const older = treeRows(workbench, 'The store is one SQLite file', 'Review').first();
    await older.waitFor();
    await runCommand(workbench, 'Agent Memory: Filter Side Bar…');
    await quickInput(workbench).fill('processes');
    await workbench.page.keyboard.press('Enter');
    await rows('No near-duplicates match the filter.', 'Review').waitFor();
    await runCommand(workbench, 'Agent Memory: Clear Filter');
    await inlineAction(older, 'Replace with Newest');
    await rows('No near-duplicates', 'Review').waitFor();
    await pressInNotification(workbench, 'Replaced with the newest', 'Undo');
    await inlineAction(older, 'Keep Both');
    await rows('No near-duplicates', 'Review').waitFor();
  });

  it('switches the namespace on a click, tells so, and shows what is remembered there', async () => {
    const namespaces = view(workbench, 'Namespaces');
    // There is nothing to switch to before.
    expect(await namespaces.count()).toBe(0);
    await storeElsewhere(workbench, 'Elsewhere it is otherwise', 'fact', '--namespace', 'experiment');
    await namespaces.waitFor();
    await namespaces.locator('.pane-header').click();
    const other = rows('experiment', 'Namespaces');
    await other.waitFor();
    // A long name is cut off in the row.
    await tooltipOf(workbench, other, /experiment\s+1 memory.*Click to switch/s);
    await other.click();
    await notification(workbench, 'The editor and new servers now use "experiment".').waitFor();
    await statusBarItem(workbench, 'agentMemory.status').filter({ hasText: 'experiment' }).waitFor();
    await treeRows(workbench, 'The store is one SQLite file', 'Sessions').first().waitFor({ state: 'detached' });
    expect(await other.getAttribute('aria-label')).toContain('active');
    await statusBarItem(workbench, 'agentMemory.status').click();
    await pick(workbench, 'Switch namespace…');
    await pick(workbench, /^default/);
    await rows('Move the store to SQLite', 'Sessions').waitFor();
    await namespaces.locator('.pane-header').click();
  });

  it('tells who holds the open sessions', async () => {
    await statusBarItem(workbench, 'agentMemory.status').click();
    const session = workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Move the store' });
    await session.waitFor();
    expect(await session.getAttribute('aria-label')).toMatch(/left by cli \(process \d+\)/);
    await workbench.screenshot('status-menu');
    await workbench.page.keyboard.press('Escape');
  });

  it('cannot be made to show more than text by what is stored', async () => {
    const evil = '$(flame) **bold** [go](command:workbench.action.quit) <b>x</b>';
    await storeElsewhere(workbench, evil, 'fact', '--entities', evil);
    await unfold(rows('Move the store to SQLite', 'Sessions'));
    const row = rows('$(flame)', 'Sessions');
    await row.waitFor();
    const hover = await tooltipOf(workbench, row, 'confidence');
    await workbench.screenshot('memory-tooltip');
    expect(await hover.locator('a, b, .codicon-flame').count()).toBe(0);
    // Where every space is an unbreakable one, lines end in the middle of words.
    expect(await hover.textContent()).not.toContain('\u00a0');
    await contextAction(workbench, row, 'Forget');
    const toast = notification(workbench, 'Forgotten');
    await toast.first().waitFor();
    expect(await toast.locator('.notification-list-item-message a').count()).toBe(0);
  });

  it('shows a long list page by page', async () => {
    const nodes = Array.from({ length: 120 }, (_, i) => ({ content: `Line ${i} of many`, kind: 'fact' }));
    writeFileSync(join(workbench.folder, 'many.json'), JSON.stringify({ nodes }));
    await runProgram(workbench, 'svc-memory', 'import', 'many.json');
    await unfold(rows('Move the store to SQLite', 'Sessions'));
    await rows('Line 119 of many', 'Sessions').click({ modifiers: ['ControlOrMeta'] });
    await workbench.page.keyboard.press('End');
    const more = rows('Load more', 'Sessions');
    await more.waitFor();
    expect(await rows('Line 0 of many', 'Sessions').count()).toBe(0);
    await more.click();
    await rows('Line 69 of many', 'Sessions').waitFor();
    await workbench.page.keyboard.press('End');
    await rows('Line 20 of many', 'Sessions').waitFor();
    await more.click();
    await rows('Line 19 of many', 'Sessions').waitFor();
    await workbench.page.keyboard.press('End');
    await rows('Line 0 of many', 'Sessions').waitFor();
  });

  it('can be read in a light theme', async () => {
    await inHost(workbench, ({ workspace }) =>
      workspace.getConfiguration('workbench').update('colorTheme', 'Default Light Modern', true),
    );
    await workbench.page.locator('.monaco-workbench.vs').waitFor();
    await workbench.screenshot('side-bar-light');
  });
});
