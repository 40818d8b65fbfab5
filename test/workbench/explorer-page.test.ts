import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gitIn } from '../support/git-in';
import { type OpenExplorer, openExplorer } from './support/explorer';
import { inHost, reloadWindow } from './support/host';
import { storeElsewhere } from './support/memory';
import { answer, pick, quickInput, quickInputRows, runCommand } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import type { Workbench } from './support/workbench';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const DECISION = 'Memories lie in one SQLite file';
const SHARED = '.svc/memories/lynx.md';
const HOSTILE = [
  '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>',
  '[click](command:workbench.action.closeWindow) **bold** $(error)',
].join(' ');

describe('the page of the Memory explorer', () => {
  let explorer: OpenExplorer;
  let workbench: Workbench;
  const page = () => explorer.page();

  beforeAll(async () => {
    explorer = await openExplorer();
    workbench = explorer.workbench;
    await storeElsewhere(workbench, 'A zebra has stripes', 'fact');
  });
  afterAll(() => workbench?.close());

  it('shows stored text as text, whatever it holds', async () => {
    await explorer.openMemory(await storeElsewhere(workbench, HOSTILE, 'fact', '--entities', '<b>storage</b>'));
    await page().locator('p.content', { hasText: 'onerror' }).waitFor();
    expect(await page().locator('p.content').textContent()).toBe(HOSTILE);
    expect(await page().locator('img, main script, main a, main b').count()).toBe(0);
    await page().getByRole('button', { name: 'Show in graph' }).click();
    await page().locator('.graph-row', { hasText: '<b>storage</b>' }).waitFor();
    await explorer.goTo('Timeline');
    // Who goes there types at once.
    await page().locator('#topic:focus').waitFor();
    await page().locator('#topic').fill('click bold');
    await explorer.row('onerror').waitFor();
    await explorer.goTo('Search');
    await page().locator('#query').fill('click bold');
    await explorer.row('onerror').waitFor();
    const hint = page().getByText(':kind, @file and #symbol');
    expect(await hint.count()).toBe(0);
    await page().locator('#query').fill('click bold :fact');
    await hint.waitFor();
    expect(await page().locator('img, main script, main a, main b').count()).toBe(0);
    expect(
      await page()
        .locator('body')
        .evaluate(() => document.title),
    ).not.toBe('owned');
  });

  it('is found while somebody types: by words, by kind, by file and by symbol', async () => {
    const { keyboard } = workbench.page;
    const found = (text: string) => quickInputRows(workbench).filter({ hasText: text });
    await keyboard.press('Control+K');
    await keyboard.press('a');
    await found(DECISION).waitFor();
    await quickInput(workbench).fill(':fact');
    await found(DECISION).waitFor({ state: 'detached' });
    await quickInput(workbench).fill('sqlite @store #open :dec');
    await found(DECISION).waitFor();
    await quickInput(workbench).fill('sqlite @server');
    await found(DECISION).waitFor({ state: 'detached' });
    // In another form than it was stored in.
    await quickInput(workbench).fill('files @store');
    await found(DECISION).waitFor();
    await quickInput(workbench).fill('files @server');
    await found(DECISION).waitFor({ state: 'detached' });
    await quickInput(workbench).fill('stora');
    await found('storage1 memory').waitFor();
    await quickInput(workbench).fill('move sqlite');
    await found('Move the store to SQLite').first().waitFor();
    await quickInput(workbench).fill('#nowhere');
    await found('Nothing matches this').waitFor();
    // A kind that there is none of would find nothing, silently.
    await quickInput(workbench).fill(':decission sqlite');
    const unknown = quickInputRows(workbench).filter({ hasText: 'No kind is called "decission":fact' });
    await unknown.waitFor();
    expect(await found('Nothing matches this').count()).toBe(0);
    // Not all of these words are in it.
    await quickInput(workbench).fill('where do memories lie?');
    await unknown.waitFor({ state: 'detached' });
    await found(`${DECISION}Decision · similar`).waitFor();
    await workbench.screenshot('search-dark');
    await found(DECISION).hover();
    await found(DECISION).locator('.action-label[aria-label^="Copy as Markdown Link"]').click();
    const link = await until('a link is copied', PATIENCE_MS, async () => {
      const text = await inHost(workbench, ({ env }) => env.clipboard.readText());
      return text.startsWith('[') && text;
    });
    // Whoever follows it comes to the page of the memory.
    await inHost(
      workbench,
      ({ commands, Uri }, address: string) => void commands.executeCommand('vscode.open', Uri.parse(address)),
      link.slice(link.indexOf('(') + 1, -1),
    );
    await explorer.heading().filter({ hasText: explorer.ids.sqlite }).waitFor();
    expect(link).toMatch(/^\[Memories lie in one SQLite file\]\([\w-]+:\/\/svc\.svc-memory\/memory\/d_\w+\)$/);
  });

  it('answers what is asked elsewhere, with what an agent gets one click away', async () => {
    const asAgent = () => page().getByRole('button', { name: 'What an agent gets' });
    const inText = (text: string) =>
      workbench.page.locator('.editor-instance .view-line', { hasText: text }).first().waitFor();
    await runCommand(workbench, 'Agent Memory: Search Memories…');
    await workbench.page.getByPlaceholder('#symbol').waitFor();
    await quickInput(workbench).fill('where do memories lie?');
    await pick(workbench, 'Ask Like an Agentwhere do memories lie?');
    await page().locator('#markdown', { hasText: '## Memory recall: "where do memories lie?"' }).waitFor();
    await explorer.row(DECISION).waitFor();
    // What one question is narrowed to is not meant for the next.
    await page().getByRole('button', { name: 'Preference', exact: true }).click();
    await explorer.row(DECISION).waitFor({ state: 'detached' });
    await runCommand(workbench, 'Agent Memory: Search Memories…');
    await workbench.page.getByPlaceholder('#symbol').waitFor();
    await quickInput(workbench).fill('where do all memories lie?');
    await pick(workbench, 'Ask Like an Agentwhere do all memories lie?');
    await explorer.row(DECISION).waitFor();

    await runCommand(workbench, 'Agent Memory: Why Was It Decided?…');
    await until('decisions are asked for', PATIENCE_MS, async () =>
      (await quickInput(workbench).inputValue()).startsWith(':decision'),
    );
    await workbench.page.keyboard.type('sqlite');
    expect(await quickInput(workbench).inputValue()).toBe(':decision sqlite');
    await pick(workbench, DECISION);
    await page().locator('.page', { hasText: 'Postgres: a server to run' }).waitFor();
    await asAgent().click();
    await inText('**Rejected alternatives:** Postgres: a server to run');

    // Its links run no command: it holds what somebody stored.
    await runCommand(workbench, 'Agent Memory: Timeline of a Topic…');
    await answer(workbench, /A topic/, 'click bold');
    await explorer.row('onerror').waitFor();
    expect(await page().locator('#topic').inputValue()).toBe('click bold');
    await asAgent().click();
    await inText('closeWindow) **bold**');
    // It is drawn a little before extensions are told of it.
    const uri = await until('the text is in the active editor', PATIENCE_MS, () =>
      inHost(workbench, ({ window }) => window.activeTextEditor?.document.uri.toString()),
    );
    const targets = await inHost(
      workbench,
      async ({ commands, Uri, DocumentLink }, address: string) => {
        const links = await commands.executeCommand<InstanceType<typeof DocumentLink>[]>(
          'vscode.executeLinkProvider',
          Uri.parse(address),
        );
        return links.map(({ target }) => `${target}`);
      },
      uri,
    );
    expect(targets).toEqual([]);
    await runCommand(workbench, 'View: Close Editor');
  });

  it('has no serious fault for assistive technology, in a dark and in a light theme', async () => {
    for (const theme of ['Default Dark Modern', 'Default Light Modern', 'Default High Contrast']) {
      await inHost(
        workbench,
        (vscode, name: string) => vscode.workspace.getConfiguration().update('workbench.colorTheme', name, true),
        theme,
      );
      const kind = theme.includes('Light')
        ? 'vscode-light'
        : theme.includes('High')
          ? 'vscode-high-contrast'
          : 'vscode-dark';
      await page().locator(`body.${kind}`).waitFor();
      const name = kind.replace('vscode-', '');
      await explorer.openMemory(explorer.ids.sqlite);
      expect(await faults(page())).toEqual([]);
      if (name !== 'dark') await workbench.screenshot(`explorer-memory-${name}`);
      for (const [view, wait] of [
        ['Search', 'button.row'],
        ['Timeline', 'svg .mark'],
        ['Graph', 'button.link, .graph-row'],
        ['Audit', 'h2'],
      ] as const) {
        await explorer.goTo(view);
        if (view === 'Search') await page().locator('#query').fill('memories');
        if (view === 'Timeline') await page().locator('#topic').fill('');
        if (view === 'Graph') {
          await page().locator('#around').fill('storage');
          await page().locator('#around').press('Enter');
          await page().locator('.graph-row').first().waitFor();
        }
        await page().locator(wait).first().waitFor();
        expect(await faults(page())).toEqual([]);
        const wider = await page()
          .locator('body')
          .evaluate((body) => body.scrollWidth > body.clientWidth);
        expect(wider).toBe(false);
        if (name !== 'dark') await workbench.screenshot(`explorer-${view.toLowerCase()}-${name}`);
      }
    }
  });

  it.each([
    ['in a narrow column', { width: 560, height: 900 }],
    // Of 1280 by 1000: a window has half of them in each direction then.
    ['at a zoom of 200 %', { width: 640, height: 500 }],
  ])('fits %s, and has no serious fault there', async (_, size) => {
    await explorer.openMemory(explorer.ids.sqlite);
    await workbench.page.setViewportSize(size);
    for (const view of ['Memory', 'Search', 'Timeline', 'Graph', 'Audit']) {
      if (view !== 'Memory') await explorer.goTo(view);
      if (view === 'Timeline') await page().locator('.zoom button').first().waitFor();
      if (view === 'Audit') {
        await page().locator('h2').first().waitFor();
        // Open ones are not struck through.
        await page().locator('button.row').first().waitFor();
        expect(await page().locator('button.row.closed').count()).toBe(0);
      }
      const wider = await page()
        .locator('body')
        .evaluate(
          (body) => body.ownerDocument.documentElement.scrollWidth > body.ownerDocument.documentElement.clientWidth,
        );
      expect(wider, view).toBe(false);
      expect(await faults(page()), view).toEqual([]);
    }
    await workbench.screenshot(`explorer-${size.width}`);
    await workbench.page.setViewportSize({ width: 1280, height: 1000 });
  });

  it('keeps what stood in the middle of the graph while one looks elsewhere', async () => {
    await explorer.goTo('Graph');
    await page().locator('#around').fill('storage');
    await page().locator('#around').press('Enter');
    await page().locator('.graph-row').first().waitFor();
    await explorer.goTo('Timeline');
    await explorer.goTo('Graph');
    await page().locator('.graph-row').first().waitFor();
    await explorer.goTo('Graph');
    await page().getByText('Entities with the most memories').waitFor();
  });

  it('is where it was after the window is reloaded', async () => {
    await explorer.goTo('Search');
    await page().locator('#query').fill('zebra stripes');
    await page().locator('#budget').fill('777');
    await page().locator('#budget').press('Tab');
    await explorer.row('A zebra has stripes').click();
    await explorer.heading().filter({ hasText: 'Fact' }).waitFor();
    const title = await explorer.heading().textContent();
    await reloadWindow(workbench);
    await explorer.heading().filter({ hasText: 'Fact' }).waitFor({ timeout: 60_000 });
    expect(await explorer.heading().textContent()).toBe(title);
    await page().getByRole('button', { name: 'Back' }).click();
    await explorer.row('A zebra has stripes').waitFor();
    expect(await page().locator('#query').inputValue()).toBe('zebra stripes');
    expect(await page().locator('#budget').inputValue()).toBe('777');
  });

  it('is there once: opening it again brings it to the front, where it was', async () => {
    await inHost(workbench, (vscode) => vscode.commands.executeCommand('workbench.action.files.newUntitledFile'));
    await inHost(workbench, (vscode) => vscode.commands.executeCommand('agentMemory.openExplorer'));
    await explorer.row('A zebra has stripes').waitFor();
    expect(await page().locator('#query').inputValue()).toBe('zebra stripes');
    expect(await workbench.page.locator('.tab', { hasText: 'Memory Explorer' }).count()).toBe(1);
    // A new question takes the place of the old one, which is asked again unless something is typed.
    const field = page().locator('#query:focus');
    await field.waitFor();
    await workbench.page.keyboard.type('zebra');
    expect(await field.inputValue()).toBe('zebra');
  });

  it('says who changed the file of a shared memory, in which commit, and leads to the file', async () => {
    const { folder } = workbench;
    const git = gitIn(folder);
    git('init', '--quiet', '--initial-branch=main');
    mkdirSync(join(folder, '.svc', 'memories'), { recursive: true });
    for (const author of ['Ann Lee', 'Mara Toth']) {
      writeFileSync(join(folder, SHARED), `---\nkind: fact\nid: f_lynx\n---\n\nA lynx, by ${author}\n`);
      git('add', '--force', SHARED);
      git('commit', '--quiet', '-m', 'lynx', `--author=${author} <a@example.org>`, '--date=2026-11-30T09:00:00Z');
    }
    await explorer.openMemory('f_lynx');
    const file = page().locator('dd', { hasText: SHARED });
    await file.filter({ hasText: /last changed by Mara Toth on 2026-11-30 \(\w{8}\)/ }).waitFor();
    const event = page().locator('.history li', { hasText: 'Changed in its file' });
    await event.filter({ hasText: /Mara Toth, \w{8}/ }).waitFor();
    await file.getByRole('button', { name: SHARED }).click();
    await workbench.page.locator('.tab', { hasText: 'lynx.md' }).waitFor();
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.closeActiveEditor'));
    rmSync(join(folder, SHARED));
  });

  it('says in words for people that a memory is not in the namespace that is shown', async () => {
    await inHost(workbench, ({ commands, workspace }) => {
      const folder = workspace.workspaceFolders?.[0]?.uri.toString();
      return commands.executeCommand('agentMemory.openMemory', { folder, nodeId: 'f_zzzzzzzz' });
    });
    await page().locator('.problem', { hasText: 'This memory is not here. It may be in another namespace' }).waitFor();
    await page().getByRole('button', { name: 'Back' }).click();
  });

  it('says so when its store is taken away', async () => {
    const { folder } = workbench;
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, '.svc', `memory.db${end}`), { force: true });
    await page().locator('.problem', { hasText: 'was deleted while it was open' }).waitFor();
    await page().getByRole('button', { name: 'Restore a Backup…' }).waitFor();
    expect(await page().locator('#query').count()).toBe(0);
  });

  it('runs under its policy without a single refusal', () => {
    expect(explorer.refused).toEqual([]);
  });
});

/** What axe finds to be serious or critical, as lines to read. */
async function faults(page: FrameLocator): Promise<string[]> {
  return page.locator('html').evaluate(async (element, source) => {
    interface Axe {
      run(
        root: unknown,
        options: object,
      ): Promise<{
        violations: {
          id: string;
          impact: string;
          help: string;
          nodes: { target: string[]; failureSummary: string }[];
        }[];
      }>;
    }
    const scope = globalThis as typeof globalThis & { axe?: Axe };
    // biome-ignore lint/security/noGlobalEval: the page's own policy forbids it; the debugger's door is another one
    if (!scope.axe) globalThis.eval(source);
    const { violations } = (await scope.axe?.run(element, { resultTypes: ['violations'] })) ?? { violations: [] };
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, help, nodes }) =>
          `${id}: ${help}: ${nodes.map((each) => `${each.target.join(' ')} ${each.failureSummary}`).join('; ')}`,
      );
  }, AXE);
}
