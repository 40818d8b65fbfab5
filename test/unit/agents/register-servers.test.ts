import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { registerServers } from '../../../src/server/agents/register-servers';

let scratch = '';
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'svc-register-'));
});
afterEach(() => rmSync(scratch, { recursive: true }));

async function entryBy(node: string): Promise<unknown> {
  const terminal = join(scratch, 'dist', 'terminal-bin');
  mkdirSync(terminal, { recursive: true });
  for (const name of ['svc-mcp', 'svc-memory-mcp']) {
    writeFileSync(join(scratch, 'dist', `${name}.js`), '');
    writeFileSync(join(terminal, name), '', { mode: 0o755 });
  }
  await registerServers({ root: scratch, programs: join(scratch, 'dist'), node, searchPath: [terminal] });
  const { mcpServers } = JSON.parse(readFileSync(join(scratch, '.mcp.json'), 'utf8')) as {
    mcpServers: Readonly<Record<string, unknown>>;
  };
  return mcpServers['svc-memory'];
}

it('registers no command that only the terminal of the editor knows', async () => {
  expect(await entryBy('/opt/node/bin/node')).toEqual({
    command: '/opt/node/bin/node',
    args: [join(scratch, 'dist', 'svc-memory-mcp.js')],
    description: expect.stringContaining('Memory of this project'),
  });
});

it("tells the editor's own executable that it is to be a Node", async () => {
  expect(await entryBy('/opt/editor/Code Helper (Plugin)')).toMatchObject({
    command: '/opt/editor/Code Helper (Plugin)',
    env: { ELECTRON_RUN_AS_NODE: '1' },
  });
});
