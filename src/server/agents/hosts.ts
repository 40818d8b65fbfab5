/** The hosts of agents: where each keeps its servers, in which form, and how one is known to be here. */

import type { HookHost } from './hook-hosts';
import { HOST_NAMES, type HostId } from './host-names';
import { type Entry, jsonForm, type ServerForm, tomlForm } from './server-forms';
import { YAML_FORM } from './yaml-servers';

/** What is to be started. */
export interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Host {
  readonly id: HostId;
  readonly name: string;
  readonly files: {
    readonly project?: string;
    /** In the home directory. */
    readonly user: string;
    /** By platform. */
    readonly elsewhere?: Readonly<Record<string, string>>;
  };
  readonly form: ServerForm;
  readonly entry: (start: Start, server: { readonly name: string; readonly description: string }) => Entry;
  readonly hooks?: HookHost;
  /** It tells its model what a server says of itself. */
  readonly instructions: boolean;
  /** Commands on PATH, and what lies in the home directory or in a project, where it is in use. */
  readonly signs: {
    readonly commands: readonly string[];
    readonly home: readonly string[];
    readonly project: readonly string[];
  };
  /** For docs/clients.md. */
  readonly note?: string;
}

const WITHOUT_INSTRUCTIONS =
  'It shows its model no instructions of a server: `svc-memory setup agents-md` puts them into AGENTS.md.';

/** As each host had it in November 2026. */
const ROWS: readonly Omit<Host, 'name'>[] = [
  {
    id: 'vscode',
    files: {
      project: '.vscode/mcp.json',
      user: '.config/Code/User/mcp.json',
      elsewhere: {
        darwin: 'Library/Application Support/Code/User/mcp.json',
        win32: 'AppData/Roaming/Code/User/mcp.json',
      },
    },
    form: jsonForm('servers'),
    entry: (start) => ({ type: 'stdio', ...plain(start) }),
    hooks: 'vscode',
    instructions: true,
    signs: { commands: ['code', 'code-insiders', 'codium'], home: ['.vscode', '.vscode-server'], project: ['.vscode'] },
    note: 'Servers only without the extension "Agent Memory", which registers both by itself.',
  },
  {
    id: 'claude',
    files: { project: '.mcp.json', user: '.claude.json' },
    form: jsonForm('mcpServers'),
    entry: (start, { description }) => ({ ...plain(start), description }),
    hooks: 'claude',
    instructions: true,
    signs: { commands: ['claude'], home: ['.claude', '.claude.json'], project: ['.claude', 'CLAUDE.md'] },
    note: '`svc-memory init --register` writes this one file. Claude Code asks once whether to start what a project registers.',
  },
  {
    id: 'codex',
    files: { user: '.codex/config.toml' },
    form: tomlForm('mcp_servers'),
    entry: plain,
    hooks: 'codex',
    instructions: true,
    signs: { commands: ['codex'], home: ['.codex'], project: ['.codex'] },
    note: '`.codex/config.toml` of a trusted project will do as well. Codex runs hooks after you have reviewed them in `/hooks`.',
  },
  {
    id: 'cursor',
    files: { project: '.cursor/mcp.json', user: '.cursor/mcp.json' },
    form: jsonForm('mcpServers'),
    entry: plain,
    hooks: 'cursor',
    instructions: true,
    signs: { commands: ['cursor', 'cursor-agent'], home: ['.cursor'], project: ['.cursor', '.cursorrules'] },
  },
  {
    id: 'gemini',
    files: { project: '.gemini/settings.json', user: '.gemini/settings.json' },
    form: jsonForm('mcpServers'),
    entry: plain,
    hooks: 'gemini',
    instructions: true,
    signs: { commands: ['gemini'], home: ['.gemini'], project: ['.gemini', 'GEMINI.md'] },
  },
  {
    id: 'copilot',
    files: { user: '.copilot/mcp-config.json' },
    form: jsonForm('mcpServers'),
    entry: ({ command, args, env }) => ({ type: 'local', command, args, ...withEnv('env', env), tools: ['*'] }),
    hooks: 'vscode',
    instructions: false,
    signs: { commands: ['copilot'], home: ['.copilot'], project: [] },
    note: WITHOUT_INSTRUCTIONS,
  },
  {
    id: 'opencode',
    files: { project: 'opencode.json', user: '.config/opencode/opencode.json' },
    form: jsonForm('mcp'),
    entry: ({ command, args, env }) => ({
      ...{ type: 'local', command: [command, ...args], enabled: true },
      ...withEnv('environment', env),
    }),
    instructions: true,
    signs: { commands: ['opencode'], home: ['.config/opencode', '.opencode'], project: ['opencode.json', '.opencode'] },
    note: 'Of version 1. In version 2 the entries stand in `mcp.servers`.',
  },
  {
    id: 'qwen',
    files: { project: '.qwen/settings.json', user: '.qwen/settings.json' },
    form: jsonForm('mcpServers'),
    // It shows its model the names of tools alone, until it searches for one.
    entry: (start, { name }) => ({ ...plain(start), ...(name === 'svc-memory' ? { alwaysLoadTools: true } : {}) }),
    instructions: true,
    signs: { commands: ['qwen'], home: ['.qwen'], project: ['.qwen', 'QWEN.md'] },
    note: 'Without `alwaysLoadTools` it shows its model the names of the tools alone, until the model searches for one.',
  },
  {
    id: 'continue',
    // Its command line reads no other file, and no folder of servers.
    files: { user: '.continue/config.yaml' },
    form: YAML_FORM,
    entry: plain,
    instructions: false,
    signs: { commands: ['cn'], home: ['.continue'], project: ['.continue'] },
    note: `${WITHOUT_INSTRUCTIONS} Extension and command line (\`cn\`) both read this file; servers in \`.continue/mcpServers\` reach the extension alone.`,
  },
  {
    id: 'windsurf',
    files: { user: '.codeium/windsurf/mcp_config.json' },
    form: jsonForm('mcpServers'),
    entry: plain,
    instructions: true,
    signs: {
      commands: ['windsurf'],
      home: ['.codeium/windsurf', '.windsurf'],
      project: ['.windsurf', '.windsurfrules'],
    },
  },
  {
    id: 'zed',
    files: { user: '.config/zed/settings.json', elsewhere: { win32: 'AppData/Roaming/Zed/settings.json' } },
    form: jsonForm('context_servers'),
    entry: ({ command, args, env }) => ({ source: 'custom', command, args, env }),
    instructions: true,
    signs: { commands: ['zed', 'zeditor'], home: ['.config/zed', 'AppData/Roaming/Zed'], project: ['.zed'] },
  },
];

export const HOSTS: readonly Host[] = ROWS.map((row) => ({ ...row, name: HOST_NAMES[row.id] }));

/** The file of the user, in the home directory of this platform. */
export function userFile({ files }: Host, platform: string): string {
  return files.elsewhere?.[platform] ?? files.user;
}

function plain({ command, args, env }: Start): Entry {
  return { command, ...(args.length === 0 ? {} : { args }), ...withEnv('env', env) };
}

function withEnv(name: string, env: Start['env']): Entry {
  return Object.keys(env).length === 0 ? {} : { [name]: env };
}
