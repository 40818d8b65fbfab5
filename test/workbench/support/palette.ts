import type { Locator } from 'playwright-core';
import { happens, PATIENCE_MS, until } from './until';
import type { Workbench } from './workbench';

/** How long one look at the palette takes, and one try to give the file dialog a path. */
const ROW_MS = 5_000;
const ROUND_MS = 3_000;
const SETTLED_MS = 500;
const SORTED_MS = 200;

const WIDGET = '.quick-input-widget:visible';

/** The box that is open above the editor: the palette, a pick or a question. */
export function quickInput({ page }: Workbench): Locator {
  return page.locator(`${WIDGET} .quick-input-box input`);
}

/** What can be picked in it now. */
export function quickInputRows({ page }: Workbench): Locator {
  return page.locator(`${WIDGET} .quick-input-list .monaco-list-row`);
}

/** Runs a command as a person does, by its title: `Agent Memory: Show Log`. */
export async function runCommand(workbench: Workbench, title: string): Promise<void> {
  const rows = quickInputRows(workbench).filter({ has: workbench.page.getByText(title, { exact: true }) });
  await until(`the palette has "${title}"`, PATIENCE_MS, async () => {
    try {
      await openPalette(workbench, title);
      await rows.first().click({ trial: true, timeout: ROW_MS });
      await rowsStay(workbench);
      return true;
    } catch {
      // The palette does not take in what was contributed after it was opened. Where it has closed itself, Escape would
      // go to the page below.
      if (await quickInput(workbench).isVisible()) await workbench.page.keyboard.press('Escape');
      return false;
    }
  });
  // Not among the tries: one that takes long may have run the command, and Escape would close what it has opened.
  await rows.first().click();
  // A list that is drawn in the middle of a click takes no notice of it, and the palette stays.
  await until(`the palette has run "${title}"`, PATIENCE_MS, async () => {
    const gone = rows.first().waitFor({ state: 'hidden', timeout: ROUND_MS });
    const left = await happens(gone);
    if (!left) {
      await rows
        .first()
        .click({ timeout: ROUND_MS })
        .catch(() => undefined);
    }
    return left;
  });
}

/** The palette goes on to sort, and a click that is on its way would be on another row. */
async function rowsStay(workbench: Workbench): Promise<void> {
  let before = '';
  await until('the rows stay as they are', ROW_MS, async () => {
    const now = JSON.stringify(await quickInputRows(workbench).allTextContents());
    const stay = now === before;
    before = now;
    if (!stay) await workbench.page.waitForTimeout(SORTED_MS);
    return stay;
  });
}

/** The titles that the palette has for a text, for commands that must not be there. */
export async function commandsMatching(workbench: Workbench, text: string): Promise<string[]> {
  await until('the palette is open', PATIENCE_MS, () => happens(openPalette(workbench, text)));
  await quickInputRows(workbench).first().waitFor();
  await rowsStay(workbench);
  const titles = await quickInputRows(workbench).locator('.label-name').allTextContents();
  await workbench.page.keyboard.press('Escape');
  return titles;
}

async function openPalette(workbench: Workbench, text: string): Promise<void> {
  await workbench.page.keyboard.press('F1');
  await quickInput(workbench).fill(`>${text}`, { timeout: ROW_MS });
}

/** Picks the row that holds the text. */
export async function pick(workbench: Workbench, text: string | RegExp): Promise<void> {
  await quickInputRows(workbench).filter({ hasText: text }).first().click();
}

/** The row of a list that several can be picked from, where it is picked already. */
export function picked(workbench: Workbench, text: string): Locator {
  const chosen = workbench.page.locator('.monaco-checkbox.checked, input[type=checkbox]:checked, [aria-checked=true]');
  return quickInputRows(workbench).filter({ hasText: text }).filter({ has: chosen });
}

/** Picks one more row of such a list. */
export async function tick(workbench: Workbench, text: string): Promise<void> {
  await quickInput(workbench).fill(text);
  await pick(workbench, text);
}

/** Types an answer to the question that is asked, whose placeholder or title holds `question`, and accepts it. */
export async function answer(workbench: Workbench, question: string | RegExp, text: string): Promise<void> {
  const widget = workbench.page.locator(WIDGET);
  await widget.filter({ has: questionIn(workbench, question) }).waitFor();
  await quickInput(workbench).fill(text);
  await workbench.page.keyboard.press('Enter');
}

function questionIn({ page }: Workbench, question: string | RegExp): Locator {
  return page.getByPlaceholder(question).or(page.getByText(question));
}

/** Types a path into the editor's own file dialog and accepts it. */
export async function confirmPath(workbench: Workbench, path: string): Promise<void> {
  await quickInputRows(workbench).first().waitFor();
  await quickInput(workbench).fill(path);
  // It takes nothing while it looks at what is there, and completes paths as it likes.
  await until('the dialog has taken the path', PATIENCE_MS, async () => {
    const input = quickInput(workbench);
    if ((await input.count()) === 0) return true;
    if ((await input.inputValue({ timeout: ROUND_MS })) !== path) await input.fill(path);
    // It may still put the name that it proposes in the place of what was typed.
    await workbench.page.waitForTimeout(SETTLED_MS);
    if ((await input.inputValue({ timeout: ROUND_MS })) !== path) return false;
    await workbench.page.keyboard.press('Enter');
    return happens(input.waitFor({ state: 'hidden', timeout: ROUND_MS }));
  });
}
