import type { Locator } from 'playwright-core';
import { inHost, type ModelRequest, type Step } from './host';
import { until } from './until';
import type { Workbench } from './workbench';

const AGENT_MS = 60_000;

/** Gives the scripted model its answers: one for each request that offers tools. */
export async function followScript(workbench: Workbench, script: readonly Step[]): Promise<void> {
  await inHost(
    workbench,
    (_, steps: readonly Step[], model) => {
      model.script = [...steps];
    },
    script,
  );
}

/** What the editor has asked the model so far, in requests that offer tools. */
export function modelRequests(workbench: Workbench): Promise<ModelRequest[]> {
  return inHost(workbench, (_api, _argument: undefined, { requests }) =>
    requests.filter(({ tools }) => tools.length > 0),
  );
}

/** Makes the chat usable on a fresh profile: enables the bundled agent, and shows it without a sign-in. */
export async function enableChat(workbench: Workbench, { open = true } = {}): Promise<void> {
  await inHost(workbench, async ({ commands }) => {
    await commands.executeCommand('workbench.action.chat.manage');
    await commands.executeCommand('workbench.action.closeAllEditors');
    await commands.executeCommand('setContext', 'github.copilot.hasByokModels', true);
  });
  if (!open) return;
  await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.chat.open', { mode: 'agent' }));
  await chatInput(workbench).waitFor();
}

export function chatInput({ page }: Workbench): Locator {
  return page.locator('.interactive-session .interactive-input-editor .monaco-editor').first();
}

/** What was said, the person's words and the agent's. */
export function chatItems({ page }: Workbench, text?: string | RegExp): Locator {
  const items = page.locator('.interactive-session .interactive-item-container');
  return text === undefined ? items : items.filter({ hasText: text });
}

/** What lets a tool run. A button for all tools stands beside it, unseen. */
export function allowButton({ page }: Workbench): Locator {
  return page.locator('.interactive-session .monaco-button:visible', { hasText: /^Allow/ }).first();
}

/**
 * Asks the agent, and waits until its script is at its end.
 * @param allow whether it may call tools without a person
 */
export async function askAgent(workbench: Workbench, question: string, { allow = true } = {}): Promise<void> {
  await chatInput(workbench).click();
  await workbench.page.keyboard.type(question);
  await workbench.page.keyboard.press('Enter');
  await until('the script of the model is at its end', AGENT_MS, async () => {
    const button = allowButton(workbench);
    if (allow && (await button.isVisible())) await button.click({ timeout: 2_000 }).catch(() => undefined);
    return inHost(workbench, (_api, _argument: undefined, { script }) => script.length === 0);
  });
}

/** Starts a server as "MCP: List Servers → Start" does, and gives the names of its tools, which begin so. */
export async function startServer(workbench: Workbench, label: string, prefix: string): Promise<string[]> {
  return until(`the tools of ${label} are known to the editor`, AGENT_MS, async () => {
    const names = await inHost(
      workbench,
      async ({ commands, lm }, server: string) => {
        // It does nothing, silently, as long as the editor does not know the server.
        await commands.executeCommand('workbench.mcp.startServer', server, { waitForLiveTools: true });
        return lm.tools.map(({ name }) => name);
      },
      `svc.svc-memory/${label}`,
    );
    const found = names.filter((name) => name.startsWith(prefix));
    return found.length > 0 && found;
  });
}
