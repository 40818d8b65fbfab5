import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CommandLine, PROGRAM_FILE, withCommandLine } from '../support/command-line';
import { runOnTerminal } from '../support/terminal';

const ALL_IN_PROJECT = ['.vscode/mcp.json', '.mcp.json', '.cursor/mcp.json', '.gemini/settings.json', 'opencode.json'];

async function put(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** PATH with our commands, as after a global installation. */
async function withCommands({ home }: CommandLine): Promise<{ readonly env: Readonly<Record<string, string>> }> {
  const bin = join(home, 'bin');
  const names = ['svc-mcp', 'svc-memory-mcp', 'svc-memory'];
  await put(bin, Object.fromEntries(names.map((name) => [name, '#!/bin/sh\n'])));
  for (const name of names) await chmod(join(bin, name), 0o755);
  return { env: { PATH: bin } };
}

const CONTINUE = `name: Mine
schema: v1
mcpServers:
  - name: other # mine
    command: other

# rules
rules:
  - Be kind
`;

describe('svc-memory setup', () => {
  it('writes every agent into files of its user where our commands are not on the PATH, once, and takes all of it out', () =>
    withCommandLine(async (place) => {
      const before = {
        '.codex/config.toml': '# mine\nmodel = "x" # fast\n\n[mcp_servers.other]\ncommand = "other"',
        '.gemini/settings.json': '{ "theme": "dark" /* night */ }',
        '.qwen/settings.json': '{}',
        '.copilot/mcp-config.json': '{\r\n  // ours\r\n  "mcpServers": {}\r\n}\r\n',
        '.config/zed/settings.json': '// Zed\n{\n  "vim_mode": true, // yes\n}\n',
        '.claude.json': '',
        '.continue/config.yaml': CONTINUE,
      };
      await put(place.home, before);
      expect((await place.run(['setup', 'all', '--dry-run'])).out).toContain('Nothing was written');
      const first = await place.ok('setup', 'all', '--yes');
      expect(first).toContain('Written: ~/.codex/config.toml');
      const codex = await readFile(join(place.home, '.codex/config.toml'), 'utf8');
      expect(codex).toContain('model = "x" # fast');
      expect(codex).toMatch(/\[mcp_servers\.svc-memory\]\ncommand = "\/.*"\nargs = \["\/.*svc-memory-mcp\.js"\]/);
      expect(await readFile(join(place.home, '.config/zed/settings.json'), 'utf8')).toMatch(
        /^\/\/ Zed\n[\s\S]*\/\/ yes/,
      );
      const yaml = await readFile(join(place.home, '.continue/config.yaml'), 'utf8');
      expect(yaml).toMatch(/# mine\n {4}command: other\n {2}- name: svc\n {4}command: "\//);
      expect(yaml).toMatch(/- name: svc-memory\n {4}command: "\/.*"\n {4}args: \["\/.*\n\n# rules\nrules:/);
      for (const name of ALL_IN_PROJECT) expect(existsSync(place.path(name))).toBe(false);
      expect(await place.ok('setup', 'all', '--yes')).toBe('There is nothing to do.\n');
      await place.ok('setup', '--remove', '--yes');
      for (const [name, text] of Object.entries(before)) {
        expect([name, await readFile(join(place.home, name), 'utf8')]).toEqual([name, text]);
      }
      for (const name of ['.svc/setup', '.codeium', '.cursor', '.codex/hooks.json', '.claude']) {
        expect([name, existsSync(join(place.home, name))]).toEqual([name, false]);
      }
      expect(existsSync(place.path('AGENTS.md'))).toBe(false);
    }));

  it('writes bare commands into the files of a project', () =>
    withCommandLine(async (place) => {
      const options = await withCommands(place);
      const own = { '.mcp.json': '{"mcpServers": {"a": {"command": "a"}}} // end', 'AGENTS.md': '# Rules' };
      await put(place.folder, own);
      const run = (...args: string[]) => place.run(['setup', ...args], options);
      expect((await run('all', '--yes')).status).toBe(0);
      for (const name of [...ALL_IN_PROJECT, '.claude/settings.json', '.codex/hooks.json']) {
        const text = await readFile(place.path(name), 'utf8');
        expect(text).toContain('svc-memory');
        expect(text).not.toMatch(/dist|svc-memory\.js|bin\/node/);
      }
      expect((await run('all', '--yes')).out).toBe('There is nothing to do.\n');
      expect((await run('--remove', '--yes')).status).toBe(0);
      for (const [name, text] of Object.entries(own)) expect(await readFile(place.path(name), 'utf8')).toBe(text);
      for (const name of ['.vscode', '.cursor', '.gemini', '.qwen', '.github', '.claude', '.codex', 'opencode.json']) {
        expect([name, existsSync(place.path(name))]).toEqual([name, false]);
      }
    }));

  it('does it for the agents that are found, after it was agreed to, and keeps what others changed since', () =>
    withCommandLine(async (place) => {
      await mkdir(join(place.home, '.gemini'));
      const path = join(place.home, '.gemini/settings.json');
      const { status, out, err } = await place.run(['setup']);
      expect([status, existsSync(path)]).toEqual([2, false]);
      expect(out).toMatch(
        /^## Gemini CLI \(~\/\.gemini is there\)\n~\/\.gemini\/settings\.json, the servers:\n {2}\+ \{/,
      );
      expect(err).toContain('there is no terminal to ask on');
      await place.ok('setup', '--yes');
      const written = await readFile(path, 'utf8');
      await writeFile(path, written.replace('{', '{\n  "theme": "dark",'));
      await place.ok('setup', '--remove', '--yes');
      expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ theme: 'dark' });
    }));

  it('names a file that cannot be read, leaves it alone, and goes on', () =>
    withCommandLine(async (place) => {
      const options = await withCommands(place);
      await put(place.folder, { '.cursor/mcp.json': '{ nonsense', 'opencode.json': '[]', 'theirs/x': '' });
      await put(place.home, { 'theirs.json': '{}' });
      await symlink(join(place.home, 'theirs.json'), place.path('.mcp.json'));
      await symlink('theirs', place.path('.gemini'));
      const { status, err } = await place.run(['setup', 'all', '--yes'], options);
      expect(status).toBe(1);
      expect(err).toMatch(/invalid_input: Cursor: .*mcp\.json is not valid JSON/);
      expect(err).toMatch(/invalid_input: opencode: .*opencode\.json is not a JSON object/);
      expect(err).toMatch(/invalid_input: Claude Code: .*\.mcp\.json leads out of the project/);
      expect(err).toMatch(
        /invalid_input: Gemini CLI: .*\.gemini is a link to theirs, and svc-memory never writes through/,
      );
      expect(await readFile(place.path('.cursor/mcp.json'), 'utf8')).toBe('{ nonsense');
      expect(await readFile(join(place.home, 'theirs.json'), 'utf8')).toBe('{}');
      const qwen = await readFile(place.path('.qwen/settings.json'), 'utf8');
      expect(qwen).toMatch(/"alwaysLoadTools": true/);
    }));

  it('leaves a server of others that has our name, and says so', () =>
    withCommandLine(async (place) => {
      const theirs = '[mcp_servers.svc]\ncommand = "theirs"\n';
      await put(place.home, { '.codex/config.toml': theirs });
      expect(await place.ok('setup', 'codex', '--yes')).toContain('has another server "svc", which was left as it is.');
      expect(await readFile(join(place.home, '.codex/config.toml'), 'utf8')).toMatch(
        /^\[mcp_servers\.svc\]\ncommand = "theirs"/,
      );
      await place.ok('setup', 'codex', '--remove', '--yes');
      expect(await readFile(join(place.home, '.codex/config.toml'), 'utf8')).toBe(theirs);
    }));

  it('is offered by init', () =>
    withCommandLine(async (place) => {
      await mkdir(join(place.home, '.codex'));
      expect((await place.run(['init'])).err).toContain(
        'Found here: Codex. "svc-memory setup" tells them of the memory.',
      );
    }));

  it('asks for each agent at a terminal, and writes only what is agreed to', () =>
    withCommandLine(async (place) => {
      for (const folder of ['.codex', '.gemini']) await mkdir(join(place.home, folder));
      const { status, screen } = await runOnTerminal(
        place,
        PROGRAM_FILE,
        ['init'],
        [
          ['that are here of it (Codex, Gemini CLI)? [y/N]', 'y\r'],
          ['Write this for Codex? [y/N]', 'n\r'],
          ['Write this for Gemini CLI? [y/N]', 'y\r'],
        ],
      );
      expect([status, screen]).toEqual([0, expect.stringContaining('Written: ~/.gemini/settings.json')]);
      const there = ['.codex/config.toml', '.codex/hooks.json', '.gemini/settings.json'];
      expect(there.map((name) => existsSync(join(place.home, name)))).toEqual([false, false, true]);
    }));
});
