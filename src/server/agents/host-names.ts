/** What the hosts of agents are called; a file of its own, because each start of the command line reads it. */

/** By the name that the command line knows. */
export const HOST_NAMES = {
  vscode: 'VS Code',
  claude: 'Claude Code',
  codex: 'Codex',
  cursor: 'Cursor',
  gemini: 'Gemini CLI',
  copilot: 'Copilot CLI',
  opencode: 'opencode',
  qwen: 'Qwen Code',
  continue: 'Continue',
  windsurf: 'Windsurf',
  zed: 'Zed',
} as const;
export type HostId = keyof typeof HOST_NAMES;

/** AGENTS.md is read by many agents, and belongs to none. */
export const BLOCK_NAMES = { 'agents-md': 'AGENTS.md' } as const;
export const SETUP_IDS: readonly string[] = Object.keys({ ...HOST_NAMES, ...BLOCK_NAMES });
