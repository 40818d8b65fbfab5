/** Reads what a host sends to a hook. */
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { ToolUse } from '../../agents/foreign-reading';

export interface HookInput {
  /** An absolute path of a folder that is there. */
  readonly cwd?: string;
  readonly stop_hook_active?: boolean;
  /** As the host calls it. */
  readonly session?: string;
  /** What the model of this call has before it: an agent inside an agent has a context of its own. */
  readonly conversation?: string;
  /** Why a conversation begins: `startup`, `resume`, `clear`, `compact`, … */
  readonly source?: string;
  readonly prompt?: string;
  /** The host's name of the event. */
  readonly event?: string;
  readonly use?: ToolUse;
}

/**
 * What hosts send (November 2026), as far as it is used here. Claude Code, VS Code, Codex and Gemini CLI send `cwd` and
 * `session_id`, Copilot `sessionId`, Cursor `workspace_roots` and `conversation_id`. Around tools they send `tool_name` and
 * `tool_input`, newer Copilot hosts `toolName` and `toolArgs`, which is JSON; in Cursor `tool_input` may be JSON, too.
 * `stop_hook_active` is true when the agent goes on because of a Stop hook already; Cursor counts in `loop_count`.
 */
export function readHookInput(sent: Buffer | undefined): HookInput {
  if (!sent) return {};
  try {
    const input: unknown = JSON.parse(sent.toString('utf8'));
    if (typeof input !== 'object' || input === null) return {};
    const fields = input as Record<string, unknown>;
    const roots: unknown = fields.workspace_roots;
    const cwd = text(fields.cwd) ?? (Array.isArray(roots) ? text(roots[0]) : undefined);
    const session = text(fields.session_id) ?? text(fields.sessionId) ?? text(fields.conversation_id);
    const agent = text(fields.agent_id);
    return {
      ...(cwd !== undefined && isAbsolute(cwd) && isFolder(cwd) ? { cwd } : {}),
      stop_hook_active:
        fields.stop_hook_active === true || fields.stopHookActive === true || Number(fields.loop_count ?? 0) > 0,
      ...given('session', session),
      ...given('conversation', session === undefined || agent === undefined ? session : `${session} ${agent}`),
      ...given('source', text(fields.source)),
      ...given('prompt', text(fields.prompt)),
      ...given('event', text(fields.hook_event_name)),
      ...toolUseIn(fields),
    };
  } catch {
    return {};
  }
}

function toolUseIn(fields: Readonly<Record<string, unknown>>): Pick<HookInput, 'use'> {
  const tool = fields.tool_name ?? fields.toolName;
  if (typeof tool !== 'string') return {};
  const sent = fields.tool_input ?? fields.toolArgs;
  const input: unknown = typeof sent === 'string' ? JSON.parse(sent) : sent;
  return { use: { tool, input: typeof input === 'object' && input !== null ? { ...input } : {} } };
}

function given<Name extends string>(name: Name, value: string | undefined): { readonly [N in Name]?: string } {
  // A computed name widens the type to all texts.
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: string };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
