import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { agentFiles } from '../../scripts/docs/agent-files';
import { withChatTools } from '../../scripts/docs/chat-tools';
import { cliPage } from '../../scripts/docs/cli-page';
import { clientsPage, snippetOf } from '../../scripts/docs/clients-page';
import { pluginFiles } from '../../scripts/docs/plugin-files';
import { settingsPage } from '../../scripts/docs/settings-page';
import { toolsPage } from '../../scripts/docs/tools-page';
import { HOSTS } from '../../src/server/agents/hosts';
import { SERVERS } from '../../src/server/agents/register-servers';

const page = (name: string): string => readFileSync(resolve(__dirname, '../../docs', name), 'utf8');

test('docs/cli.md is what the program says; "npm run docs" writes it again', async () => {
  expect(page('cli.md')).toBe(await cliPage());
});

test('docs/clients.md has an entry for each host; "npm run docs" writes it again', () => {
  expect(page('clients.md')).toBe(clientsPage());
});

test.each(HOSTS.map((host) => [host.name, host] as const))(
  'the entry for %s can be read, and starts both servers by their bare commands',
  (_, host) => {
    const text = snippetOf(host);
    const entries = host.form.read('snippet', text);
    expect([...entries.keys()]).toEqual(SERVERS.map(({ name }) => name));
    for (const { name, command } of SERVERS) {
      expect([entries.get(name)?.command].flat()).toEqual([command]);
    }
    expect(text).not.toMatch(/\/|node/);
  },
);

test('package.json gives the chat the tools of the registry; "npm run docs" writes them again', () => {
  const manifest = page('../package.json');
  expect(withChatTools(manifest)).toBe(manifest);
});

test('docs/settings.md is what package.json declares; "npm run docs" writes it again', () => {
  expect(page('settings.md')).toBe(settingsPage());
});

test('docs/tools.md is what the tools declare; "npm run docs" writes it again', () => {
  expect(page('tools.md')).toBe(toolsPage());
});

test.each(Object.entries(agentFiles()))(
  'agent/%s is made of the sentences that all texts for agents share',
  (path, text) => {
    expect(page(`../agent/${path}`)).toBe(text);
  },
);

test.each(Object.entries(pluginFiles()))(
  'plugin/%s is made of what all agents are told; "npm run docs" writes it again',
  (path, text) => {
    expect(page(`../plugin/${path}`)).toBe(text);
  },
);

test('no line of help is wider than a terminal of 80 columns', async () => {
  expect((await cliPage()).split('\n').filter((line) => line.length > 80)).toEqual([]);
});
