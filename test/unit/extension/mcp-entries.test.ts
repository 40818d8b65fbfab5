import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mcpEntries } from '../../../src/extension/mcp-entries';
import { makeReleasedPipe } from '../../support/special-files';

let folder = '';
let refused: string[] = [];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-entries-')));
  refused = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

function entriesIn(file: string, content: unknown) {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return entries();
}

function entries() {
  const found = [dirname(process.execPath)];
  return mcpEntries(folder, 'svc-memory', 'svc-memory-mcp', found, (sentence) => refused.push(sentence));
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
    expect(entries()).toEqual([]);
    for (const content of ['{ not json', '[]', '{"mcpServers": []}', '']) {
      expect(entriesIn('.mcp.json', content)).toEqual([]);
    }
  });

  it.each([
    ['.mcp.json', 'mcpServers'],
    ['.vscode/mcp.json', 'servers'],
  ])('are none in a %s that is a pipe, is too large or leads out, and the log names it', (file, key) => {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    const content = JSON.stringify({ [key]: { 'svc-memory': { command: 'node' } } });
    makeReleasedPipe(path);
    expect(entries()).toEqual([]);
    rmSync(path);
    symlinkSync('/dev/zero', path);
    expect(entries()).toEqual([]);
    rmSync(path);
    const other = mkdtempSync(join(tmpdir(), 'svc-entries-'));
    writeFileSync(join(other, 'theirs.json'), content);
    symlinkSync(join(other, 'theirs.json'), path);
    expect(entries()).toEqual([]);
    rmSync(path);
    rmSync(other, { recursive: true });
    writeFileSync(path, content + ' '.repeat(1_000_000));
    expect(entries()).toEqual([]);
    expect(refused).toEqual([
      `${path} is not a regular file. It was not read.`,
      `${path} leads out of the project, to /dev/zero. It was not read.`,
      expect.stringContaining('theirs.json. It was not read.'),
      `${path} is larger than 1000000 bytes. It was not read.`,
    ]);
  });

  it('may lie in a file of the folder that another one links to', () => {
    writeFileSync(join(folder, 'shared.json'), JSON.stringify({ mcpServers: { 'svc-memory': { command: 'node' } } }));
    symlinkSync('shared.json', join(folder, '.mcp.json'));
    expect(entries()).toEqual([{ file: '.mcp.json', name: 'svc-memory', problem: undefined }]);
    expect(refused).toEqual([]);
  });
});
