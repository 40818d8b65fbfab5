import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bringsForeignText } from '../../src/server/agents/foreign-reading';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { type ConnectedServer, connectServer } from '../support/stdio-client';

async function hook(place: CommandLine, event: string, input: object): Promise<void> {
  const { status, out } = await place.run(['hook', event], { input: JSON.stringify(input) });
  expect([status, JSON.parse(out)]).toEqual([0, {}]);
}

async function standingOf(place: CommandLine, server: ConnectedServer, content: string): Promise<string> {
  const { node_id } = await server.value<{ node_id: string }>('memory_store', { content, kind: 'fact' });
  return (await place.json<{ standing: string }>('node', node_id)).standing;
}

describe('what an agent stores after it has read foreign text', () => {
  it('waits for a person until its user speaks again', () =>
    withCommandLine(async (place) => {
      await place.ok('init');
      const server = await connectServer(place);
      try {
        expect(await standingOf(place, server, 'Before')).toBe('stored');
        const session = { session_id: 'one', cwd: place.folder };
        await hook(place, 'post-tool-use', { ...session, tool_name: 'Read', tool_input: { file_path: '/x/src/a.ts' } });
        expect(await standingOf(place, server, 'After a file of the project')).toBe('stored');
        await hook(place, 'post-tool-use', {
          ...session,
          tool_name: 'WebFetch',
          tool_input: { url: 'https://x.test' },
        });
        expect(await standingOf(place, server, 'After a page of the web')).toBe('proposed');
        expect(await place.ok('review')).toContain('after foreign text (1)');
        await hook(place, 'user-prompt-submit', { session_id: 'another' });
        expect(await standingOf(place, server, 'While another session goes on')).toBe('proposed');
        await hook(place, 'user-prompt-submit', session);
        expect(await standingOf(place, server, 'After the next prompt')).toBe('stored');
        expect(await readdir(join(place.home, '.svc', 'foreign-text'))).toEqual([]);
      } finally {
        await server.close();
      }
    }));

  it('is as always in another project', () =>
    withCommandLine(async (place) => {
      await place.ok('init');
      await hook(place, 'post-tool-use', { cwd: place.home, tool_name: 'WebSearch', tool_input: { query: 'x' } });
      const server = await connectServer(place);
      try {
        expect(await standingOf(place, server, 'Elsewhere')).toBe('stored');
      } finally {
        await server.close();
      }
    }));
});

describe('foreign text', () => {
  it.each([
    ['WebFetch', {}],
    ['WebSearch', {}],
    ['fetch_webpage', { urls: '["https://x.test"]' }],
    ['mcp__github__get_issue', { issue: 3 }],
    ['mcp_slack_history', {}],
    ['Bash', { command: 'cd /x && curl -s https://x.test | head' }],
    ['Bash', { command: 'gh issue view 12 --comments' }],
    ['Bash', { command: 'cat node_modules/left-pad/README.md' }],
    ['run_in_terminal', { command: 'wget https://x.test' }],
    ['Read', { file_path: '/x/node_modules/left-pad/index.js' }],
    ['read_file', { filePath: 'C:\\x\\vendor\\lib\\a.php' }],
    ['Grep', { pattern: 'x', path: '/x/.venv/lib/python3.12/site-packages/y' }],
  ])('comes with %s %j', (tool, input) => expect(bringsForeignText({ tool, input })).toBe(true));

  it.each([
    ['Read', { file_path: '/x/src/vendors.ts' }],
    ['Bash', { command: 'npm test -- curl.test.ts' }],
    ['Bash', { command: 'git log --oneline' }],
    ['Edit', { file_path: '/x/src/fetch.ts', new_string: 'await get()' }],
    ['mcp__svc-memory__memory_recall', { query: 'curl' }],
    ['mcp__svc__query_codebase', { query: 'fetch' }],
  ])('does not come with %s %j', (tool, input) => expect(bringsForeignText({ tool, input })).toBe(false));
});
