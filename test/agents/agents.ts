/** The agents that are driven: programs of others, with what each needs to start without a network and without asking. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { HostId } from '../../src/server/agents/host-names';
import packages from './programs.json';
import type { Step } from './script';

/** Where `npm run test:agents` installs them. */
const INSTALLED = resolve(__dirname, '../../node_modules/.cache/agents/node_modules');

export interface AgentPlace {
  readonly folder: string;
  readonly home: string;
  /** Of the scripted model. */
  readonly url: string;
}

export interface Started {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** A piece of the text of a file, and what takes its place. */
export interface Edit {
  readonly path: string;
  readonly old: string;
  readonly now: string;
}

export interface Agent {
  readonly id: HostId;
  readonly name: string;
  readonly version: string;
  /** The host tells its model what our hooks say. */
  readonly hooks: boolean;
  /** It shows its model what a server says of itself. */
  readonly instructions: boolean;
  /** What its user has set up before; the model is named here. */
  readonly configure: (place: AgentPlace) => void;
  readonly start: (place: AgentPlace, prompt: string) => Started;
  /** The calls by which its model edits a file. */
  readonly edit: (edit: Edit) => readonly Step[];
}

const versionOf = (name: keyof typeof packages.dependencies): string => packages.dependencies[name];
const platform = `${process.platform}-${process.arch}`;
const own = (...path: string[]): string => join(INSTALLED, ...path);
const script = (...path: string[]): [string, string] => [process.execPath, own(...path)];

function put(file: string, text: string | object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof text === 'string' ? text : JSON.stringify(text, null, 2));
}

const KEY = 'none';

export const AGENTS: readonly Agent[] = [
  {
    id: 'claude',
    name: 'Claude Code',
    version: versionOf('@anthropic-ai/claude-code'),
    hooks: true,
    instructions: true,
    configure: ({ home, folder }) => {
      put(join(home, '.claude/settings.json'), { enableAllProjectMcpServers: true });
      const projects = { [folder]: { hasTrustDialogAccepted: true, enabledMcpjsonServers: ['svc', 'svc-memory'] } };
      put(join(home, '.claude.json'), { hasCompletedOnboarding: true, projects });
    },
    start: ({ url }, prompt) => ({
      command: [own(`@anthropic-ai/claude-code-${platform}/claude`), '-p', prompt, '--dangerously-skip-permissions'],
      env: {
        ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY, ANTHROPIC_MODEL: 'claude-sonnet-4-6', IS_SANDBOX: '1' },
        ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
      },
    }),
    edit: ({ path, old, now }) => [
      { tool: 'Read', input: { file_path: path } },
      { tool: 'Edit', input: { file_path: path, old_string: old, new_string: now } },
    ],
  },
  {
    id: 'codex',
    name: 'Codex CLI',
    version: versionOf('@openai/codex'),
    hooks: true,
    instructions: true,
    configure: ({ home, folder, url }) =>
      put(
        join(home, '.codex/config.toml'),
        [
          ...[
            'model = "gpt-5.5"',
            'model_provider = "scripted"',
            '',
            '[model_providers.scripted]',
            'name = "scripted"',
          ],
          ...[`base_url = "${url}/v1"`, 'wire_api = "responses"', 'env_key = "SCRIPTED_KEY"', ''],
          ...[`[projects."${folder}"]`, 'trust_level = "trusted"', ''],
        ].join('\n'),
      ),
    // A person reviews hooks once, in /hooks.
    start: (_, prompt) => ({
      command: [
        ...script('@openai/codex/bin/codex.js'),
        ...['exec', '--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust', prompt],
      ],
      env: { SCRIPTED_KEY: KEY },
    }),
    edit: ({ path, old, now }) => [
      {
        tool: 'apply_patch',
        input: { input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-${old}\n+${now}\n*** End Patch\n` },
      },
    ],
  },
  {
    id: 'opencode',
    name: 'opencode',
    version: versionOf('opencode-ai'),
    hooks: false,
    instructions: true,
    configure: ({ folder, url }) => {
      const models = { scripted: { name: 'Scripted', limit: { context: 200_000, output: 8_000 } } };
      const options = { baseURL: `${url}/v1`, apiKey: KEY };
      const provider = { scripted: { npm: '@ai-sdk/openai-compatible', name: 'Scripted', options, models } };
      put(join(folder, 'opencode.json'), { model: 'scripted/scripted', small_model: 'scripted/scripted', provider });
    },
    start: (_, prompt) => ({
      command: [own(`opencode-${platform}/bin/opencode`), 'run', prompt],
      env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
    }),
    edit: ({ path, old, now }) => [
      { tool: 'read', input: { filePath: path } },
      { tool: 'edit', input: { filePath: path, oldString: old, newString: now } },
    ],
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    version: versionOf('@google/gemini-cli'),
    hooks: true,
    instructions: true,
    configure: ({ home }) =>
      put(join(home, '.gemini/settings.json'), { security: { auth: { selectedType: 'gemini-api-key' } } }),
    start: ({ url }, prompt) => ({
      command: [...script('@google/gemini-cli/bundle/gemini.js'), '-p', prompt, '--yolo', '--skip-trust'],
      env: {
        ...{ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url, GEMINI_TELEMETRY_ENABLED: 'false' },
        ...{ GEMINI_CLI_TRUST_WORKSPACE: 'true' },
        // Else it asks a model which model to ask.
        GEMINI_MODEL: 'gemini-2.5-pro',
      },
    }),
    edit: ({ path, old, now }) => [
      { tool: 'read_file', input: { file_path: path } },
      { tool: 'replace', input: { file_path: path, instruction: 'as told', old_string: old, new_string: now } },
    ],
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    version: versionOf('@qwen-code/qwen-code'),
    hooks: false,
    instructions: true,
    configure: () => {},
    start: ({ url }, prompt) => ({
      command: [...script('@qwen-code/qwen-code/cli-entry.js'), '-p', prompt, '--yolo'],
      env: {
        OPENAI_API_KEY: KEY,
        OPENAI_BASE_URL: `${url}/v1`,
        OPENAI_MODEL: 'scripted',
        QWEN_TELEMETRY_ENABLED: 'false',
      },
    }),
    edit: ({ path, old, now }) => [
      { tool: 'read_file', input: { file_path: path } },
      { tool: 'edit', input: { file_path: path, old_string: old, new_string: now } },
    ],
  },
  {
    id: 'continue',
    name: 'Continue CLI',
    version: versionOf('@continuedev/cli'),
    hooks: false,
    instructions: false,
    configure: ({ home, url }) =>
      put(
        join(home, '.continue/config.yaml'),
        [
          ...['name: mine', 'version: 0.0.1', 'schema: v1', 'models:', '  - name: scripted', '    provider: openai'],
          ...['    model: scripted', `    apiBase: ${url}/v1`, `    apiKey: ${KEY}`, '    capabilities: [tool_use]'],
          ...['    roles: [chat]', ''],
        ].join('\n'),
      ),
    start: ({ home }, prompt) => ({
      command: [
        ...script('@continuedev/cli/dist/cn.js'),
        ...['-p', '--auto', '--config', join(home, '.continue/config.yaml'), prompt],
      ],
      env: { CONTINUE_TELEMETRY_ENABLED: '0' },
    }),
    edit: ({ path, old, now }) => [
      { tool: 'Read', input: { filepath: path } },
      { tool: 'Edit', input: { file_path: path, old_string: old, new_string: now } },
    ],
  },
  {
    id: 'copilot',
    name: 'Copilot CLI',
    version: versionOf('@github/copilot'),
    hooks: true,
    instructions: false,
    configure: () => {},
    start: ({ url }, prompt) => ({
      command: [own(`@github/copilot-${platform}/copilot`), '-p', prompt, '--allow-all-tools', '--allow-all-paths'],
      env: {
        ...{
          COPILOT_OFFLINE: 'true',
          COPILOT_ALLOW_ALL: 'true',
          COPILOT_MODEL: 'scripted',
          COPILOT_AUTO_UPDATE: 'false',
        },
        ...{ COPILOT_PROVIDER_TYPE: 'openai', COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_API_KEY: KEY },
      },
    }),
    edit: ({ path, old, now }) => [
      { tool: 'view', input: { path } },
      { tool: 'edit', input: { path, old_str: old, new_str: now } },
    ],
  },
];
