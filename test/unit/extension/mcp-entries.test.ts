import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mcpEntries } from '../../../src/extension/mcp-entries';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-entries-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function entriesIn(file: string, content: unknown) {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return mcpEntries(folder, 'svc-memory', 'svc-memory-mcp', [dirname(process.execPath)]);
}

describe('the entries of a folder for the memory server', () => {
  it('are those with its name or with its program, in either file', () => {
    const good = { command: process.execPath };
    expect(entriesIn('.mcp.json', { mcpServers: { 'svc-memory': good, other: good } })).toEqual([
      { file: '.mcp.json', name: 'svc-memory', problem: undefined },
    ]);
    const program = { command: 'node', args: ['C:\\tools\\dist\\svc-memory-mcp.js'] };
    expect(entriesIn('.vscode/mcp.json', { servers: { mine: program } }).map(({ file, name }) => [file, name])).toEqual(
      [
        ['.mcp.json', 'svc-memory'],
        ['.vscode/mcp.json', 'mine'],
      ],
    );
  });

  it('are dead when no command, or no program, is there to be started', () => {
    const problem = (entry: unknown) => entriesIn('.mcp.json', { mcpServers: { 'svc-memory': entry } })[0]?.problem;
    expect(problem({ command: 'svc-memory-mcp' })).toEqual({ what: 'command not found', path: 'svc-memory-mcp' });
    expect(problem({ command: './tools/start' })).toEqual({ what: 'command not found', path: './tools/start' });
    expect(problem({ command: process.execPath, args: ['/gone/svc-memory-mcp.js'] })).toEqual({
      what: 'program not found',
      path: '/gone/svc-memory-mcp.js',
    });
    expect(problem({})).toEqual({ what: 'no command' });
    expect(problem('text')).toEqual({ what: 'no object' });
  });

  it('are left alone when they name an address, or a command with variables, which is for the client to fill in', () => {
    const variable = ['$', '{workspaceFolder}/start'].join('');
    for (const entry of [{ url: 'http://localhost:1' }, { command: variable }, { command: 'node' }]) {
      expect(entriesIn('.mcp.json', { mcpServers: { 'svc-memory': entry } })[0]?.problem).toBeUndefined();
    }
  });

  it('are none in a file that is not there, is no JSON, or holds something else', () => {
    expect(mcpEntries(folder, 'svc-memory', 'svc-memory-mcp', [])).toEqual([]);
    for (const content of ['{ not json', '[]', '{"mcpServers": []}', '']) {
      expect(entriesIn('.mcp.json', content)).toEqual([]);
    }
  });
});
