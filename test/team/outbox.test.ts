import { copyFile, readdir, stat, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '../support/sqlite';
import { connectServer } from '../support/stdio-client';
import { answering, member, names, withStranger } from '../support/team-member';
import { type Team, type TeamServer, withTeam } from '../support/team-server';

const WAITS =
  /^The team's memory does not answer: \d+ memor(?:y waits|ies wait) here, and will be sent when it does\.$/m;

const PATIENCE = { timeout: 60_000, interval: 500 };

interface Entry {
  readonly n: number;
  readonly node_id: string;
  readonly content: string;
  readonly refused: string | null;
}

async function stop({ process, exit }: TeamServer): Promise<void> {
  process.kill('SIGKILL');
  await exit;
}

/** The server comes back at its address. */
function back(team: Team, { address }: TeamServer): Promise<TeamServer> {
  return team.start('--listen', new URL(address).host);
}

/** What the team has, in the order in which it was stored. */
async function stored(team: Team): Promise<string[]> {
  const store = await openSqlite(team.path('team', 'projects', 'shop', 'memory.db'));
  try {
    const rows = await store.all<{ content: string }>("SELECT content FROM mem_nodes WHERE kind = 'fact' ORDER BY seq");
    return rows.map(({ content }) => content);
  } finally {
    await store.close();
  }
}

/** A member whose team does not answer, with ids of own memories. */
async function alone(
  team: Team,
  ...contents: string[]
): Promise<{ server: TeamServer; env: Record<string, string>; ids: string[] }> {
  const server = await team.start();
  const { env } = await member(team, server);
  const ids: string[] = [];
  for (const content of contents) {
    ids.push((await team.json<{ node_id: string }>('store', content, '--kind', 'fact')).node_id);
  }
  await stop(server);
  return { server, env, ids };
}

async function outboxFile({ home }: Team): Promise<string> {
  const folder = join(home, '.svc', 'teams');
  const [name = ''] = (await readdir(folder)).filter((one) => one.endsWith('-outbox'));
  return join(folder, name);
}

const promoter =
  (team: Team, env: Record<string, string>) =>
  (...args: string[]) =>
    team.run(['promote', ...args], { env });

async function entries(team: Team): Promise<readonly Entry[]> {
  const { entries: all } = await team.json<{ entries: readonly Entry[] }>('promote', '--waiting');
  return all;
}

describe('what is promoted while the team does not answer', () => {
  it('waits, and is sent by the next promote, once and in its order', () =>
    withTeam(async (team) => {
      const { server, env, ids } = await alone(team, 'The first', 'The second', 'The third');
      const [first = '', second = '', third = ''] = ids;
      const promote = promoter(team, env);
      for (const ids of [[second], [first], [second]]) {
        const { status, out, err } = await promote(...ids, '--yes');
        expect([status, err, out]).toEqual([0, '', expect.stringMatching(WAITS)]);
      }
      const file = await outboxFile(team);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await entries(team)).toMatchObject([
        { n: 1, node_id: second, content: 'The second', refused: null },
        { n: 2, node_id: first, content: 'The first', refused: null },
      ]);
      expect(await team.ok('promote', '--waiting')).toMatch(
        new RegExp(
          `^1 {2}${second} {2}The second\n {3}waits since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC\n2 {2}${first} `,
        ),
      );
      // As if the answers of the first sending had been lost.
      await copyFile(file, team.path('before'));
      await back(team, server);
      const sent = await promote(third, '--yes');
      expect([sent.status, sent.err]).toEqual([0, '']);
      expect(sent.out.match(/^Sent f_\w+/gm)).toEqual([`Sent ${second}`, `Sent ${first}`, `Sent ${third}`]);
      expect(await entries(team)).toEqual([]);
      await copyFile(team.path('before'), file);
      expect((await promote('--send')).out.match(/^Sent f_\w+/gm)).toEqual([`Sent ${second}`, `Sent ${first}`]);
      expect(await stored(team)).toEqual(['The second', 'The first', 'The third']);
      expect((await promote('--send')).out).toBe('Nothing waits.\n');
    }));

  it('is neither lost nor doubled by several at once', () =>
    withTeam(async (team) => {
      const contents = ['One', 'Two', 'Three', 'Four'];
      const { server, env, ids } = await alone(team, ...contents);
      const promote = promoter(team, env);
      await Promise.all(ids.map((id) => promote(id, '--yes')));
      const waiting = await entries(team);
      expect(waiting.map(({ node_id }) => node_id).sort()).toEqual([...ids].sort());
      await back(team, server);
      const all = await Promise.all([promote('--send'), promote('--send'), promote('--send')]);
      expect(all.map(({ status }) => status)).toEqual([0, 0, 0]);
      expect(await stored(team)).toEqual(waiting.map(({ content }) => content));
      expect(await entries(team)).toEqual([]);
    }));

  it('is sent after the next answer of the team to an agent', () =>
    withTeam(async (team) => {
      const { server, env, ids } = await alone(team, 'The first', 'The second');
      await promoter(team, env)(...ids, '--yes');
      await back(team, server);
      const agent = await connectServer(team, { env });
      try {
        // A team that did not answer in time is left alone for a while.
        const asked = async (): Promise<string[]> => {
          await agent.text('memory_recall', { query: 'first' });
          return stored(team);
        };
        await expect.poll(asked, PATIENCE).toEqual(['The first', 'The second']);
        await expect.poll(() => entries(team), PATIENCE).toEqual([]);
      } finally {
        await agent.client.close();
      }
    }));

  it('and is refused then is listed with the reason, not sent again, and dropped by a person', () =>
    withTeam(async (team) => {
      const { server, env, ids } = await alone(team, 'The first', 'The second');
      const [first = '', second = ''] = ids;
      await promoter(team, env)(...ids, '--yes');
      const again = await back(team, server);
      const promote = promoter(team, { SVC_MEMORY_TOKEN: await team.token('eve', 'shop=reader') });
      const refused = await promote('--send');
      expect([refused.status, refused.out]).toEqual([0, 'Nothing waits.\n']);
      expect(refused.err).toContain('The team has refused 2 memories: "svc-memory promote --waiting" says why.');
      const reason = expect.stringContaining("The team's server refuses it: Your role in this project is reader");
      expect(await entries(team)).toMatchObject([
        { n: 1, node_id: first, refused: reason },
        { n: 2, node_id: second, refused: reason },
      ]);
      expect(await team.ok('promote', '--waiting')).toContain('   refused: The team');
      const calls = () => again.log().split('"method":"POST"').length;
      const before = calls();
      await promoter(team, env)('--send');
      expect(calls()).toBe(before);
      expect(await promote('--drop', '7')).toMatchObject({ status: 1, err: expect.stringContaining('no entry 7') });
      const byAgent = await team.run(['promote', '--drop', '1'], { env: { ...env, CLAUDECODE: '1' } });
      expect([byAgent.status, byAgent.err]).toEqual([1, expect.stringContaining('Only a person can send')]);
      expect((await promote('--drop', '1')).out).toContain(second);
      expect(await stored(team)).toEqual([]);
      // What is refused while a person waits is told, and not listed.
      expect(await promote(first, '--yes')).toMatchObject({
        status: 1,
        err: expect.stringContaining('needs the role writer'),
      });
      expect((await entries(team)).map(({ node_id }) => node_id)).toEqual([second]);
      // A person may try again.
      const sent = await promoter(team, env)(second, '--yes');
      expect([sent.status, sent.err]).toEqual([0, '']);
      expect(await stored(team)).toEqual(['The second']);
      expect(await entries(team)).toEqual([]);
    }));

  it('does not wait where it may not be sent, or the server lets nobody in', () =>
    withTeam(async (team) => {
      const { server, ids } = await alone(team, 'The first');
      const closed = await team.json<{ node_id: string }>('store', 'Old', '--kind', 'fact');
      await team.ok('store', 'New', '--kind', 'fact', '--supersedes', closed.node_id);
      const promote = promoter(team, { SVC_MEMORY_TOKEN: 'svcm_nobody' });
      expect(await promote(closed.node_id, '--yes')).toMatchObject({ status: 1 });
      await back(team, server);
      const shut = await promote(...ids, '--yes');
      expect([shut.status, shut.err]).toEqual([1, expect.stringContaining('lets nobody in with this token')]);
      expect(await entries(team)).toEqual([]);
      const both = await promote(...ids, '--send');
      expect([both.status, both.err]).toEqual([2, expect.stringContaining('one of --send, --waiting and --drop')]);
    }));

  it('is noted before it is sent, because a lost answer may have been a good one', () =>
    withTeam(async (team) => {
      const asked: string[] = [];
      const breakOff: RequestListener = (request, response) => {
        asked.push(String(request.url));
        response.destroy();
      };
      const sentAt = async (): Promise<unknown[]> => {
        const outbox = await openSqlite(await outboxFile(team));
        try {
          return (await outbox.all<{ sent_at: unknown }>('SELECT sent_at FROM outbox_entries')).map(
            (row) => row.sent_at,
          );
        } finally {
          await outbox.close();
        }
      };
      await team.ok('init');
      const { node_id } = await team.json<{ node_id: string }>('store', 'The first', '--kind', 'fact');
      const promote = promoter(team, { SVC_MEMORY_TOKEN: 'svcm_of_a_test' });
      let gone = '';
      await withStranger(answering(breakOff), async (address) => {
        gone = address;
        await names(address, team);
        await team.run(['login', '--yes'], { env: { SVC_MEMORY_TOKEN: 'svcm_of_a_test' } });
        expect((await promote(node_id, '--yes')).out).toMatch(WAITS);
        expect(asked.filter((url) => url === '/shop/mcp')).toHaveLength(2);
        expect(await sentAt()).toEqual([expect.any(String)]);
      });
      await promote('--drop', '1');
      // Nobody is there to send it to.
      await names(gone, team);
      expect((await promote(node_id, '--yes')).out).toMatch(WAITS);
      expect(await sentAt()).toEqual([null]);
    }));

  it('is not sent once more by itself after the days for which the server knows it', () =>
    withTeam(async (team) => {
      const { server, env, ids } = await alone(team, 'The first');
      await promoter(team, env)(...ids, '--yes');
      const outbox = await openSqlite(await outboxFile(team));
      await outbox.script(`UPDATE outbox_entries SET sent_at = '2026-01-01T00:00:00.000Z'`);
      await outbox.close();
      await back(team, server);
      await promoter(team, env)('--send');
      expect(await entries(team)).toMatchObject([
        { refused: expect.stringContaining('nobody knows whether it arrived') },
      ]);
      expect(await stored(team)).toEqual([]);
    }));

  it('goes with "login --forget", which says so; a broken outbox fails no recall', () =>
    withTeam(async (team) => {
      const { server, env, ids } = await alone(team, 'The first');
      await promoter(team, env)(...ids, '--yes');
      const { status, err } = await team.run(['login', '--forget'], { env });
      expect([status, err]).toEqual([0, expect.stringContaining('Not sent, and not kept for it any more: 1 memory.')]);
      expect(await readdir(join(team.home, '.svc', 'teams'))).toEqual([]);
      await back(team, server);
      await team.run(['login', '--yes'], { env });
      expect(await entries(team)).toEqual([]);
      await writeFile(await outboxFile(team), 'no database');
      const recalled = await team.run(['recall', 'first'], { env });
      expect([recalled.status, recalled.out]).toEqual([0, expect.stringContaining('The first')]);
      expect(await promoter(team, env)(...ids, '--yes')).toMatchObject({ status: 1 });
    }));
});
