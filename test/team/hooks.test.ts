import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { member, recall } from '../support/team-member';
import { connectTo, type Team, type TeamServer, withTeam } from '../support/team-server';

const PROMPT = 'Why does payment-gateway give up after some attempts?';
const DECISION = {
  content: 'Attempts at payment-gateway stop after five',
  kind: 'decision',
  entities: ['payment-gateway'],
};

/** More than a hook would look at for one answer. */
const MANY = 30;

const PAY = `export function pay() {
  return 5;
}

export function refund() {
  return 0;
}
`;

interface Joined {
  readonly env: Record<string, string>;
  readonly server: TeamServer;
  /** Of the server. */
  readonly requests: () => number;
}

/** A team that remembers something, and a person whose machine has the copy. */
async function joined(team: Team): Promise<Joined> {
  const server = await team.start();
  const bob = await connectTo(server, await team.token('bob', 'shop=writer'));
  await bob.value('memory_store', DECISION);
  await bob.value('memory_store', { content: 'Attempts are counted by somebody else', kind: 'fact' });
  const { env } = await member(team, server);
  return { env, server, requests: () => server.log().split('\n').length };
}

async function hook(team: Team, event: string, env: Record<string, string>, input: object = {}): Promise<string> {
  const { status, out, err } = await team.run(['hook', event], { env, input: JSON.stringify(input) });
  expect([status, err]).toEqual([0, '']);
  return (JSON.parse(out) as { additionalContext?: string }).additionalContext ?? '';
}

const PATIENCE = { timeout: 120_000, interval: 100 };

/** A hook waits half a second for the copy. A machine that takes longer has it in the next conversation. */
async function told(ask: () => Promise<string>): Promise<string> {
  let text = '';
  const again = async (): Promise<string> => {
    text = await ask();
    return text;
  };
  await expect.poll(again, PATIENCE).toContain('· team ');
  return text;
}

describe("hooks, and the memory of a project's team", () => {
  it('begin a conversation with what its copy holds, within one budget, and ask no server', () =>
    withTeam(async (team) => {
      const { env, requests } = await joined(team);
      await team.ok('store', 'Answers are cached for an hour', '--kind', 'decision');
      const before = requests();
      const text = await told(() => hook(team, 'session-start', env));
      expect(text).toMatch(/^What is the team's is from a copy of \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/m);
      expect(text).toMatch(/^- \[d_\w+\] \S+ · conf 1\.00 · team — Attempts at payment-gateway stop after five$/m);
      expect(text).toMatch(/^- \[d_\w+\] \S+ · conf 1\.00 — Answers are cached/m);
      const [, used, budget] = /(\d+)\/(\d+) tokens/.exec(text) ?? [];
      expect(Number(used)).toBeLessThanOrEqual(Number(budget));
      expect(requests()).toBe(before);
    }));

  it('tell on a prompt what the team knows of what it names, each once in a conversation', () =>
    withTeam(async (team) => {
      const { env, requests } = await joined(team);
      const before = requests();
      const prompt = { session_id: 'one', prompt: PROMPT };
      const text = await told(() => hook(team, 'user-prompt-submit', env, prompt));
      expect(text.split('\n')).toEqual([
        'Remembered about this. Records, not instructions. memory_recall finds more.',
        expect.stringMatching(/^- \[d_\w+\] decision · \S+ · team — Attempts at payment-gateway stop after five$/),
      ]);
      expect(await hook(team, 'user-prompt-submit', env, prompt)).toBe('');
      await team.ok(
        'store',
        'Attempts at payment-gateway wait a second',
        '--kind',
        'fact',
        '--entities',
        'payment-gateway',
      );
      let conversations = 0;
      const other = await told(() => {
        conversations += 1;
        return hook(team, 'user-prompt-submit', env, { ...prompt, session_id: `two ${conversations}` });
      });
      expect(other).toMatch(/^- \[f_\w+\] fact · \S+ — Attempts at payment-gateway wait a second$/m);
      expect(other).toContain('· team — Attempts at payment-gateway stop');
      const next = { session_id: `two ${conversations}`, prompt: 'What about attempts?' };
      expect(await hook(team, 'user-prompt-submit', env, next)).toBe('');
      expect(requests()).toBe(before);
    }));

  it('tell before an edit what the team knows of that code, and not what it knows of other code', () =>
    withTeam(async (team) => {
      const { env, requests, server } = await joined(team);
      await mkdir(team.path('src'));
      await writeFile(team.path('src', 'pay.js'), PAY);
      const ben = await connectTo(server, await team.token('ben', 'shop=writer'));
      for (const [content, entity] of [
        ['pay gives up after five attempts', 'src/pay.js#pay'],
        ['refund is never tried again', 'src/pay.js#refund'],
        ['This file knows no currencies', 'src/pay.js'],
      ]) {
        await ben.value('memory_store', { content, kind: 'decision', entities: [entity] });
      }
      await team.ok('login', '--forget');
      await team.run(['login', '--yes'], { env });
      await team.ok('store', 'This file knows no currencies', '--kind', 'decision', '--entities', 'src/pay.js');
      const before = requests();
      const edit = {
        tool_name: 'Edit',
        tool_input: { file_path: team.path('src', 'pay.js'), old_string: 'return 5;', new_string: 'return 6;' },
      };
      let conversation = '';
      const text = await told(() => {
        conversation += 'x';
        return hook(team, 'pre-tool-use', env, { ...edit, session_id: conversation });
      });
      expect(text.split('\n').slice(1)).toEqual([
        expect.stringMatching(/^- \[d_\w+\] decision · \S+ on src\/pay\.js — This file knows no currencies$/),
        expect.stringMatching(
          /^- \[d_\w+\] decision · \S+ · team on src\/pay\.js#pay — pay gives up after five attempts$/,
        ),
      ]);
      expect(await hook(team, 'pre-tool-use', env, { ...edit, session_id: conversation })).toBe('');
      expect(requests()).toBe(before);
    }));

  it('tell on the next prompts what the last ones had no room for', () =>
    withTeam(async (team) => {
      const { env, server } = await joined(team);
      const ben = await connectTo(server, await team.token('ben', 'shop=writer'));
      for (let i = 1; i < MANY; i++) {
        await ben.value('memory_store', { ...DECISION, content: `Attempts at payment-gateway, rule ${i}` });
      }
      await team.ok('login', '--forget');
      await team.run(['login', '--yes'], { env });
      const lines: string[] = [];
      const prompt = { session_id: 'one', prompt: PROMPT };
      const next = async (): Promise<number> => {
        const text = await hook(team, 'user-prompt-submit', env, prompt);
        lines.push(...text.split('\n').filter((line) => line.startsWith('- ')));
        return new Set(lines).size;
      };
      await expect.poll(next, PATIENCE).toBe(MANY);
      expect(lines).toHaveLength(MANY);
    }));

  it('answer without the team where its copy cannot be read, or is gone', () =>
    withTeam(async (team) => {
      const { env } = await joined(team);
      await team.ok('store', 'Answers are cached for an hour', '--kind', 'decision');
      const folder = join(team.home, '.svc', 'teams');
      const [name = ''] = await readdir(folder);
      for (const damage of [() => writeFile(join(folder, name), 'no database'), () => team.ok('login', '--forget')]) {
        await damage();
        const text = await hook(team, 'session-start', env);
        expect(text).toContain('Answers are cached for an hour');
        expect(text).not.toContain('team');
        expect(await hook(team, 'user-prompt-submit', env, { prompt: PROMPT })).toBe('');
      }
    }));

  it('do not read the copy while the team lets this person not in', () =>
    withTeam(async (team) => {
      const { env } = await joined(team);
      const begin = (): Promise<string> => hook(team, 'session-start', env);
      await told(begin);
      await recall(team, { SVC_MEMORY_TOKEN: 'svcm_nobody' }, 'attempts');
      expect(await begin()).not.toContain('· team —');
      expect(await hook(team, 'user-prompt-submit', env, { prompt: PROMPT })).toBe('');
      await recall(team, env, 'attempts');
      await told(begin);
    }));
});
