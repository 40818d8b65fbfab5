import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from './support/command-line';
import { openFile } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { quickInput } from './support/palette';
import { happens, PATIENCE_MS, until } from './support/until';
import { arrowTo, notification, openView, pressInNotification, treeRows, view } from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

/** More than what a page may take before that is told. */
const SLOW_MS = 1_500;
const NAMES = ['first', 'second', 'third'];

/** Methods: none of them is a whole program by itself. */
const jobs = (what: string): string =>
  `export class Jobs {\n${NAMES.map((name) => `  ${name}(): string {\n    return "${name} ${what}";\n  }\n`).join('\n')}}\n`;

describe('the review', () => {
  let workbench: Workbench;
  const ids = new Map<string, string>();
  const title = (text: string | RegExp) => workbench.page.locator('.tab.active .label-name', { hasText: text });
  const line = (text: RegExp) =>
    workbench.page.locator('.monaco-diff-editor .editor.modified .view-line').filter({ hasText: text }).first();
  const inPage = () => workbench.page.locator('.monaco-diff-editor .monaco-editor.focused');
  const at = (place: number, of = 3) => line(new RegExp(`${place}\\sof\\s${of}`)).waitFor();
  const change = (what: string): void => writeFileSync(join(workbench.folder, 'src/jobs.ts'), jobs(what));
  const begin = async (): Promise<void> => {
    await openView(workbench, 'Agent Memory');
    await until('three wait', PATIENCE_MS, async () => (await treeRows(workbench, 'Jobs:', 'Review').count()) === 3);
    await treeRows(workbench, 'Jobs:', 'Review').first().click();
    await title('(1 of 3)').waitFor();
  };

  beforeAll(async () => {
    workbench = await openWorkbench({ files: { 'src/jobs.ts': jobs('is taken') }, size: { width: 1280, height: 900 } });
    await runProgram(workbench, 'svc-memory', 'init');
    await runProgram(workbench, 'svc', 'build');
    for (const name of NAMES) {
      const about = ['--entities', `src/jobs.ts#Jobs.${name}`];
      ids.set(name, await storeElsewhere(workbench, `Jobs: ${name} says so`, 'decision', ...about));
    }
  });
  afterAll(() => workbench?.close());

  it('shows pieces of code in their colours, and reports no faults in them', async () => {
    change('is skipped');
    await openFile(workbench, 'src/jobs.ts');
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.keepEditor'));
    await begin();
    const code = workbench.page.locator('.monaco-diff-editor .editor.modified .view-line', { hasText: /return/ });
    await until('the code has colours', PATIENCE_MS, async () => {
      const classes = await code
        .first()
        .locator('span span')
        .evaluateAll((all) => all.map((one) => one.className));
      return new Set(classes).size > 2;
    });
    // No program that reports faults knows this language.
    const languages = await inHost(workbench, ({ window }) =>
      window.visibleTextEditors.map(({ document }) => `${document.uri.scheme} ${document.languageId}`),
    );
    expect(languages).toEqual(['agent-memory-code agent-memory-ts', 'agent-memory-code agent-memory-ts']);
    // What an editor of 1,440 pixels has at 200 %.
    await workbench.page.setViewportSize({ width: 720, height: 450 });
    const editor = workbench.page.locator('.monaco-diff-editor .editor.modified .monaco-editor').first();
    const key = editor.locator('.view-line span', { hasText: /longer/ }).last();
    await until('no key is cut off', PATIENCE_MS, async () => {
      const [line, around] = await Promise.all([key.boundingBox(), editor.boundingBox()]);
      return line !== null && around !== null && line.x + line.width <= around.x + around.width;
    });
    await workbench.screenshot('review-narrow');
    await workbench.page.setViewportSize({ width: 1280, height: 900 });
  });

  it('shows the code as it is also where that changes beside it', async () => {
    await treeRows(workbench, 'Jobs:', 'Review').first().click();
    await at(1);
    change('is repeated');
    await line(/is\srepeated/).waitFor();
    change('is taken');
    // More of it is on the next line.
    await line(/is\sas\sit/).waitFor();
    change('is skipped');
    await line(/is\sskipped/).waitFor();
    await line(/Does/).waitFor();
    await title('(1 of 3)').waitFor();
    // Nobody has seen this one when the key is there: in the same moment, because a busy editor hands on a key later.
    const unseen = { file: join(workbench.folder, 'src/jobs.ts'), text: jobs('is seen by nobody') };
    await inHost(
      workbench,
      async ({ window, commands }, { file, text }) => {
        const isOdd = window.visibleTextEditors.some(({ document }) => document.uri.path.includes('/now/odd/'));
        process.getBuiltinModule('node:fs').writeFileSync(file, text);
        await commands.executeCommand('agentMemory.reviewStillTrue', { page: isOdd ? 'odd' : 'even' });
      },
      unseen,
    );
    await notification(workbench, 'Nothing was stored, because the code was changed while you looked: Jobs:').waitFor();
    expect(await treeRows(workbench, 'Jobs:', 'Review').count()).toBe(3);
    change('is skipped');
    await line(/is\sskipped/).waitFor();
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.closeActiveEditor'));
    await begin();
  });

  it('takes each key for what is on the screen, as soon as it is there', async () => {
    /** The list beside it shows where the person is. */
    const isSelected = async (): Promise<void> => {
      const shown = workbench.page.locator('.monaco-diff-editor .editor.modified .view-line', { hasText: /Jobs:/ });
      const [, name] = /Jobs:\s(\w+)/.exec((await shown.first().textContent()) ?? '') ?? [];
      const selected = view(workbench, 'Review').locator('.monaco-list-row.selected');
      await selected.filter({ hasText: `Jobs: ${name}` }).waitFor();
    };
    await at(1);
    // A key for a page that was on the screen before is for nothing that is there now.
    const isSaid = workbench.page.locator('.statusbar', { hasText: 'that key did nothing' }).waitFor();
    await inHost(workbench, async ({ window, commands }) => {
      const isOdd = window.visibleTextEditors.some(({ document }) => document.uri.path.includes('/now/odd/'));
      await commands.executeCommand('agentMemory.reviewStillTrue', { page: isOdd ? 'even' : 'odd' });
    });
    await isSaid;
    await title('(1 of 3)').waitFor();
    await workbench.page.keyboard.press('y');
    await at(2);
    await isSelected();
    const isTakenBack = workbench.page.locator('.statusbar', { hasText: 'Taken back: still true.' }).waitFor();
    await workbench.page.keyboard.press('u');
    await at(1);
    await isTakenBack;
    await isSelected();
    expect(await workbench.page.locator('.statusbar').textContent()).not.toContain('takes it back');
    // Of one that was left, too: it is not the decision before it that is taken back.
    await workbench.page.keyboard.press('y');
    await at(2);
    // It is said for a few seconds, which a busy editor may take to draw the next page.
    const isTold = workbench.page.locator('.statusbar', { hasText: 'U brings it back' }).waitFor();
    await workbench.page.keyboard.press('s');
    await at(3);
    await isTold;
    const isBack = workbench.page.locator('.statusbar', { hasText: 'Brought back.' }).waitFor();
    await workbench.page.keyboard.press('u');
    await at(2);
    await isBack;
    await isSelected();
    await workbench.page.keyboard.press('y');
    await at(3);
    await isSelected();
    await workbench.page.keyboard.press('n');
    // While the page is being closed, too.
    await workbench.page.keyboard.type('x'.repeat(20), { delay: 100 });
    const end = 'Reviewed 3 memories (still true: 2, no longer true: 1)';
    await notification(workbench, end).waitFor();
    // Nothing says that a key takes it back, and none is written into the code that stood behind.
    await workbench.page.locator('.tab.active', { hasText: 'jobs.ts' }).waitFor();
    await view(workbench, 'Review').locator('.monaco-list:focus').waitFor();
    await workbench.page.locator('.statusbar').filter({ hasText: 'takes it back' }).waitFor({ state: 'detached' });
    await workbench.page.keyboard.type('un');
    const text = await inHost(workbench, ({ window }) => window.activeTextEditor?.document.getText());
    expect(text).toBe(jobs('is skipped'));
    await pressInNotification(workbench, end, 'Undo the Last One');
    await title('(3 of 3)').waitFor();
    await at(3);
    await workbench.page.keyboard.press('r');
    await quickInput(workbench).waitFor();
    // Nothing is read while a person types, however long that takes.
    await workbench.page.waitForTimeout(SLOW_MS);
    expect(await workbench.page.locator('.statusbar').textContent()).not.toContain('is being read');
    await workbench.page.keyboard.press('Escape');
    await workbench.page.locator('.monaco-diff-editor .editor.modified .monaco-editor.focused').waitFor();
    await workbench.page.keyboard.press('n');
    await notification(workbench, end).waitFor();
    await treeRows(workbench, 'No memory is in doubt', 'Review').first().waitFor();
  });

  it('sets apart, and folds, what is about a whole file', async () => {
    await storeElsewhere(workbench, 'All of it is in one file', 'fact', '--entities', 'src/jobs.ts');
    change('is lost');
    await treeRows(workbench, 'About a file that changed', 'Review').waitFor();
    await until('what still holds waits', PATIENCE_MS, async () => {
      const waiting = await treeRows(workbench, 'Jobs:', 'Review').count();
      return waiting === 2;
    });
    expect(await treeRows(workbench, 'All of it is in one file', 'Review').count()).toBe(0);
    const inFile = treeRows(workbench, 'All of it is in one file', 'Review');
    const waitsFor = (row: typeof inFile): Promise<boolean> => happens(row.waitFor({ timeout: SLOW_MS }));
    await until('what is about the file is unfolded', PATIENCE_MS, async () => {
      // What the mouse rests on, or has the focus, shows its tooltip, which covers other rows.
      await workbench.page.mouse.move(0, 0);
      await workbench.page.keyboard.press('Escape');
      const group = treeRows(workbench, 'About a file that changed', 'Review');
      // A click on what is unfolded, and only slow to be read, would fold it.
      if ((await group.getAttribute('aria-expanded')) === 'true' && (await waitsFor(inFile))) return true;
      await group.click({ timeout: SLOW_MS }).catch(() => undefined);
      // Whatever the click did, the first unfolds, and the second goes to a row below that is out of sight.
      await workbench.page.keyboard.press('ArrowRight');
      await workbench.page.keyboard.press('ArrowRight');
      return waitsFor(inFile);
    });

    // As many as the badge says, and the one about the file by itself.
    await treeRows(workbench, 'Jobs:', 'Review').first().click();
    await title('(1 of 2)').waitFor();
    await inFile.click();
    await title('(1 of 1)').waitFor();
    await at(1, 1);
    await workbench.page.keyboard.press('s');
    await notification(workbench, /^[^(]*Left for later: 1\./).waitFor();
    // The next key is not meant for what was left for later.
    await workbench.page.keyboard.press('y');
    await notification(workbench, 'Select a row first.').waitFor();
    await inFile.waitFor();
  });

  it('does not say that a key settled what was forgotten somewhere else', async () => {
    await treeRows(workbench, 'Jobs:', 'Review').first().click();
    await title('(1 of 2)').waitFor();
    const [, name = ''] = /Jobs:\s(\w+)/.exec((await line(/Jobs:/).textContent()) ?? '') ?? [];
    await runProgram(workbench, 'svc-memory', 'forget', ids.get(name) ?? '');
    await treeRows(workbench, `Jobs: ${name}`, 'Review').waitFor({ state: 'detached' });
    await line(/no\slonger\swaits/).waitFor();
    await workbench.page.locator('.monaco-diff-editor .editor.modified .monaco-editor').first().click();
    await workbench.page.keyboard.press('y');
    await notification(workbench, 'Nothing was stored: this memory no longer waits').waitFor();
    expect(await workbench.page.locator('.statusbar').textContent()).not.toContain('takes it back');
    expect(await notification(workbench, 'node_id').count()).toBe(0);
  });

  it('stores nothing on a memory that was settled somewhere else since its page came', async () => {
    const path = join(workbench.folder, 'src/rows.ts');
    writeFileSync(path, 'export function rows(): number {\n  return 1;\n}\n');
    await runProgram(workbench, 'svc', 'build');
    const nodeId = await storeElsewhere(workbench, 'There is one row', 'fact', '--entities', 'src/rows.ts#rows');
    writeFileSync(path, 'export function rows(): number {\n  return 1 + 0;\n}\n');
    const row = treeRows(workbench, 'There is one row', 'Review');
    await openView(workbench, 'Agent Memory');
    await row.first().click();
    await line(/return\s1\s\+\s0/).waitFor();
    const confirm = async (): Promise<void> => {
      await runProgram(workbench, 'svc-memory', 'verify', nodeId, 'confirm');
      await row.waitFor({ state: 'detached' });
      await line(/no\slonger\swaits/).waitFor();
    };
    await confirm();
    // What is taken back there is in doubt here again.
    await runProgram(workbench, 'svc-memory', 'undo');
    await row.waitFor();
    await line(/Does/).waitFor();
    await confirm();
    await workbench.page.locator('.monaco-diff-editor .editor.modified .monaco-editor').first().click();
    await workbench.page.keyboard.press('n');
    await notification(workbench, 'Nothing was stored: this memory no longer waits').waitFor();
    expect(await commandLine(workbench, 'recall', 'how many rows')).toContain('There is one row');
  });

  it('takes keys in the list, and opens no page for them', async () => {
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.closeAllEditors'));
    await inHost(workbench, ({ commands }) => commands.executeCommand('agentMemory.review.focus'));
    await arrowTo(workbench, 'Review', 'Jobs:');
    // Also a box that takes longer to come than a person to type.
    await workbench.page.keyboard.press('F2');
    await quickInput(workbench).waitFor();
    await workbench.page.waitForTimeout(SLOW_MS);
    await workbench.page.keyboard.type(' now');
    expect(await quickInput(workbench).inputValue()).toMatch(/^Jobs: \w+ says so now$/);
    expect(await workbench.page.locator('.tab').count()).toBe(0);
    await workbench.page.keyboard.press('Escape');
    await view(workbench, 'Review').locator('.monaco-list:focus').waitFor();
    await workbench.page.keyboard.press('y');
    await notification(workbench, 'Still true: Jobs:').waitFor();
    await treeRows(workbench, 'Jobs:', 'Review').waitFor({ state: 'detached' });
    await view(workbench, 'Review').locator('.monaco-list:focus').waitFor();
    expect(await workbench.page.locator('.tab').count()).toBe(0);
  });

  it('goes on with the row below after each key, with one that is rewritten, too, and after the last of a group', async () => {
    for (const name of NAMES) {
      await storeElsewhere(workbench, `Jobs: ${name} ends`, 'fact', '--entities', `src/jobs.ts#Jobs.${name}`);
    }
    change('is put away');
    const rows = treeRows(workbench, 'Jobs:', 'Review');
    await until('all wait', PATIENCE_MS, async () => (await rows.count()) === 4);
    const [first = '', ...others] = await rows.locator('.label-name').allTextContents();
    const focused = view(workbench, 'Review').locator('.monaco-list:focus .monaco-list-row.focused.selected');
    await inHost(workbench, ({ commands }) => commands.executeCommand('agentMemory.review.focus'));
    await arrowTo(workbench, 'Review', first);
    await workbench.page.keyboard.press('F2');
    await quickInput(workbench).waitFor();
    await workbench.page.keyboard.type(' now');
    await workbench.page.keyboard.press('Enter');
    for (const [i, row] of others.entries()) {
      await focused.filter({ hasText: row }).waitFor();
      await workbench.page.keyboard.press(i === 0 ? 'y' : 'Delete');
    }
    await focused.filter({ hasText: 'About a file that changed' }).waitFor();
    await rows.first().waitFor({ state: 'detached' });
    await focused.filter({ hasText: 'About a file that changed' }).waitFor();
  });

  it('opens the file of a function that is gone, or says that it is gone, too', async () => {
    const path = join(workbench.folder, 'src/old.ts');
    writeFileSync(path, 'export function leave(): void {\n  console.info("left");\n}\n');
    await runProgram(workbench, 'svc', 'build');
    await storeElsewhere(workbench, 'Leaving is said', 'fact', '--entities', 'src/old.ts#leave');
    writeFileSync(path, 'export const LEFT = 1;\n');
    const row = treeRows(workbench, 'Leaving is said', 'Review').first();
    await row.click();
    const page = line(/is\sgone\sfrom/);
    await page.waitFor();
    await inPage().waitFor();
    await workbench.page.keyboard.press('o');
    await workbench.page.locator('.tab.active', { hasText: 'old.ts' }).waitFor();
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.closeAllEditors'));
    rmSync(path);
    await until('its page is there', PATIENCE_MS, async () => {
      // A list that is read again between the two halves of a click takes no notice of it.
      await row.click();
      return happens(inPage().waitFor({ timeout: 3 * SLOW_MS }));
    });
    await page.waitFor();
    await workbench.page.keyboard.press('o');
    await notification(workbench, 'src/old.ts is no longer there.').waitFor();
  });

  it('names a file of shared memories that cannot be read, and opens it', async () => {
    const path = join(workbench.folder, '.svc/memories/broken.md');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '---\nid: f_babababa\nkind: fact\nvalid-from: yesterday\n---\n\nOne file\n');
    const row = treeRows(workbench, 'broken.md cannot be read', 'Review').first();
    await row.click();
    await workbench.page.locator('.tab.active', { hasText: 'broken.md' }).waitFor();
    await workbench.screenshot('review-unread');
    rmSync(path);
    await row.waitFor({ state: 'detached' });
  });

  it('says how to begin where nothing is remembered, and offers nothing to compare', async () => {
    await inHost(workbench, ({ workspace }) =>
      workspace.getConfiguration('agentMemory').update('namespace', 'empty', 2),
    );
    const review = view(workbench, 'Review');
    await review.getByText('Nothing is remembered here.').waitFor();
    await review.getByText('What you draft waits here until you keep it.').waitFor();
    await review.getByText('Draft Memories from This Project…').waitFor();
    expect(await treeRows(workbench, /Every memory|Near-duplicates/, 'Review').count()).toBe(0);
  });
});
