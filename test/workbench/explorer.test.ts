import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editorOf } from './support/editors';
import { type OpenExplorer, openExplorer } from './support/explorer';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { quickInput } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import { dialog, pressInDialog } from './support/views';
import type { Workbench } from './support/workbench';

describe('the Memory explorer', () => {
  let explorer: OpenExplorer;
  let workbench: Workbench;
  const page = () => explorer.page();
  const shown = (what: string, look: () => Promise<boolean>) => until(what, PATIENCE_MS, look);

  beforeAll(async () => {
    explorer = await openExplorer();
    workbench = explorer.workbench;
  });
  afterAll(() => workbench?.close());

  it('shows byte for byte what an agent gets, and the same as rows', async () => {
    await page().locator('#query').fill('where do memories lie');
    await page().locator('#budget').fill('300');
    await page().locator('#budget').press('Tab');
    const expected = await runProgram(
      workbench,
      'svc-memory',
      ...['recall', 'where do memories lie', '--budget-tokens', '300'],
    );
    await shown('the text is what the command line prints', async () => {
      return (await page().locator('#markdown').textContent()) === expected.trimEnd();
    });
    const printed = [...expected.matchAll(/^- \[(\w+)\]/gm)].map(([, id]) => id);
    expect(printed).toContain(explorer.ids.sqlite);
    expect(
      await page()
        .locator('button.row')
        .evaluateAll((rows) => rows.map((each) => each.getAttribute('data-node'))),
    ).toEqual(printed);
    expect(await page().locator(`button.row[data-node="${explorer.ids.sqlite}"] .reasons`).textContent()).toContain(
      'by its words',
    );
    const [, used] = /(\d+)\/300 tokens/.exec(expected) ?? [];
    expect(await page().locator('.summary').first().textContent()).toContain(`${used} of 300 tokens`);
    await workbench.screenshot('explorer-search-dark');
  });

  it('keeps to a smaller budget as soon as the slider is moved', async () => {
    await page().locator('#budget-slider').focus();
    await workbench.page.keyboard.press('Home');
    await page()
      .getByText(/of 50 tokens/)
      .waitFor();
    await page().locator('#budget').fill('500');
    await page().locator('#budget').press('Tab');
    await page()
      .getByText(/of 500 tokens/)
      .waitFor();
  });

  it('is worked with the keyboard alone: from the question to a memory, and back to its row', async () => {
    const { keyboard } = workbench.page;
    const row = page().locator(`[data-node="${explorer.ids.sqlite}"]`);
    const hasFocus = (place: Locator) => place.evaluate((element) => element === document.activeElement);
    await page().locator('#query').focus();
    await row.waitFor();
    await keyboard.press('ArrowDown');
    await page().locator('button.row').first().and(page().locator(':focus')).waitFor();
    await keyboard.press('ArrowUp');
    await page().locator('#query:focus').waitFor();
    // Two keys of the editor are typed nowhere.
    const asked = await page().locator('#query').inputValue();
    await keyboard.press('Control+k');
    await keyboard.press('a');
    await quickInput(workbench).waitFor();
    await keyboard.press('Escape');
    expect(await page().locator('#query').inputValue()).toBe(asked);
    await page().locator('#query').focus();
    await shown('a row has the focus', async () => {
      await keyboard.press('Tab');
      return hasFocus(row);
    });
    await keyboard.press('Enter');
    await explorer.heading().filter({ hasText: explorer.ids.sqlite }).waitFor();
    expect(await hasFocus(explorer.heading())).toBe(true);
    await shown('the way back has the focus', async () => {
      await keyboard.press('Shift+Tab');
      return hasFocus(page().getByRole('button', { name: 'Back' }));
    });
    await keyboard.press('Enter');
    await explorer.heading().filter({ hasText: 'Search' }).waitFor();
    await shown('the row has the focus again', () => hasFocus(row));
  });

  it('tells on the page of a memory what it is, what it superseded, where it comes from and what code it is about', async () => {
    await explorer.openMemory(explorer.ids.sqlite);
    await explorer.heading().filter({ hasText: explorer.ids.sqlite }).waitFor();
    const text = await page().locator('article').textContent();
    for (const each of [
      'Memories lie in one SQLite file',
      'Many processes write at once',
      'Postgres: a server to run',
      'Memories lie in JSON files',
      'storage',
      'Move the store to SQLite',
      'code unchanged',
      '0.80',
    ]) {
      expect(text).toContain(each);
    }
    expect(await page().locator('ol.chain [aria-current]').textContent()).toContain('Memories lie in one SQLite file');
    await workbench.screenshot('explorer-memory-dark');
    await page().locator('ul.code button', { hasText: 'openStore' }).click();
    await editorOf(workbench, 'store.ts').waitFor();
    await inHost(workbench, (vscode) => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
  });

  it('judges the code as it is now', async () => {
    const { folder } = workbench;
    await inHost(
      workbench,
      async (vscode, path: string) => {
        const text = 'export function openStore(path: string): string {\n  return path.trim();\n}\n';
        await vscode.workspace.fs.writeFile(vscode.Uri.file(path), new TextEncoder().encode(text));
      },
      `${folder}/src/store.ts`,
    );
    await page().locator('li .verdict', { hasText: 'code changed' }).waitFor();
    await explorer.openMemory(explorer.ids.close);
    await page().locator('li .verdict', { hasText: 'code gone' }).waitFor();
    // It is told at the top of the page as well.
    await page().locator('.titled .verdict', { hasText: 'code gone' }).waitFor();
  });

  it('confirms, refutes and forgets, and takes each of them back', async () => {
    const said = page().locator('.announcement');
    const confidence = page().locator('dl.facts').first();
    await explorer.openMemory(explorer.ids.sqlite);
    await page().getByRole('button', { name: 'Still True', exact: true }).click();
    await said.getByText('Still true.').waitFor();
    await confidence.getByText('0.90').waitFor();
    // Twice is once: the second one would be refused.
    await said.getByRole('button', { name: 'Undo' }).dblclick();
    await confidence.getByText('0.80').waitFor();
    expect(await said.textContent()).toContain('Undone.');
    await page().getByRole('button', { name: 'No Longer True', exact: true }).click();
    await page().locator('.state', { hasText: 'no longer true' }).first().waitFor();
    await said.getByRole('button', { name: 'Undo' }).click();
    await page().locator('.state', { hasText: 'open' }).first().waitFor();
    await page().getByRole('button', { name: 'Forget', exact: true }).click();
    await page().locator('.state', { hasText: 'forgotten' }).first().waitFor();
    await page().getByRole('button', { name: 'Restore', exact: true }).click();
    await said.getByText('Restored.').waitFor();
    await page().locator('.state', { hasText: 'open' }).first().waitFor();
    expect(await page().locator('ol.history').textContent()).toMatch(
      /Stored[\s\S]*Still true[\s\S]*Forgotten[\s\S]*Restored/,
    );
    // What is taken back elsewhere is not said here any more.
    await page().getByRole('button', { name: 'Forget', exact: true }).click();
    await said.getByText('Forgotten').waitFor();
    await inHost(workbench, ({ commands }) => void commands.executeCommand('agentMemory.undo'));
    await page().locator('.state', { hasText: 'open' }).first().waitFor();
    await page().locator('.announcement.silent').waitFor({ state: 'attached' });
  });

  it('supersedes by what is written into its form', async () => {
    await explorer.openMemory(explorer.ids.close);
    await page().getByRole('button', { name: 'Rewrite…' }).click();
    await page().locator('#new-content').fill('Closing the store may fail');
    // Somebody looks into a file before going on.
    await inHost(workbench, async ({ commands }) => {
      await commands.executeCommand('workbench.action.files.newUntitledFile');
      await commands.executeCommand('agentMemory.openExplorer');
    });
    await page().locator('#new-content').waitFor();
    expect(await page().locator('#new-content').inputValue()).toBe('Closing the store may fail');
    await page().getByRole('button', { name: 'Save' }).click();
    await page().locator('p.content', { hasText: 'Closing the store may fail' }).waitFor();
    // What was not written again is kept.
    await page().locator('article', { hasText: 'Nothing is left to be written' }).waitFor();
    await page().locator('ol.chain button', { hasText: 'Closing the store never fails' }).click();
    await page().locator('.state', { hasText: 'superseded' }).first().waitFor();
    // Above what holds no longer.
    await page().locator('aside.replaced button', { hasText: 'Closing the store may fail' }).waitFor();
    // The reason, and no more than that.
    await page().locator('aside.replaced button', { hasText: 'Closing the store may fail' }).click();
    await page().locator('p.content', { hasText: 'Closing the store may fail' }).waitFor();
    await page().getByRole('button', { name: 'Rewrite…' }).click();
    const save = page().getByRole('button', { name: 'Save' });
    await shown('nothing is to be saved', () => save.isDisabled());
    await page().getByLabel('Why (optional)').fill('The disk may be full');
    await save.click();
    await page().locator('article', { hasText: 'The disk may be full' }).waitFor();
    await page().locator('p.content', { hasText: 'Closing the store may fail' }).waitFor();
    // What a decision rejected, without what is chosen now.
    await explorer.openMemory(explorer.ids.sqlite);
    await page().getByRole('button', { name: 'Rewrite…' }).click();
    const rejected = page().locator('#new-rejected');
    const rejects = (text: string) =>
      shown(`"${text}" is rejected`, async () => (await rejected.inputValue()) === text);
    await rejects('Postgres: a server to run');
    await page().locator('#new-content').fill('We chose Postgres: a server to run');
    await rejects('');
    await rejected.fill('One file\n');
    await page().locator('#new-content').fill('The store is one SQLite file');
    await rejects('One file\n');
    await page().getByRole('button', { name: 'Cancel' }).click();
  });

  it('draws memories over time, superseded ones marked, and looks closer by key', async () => {
    await explorer.goTo('Timeline');
    await page().locator('svg .mark').first().waitFor();
    expect(await page().locator('svg .mark').count()).toBe(7);
    expect(await page().locator('svg .mark.closed').count()).toBe(3);
    expect(await page().locator('svg path.succession').count()).toBe(3);
    await page().locator('button.row.closed', { hasText: 'Memories lie in JSON files' }).waitFor();
    await workbench.screenshot('explorer-timeline-dark');
    const ticks = () => page().locator('text.tick').allTextContents();
    const before = await ticks();
    await page().locator('.drawing').focus();
    await workbench.page.keyboard.press('+');
    await shown('the axis shows a shorter time', async () => (await ticks()).join() !== before.join());
    await page().getByRole('button', { name: 'Show all' }).click();
    await shown('the axis shows all again', async () => (await ticks()).join() === before.join());
    await page().locator('#topic').fill('fail');
    await shown('only the topic is left', async () => (await page().locator('svg .mark').count()) === 3);
    for (const nth of [0, 1, 2]) {
      await workbench.page.keyboard.press('ArrowDown');
      await page().locator('button.row').nth(nth).and(page().locator(':focus')).waitFor();
    }
  });

  it('draws two steps around an entity and opens more of it from the list', async () => {
    const about = ['--entities', 'openStore', '--entities', 'backups'];
    await storeElsewhere(workbench, 'Backups follow the store', 'fact', ...about);
    await explorer.goTo('Graph');
    await page().locator('#around').fill('storage');
    await page().locator('#around').press('Enter');
    await page().locator('.graph-row', { hasText: 'Memories lie in one SQLite file' }).waitFor();
    await page().locator('.graph-row', { hasText: 'src/store.ts' }).first().waitFor();
    await page().locator('.graph-drawing canvas').first().waitFor();
    const before = await page().locator('.graph-row').count();
    const expand = page()
      .locator('.graph-row', { hasText: /^\s*Entity\s+openStore/ })
      .locator('button.icon');
    await expand.focus();
    await workbench.page.keyboard.press('Enter');
    await page().locator('.graph-row', { hasText: 'Backups follow the store' }).waitFor();
    expect(await page().locator('.graph-row').count()).toBeGreaterThan(before);
    // The drawing is painted: more than one colour is in it.
    await shown('something is drawn', () =>
      page()
        .locator('.graph-drawing canvas')
        .evaluateAll((canvases) =>
          canvases.some((each) => {
            const canvas = each as unknown as { width: number; height: number; getContext(kind: '2d'): unknown };
            const context = canvas.getContext('2d') as {
              getImageData(x: number, y: number, w: number, h: number): { data: Uint8ClampedArray };
            };
            return context.getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0);
          }),
        ),
    );
    await workbench.screenshot('explorer-graph-dark');
  });

  it('sees what another process stores while it is open', async () => {
    await explorer.goTo('Search');
    await page().locator('#query').fill('zebra');
    await page().getByText('Nothing is remembered about this yet.').first().waitFor();
    await page().locator('#budget').fill('42');
    await storeElsewhere(workbench, 'A zebra has stripes', 'fact');
    await explorer.row('A zebra has stripes').waitFor();
    // What is being typed is left alone.
    expect(await page().locator('#budget').inputValue()).toBe('42');
  });

  it('keeps, rewrites and drops what waits, on its page', async () => {
    const contents = ['Releases are made on Tuesdays', 'Releases need one reviewer', 'Releases skip the tests'];
    writeFileSync(
      join(workbench.folder, 'notes.json'),
      JSON.stringify(contents.map((content) => ({ kind: 'fact', content }))),
    );
    await runProgram(workbench, 'svc-memory', 'import', 'notes.json');
    const nodes = JSON.parse(await runProgram(workbench, 'svc-memory', 'nodes', '--json'));
    const ids = contents.map((each) => nodes.find(({ content }: { content: string }) => content === each)?.id);
    const said = page().locator('.announcement');
    const press = (name: string) => page().getByRole('button', { name, exact: true }).click();
    const standing = async (id: string) =>
      JSON.parse(await runProgram(workbench, 'svc-memory', 'node', id, '--json')).standing;
    await explorer.openMemory(ids[0]);
    await press('Keep');
    await said.getByText('Kept.').waitFor();
    expect(await standing(ids[0])).toBe('confirmed');
    // What is kept is a memory like others.
    await page().getByRole('button', { name: 'Still True', exact: true }).waitFor();
    await said.getByRole('button', { name: 'Undo' }).click();
    await page().getByRole('button', { name: 'Keep', exact: true }).waitFor();
    expect(await standing(ids[0])).toBe('proposed');
    await explorer.openMemory(ids[1]);
    await press('Rewrite…');
    await page().locator('#new-content').fill('Releases need no reviewer');
    await press('Save');
    await page().locator('p.content', { hasText: 'Releases need no reviewer' }).waitFor();
    // Taken back, it leads to what was there before.
    await said.getByRole('button', { name: 'Undo' }).click();
    await page().locator('p.content', { hasText: 'Releases need one reviewer' }).waitFor();
    await press('Rewrite…');
    await page().locator('#new-content').fill('Releases need two reviewers\n');
    await page().locator('#new-content').press('Control+Enter');
    await page().locator('p.content', { hasText: 'Releases need two reviewers' }).waitFor();
    const rewritten = JSON.parse(await runProgram(workbench, 'svc-memory', 'nodes', '--json'));
    expect(rewritten.map(({ content }: { content: string }) => content)).toContain('Releases need two reviewers');
    await explorer.openMemory(ids[2]);
    await press('Drop');
    await said.getByText('Dropped.').waitFor();
    await page().locator('.state', { hasText: 'forgotten' }).first().waitFor();
    const waiting = await runProgram(workbench, 'svc-memory', 'review', '--only', 'proposals');
    expect(contents.filter((each) => waiting.includes(each))).toEqual(contents.slice(0, 1));

    // The import was one step: its undo, on the page of one memory, asks before it takes back what is left of all.
    const more = ['Builds are made at night', 'Builds are kept for a week'];
    writeFileSync(
      join(workbench.folder, 'more.json'),
      JSON.stringify(more.map((content) => ({ kind: 'fact', content }))),
    );
    await runProgram(workbench, 'svc-memory', 'import', 'more.json');
    const isThere = async () =>
      (await runProgram(workbench, 'svc-memory', 'review', '--only', 'proposals')).includes(more[1] ?? '');
    const imported = JSON.parse(await runProgram(workbench, 'svc-memory', 'nodes', '--json'));
    await explorer.openMemory(imported.find(({ content }: { content: string }) => content === more[0])?.id);
    const undo = page().locator('ol.history').getByRole('button', { name: 'Undo: Stored' });
    await undo.click();
    await dialog(workbench).filter({ hasText: 'This was one step with 2 memories' }).waitFor();
    await pressInDialog(workbench, 'Cancel');
    expect(await isThere()).toBe(true);
    await undo.click();
    await pressInDialog(workbench, 'Undo All of It');
    await said.getByText('Undone.').waitFor();
    expect(await isThere()).toBe(false);
    await said.getByRole('button', { name: 'Redo' }).click();
    await said.getByText('Done again.').waitFor();
    expect(await isThere()).toBe(true);
  });
});
