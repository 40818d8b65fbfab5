import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './project-files';

// An MCP client starts the server with whatever Node its user has, not with the one that our tools run on.
const node = process.env.SYSTEM_NODE ?? process.execPath;
const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();

let scratch = '';
let folder = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'svc-smoke-'));
  folder = join(scratch, 'project');
  mkdirSync(folder);
});
afterAll(() => rmSync(scratch, { recursive: true }));

describe(`the built programs on the Node of this system, ${version}`, () => {
  it('keep a memory over MCP and find it again from the command line', async () => {
    const env = { ...getDefaultEnvironment(), HOME: scratch };
    const commandLine = (...args: readonly string[]): string =>
      execFileSync(node, [join(ROOT, 'dist/svc-memory.js'), ...args], { cwd: folder, env, encoding: 'utf8' });
    expect(commandLine('init')).toContain(join(realpathSync(folder), '.svc', 'memory.db'));

    const client = new Client({ name: 'smoke', version: '1.0.0' });
    const args = [join(ROOT, 'dist/svc-memory-mcp.js')];
    await client.connect(new StdioClientTransport({ command: node, args, cwd: folder, env }));
    const content = 'The built server runs on the Node of this system.';
    await client.callTool({ name: 'memory_store', arguments: { content, kind: 'fact' } });
    await client.close();

    expect(commandLine('recall', 'which Node runs the server?')).toContain(content);
  });

  it('run as npm installs them, on the SQLite module that was compiled on the machine', () => {
    const installed = join(scratch, 'installed');
    cpSync(join(ROOT, 'dist'), join(installed, 'dist'), { recursive: true, filter: (path) => !path.endsWith('.node') });
    symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'));
    const env = { ...getDefaultEnvironment(), HOME: scratch, SVC_MEMORY_DB: join(scratch, 'installed.db') };
    const program = join(installed, 'dist', 'svc-memory.js');
    expect(execFileSync(node, [program, 'stats'], { cwd: scratch, env, encoding: 'utf8' })).toContain('default');
  });
});
