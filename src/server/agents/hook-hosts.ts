/** What the hosts of agents call their hooks, how their files configure them, and how they read an answer. */
import { join } from 'node:path';
import { WATCHED_TOOLS } from './foreign-reading';

/** What happened, as `svc-memory hook` is told. */
export const HOOK_EVENTS = [
  'session-start',
  'user-prompt-submit',
  'pre-tool-use',
  'post-tool-use',
  'pre-compact',
  'subagent-start',
  'stop',
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** `vscode` stands for VS Code and for Copilot, which read the same files. */
export const HOOK_HOSTS = ['vscode', 'claude', 'codex', 'cursor', 'gemini'] as const;
export type HookHost = (typeof HOOK_HOSTS)[number];

export interface HookCall {
  readonly command: string;
  readonly quoted: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

interface Hook {
  /** The host's name of the event. */
  readonly on: string;
  readonly event: HookEvent;
  /** An expression on the name of the tool. */
  readonly matcher?: string;
  /** Nobody waits for it. */
  readonly async?: true;
}

export interface HostFile {
  /** In the project. */
  readonly path: string;
  /** The file says so, and this is all it holds besides hooks. */
  readonly version?: 1;
  readonly hooks: readonly Hook[];
  readonly entry: (call: HookCall, hook: Hook) => object;
}

const TIMEOUT_SECONDS = 10;

/** What VS Code, Claude Code and Codex call the events, and the tools that edit. */
const ALIKE = (edits: string | undefined, after: Pick<Hook, 'matcher' | 'async'>): readonly Hook[] => [
  { on: 'SessionStart', event: 'session-start' },
  { on: 'UserPromptSubmit', event: 'user-prompt-submit' },
  { on: 'PreToolUse', event: 'pre-tool-use', ...(edits === undefined ? {} : { matcher: edits }) },
  { on: 'PostToolUse', event: 'post-tool-use', ...after },
  { on: 'PreCompact', event: 'pre-compact' },
  { on: 'SubagentStart', event: 'subagent-start' },
  { on: 'Stop', event: 'stop' },
];

/**
 * As of November 2026:
 * - VS Code, the Copilot CLI and Copilot's cloud agent read `.github/hooks/*.json`: `{ version: 1, hooks: { <Event>:
 *   [{ type: 'command', … }] } }`. VS Code runs `command` and stops it after `timeout` seconds; the others run `bash` or
 *   `powershell` and know `timeoutSec`. Event names in PascalCase mean the same fields in all of them.
 * - Claude Code reads `.claude/settings.json`, Codex `.codex/hooks.json`: `{ hooks: { <Event>: [{ matcher?, hooks: [{ type:
 *   'command', command, timeout }] }] } }`. Codex runs them when its user has reviewed them.
 * - Gemini CLI reads the same form in `.gemini/settings.json`, with events of its own and milliseconds. What a hook says
 *   before a tool runs does not reach its model: memories come with the result of reading or editing a file. Its
 *   PreCompress comes before each request, whether it compresses or not (0.61), and says nothing.
 * - Cursor reads `.cursor/hooks.json`: `{ version: 1, hooks: { <event>: [{ command, matcher? }] } }`. Its hooks before a
 *   tool and on a prompt bring no context either, those after a tool do.
 */
export const HOST_FILES: Readonly<Record<HookHost, HostFile>> = {
  vscode: {
    path: join('.github', 'hooks', 'svc-memory.json'),
    version: 1,
    hooks: ALIKE(undefined, {}),
    entry: (call, { event }) => {
      const command = commandFor(call, event);
      return {
        type: 'command',
        ...{ command, bash: command, powershell: call.quoted ? `& ${command}` : command },
        ...(call.env ? { env: call.env } : {}),
        ...{ timeout: TIMEOUT_SECONDS, timeoutSec: TIMEOUT_SECONDS },
      };
    },
  },
  claude: {
    path: join('.claude', 'settings.json'),
    hooks: ALIKE('Edit|MultiEdit|Write|NotebookEdit', { matcher: WATCHED_TOOLS, async: true }),
    entry: (call, hook) => grouped(hook, { command: withVariables(call, hook.event), timeout: TIMEOUT_SECONDS }),
  },
  codex: {
    path: join('.codex', 'hooks.json'),
    hooks: ALIKE('apply_patch|Edit|Write', {}),
    entry: (call, hook) =>
      grouped(hook, { command: withVariables(call, hook.event, 'codex'), timeout: TIMEOUT_SECONDS }),
  },
  cursor: {
    path: join('.cursor', 'hooks.json'),
    version: 1,
    hooks: [
      { on: 'sessionStart', event: 'session-start' },
      { on: 'beforeSubmitPrompt', event: 'user-prompt-submit' },
      { on: 'postToolUse', event: 'post-tool-use' },
      { on: 'preCompact', event: 'pre-compact' },
      { on: 'stop', event: 'stop' },
    ],
    entry: (call, { event }) => ({ command: withVariables(call, event, 'cursor') }),
  },
  gemini: {
    path: join('.gemini', 'settings.json'),
    hooks: [
      { on: 'SessionStart', event: 'session-start' },
      { on: 'BeforeAgent', event: 'user-prompt-submit' },
      {
        on: 'AfterTool',
        event: 'post-tool-use',
        matcher: 'read_file|read_many_files|replace|write_file|web_fetch|google_web_search|run_shell_command|mcp_.*',
      },
      { on: 'AfterAgent', event: 'stop' },
    ],
    entry: (call, hook) =>
      grouped(hook, {
        command: withVariables(call, hook.event, 'gemini'),
        name: `svc-memory-${hook.event}`,
        timeout: TIMEOUT_SECONDS * 1_000,
      }),
  },
};

/** In the home directory of a user. Hooks there run in all of their projects; ours are silent where there is no store. */
export const USER_HOOKS: Readonly<Record<HookHost, string>> = {
  // VS Code reads it with its harness for Copilot.
  vscode: join('.copilot', 'hooks', 'svc-memory.json'),
  claude: join('.claude', 'settings.json'),
  codex: join('.codex', 'hooks.json'),
  cursor: join('.cursor', 'hooks.json'),
  gemini: join('.gemini', 'settings.json'),
};

function commandFor({ command }: HookCall, event: HookEvent, host?: HookHost): string {
  return `${command} hook ${event}${host === undefined ? '' : ` --host ${host}`}`;
}

function withVariables(call: HookCall, event: HookEvent, host?: HookHost): string {
  const variables = Object.entries(call.env ?? {}).map(([name, value]) => `${name}=${value} `);
  return `${variables.join('')}${commandFor(call, event, host)}`;
}

function grouped({ matcher, async }: Hook, command: object): object {
  return {
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ type: 'command', ...command, ...(async ? { async } : {}) }],
  };
}

/** What a hook has to say: text for the model, or why its host is to go on. */
export interface HookSays {
  readonly context?: string | undefined;
  readonly goOn?: string | undefined;
}

/**
 * The answer in the form that a host reads. Claude Code, VS Code and the Copilot CLI read `hookSpecificOutput`, newer
 * Copilot hosts a bare `additionalContext`; Codex refuses what it does not know.
 * @param on the host's name of the event, where it sent one
 */
export function hookAnswer(host: HookHost, event: HookEvent, says: HookSays, on?: string): object {
  const { context, goOn } = says;
  const hookEventName = on ?? HOST_FILES[host].hooks.find((hook) => hook.event === event)?.on ?? event;
  if (goOn !== undefined) {
    if (host === 'cursor') return { followup_message: goOn };
    if (host === 'gemini') return { decision: 'deny', reason: goOn };
    const decision = { decision: 'block', reason: goOn };
    return host === 'codex' ? decision : { ...decision, hookSpecificOutput: { hookEventName, ...decision } };
  }
  if (context === undefined) return {};
  if (host === 'cursor') return { additional_context: context };
  const hookSpecificOutput = { hookEventName, additionalContext: context };
  return host === 'codex' || host === 'gemini'
    ? { hookSpecificOutput }
    : { hookSpecificOutput, additionalContext: context };
}

/** Whether what a hook says of code reaches this host's model only after a tool has run. */
export function hearsAfterTools(host: HookHost): boolean {
  return !HOST_FILES[host].hooks.some(({ event }) => event === 'pre-tool-use');
}
