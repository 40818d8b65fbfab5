import { extensionLog } from './log';
import type { Workbench } from './workbench';

const LOG_LINES = 25;

/**
 * What a window shows, in words, for a failure that is seen on a machine whose pictures nobody has: what has the focus,
 * tabs, messages, the status bar, and the end of the extension's log.
 */
export async function seenIn(workbench: Workbench): Promise<string> {
  const textsOf = async (what: string, selector: string): Promise<string> => {
    const texts = await workbench.page.locator(selector).allInnerTexts();
    return `${what}: ${texts.map((text) => JSON.stringify(text.trim())).join(', ') || 'none'}`;
  };
  const focus = await workbench.page.evaluate(
    "[document.activeElement?.tagName, document.activeElement?.className, document.activeElement?.ariaLabel].join(' ')",
  );
  return [
    `Focus: ${String(focus).slice(0, 300)}`,
    await textsOf('Tabs', '.tab .label-name'),
    await textsOf('In front', '.tab.active .label-name'),
    await textsOf('Rows with the focus', '.monaco-list-row.focused'),
    await textsOf('Messages', '.notification-list-item-message'),
    await textsOf('Status bar', '.statusbar-item:visible'),
    await textsOf('Input', '.quick-input-widget:visible'),
    ...['The log ends:', ...extensionLog(workbench).trimEnd().split('\n').slice(-LOG_LINES)],
  ].join('\n');
}
