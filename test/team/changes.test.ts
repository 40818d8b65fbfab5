import { describe, expect, it } from 'vitest';
import { listenTo } from '../support/change-stream';
import { connectTo, withTeam } from '../support/team-server';

const STORED = { content: 'A body is one string', kind: 'decision' };
const PATIENCE = { timeout: 30_000 };

describe('the changes of a project', () => {
  it('are told to everybody in it, whichever process carried them out; what changes nothing is not told', () =>
    withTeam(async (team) => {
      const [one, two] = [await team.start(), await team.start()];
      const token = await team.token('anna', 'shop=writer');
      const reader = await listenTo(one, await team.token('bob', 'shop=reader'));
      const other = await listenTo(two, token);
      await expect.poll(() => [reader.versions, other.versions], PATIENCE).toEqual([[0], [0]]);
      const anna = await connectTo(one, token);
      await anna.text('memory_recall', { query: 'body' });
      await anna.value('memory_store', STORED);
      await expect
        .poll(() => [reader.versions, other.versions], PATIENCE)
        .toEqual([
          [0, 1],
          [0, 1],
        ]);
      const again = await connectTo(two, token);
      await again.value('undo');
      await expect
        .poll(() => [reader.versions, other.versions], PATIENCE)
        .toEqual([
          [0, 1, 2],
          [0, 1, 2],
        ]);
      const late = await listenTo(two, token);
      await expect.poll(() => late.versions, PATIENCE).toEqual([2]);
      expect(await (await fetch(`${one.operators}/metrics`)).text()).toMatch(
        /svc_memory_changes_told_total\{project="shop"\} 3\n[\s\S]*svc_memory_change_streams\{project="shop"\} 1\n/,
      );
    }));

  it('are told to nobody else', () =>
    withTeam(async (team) => {
      await team.ok('admin', 'add-project', 'team', 'other');
      const server = await team.start();
      const token = await team.token('bob', 'other=writer');
      expect((await listenTo(server, undefined)).status).toBe(401);
      expect((await listenTo(server, 'svcm_nobody')).status).toBe(401);
      expect((await listenTo(server, token)).status).toBe(403);
      const own = await listenTo(server, token, 'other');
      await expect.poll(() => own.versions, PATIENCE).toEqual([0]);
      const anna = await connectTo(server, await team.token('anna', 'shop=writer', 'other=writer'));
      await anna.value('memory_store', STORED);
      const there = await connectTo(server, token, { project: 'other' });
      await there.value('memory_store', STORED);
      await expect.poll(() => own.versions, PATIENCE).toEqual([0, 1]);
      const answer = await fetch(`${server.address}/other/changes`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
    }));

  it('are told no longer with a token that was taken back', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const kept = await listenTo(server, await team.token('anna', 'shop=reader'));
      const lost = await listenTo(server, await team.token('bob', 'shop=reader'));
      const [id = ''] = /\w+(?=\s+bob)/.exec(await team.ok('admin', 'token', 'team', '--list')) ?? [];
      await team.ok('admin', 'token', 'team', '--revoke', id);
      expect(await lost.ended).toBe('by the server');
      const mia = await connectTo(server, await team.token('mia', 'shop=writer'));
      await mia.value('memory_store', STORED);
      await expect.poll(() => kept.versions, PATIENCE).toEqual([0, 1]);
      expect(lost.versions).toEqual([0]);
    }));

  it('are told to as many windows of a person as are allowed, and to one more when one of them is closed', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const token = await team.token('anna', 'shop=reader');
      const open = await Promise.all(Array.from({ length: 20 }, () => listenTo(server, token)));
      expect(open.map(({ status }) => status)).toEqual(open.map(() => 200));
      expect((await listenTo(server, token)).status).toBe(429);
      expect((await listenTo(server, await team.token('bob', 'shop=reader'))).status).toBe(200);
      open[0]?.stop();
      await expect.poll(async () => (await listenTo(server, token)).status, PATIENCE).toBe(200);
    }));

  it('keep no server from ending', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const token = await team.token('anna', 'shop=writer');
      const stream = await listenTo(server, token);
      const anna = await connectTo(server, token);
      await anna.value('memory_store', STORED);
      server.process.kill('SIGTERM');
      expect(await stream.ended).toBe('by the server');
      expect(await server.exit).toBe(0);
      const next = await listenTo(await team.start(), token);
      await expect.poll(() => next.versions, PATIENCE).toEqual([1]);
    }));
});
