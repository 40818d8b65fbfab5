import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from './support/command-line';
import { webview } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { pick, quickInput, runCommand } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import {
  contextAction,
  menuItem,
  notification,
  openView,
  pressInNotification,
  treeRows,
  unfoldTo,
  unnamedSessions,
} from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

const rows = (count: string): string => `export function rows(): number {\n  return ${count};\n}\n`;

describe('the review of a shared memory', () => {
  let workbench: Workbench;
  const files = (): number => readdirSync(join(workbench.folder, '.svc/memories')).length;

  beforeAll(async () => {
    workbench = await openWorkbench({ files: { 'src/rows.ts': rows('1') } });
    await runProgram(workbench, 'svc-memory', 'init');
    await runProgram(workbench, 'svc', 'build');
    const id = await storeElsewhere(workbench, 'There is one row', 'fact', '--entities', 'src/rows.ts#rows');
    await runProgram(workbench, 'svc-memory', 'share', id);
    expect(existsSync(join(workbench.folder, '.svc/memories'))).toBe(true);
    writeFileSync(join(workbench.folder, 'src/rows.ts'), rows('1 + 1'));
  });
  afterAll(() => workbench?.close());

  it('has all in the menu of its row but what would share it once more', async () => {
    const menuOf = async (text: string): Promise<string> => {
      await treeRows(workbench, text, 'Sessions').first().click({ button: 'right' });
      await menuItem(workbench, 'Forget').waitFor();
      const titles = await workbench.page.locator('.monaco-menu .action-menu-item').allTextContents();
      await workbench.page.keyboard.press('Escape');
      return titles.join('\n');
    };
    await storeElsewhere(workbench, 'Nobody shares this', 'fact');
    await openView(workbench, 'Agent Memory');
    const doubted = treeRows(workbench, /There is one row.*shared/, 'Sessions').first();
    await unfoldTo(unnamedSessions(workbench).first(), doubted);
    // Its code has changed.
    await treeRows(workbench, 'There is one row', 'Review').first().waitFor();
    let menu = '';
    // The row tells it a moment later than the one in Review.
    await until('the row is in doubt', PATIENCE_MS, async () => {
      menu = await menuOf('There is one row');
      return menu.includes('Ignore This Change');
    });
    for (const title of ['Rewrite…', 'Show Change, Then and Now']) expect(menu).toContain(title);
    expect(menu).not.toContain('Share with the Repository');
    expect(await menuOf('Nobody shares this')).toContain('Share with the Repository');
  });

  it('says that what is rewritten has a file, which is to be committed', async () => {
    await openView(workbench, 'Agent Memory');
    await treeRows(workbench, 'There is one row', 'Review').first().click();
    await workbench.page.locator('.tab.active .label-name', { hasText: '(1 of 1)' }).waitFor();
    await workbench.page.locator('.monaco-diff-editor .editor.modified .monaco-editor').first().click();
    await workbench.page.keyboard.press('r');
    await quickInput(workbench).waitFor();
    await workbench.page.keyboard.type(', or two');
    await workbench.page.keyboard.press('Enter');
    const end = 'Reviewed 1 memory (rewritten in .svc/memories, to be committed: 1).';
    await notification(workbench, end).waitFor();
    expect(files()).toBe(2);
    const isTold = workbench.page.locator('.statusbar', { hasText: 'Taken back: rewritten.' }).waitFor();
    await pressInNotification(workbench, end, 'Undo the Last One');
    await isTold;
    await until('its file is gone', PATIENCE_MS, () => files() === 1);
    await treeRows(workbench, 'There is one row', 'Review').first().waitFor();
  });

  it('says of what a teammate shared that it is forgotten, and how that is taken back', async () => {
    const path = join(workbench.folder, '.svc/memories/0007-quarter.md');
    const record = '# Rows are counted by quarter\n\n## Status\n\naccepted\n\n## Decision\n\nBy quarter.\n';
    writeFileSync(path, record);
    const row = treeRows(workbench, 'Rows are counted by quarter', 'Sessions').first();
    const isShown = () => unfoldTo(treeRows(workbench, 'In no session', 'Sessions').first(), row);
    await isShown();
    await row.click();
    await workbench.page.keyboard.press('Delete');
    const end = 'Forgotten, and its file is gone from .svc/memories, to be committed: Rows are counted by quarter';
    await notification(workbench, end).waitFor();
    expect(existsSync(path)).toBe(false);
    await pressInNotification(workbench, end, 'Undo');
    await until('its file is back', PATIENCE_MS, () => existsSync(path));
    await isShown();
    await row.click();
    await workbench.page.keyboard.press('y');
    const confirmed = 'Still true, in .svc/memories, to be committed: Rows are counted by quarter';
    await pressInNotification(workbench, confirmed, 'Undo');
    await until('its file is as it was', PATIENCE_MS, () => readFileSync(path, 'utf8') === record);
  });

  it('says which older one holds again when what had taken its place is forgotten', async () => {
    const older = await storeElsewhere(workbench, 'Rows are sorted by day', 'fact');
    await runProgram(workbench, 'svc-memory', 'share', older);
    await storeElsewhere(workbench, 'Rows are sorted by hour', 'fact', '--supersedes', older);
    const row = treeRows(workbench, 'Rows are sorted by hour', 'Sessions').first();
    await unfoldTo(unnamedSessions(workbench).first(), row);
    await row.click();
    await workbench.page.keyboard.press('Delete');
    await notification(workbench, 'What it replaced holds again: Rows are sorted by day').waitFor();
    await treeRows(workbench, 'Rows are sorted by day', 'Sessions').first().waitFor();
  });

  it('shows what two branches made of one, and keeps both where a person wants that', async () => {
    const note = (id: string, day: number, text: string, more = '') =>
      `---\nkind: fact\ndate: 2026-03-0${day}\nid: ${id}\n${more}---\n\n${text}\n`;
    const write = (name: string, text: string) => writeFileSync(join(workbench.folder, '.svc/memories', name), text);
    write('week.md', note('f_week', 1, 'Rows are kept for a week'));
    write('month.md', note('f_month', 2, 'Rows are kept for a month', 'supersedes: [f_week]\n'));
    write('year.md', note('f_year', 3, 'Nothing is thrown away for a year', 'supersedes: [f_week]\n'));
    const group = treeRows(workbench, 'Rewritten in two ways', 'Review');
    await group.waitFor();
    await treeRows(workbench, 'Nothing is thrown away for a year', 'Review').first().waitFor();
    const older = treeRows(workbench, 'Rows are kept for a month', 'Review').first();
    await workbench.screenshot('review-rewritten-in-two-ways');
    await contextAction(workbench, older, 'Keep Both');
    await group.waitFor({ state: 'detached' });
    const year = readFileSync(join(workbench.folder, '.svc/memories/year.md'), 'utf8');
    expect(year).toContain('beside:\n  - f_month\n');
    await workbench.page.keyboard.press('Control+z');
    await group.waitFor();
  });

  it('counts nothing as left for later that was settled in a terminal meanwhile', async () => {
    const { page } = workbench;
    const other = await storeElsewhere(workbench, 'Rows are never negative', 'fact', '--entities', 'src/rows.ts#rows');
    writeFileSync(join(workbench.folder, 'src/rows.ts'), rows('1 + 2'));
    await treeRows(workbench, 'Rows are never negative', 'Review').first().click();
    const title = (at: string) => page.locator('.tab.active .label-name', { hasText: at });
    await title('(1 of 2)').waitFor();
    await page.locator('.monaco-diff-editor .editor.modified .monaco-editor').first().click();
    await page.keyboard.press('s');
    await title('(2 of 2)').waitFor();
    await runProgram(workbench, 'svc-memory', 'verify', other, 'confirm');
    await treeRows(workbench, 'Rows are never negative', 'Review').waitFor({ state: 'detached' });
    await page.keyboard.press('y');
    const end = notification(workbench, 'Reviewed 1 memory (still true: 1).');
    await end.waitFor();
    expect(await end.textContent()).not.toContain('later');
  });

  it('brings a forgotten one back with its file, also on the page of what stood in its file alone', async () => {
    const path = join(workbench.folder, '.svc/memories/queue.md');
    const text = '---\nkind: fact\nid: f_queue\n---\n\nThe queue is full\n';
    writeFileSync(path, text);
    const onIt = (command: string) =>
      inHost(
        workbench,
        ({ commands, workspace }, name) => {
          const folder = workspace.workspaceFolders?.[0]?.uri.toString();
          void commands.executeCommand(name, { folder, nodeId: 'f_queue' });
        },
        command,
      );
    await onIt('agentMemory.openMemory');
    const explorer = webview(workbench);
    await explorer.locator('p.content', { hasText: 'The queue is full' }).waitFor();
    await explorer.getByRole('button', { name: 'Forget', exact: true }).click();
    await explorer.getByText('This memory has been forgotten: its file was removed from .svc/memories.').waitFor();
    expect(await explorer.locator('.problem').count()).toBe(0);
    expect(existsSync(path)).toBe(false);
    await explorer.getByRole('button', { name: 'Restore', exact: true }).click();
    await explorer.locator('.announcement', { hasText: 'its file is in .svc/memories again.' }).waitFor();
    await explorer.locator('p.content', { hasText: 'The queue is full' }).waitFor();
    expect(readFileSync(path, 'utf8')).toBe(text);
    await explorer.locator('.announcement').getByRole('button', { name: 'Undo' }).click();
    await until('its file is gone again', PATIENCE_MS, () => !existsSync(path));
    await runCommand(workbench, 'Agent Memory: Restore Forgotten Memory');
    await pick(workbench, 'The queue is full');
    await notification(workbench, 'Restored, with its file in .svc/memories: The queue is full').waitFor();
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('takes in what others make of it while its form is open, and puts nothing in the place of it unseen', async () => {
    const path = join(workbench.folder, '.svc/memories/pool.md');
    const text = '---\nkind: fact\nid: f_pool\n---\n\nThe pool is full\n\n## Why\n\nIt is small\n';
    writeFileSync(path, text);
    await inHost(workbench, ({ commands, workspace }) => {
      const folder = workspace.workspaceFolders?.[0]?.uri.toString();
      void commands.executeCommand('agentMemory.openMemory', { folder, nodeId: 'f_pool' });
    });
    const explorer = webview(workbench);
    await explorer.locator('p.content', { hasText: 'The pool is full' }).waitFor();
    await explorer.getByRole('button', { name: 'Rewrite…' }).click();
    const why = explorer.getByLabel('Why (optional)');
    const reason = (said: string) =>
      until(`the reason is "${said}"`, PATIENCE_MS, async () => (await why.inputValue()) === said);
    await reason('It is small');
    writeFileSync(path, text.replace('small', 'slow'));
    await reason('It is slow');
    await explorer.locator('#new-content').fill('The pool is empty');
    writeFileSync(path, text.replace('full', 'half full'));
    await explorer.locator('p.content', { hasText: 'The pool is half full' }).waitFor();
    await explorer.getByRole('button', { name: 'Save' }).click();
    await explorer
      .locator('.announcement', { hasText: 'was changed meanwhile. Look at it, and save again.' })
      .waitFor();
    await explorer.getByRole('button', { name: 'Save' }).click();
    await explorer.locator('p.content', { hasText: 'The pool is empty' }).waitFor();
    await explorer.locator('article', { hasText: 'It is small' }).waitFor();
    // The same by keys, from the list.
    const folder = join(workbench.folder, '.svc/memories');
    const file = join(folder, readdirSync(folder).find((name) => name.startsWith('the-pool-is-empty')) ?? '');
    const row = treeRows(workbench, 'The pool is empty', 'Sessions').first();
    await row.click();
    await workbench.page.keyboard.press('F2');
    const box = (said: string) =>
      until(`the box has "${said}"`, PATIENCE_MS, async () => {
        return (await quickInput(workbench).isVisible()) && (await quickInput(workbench).inputValue()) === said;
      });
    await box('The pool is empty');
    await quickInput(workbench).fill('The pool is dry');
    await workbench.page.keyboard.press('Enter');
    await box('It is small');
    writeFileSync(file, readFileSync(file, 'utf8').replace('small', 'slow'));
    await workbench.page.keyboard.press('Enter');
    await notification(workbench, 'This memory was changed meanwhile. Look at it again.').waitFor();
    await box('The pool is dry');
    await workbench.page.keyboard.press('Enter');
    await box('It is slow');
    await workbench.page.keyboard.press('Escape');
    expect(readFileSync(file, 'utf8')).toContain('The pool is empty');
  });

  it('says which file keeps a sharing from being undone', async () => {
    const id = await storeElsewhere(workbench, 'The disk is full', 'fact');
    await runProgram(workbench, 'svc-memory', 'share', id);
    const folder = join(workbench.folder, '.svc/memories');
    const name = readdirSync(folder).find((each) => each.startsWith('the-disk-is-full')) ?? '';
    const text = readFileSync(join(folder, name), 'utf8');
    writeFileSync(join(folder, name), text.replace('full', 'half full'));
    const undo = () =>
      inHost(
        workbench,
        ({ commands, workspace }, nodeId) => {
          const folder = workspace.workspaceFolders?.[0]?.uri.toString();
          void commands.executeCommand('agentMemory.undoMemory', { folder, nodeId });
        },
        id,
      );
    await undo();
    await notification(
      workbench,
      `Not undone: .svc/memories/${name} was changed since. Take back that change first, and undo again.`,
    ).waitFor();
    rmSync(join(folder, name));
    await undo();
    await notification(workbench, 'Not undone: the file of this memory is not here, as on another branch.').waitFor();
    writeFileSync(join(folder, name), text);
  });

  it('asks for the reason of what is rewritten, and no longer rejects what is chosen now', async () => {
    const { keyboard } = workbench.page;
    const old = [
      '--rationale',
      'One writer is enough',
      '--alternatives-rejected',
      'a server',
      '--alternatives-rejected',
      'two files',
    ];
    await storeElsewhere(workbench, 'The store is one file', 'decision', ...old);
    const row = treeRows(workbench, 'The store is one file', 'Sessions').first();
    await unfoldTo(unnamedSessions(workbench).first(), row);
    await row.click();
    await keyboard.press('F2');
    await quickInput(workbench).waitFor();
    await quickInput(workbench).fill('The store is two files');
    await keyboard.press('Enter');
    await until('the reason is asked', PATIENCE_MS, async () =>
      (await quickInput(workbench).inputValue()).startsWith('One'),
    );
    await quickInput(workbench).fill('Readers wait for nobody');
    await keyboard.press('Enter');
    await until('what is chosen now is not rejected', PATIENCE_MS, async () => {
      return (await quickInput(workbench).inputValue()) === 'a server';
    });
    await keyboard.press('Enter');
    await treeRows(workbench, 'The store is two files', 'Sessions').first().waitFor();
    const said = async () => {
      const found = await commandLine(workbench, 'nodes', '--kinds', 'decision', '--letters', 'two files', '--json');
      const [{ id }, ...others] = JSON.parse(found) as [{ id: string }];
      expect(others).toEqual([]);
      return JSON.parse(await commandLine(workbench, 'node', id, '--json')) as { id: string };
    };
    const written = await said();
    expect(written).toMatchObject({ rationale: 'Readers wait for nobody', alternatives_rejected: ['a server'] });

    // The reason alone; and nothing, which stores nothing.
    const box = async (...texts: readonly (readonly [shown: string, typed: string])[]): Promise<void> => {
      await treeRows(workbench, 'The store is two files', 'Sessions').first().click();
      await keyboard.press('F2');
      for (const [shown, typed] of texts) {
        await until(`"${shown}" is asked`, PATIENCE_MS, async () => {
          return (await quickInput(workbench).isVisible()) && (await quickInput(workbench).inputValue()) === shown;
        });
        await quickInput(workbench).fill(typed);
        await keyboard.press('Enter');
      }
    };
    const same = (text: string) => [text, text] as const;
    await box(same('The store is two files'), same('Readers wait for nobody'), same('a server'));
    await box(same('The store is two files'), ['Readers wait for nobody', 'No lock is held'], same('a server'));
    await until('the reason is another', PATIENCE_MS, async () => (await said()).id !== written.id);
    expect(await said()).toMatchObject({
      content: 'The store is two files',
      rationale: 'No lock is held',
      alternatives_rejected: ['a server'],
      supersedes: [{ id: written.id }],
    });
  });
});
