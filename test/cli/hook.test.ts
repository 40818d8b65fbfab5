import { execFileSync, execSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type CommandLine, withCommandLine } from '../support/command-line';
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

  test('takes less than 200 ms, the start of the program included', async () => {
    await withCommandLine(async (place) => {
      await place.ok('init');
      for (let i = 0; i < 30; i += 1) await place.ok('store', `Decision number ${i}`, '--kind', 'decision');
      const times: number[] = [];
      const bare: number[] = [];
      for (let i = 0; i < 7; i += 1) {
        const started = performance.now();
        await hook(place, 'session-start');
        times.push(performance.now() - started);
        const empty = performance.now();
        execFileSync(process.execPath, ['-e', '0']);
        bare.push(performance.now() - empty);
      }
      // The quickest of several. Where others use the processors meanwhile, so does a Node that does nothing (40 ms).
      expect(Math.min(...times)).toBeLessThan(Math.max(200, 5 * Math.min(...bare)));
    });
  }, 60_000);
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
      expect([existsSync(place.path('.github')), existsSync(place.path('.claude'))]).toEqual([true, false]);
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

describe('svc-memory agents-block', () => {
  test('writes four marked lines into a new AGENTS.md, once, and takes them away again', async () => {
    await withCommandLine(async (place) => {
      await place.ok('agents-block', 'write');
      const text = await readFile(place.path('AGENTS.md'), 'utf8');
      expect(text.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(4);
      expect(text.split('\n')).toHaveLength(7);
      expect(text).toContain('`memory_recall` with the query `project context`');
      expect(await place.ok('agents-block', 'write')).toMatch(/^Nothing to change in /);
      expect(await readFile(place.path('AGENTS.md'), 'utf8')).toBe(text);
      await place.ok('agents-block', 'remove');
      expect(existsSync(place.path('AGENTS.md'))).toBe(false);
    });
  });

  test('the text around it stays to the letter, its line ends too', async () => {
    const own = '# Our agents\r\n\r\nBe kind.\r\n';
    await withCommandLine(
      async (place) => {
        await place.ok('agents-block', 'write');
        const written = await readFile(place.path('AGENTS.md'), 'utf8');
        expect(written.startsWith(own)).toBe(true);
        expect(written.replaceAll('\r\n', '')).not.toContain('\n');
        await writeFile(place.path('AGENTS.md'), `${written}\r\nAfter it.\r\n`);
        await place.ok('agents-block', 'write');
        expect(await readFile(place.path('AGENTS.md'), 'utf8')).toBe(`${written}\r\nAfter it.\r\n`);
        await place.ok('agents-block', 'remove');
        expect(await readFile(place.path('AGENTS.md'), 'utf8')).toBe(`${own}\r\nAfter it.\r\n`);
      },
      { files: { 'AGENTS.md': own } },
    );
  });

  test('a block that lost its end costs nobody the text behind it', async () => {
    const own = '# Rules\n\nNever delete this.\n';
    await withCommandLine(async (place) => {
      await place.ok('agents-block', 'write');
      const block = await readFile(place.path('AGENTS.md'), 'utf8');
      const damaged = block.split('\n').slice(0, 2).join('\n');
      await writeFile(place.path('AGENTS.md'), `${damaged}\n\n${own}`);
      await place.ok('agents-block', 'write');
      expect(await place.ok('agents-block', 'write')).toMatch(/^Nothing to change in /);
      expect(await readFile(place.path('AGENTS.md'), 'utf8')).toBe(`${damaged}\n\n${own}\n${block}`);
      await writeFile(place.path('AGENTS.md'), `${damaged}\n\n${own}\n${block}\n${block}`);
      await place.ok('agents-block', 'remove');
      expect(await readFile(place.path('AGENTS.md'), 'utf8')).toBe(`${damaged}\n\n${own}`);
    });
  });

  test('leaves a file alone that is no UTF-8, and keeps a link that leads to another file', async () => {
    await withCommandLine(async (place) => {
      const other = Buffer.from('\ufeff# Rules\n', 'utf16le');
      await writeFile(place.path('AGENTS.md'), other);
      const { status, err } = await place.run(['agents-block', 'write']);
      expect(status).not.toBe(0);
      expect(err).toMatch(/^invalid_input: .*AGENTS\.md is no UTF-8 text\./);
      expect(await readFile(place.path('AGENTS.md'))).toEqual(other);

      await rm(place.path('AGENTS.md'));
      await writeFile(place.path('CLAUDE.md'), '');
      await symlink('CLAUDE.md', place.path('AGENTS.md'));
      await place.ok('agents-block', 'write');
      expect(await readFile(place.path('CLAUDE.md'), 'utf8')).toContain('memory_recall');
      await place.ok('agents-block', 'remove');
      expect(await readFile(place.path('AGENTS.md'), 'utf8')).toBe('');
    });
  });

  test("goes into Copilot's instructions where that is the file of the project", async () => {
    await withCommandLine(
      async (place) => {
        await place.ok('agents-block', 'write');
        expect(existsSync(place.path('AGENTS.md'))).toBe(false);
        expect(await readFile(place.path('.github', 'copilot-instructions.md'), 'utf8')).toContain('memory_recall');
        await place.ok('agents-block', 'remove');
        expect(await readFile(place.path('.github', 'copilot-instructions.md'), 'utf8')).toBe('Be kind.\n');
      },
      { files: { '.github/copilot-instructions.md': 'Be kind.\n' } },
    );
  });
});
