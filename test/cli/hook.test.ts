import { execSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { BRIEFLY, makePipe } from '../support/special-files';
import { connectServer } from '../support/stdio-client';

interface HookAnswer {
  readonly decision?: string;
  readonly reason?: string;
  readonly additionalContext?: string;
  readonly hookSpecificOutput?: Readonly<Record<string, string>>;
}

async function hook(place: CommandLine, event: string, input: unknown = {}): Promise<HookAnswer> {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const { status, out } = await place.run(['hook', event], { input: text });
  expect(status).toBe(0);
  return JSON.parse(out) as HookAnswer;
}

describe('svc-memory hook session-start', () => {
  test('answers with the briefing, in the forms that hosts read', async () => {
    await withCommandLine(async (place) => {
      await place.ok('init');
      await place.ok('store', 'The store is one SQLite file', '--kind', 'decision');
      const answer = await hook(place, 'session-start', { hook_event_name: 'SessionStart', source: 'startup' });
      expect(answer.additionalContext).toContain('## Memory recall: "project context"');
      expect(answer.additionalContext).toContain('The store is one SQLite file');
      expect(answer.hookSpecificOutput).toEqual({
        hookEventName: 'SessionStart',
        additionalContext: answer.additionalContext,
      });
    });
  });

  test('is about the project that the host names, wherever the host runs', async () => {
    await withCommandLine(async (place) => {
      await place.ok('init');
      await place.ok('store', 'Of this project', '--kind', 'decision');
      const input = JSON.stringify({ cwd: place.folder });
      const { out } = await place.run(['hook', 'session-start'], { input, cwd: '../home' });
      expect(out).toContain('Of this project');
    });
  });

  test('says nothing and makes nothing where there is no store', async () => {
    await withCommandLine(async (place) => {
      expect(await hook(place, 'session-start')).toEqual({});
      expect(await hook(place, 'stop')).toEqual({});
      expect(existsSync(place.path('.svc'))).toBe(false);
      expect(existsSync(`${place.home}/.svc`)).toBe(false);
    });
  });

  test('never keeps a host from going on: odd input and a broken store are answered, too', async () => {
    await withCommandLine(async (place) => {
      await place.ok('init');
      for (const input of [
        '',
        'no JSON',
        '[1]',
        'null',
        '{"cwd": 7}',
        '{"cwd": "relative"}',
        '{"cwd": "/not/there"}',
      ]) {
        expect((await hook(place, 'session-start', input)).additionalContext).toContain('0 items');
      }
      await writeFile(place.path('.svc', 'memory.db'), 'no database');
      const { status, out, err } = await place.run(['hook', 'session-start'], { input: '{}' });
      expect({ status, out }).toEqual({ status: 0, out: '{}\n' });
      expect(err).toContain('is damaged or is not a SQLite database');
    });
  });
});

describe('svc-memory hook stop', () => {
  test('reminds once of a session that memories were stored in, and never while the host goes on because of it', async () => {
    await withCommandLine(async (place) => {
      await place.ok('init');
      const agent = await connectServer(place);
      try {
        expect(await hook(place, 'stop')).toEqual({});
        await agent.call('memory_store', { content: 'Kept', kind: 'fact' });
        expect(await hook(place, 'stop', { stop_hook_active: true })).toEqual({});
        const answer = await hook(place, 'stop', { stop_hook_active: false });
        expect(answer).toMatchObject({ decision: 'block', reason: expect.stringContaining('memory_end_session') });
        expect(answer.hookSpecificOutput).toEqual({
          hookEventName: 'Stop',
          decision: 'block',
          reason: answer.reason,
        });
        expect(await hook(place, 'stop', { stop_hook_active: false })).toEqual({});
        await agent.call('memory_end_session', { summary: 'Done' });
        await agent.call('memory_store', { content: 'More', kind: 'fact' });
        expect((await hook(place, 'stop')).decision).toBe('block');
      } finally {
        await agent.close();
      }
    });
  });

  test("leaves people's own sessions alone", async () => {
    await withCommandLine(async (place) => {
      await place.ok('init');
      await place.ok('store', 'By hand', '--kind', 'fact');
      expect(await hook(place, 'stop')).toEqual({});
    });
  });
});

const GITHUB = '.github/hooks/svc-memory.json';
const CLAUDE = '.claude/settings.json';

describe('svc-memory hooks', () => {
  test('install writes both files, a second time changes nothing, remove takes all of it away', async () => {
    await withCommandLine(async (place) => {
      await place.ok('init');
      expect(await place.ok('hooks', 'install')).toMatch(/^Written: .*svc-memory\.json\nWritten: .*settings\.json\n$/);
      const github = JSON.parse(await readFile(place.path(GITHUB), 'utf8'));
      expect(github).toMatchObject({ version: 1, hooks: { SessionStart: [{ type: 'command', timeout: 10 }] } });
      expect(github.hooks.Stop[0].command).toMatch(/svc-memory(\.js")? hook stop$/);
      expect(github.hooks.Stop[0].bash).toBe(github.hooks.Stop[0].command);
      const claude = JSON.parse(await readFile(place.path(CLAUDE), 'utf8'));
      expect(claude.hooks.Stop[0].hooks).toHaveLength(1);
      const before = await readFile(place.path(CLAUDE), 'utf8');
      expect(await place.ok('hooks', 'install')).toMatch(/^Nothing to change in .*\nNothing to change in /);
      expect(await readFile(place.path(CLAUDE), 'utf8')).toBe(before);
      await place.ok('hooks', 'remove');
      expect([existsSync(place.path('.github')), existsSync(place.path('.claude'))]).toEqual([false, false]);
      expect(existsSync(place.path(GITHUB))).toBe(false);
      expect(await place.ok('hooks', 'remove')).toMatch(/^There is no .*\nThere is no /);
    });
  });

  test('the command that is written can be run as it stands', async () => {
    await withCommandLine(async (place) => {
      await place.ok('init');
      await place.ok('hooks', 'install');
      const github = JSON.parse(await readFile(place.path(GITHUB), 'utf8'));
      const options = { cwd: place.folder, input: '{}', encoding: 'utf8' } as const;
      expect(JSON.parse(execSync(github.hooks.SessionStart[0].command, options))).toHaveProperty('additionalContext');
    });
  });

  test('what others wrote stays, with its comments and its order; removing leaves the file as it was', async () => {
    const settings = `\ufeff{
  // Ours
  "permissions": { "allow": ["Bash(npm test)"] }, // kept
  "hooks": {
    "Stop": [
      // A bell
      { "hooks": [{ "type": "command", "command": "bell" }] } // loud
    ]
  }
}
`;
    await withCommandLine(
      async (place) => {
        await place.ok('init');
        await place.ok('hooks', 'install');
        const installed = await readFile(place.path(CLAUDE), 'utf8');
        for (const part of ['// Ours', '// kept', '// A bell', '// loud', '"command": "bell"']) {
          expect(installed).toContain(part);
        }
        expect(installed.match(/hook stop/g)).toHaveLength(1);
        await place.ok('hooks', 'remove');
        expect(await readFile(place.path(CLAUDE), 'utf8')).toBe(settings);
      },
      { files: { [CLAUDE]: settings } },
    );
  });

  test('an entry of another installation is brought up to date', async () => {
    const old = {
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'node "/gone/svc-memory.js" hook stop' }] }] },
    };
    await withCommandLine(
      async (place) => {
        await place.ok('init');
        await place.ok('hooks', 'install');
        const { hooks } = JSON.parse(await readFile(place.path(CLAUDE), 'utf8'));
        expect(hooks.Stop).toHaveLength(1);
        expect(hooks.Stop[0].hooks[0].command).not.toContain('/gone/');
      },
      { files: { [CLAUDE]: JSON.stringify(old) } },
    );
  });

  test('nothing is written through a link to a folder or a file, nor taken away, and the other file stays, too', async () => {
    await withCommandLine(async (place) => {
      const theirs = join(place.home, 'theirs');
      await mkdir(theirs);
      const refused = async (action: string, sentence: RegExp) => {
        const { status, err } = await place.run(['hooks', action], BRIEFLY);
        expect([status, err]).toEqual([1, expect.stringMatching(sentence)]);
        expect([existsSync(place.path('.github')), await readdir(theirs)]).toEqual([false, []]);
      };
      await symlink(theirs, place.path('.claude'));
      await refused(
        'install',
        /^invalid_input: .*\.claude is a link to .*theirs, and svc-memory never writes through links\./,
      );
      await rm(place.path('.claude'));
      await mkdir(place.path('.claude'));
      await symlink(join(theirs, 'new.json'), place.path(CLAUDE));
      await refused('install', /settings\.json is a link to .*new\.json, and svc-memory never writes/);
      await rm(place.path(CLAUDE));
      await symlink('own.json', place.path(CLAUDE));
      await refused('install', /settings\.json is a link to own\.json, and svc-memory never writes/);
      await rm(place.path(CLAUDE));
      makePipe(place.path(CLAUDE));
      await refused('install', /settings\.json is not a regular file\. It was not read\./);
      await rm(place.path(CLAUDE));

      await place.ok('hooks', 'install');
      const text = await readFile(place.path(CLAUDE), 'utf8');
      await rm(place.path('.github'), { recursive: true });
      await rename(place.path(CLAUDE), place.path('.claude', 'own.json'));
      await symlink('own.json', place.path(CLAUDE));
      await refused('remove', /settings\.json is a link to own\.json/);
      expect(await readFile(place.path(CLAUDE), 'utf8')).toBe(text);
    });
  });

  test('a malformed file is refused, and neither file is touched', async () => {
    await withCommandLine(
      async (place) => {
        await place.ok('init');
        const { status, err } = await place.run(['hooks', 'install']);
        expect(status).toBe(1);
        expect(err).toContain('is not valid JSON');
        expect(existsSync(place.path(GITHUB))).toBe(false);
        expect(await readFile(place.path(CLAUDE), 'utf8')).toBe('{ "hooks": ');
      },
      { files: { [CLAUDE]: '{ "hooks": ' } },
    );
  });
});
