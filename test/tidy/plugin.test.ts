import Ajv2020 from 'ajv/dist/2020';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { projectFiles, read } from './project-files';

const json = (path: string): unknown => JSON.parse(read(`plugin/${path}`));
const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;

/** Agent Plugins 1.0.0, "Manifest object": the only fields there are. */
const MANIFEST = {
  type: 'object',
  additionalProperties: false,
  required: ['$schema', 'name'],
  properties: {
    $schema: { const: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json' },
    name: { type: 'string', maxLength: 64, pattern: '^(?!.*(?:--|\\.\\.))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$' },
    ...{ version: text, description: text, homepage: text, repository: text, license: text, keywords: texts },
    author: { type: 'object', additionalProperties: false, properties: { name: text, email: text, url: text } },
    extensions: { type: 'object', additionalProperties: { type: 'object' } },
  },
};

/** The same, "MCP servers": one that is started. */
const SERVERS = {
  type: 'object',
  additionalProperties: false,
  required: ['$schema', 'mcpServers'],
  properties: {
    $schema: { const: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json' },
    mcpServers: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        additionalProperties: false,
        required: ['type', 'command'],
        properties: { type: { const: 'stdio' }, command: { type: 'string', pattern: '^svc-' }, args: texts },
      },
    },
  },
};

describe('the plugin', () => {
  it.each([
    ['plugin.json', MANIFEST],
    ['mcp.json', SERVERS],
  ])('has a %s of the form of Agent Plugins 1.0', (path, schema) => {
    const validate = new Ajv2020({ strict: true }).compile(schema);
    validate(json(path));
    expect(validate.errors).toBeNull();
  });

  it('has a skill that is called like its folder, and says when it is of use', () => {
    const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(read('plugin/skills/agent-memory/SKILL.md')) ?? [];
    const { name, description } = parse(head) as { name: string; description: string };
    expect(name).toBe('agent-memory');
    // Hosts take no longer one.
    expect(description.length).toBeGreaterThan(0);
    expect(description.length).toBeLessThanOrEqual(1_024);
  });

  it('says the same of itself to both kinds of hosts, in the version of the package', () => {
    const { $schema, ...manifest } = json('plugin.json') as Record<string, unknown>;
    const { mcpServers, ...claude } = json('.claude-plugin/plugin.json') as Record<string, unknown>;
    expect(claude).toEqual(manifest);
    expect(manifest.version).toBe((JSON.parse(read('package.json')) as { version: string }).version);
    const { mcpServers: servers } = json('mcp.json') as { mcpServers: Record<string, { command: string }> };
    expect(Object.entries(servers).map(([name, { command }]) => [name, { command }])).toEqual(
      Object.entries(mcpServers as object),
    );
  });

  it('holds nothing of this machine, and no file besides', () => {
    const files = projectFiles('plugin');
    expect(files.sort()).toEqual(
      ['.claude-plugin/plugin.json', 'hooks/hooks.json', 'mcp.json', 'plugin.json', 'skills/agent-memory/SKILL.md'].map(
        (path) => `plugin/${path}`,
      ),
    );
    for (const path of files.filter((each) => each.endsWith('.json'))) expect(read(path)).not.toMatch(/node|"\//);
  });
});
