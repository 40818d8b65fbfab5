import type { FrameLocator, Locator } from 'playwright-core';
import type { Hover } from 'vscode';
import { inHost } from './host';
import { quickInput, quickInputRows } from './palette';
import { happens, PATIENCE_MS, until } from './until';
import type { Workbench } from './workbench';

/** After it, the mouse is moved; longer each time, as long as a busy editor needs. */
const HOVER_MS = 3_000;

const CLICK_MS = 5_000;

/** Opens a file of the folder by its path, as a person does. */
export async function openFile(workbench: Workbench, path: string): Promise<void> {
  const { page } = workbench;
  const name = path.split('/').at(-1) ?? path;
  await until(`${path} is open`, PATIENCE_MS, async () => {
    await page.keyboard.press('Control+P');
    try {
      await quickInput(workbench).fill(path, { timeout: CLICK_MS });
      // Not Enter: as long as the list has not followed the text, it would open what was opened last.
      await quickInputRows(workbench).filter({ hasText: name }).first().click({ timeout: CLICK_MS });
      await editorOf(workbench, path).waitFor({ timeout: CLICK_MS });
      return true;
    } catch {
      // What a test did before took the focus, and with it the list; or the page that it opened came only now, over the file.
      return false;
    }
  });
}

/** The editor that shows a file. */
export function editorOf({ page }: Workbench, path: string): Locator {
  return page.locator(`.editor-instance .monaco-editor[data-uri$="/${path}"]`).first();
}

/** Goes to a line (from 1) of the editor that is open. */
export async function goToLine(workbench: Workbench, line: number, column = 1): Promise<void> {
  await workbench.page.keyboard.press('Control+G');
  await quickInput(workbench).fill(`:${line}:${column}`);
  await workbench.page.keyboard.press('Enter');
  // What is typed before would land in the input that is still open.
  await quickInput(workbench).waitFor({ state: 'hidden' });
  await workbench.page.locator('.statusbar-item', { hasText: `Ln ${line},` }).waitFor();
}

export async function save({ page }: Workbench): Promise<void> {
  await page.keyboard.press('Control+S');
  await page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
}

/** The texts between the lines. */
export function codeLenses({ page }: Workbench, text?: string | RegExp): Locator {
  const all = page.locator('.monaco-editor .codelens-decoration a');
  return text === undefined ? all : all.filter({ hasText: text });
}

/**
 * Moves the mouse onto a word of the editor and gives the hover that comes, once it holds the text: each extension adds its
 * part when it is ready.
 */
export async function hoverAt({ page }: Workbench, word: string, shows: string): Promise<Locator> {
  const any = page.locator('.monaco-hover:visible .monaco-hover-content');
  const hover = any.filter({ hasText: shows }).first();
  const name = page.locator('.monaco-editor .view-line span', { hasText: word }).last();
  let looks = 0;
  return until(`there is a hover with "${shows}"`, PATIENCE_MS, async () => {
    looks += 1;
    // A busy editor takes no notice of a mouse that has come to rest: it is moved, within the word.
    const box = await name.boundingBox();
    await name.hover(box ? { position: { x: box.width / 2 + (looks % 2), y: box.height / 2 } } : {});
    const shown = await happens(hover.waitFor({ timeout: HOVER_MS * looks }));
    // A hover that is open is not asked for again.
    if (!shown && (await any.count()) > 0) await page.mouse.move(0, 0);
    return shown && hover;
  });
}

/** What each of the editor's hovers says there, in their order; lines are counted from 1. */
export function hoversAt(workbench: Workbench, line: number, column: number): Promise<string[]> {
  return inHost(
    workbench,
    async ({ commands, Position, window, MarkdownString }, [at, character]: readonly [number, number]) => {
      const uri = window.activeTextEditor?.document.uri;
      const position = new Position(at - 1, character);
      const hovers = await commands.executeCommand<Hover[]>('vscode.executeHoverProvider', uri, position);
      return hovers.map(({ contents }) =>
        contents.map((part) => (part instanceof MarkdownString ? part.value : String(part))).join('\n'),
      );
    },
    [line, column] as const,
  );
}

/** A row of the explorer; its aria-label tells the decoration. */
export function explorerRow({ page }: Workbench, name: string): Locator {
  return page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
}

/** What a decoration says of a file in the explorer: its tooltip is part of the label. */
export async function decorationOf(workbench: Workbench, name: string): Promise<string> {
  return (await explorerRow(workbench, name).locator('.monaco-icon-label').getAttribute('aria-label')) ?? '';
}

/** The inside of the webview that is open. */
export function webview({ page }: Workbench): FrameLocator {
  return page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
}
