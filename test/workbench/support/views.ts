import type { Locator } from 'playwright-core';
import { inHost } from './host';
import { happens, PATIENCE_MS, until } from './until';
import type { Workbench } from './workbench';

const DRAWN_MS = 2_000;
const TOAST_MS = 3_000;

/** Opens a container of the activity bar by its title, unless it is open. */
export async function openView({ page }: Workbench, title: string): Promise<void> {
  // A badge covers the link, so it is the item that is clicked.
  const item = page.locator(`.activitybar .action-item:has(a[aria-label^="${title}"])`).first();
  await item.waitFor();
  const header = page.locator('.sidebar .composite.title', { hasText: title });
  await until(`${title} is open`, PATIENCE_MS, async () => {
    if (await header.isVisible()) return true;
    // The item of the container before may still be the checked one.
    if (!(await item.getAttribute('class'))?.includes('checked')) await item.click();
    return happens(header.waitFor({ timeout: DRAWN_MS }));
  });
}

/** One view of the side bar: its header and its rows. */
export function view({ page }: Workbench, title: string): Locator {
  return page.locator('.sidebar .pane', { has: page.locator(`.pane-header[aria-label^="${title}"]`) });
}

/** What a row of the side bar says while the mouse rests on it, with this text in it. */
export async function tooltipOf(workbench: Workbench, row: Locator, text: string | RegExp): Promise<Locator> {
  const hover = workbench.page.locator('.monaco-hover:visible', { hasText: text });
  await until('the tooltip is shown', PATIENCE_MS, async () => {
    // A list that is redrawn under the mouse shows none until the mouse is moved.
    await view(workbench, 'Sessions').locator('.pane-header').hover();
    await row.hover();
    return happens(hover.waitFor({ timeout: DRAWN_MS }));
  });
  return hover;
}

/** The rows of a view that hold the text; of the whole side bar when no view is named. */
export function treeRows(workbench: Workbench, text?: string | RegExp, inView?: string): Locator {
  const within = inView === undefined ? workbench.page.locator('.sidebar') : view(workbench, inView);
  const rows = within.locator('.monaco-list-row');
  // A session that nobody named shows what it is about, which is what a memory below it says.
  return text === undefined ? rows : rows.and(within.locator(`:not(${UNNAMED})`)).filter({ hasText: text });
}

const UNNAMED = '[aria-label^="Session about"]';

/** Goes down a view by its arrow, from its first row, until a row with this text has the focus. */
export async function arrowTo(workbench: Workbench, title: string, text: string | RegExp): Promise<void> {
  const { keyboard } = workbench.page;
  const rows = view(workbench, title).locator('.monaco-list-row.focused');
  await until(`${String(text)} has the focus`, PATIENCE_MS, async () => {
    await keyboard.press('Home');
    const count = await view(workbench, title).locator('.monaco-list-row').count();
    for (let i = 0; i < count; i++) {
      await keyboard.press('ArrowDown');
      // A busy window shows it late, and the next key would go past it.
      const isThere = rows.filter({ hasText: text }).waitFor({ timeout: DRAWN_MS });
      if (await isThere.then(() => true).catch(() => false)) return true;
    }
    return false;
  });
}

/** The rows of the sessions that nobody named. */
export function unnamedSessions(workbench: Workbench): Locator {
  return view(workbench, 'Sessions').locator(`.monaco-list-row${UNNAMED}`);
}

/** Unfolds a row, when it is folded. */
export async function unfold(row: Locator): Promise<void> {
  if ((await row.getAttribute('aria-expanded')) === 'false') await row.locator('.monaco-tl-twistie').click();
}

/** Unfolds a row until one below it is seen: the editor folds a row again whose list is reloaded meanwhile. */
export async function unfoldTo(row: Locator, below: Locator): Promise<void> {
  await until('the row below is seen', PATIENCE_MS, async () => {
    await unfold(row);
    return below.isVisible();
  });
}

/** Presses one of the buttons that a row shows while the mouse is on it. */
export async function inlineAction(row: Locator, title: string): Promise<void> {
  const button = row.locator(`.actions .action-label[aria-label^="${title}"]`);
  // A list that is read again draws its rows anew, and the mouse is on none of them until it moves.
  await until(`${title} is pressed`, PATIENCE_MS, async () => {
    await row.hover();
    return happens(button.click({ timeout: DRAWN_MS }));
  });
}

/** Chooses from the menu that the right button opens. */
export async function contextAction(workbench: Workbench, row: Locator, title: string): Promise<void> {
  const { keyboard } = workbench.page;
  await until(`${title} is chosen`, PATIENCE_MS, async () => {
    await row.click({ button: 'right' });
    // A menu that has just opened takes no clicks, lest the one that opened it chooses from it.
    const chosen = await happens(menuItem(workbench, title).hover({ timeout: DRAWN_MS }));
    // Of a row that is drawn again at this moment, the menu is another one.
    await keyboard.press(chosen ? 'Enter' : 'Escape');
    return chosen;
  });
}

export function menuItem({ page }: Workbench, title: string): Locator {
  return page.locator('.monaco-menu .action-menu-item', { hasText: title }).first();
}

/** @param id of the item, without the extension's own: `agentMemory.status` */
export function statusBarItem({ page }: Workbench, id: string): Locator {
  return page.locator(`[id="svc.svc-memory.${id}"]`);
}

/** A message in the corner. */
export function notification({ page }: Workbench, text: string | RegExp): Locator {
  return page.locator('.notifications-toasts .notification-list-item', { hasText: text });
}

/**
 * Uses a message's toast; where there is none, because it is gone or because the editor shows at most three within
 * 0.8 s, its row in the list of what was said.
 * @returns false where it was not said, or could not be used
 */
async function withSaid(
  workbench: Workbench,
  text: string | RegExp,
  use: (message: Locator) => Promise<boolean>,
): Promise<boolean> {
  const toast = notification(workbench, text).first();
  if (await happens(toast.waitFor({ timeout: TOAST_MS }))) return use(toast);
  // A window that is loaded again has no host for a moment.
  const isOpen = await happens(inHost(workbench, ({ commands }) => commands.executeCommand('notifications.showList')));
  if (!isOpen) return false;
  const listed = workbench.page.locator('.notifications-center .notification-list-item', { hasText: text }).first();
  const isUsed = (await listed.isVisible()) && (await use(listed));
  // It would have the keys that are pressed next.
  await inHost(workbench, ({ commands }) => commands.executeCommand('notifications.hideList'));
  return isUsed;
}

/** Waits until something was said. */
export async function isSaid(workbench: Workbench, text: string | RegExp): Promise<void> {
  await until(`"${text}" is said`, PATIENCE_MS, () => withSaid(workbench, text, async () => true));
}

export async function pressInNotification(workbench: Workbench, text: string | RegExp, button: string): Promise<void> {
  await until(`"${button}" of "${text}" is pressed`, PATIENCE_MS, () =>
    withSaid(workbench, text, (message) =>
      happens(message.locator('a.monaco-button', { hasText: button }).click({ timeout: TOAST_MS })),
    ),
  );
}

/** A dialog that has to be answered before anything else. */
export function dialog({ page }: Workbench): Locator {
  return page.locator('.monaco-dialog-box');
}

export async function pressInDialog(workbench: Workbench, button: string): Promise<void> {
  await dialog(workbench).locator('a.monaco-button, button.monaco-button', { hasText: button }).first().click();
}
