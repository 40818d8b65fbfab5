import { readFileSync, rmSync } from 'node:fs';
import type * as vscode from 'vscode';
import { until } from './until';
import type { Workbench } from './workbench';

/** A step of the scripted model: it says something, or calls the tool whose name ends so. */
export type Step = { readonly text: string } | { readonly tool: string; readonly input: object };

export interface ScriptedModel {
  script: Step[];
  readonly requests: readonly ModelRequest[];
  /** How many questions about sections of documents it answers before it is silent. */
  questions: number;
}

/** What the editor sent to the model. */
export interface ModelRequest {
  /** When, in milliseconds. */
  readonly at: number;
  readonly tools: readonly string[];
  readonly messages: readonly { readonly role: number; readonly text: string }[];
}

const HOST_MS = 60_000;

/**
 * Evaluates a function in the extension host. It is sent as text, so it sees nothing but its parameters.
 * @param argument something that JSON can carry, like the result
 */
export async function inHost<Result, Argument = undefined>(
  workbench: Workbench,
  work: (api: typeof vscode, argument: Argument, model: ScriptedModel) => Result | PromiseLike<Result>,
  ...[argument]: undefined extends Argument ? [] : [Argument]
): Promise<Result> {
  const port = await until('the probe is active in the extension host', HOST_MS, () => {
    try {
      // Empty for a moment while it is written.
      return readFileSync(workbench.probeFile, 'utf8') || undefined;
    } catch {
      return undefined;
    }
  });
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body: JSON.stringify({ source: work.toString(), argument }),
  });
  // What the probe answers with.
  const { value, error } = (await response.json()) as { value: Result; error?: string };
  if (error !== undefined) throw new Error(`In the extension host: ${error}`);
  return value;
}

/** Reloads the window in the editor's own way, which saves what is kept. Who asks the host next asks the new one. */
export async function reloadWindow(workbench: Workbench): Promise<void> {
  const loaded = workbench.page.waitForEvent('domcontentloaded');
  // The extension host goes with the window, so it does not answer.
  await inHost(workbench, ({ commands }) => {
    setTimeout(() => commands.executeCommand('workbench.action.reloadWindow'), 100);
  });
  // It names the door of the host that goes.
  rmSync(workbench.probeFile);
  await loaded;
}
