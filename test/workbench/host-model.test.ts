import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../support/sqlite';
import { editorOf, hoverAt, openFile } from './support/editors';
import { inHost } from './support/host';
import { pick, quickInputRows, runCommand } from './support/palette';
import { until } from './support/until';
import { dialog, notification, pressInDialog } from './support/views';
import { openWorkbench, type Workbench, withWorkbench } from './support/workbench';

const FILES = {
  'src/store.ts': '/** Opens the store of a folder. */\nexport function openStore(): void {}\n',
  'docs/design.md': '# Storage\n\nWho needs the store calls openStore once.\n',
};
const LONG = '# One\n\nopenStore again.\n\n# Two\n\nopenStore, too.\n\n# Three\n\nopenStore at last.\n';
const TERMINAL_MS = 30_000;

interface Bound {
  readonly document: string;
  readonly name: string;
  readonly provider: string;
  readonly model: string;
}

/** No key, and no model on this machine. */
const NOBODY_ELSE = { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: '', OLLAMA_HOST: '127.0.0.1:1' };

describe("the editor's own model judges documents", () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench({ files: FILES, environment: NOBODY_ELSE, guarded: true });
  });
  afterAll(() => workbench?.close());
  beforeEach(() => inHost(workbench, ({ commands }) => commands.executeCommand('notifications.clearAll')));

  const ingest = async ({ several = false } = {}) => {
    await runCommand(workbench, 'Agent Memory: Ingest Documents…');
    await pick(workbench, 'All documents of this folder');
    if (several) {
      await quickInputRows(workbench).filter({ hasText: 'section' }).first().waitFor();
      await workbench.page.keyboard.press('Enter');
    }
    await pick(workbench, "The editor's own model");
  };
  const bound = async (): Promise<Bound[]> => {
    const sql = await openSqlite(join(workbench.folder, '.svc/graph.db'));
    try {
      return await sql.all<Bound>(
        `SELECT d.path AS document, b.name, b.provider, b.model FROM graph_bindings AS b
         JOIN graph_sections AS s ON s.id = b.section JOIN graph_documents AS d ON d.id = s.document ORDER BY 1`,
      );
    } finally {
      await sql.close();
    }
  };
  /** The headings that it was asked about. */
  const asked = () =>
    inHost(workbench, (_api, _argument: undefined, { requests }) =>
      requests.flatMap(({ messages }) => /"heading": "([^"]*)"/.exec(messages.at(-1)?.text ?? '')?.[1] ?? []),
    );

  it('asks nobody when the user does not let the extension use it, and says what to do', async () => {
    await ingest();
    await dialog(workbench).filter({ hasText: 'Agent Memory' }).waitFor();
    await pressInDialog(workbench, 'Cancel');
    await notification(workbench, 'refuses access to its model').waitFor();
    expect(await asked()).toEqual([]);
    expect(await bound()).toEqual([]);
  });

  it('asks it once the user has allowed that, without any key', async () => {
    await ingest();
    await pressInDialog(workbench, 'Allow');
    await notification(workbench, /Read 1 section of 1 document\. There is 1 link to code now\./).waitFor();
    expect(await bound()).toEqual([
      { document: 'docs/design.md', name: 'openStore', provider: 'mcp', model: 'scripted' },
    ]);
  });

  it('shows the section on the hover of the function, with a link that opens the document there', async () => {
    await openFile(workbench, 'src/store.ts');
    const hover = await hoverAt(workbench, 'openStore', 'Storage');
    await hover.locator('a', { hasText: 'docs/design.md' }).click();
    await editorOf(workbench, 'docs/design.md').waitFor();
  });

  it('keeps what is done when it is cancelled, and goes on there', async () => {
    writeFileSync(join(workbench.folder, 'docs/long.md'), LONG);
    await inHost(workbench, (_api, _argument: undefined, model) => {
      model.questions = 1;
    });
    await ingest({ several: true });
    await until('one section is judged', TERMINAL_MS, async () => (await bound()).length === 2);
    await notification(workbench, 'Ingesting').locator('a.monaco-button', { hasText: 'Cancel' }).click();
    await notification(workbench, 'Cancelled. The work that was finished is kept.').waitFor();
    expect(await bound()).toHaveLength(2);
    await inHost(workbench, (_api, _argument: undefined, model) => {
      model.questions = 100;
    });
    const before = (await asked()).length;
    await ingest({ several: true });
    await notification(workbench, /Read 2 sections of \d documents?\. There are 4 links to code now\./).waitFor();
    expect(new Set((await asked()).slice(before))).toEqual(new Set(['Two', 'Three']));
  });

  it('is asked by "svc ingest" typed in the integrated terminal, once the user has allowed that for the window', async () => {
    const { page, folder } = workbench;
    writeFileSync(join(folder, 'docs/typed.md'), '# Typed\n\nopenStore by hand.\n');
    const before = (await asked()).length;
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.terminal.new'));
    const terminal = page.locator('.terminal-wrapper.active .xterm-helper-textarea');
    await terminal.waitFor();
    const type = async (line: string) => {
      await terminal.focus();
      await page.keyboard.type(`${line}\n`);
    };
    // What the extension's own programs show has not come here.
    await type('svc ingest docs > out.txt 2> err.txt; printenv SVC_MCP_HOST_TOKEN > token.txt; svc --version > v.txt');
    const question = dialog(workbench).filter({
      hasText: "A program in the terminal wants to ask the editor's model about 1 section of a document in",
    });
    await question.waitFor();
    expect((await asked()).slice(before)).toEqual([]);
    await pressInDialog(workbench, 'Allow for This Window');
    await until('all commands ran', TERMINAL_MS, () => existsSync(join(folder, 'v.txt')));
    expect(readFileSync(join(folder, 'token.txt'), 'utf8')).toBe('');
    await until('the section is bound', TERMINAL_MS, async () => (await bound()).length === 5);
    expect((await asked()).slice(before)).toEqual(['Typed']);
    expect((await bound()).at(-1)).toMatchObject({ document: 'docs/typed.md', provider: 'mcp', model: 'scripted' });
    // It is asked once.
    writeFileSync(join(folder, 'docs/typed.md'), '# Typed\n\nopenStore by hand, again.\n');
    await type('svc ingest docs > again.txt 2>&1');
    await until('it was asked again', TERMINAL_MS, async () => (await asked()).length === before + 2);
    expect(await question.count()).toBe(0);
  });
});

describe("the editor's own model, when the user does not want programs in the terminal to ask it", () => {
  it('is not asked by them, and the user is asked once', async () => {
    await withWorkbench({ files: FILES, environment: NOBODY_ELSE, guarded: true }, async (workbench) => {
      const { page, folder } = workbench;
      await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.terminal.new'));
      const terminal = page.locator('.terminal-wrapper.active .xterm-helper-textarea');
      await terminal.waitFor();
      await terminal.focus();
      await page.keyboard.type('svc ingest docs 2> first.txt; svc ingest docs 2> second.txt; svc --version > v.txt\n');
      await dialog(workbench).filter({ hasText: 'A program in the terminal wants to ask' }).waitFor();
      await pressInDialog(workbench, "Don't Allow");
      await until('all commands ran', TERMINAL_MS, () => existsSync(join(folder, 'v.txt')));
      for (const file of ['first.txt', 'second.txt']) {
        expect(readFileSync(join(folder, file), 'utf8')).toContain('The MCP host refuses access to its model');
      }
      expect(await inHost(workbench, (_api, _argument: undefined, { requests }) => requests.length)).toBe(0);
    });
  });
});
