// plugin/, a folder that agents install as a whole: servers, skill and hooks, from the sources of all other texts.
import packageJson from '../../package.json';
import { HOST_FILES } from '../../src/server/agents/hook-hosts';
import { SERVERS } from '../../src/server/agents/register-servers';
import { agentFiles } from './agent-files';

const SPECIFICATION = 'https://agent-plugins.org/schemas/1.0.0';
const SKILL = 'skills/agent-memory/SKILL.md';

const ABOUT = {
  name: 'svc-memory',
  version: packageJson.version,
  description: `${packageJson.displayName}: the memory of a project, kept across conversations and shared by all agents. Needs the commands of the npm package svc-memory.`,
  license: packageJson.license,
  keywords: packageJson.keywords,
};

/** The files of plugin/ by their path there. */
export function pluginFiles(): Readonly<Record<string, string>> {
  const entries = <Entry>(entry: (command: string) => Entry): Record<string, Entry> =>
    Object.fromEntries(SERVERS.map(({ name, command }) => [name, entry(command)]));
  const { hooks, entry } = HOST_FILES.claude;
  const call = { command: 'svc-memory', quoted: false };
  return {
    'plugin.json': json({ $schema: `${SPECIFICATION}/plugin.schema.json`, ...ABOUT }),
    'mcp.json': json({
      $schema: `${SPECIFICATION}/mcp.schema.json`,
      mcpServers: entries((command) => ({ type: 'stdio', command })),
    }),
    [SKILL]: agentFiles()[SKILL] ?? '',
    // Claude Code finds skills and hooks in their usual places by itself.
    '.claude-plugin/plugin.json': json({ ...ABOUT, mcpServers: entries((command) => ({ command })) }),
    'hooks/hooks.json': json({ hooks: Object.fromEntries(hooks.map((hook) => [hook.on, [entry(call, hook)]])) }),
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
