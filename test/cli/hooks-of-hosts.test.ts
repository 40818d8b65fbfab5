import { execSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { withCommandLine } from '../support/command-line';
import { serverEnvironment } from '../support/stdio-client';

const CODEX = '.codex/hooks.json';
const CURSOR = '.cursor/hooks.json';
const GEMINI = '.gemini/settings.json';

describe('svc-memory hooks', () => {
  it('writes each host its own form where it is named, and takes all of it away', () =>
    withCommandLine(async (place) => {
      await place.ok('init');
      await place.ok('hooks', 'install', 'codex', 'cursor', 'gemini');
      const [codex, cursor, gemini] = await Promise.all(
        [CODEX, CURSOR, GEMINI].map(async (path) => JSON.parse(await readFile(place.path(path), 'utf8'))),
      );
      expect(existsSync(place.path('.claude'))).toBe(false);
      expect(Object.keys(codex)).toEqual(['hooks']);
      expect(codex.hooks.PreToolUse).toEqual([
        {
          matcher: 'apply_patch|Edit|Write',
          hooks: [{ type: 'command', command: expect.stringMatching(/ hook pre-tool-use --host codex$/), timeout: 10 }],
        },
      ]);
      expect(Object.keys(codex.hooks)).toEqual([
        ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PreCompact', 'SubagentStart', 'Stop'],
      ]);
      expect(cursor).toMatchObject({
        version: 1,
        hooks: { postToolUse: [{ command: expect.stringMatching(/ hook post-tool-use --host cursor$/) }] },
      });
      expect(gemini.hooks.AfterTool[0]).toMatchObject({
        matcher: expect.stringContaining('read_file|'),
        hooks: [{ type: 'command', timeout: 10_000 }],
      });
      await place.ok('hooks', 'remove');
      for (const path of [CODEX, CURSOR, GEMINI]) expect(existsSync(place.path(path))).toBe(false);
    }));

  it('are installed for a host without naming it where the project has its folder', () =>
    withCommandLine(async (place) => {
      await place.ok('init');
      await mkdir(place.path('.gemini'));
      expect(await place.ok('hooks', 'install')).toMatch(/\.gemini.settings\.json\n$/);
      expect([existsSync(place.path(GEMINI)), existsSync(place.path(CODEX))]).toEqual([true, false]);
    }));

  it('are commands that can be run as they stand', () =>
    withCommandLine(async (place) => {
      await place.ok('init');
      await place.ok('hooks', 'install', 'codex', 'gemini');
      const commands: string[] = [];
      for (const path of [CODEX, GEMINI]) {
        const { hooks } = JSON.parse(await readFile(place.path(path), 'utf8'));
        commands.push(hooks.SessionStart[0].hooks[0].command);
      }
      for (const command of commands) {
        const out = execSync(command, {
          cwd: place.folder,
          env: serverEnvironment(place),
          input: '{}',
          encoding: 'utf8',
        });
        expect(Object.keys(JSON.parse(out))).toEqual(['hookSpecificOutput']);
      }
    }));

  it('leave what others have in the same file, and the file as it was when they are removed', async () => {
    const settings = `{
  // The team's theme
  "theme": "GitHub", // dark
  "hooks": {
    "AfterTool": [{ "matcher": "write_file", "hooks": [{ "type": "command", "command": "npm run lint" }] }]
  }
}
`;
    await withCommandLine(
      async (place) => {
        await place.ok('init');
        await place.ok('hooks', 'install', 'gemini');
        expect(await readFile(place.path(GEMINI), 'utf8')).toContain('npm run lint');
        await place.ok('hooks', 'remove', 'gemini');
        expect(await readFile(place.path(GEMINI), 'utf8')).toBe(settings);
      },
      { files: { [GEMINI]: settings } },
    );
  });
});
