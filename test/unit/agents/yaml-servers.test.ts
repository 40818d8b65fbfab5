import { describe, expect, it } from 'vitest';
import { YAML_FORM } from '../../../src/server/agents/yaml-servers';

const PATH = '/home/someone/.continue/config.yaml';
const OURS = new Map([
  ['svc', { command: 'svc-mcp' }],
  ['svc-memory', { command: 'svc-memory-mcp', args: ['--tools', 'core'] }],
]);
const NAMES = [...OURS.keys()];
const LINES = [
  ...['- name: svc', '  command: svc-mcp', '- name: svc-memory', '  command: svc-memory-mcp'],
  '  args: ["--tools","core"]',
];
const indented = (by: string): string => LINES.map((line) => `${by}${line}\n`).join('');

describe('a YAML file with a list of servers', () => {
  it.each([
    ['that is empty', '', `name: Agent Memory\nversion: 0.0.1\nschema: v1\nmcpServers:\n${indented('  ')}`],
    ['without servers', 'name: a # mine\n', `name: a # mine\nmcpServers:\n${indented('  ')}`],
    ['without an end of its last line', 'name: a', `name: a\nmcpServers:\n${indented('  ')}`],
    ['with a key alone', 'mcpServers: # none\nname: a\n', `mcpServers: # none\n${indented('  ')}name: a\n`],
    [
      'with servers of others, and lines behind them',
      'mcpServers:\n- name: b # b\n  command: b\n  env:\n    A: 1\n\n# rules\nrules: []\n',
      `mcpServers:\n- name: b # b\n  command: b\n  env:\n    A: 1\n${indented('')}\n# rules\nrules: []\n`,
    ],
  ])('%s gets ours, and is as it was without them', (_, before, after) => {
    expect(YAML_FORM.write(PATH, before, OURS)).toBe(after);
    expect(YAML_FORM.write(PATH, after, OURS)).toBe(after);
    expect([...YAML_FORM.read(PATH, after).keys()].filter((name) => NAMES.includes(name))).toEqual(NAMES);
    const rest = YAML_FORM.remove(PATH, after, NAMES);
    const withEnd = before === '' || before.endsWith('\n') ? before : `${before}\n`;
    expect(rest).toBe(withEnd.replace('mcpServers: # none\n', ''));
  });

  it('keeps an entry of others between two of ours', () => {
    const text = `mcpServers:\n  - name: svc\n    command: x\n  - name: b\n    command: b\n  - name: svc-memory\n    command: y\n`;
    expect(YAML_FORM.remove(PATH, text, NAMES)).toBe('mcpServers:\n  - name: b\n    command: b\n');
    expect(YAML_FORM.write(PATH, text, OURS)).toBe(`mcpServers:\n  - name: b\n    command: b\n${indented('  ')}`);
  });

  it.each([
    ['mcpServers: [{ name: b }]\n', 'cannot be changed without harm'],
    ['mcpServers: {}\n', 'cannot be changed without harm'],
    ['mcpServers:\n  - command: b\n', 'a server without a name'],
    ['a: [\n', 'is not valid YAML'],
    ['- a\n', 'is no YAML of settings'],
    ['a: &a [1]\nb: [*a, *a]\n', 'is not valid YAML'],
  ])('%j is left as it is: %s', (text, why) => {
    expect(() => YAML_FORM.write(PATH, text, OURS)).toThrow(why);
  });
});
