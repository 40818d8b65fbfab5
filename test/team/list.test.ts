import { describe, expect, it } from 'vitest';
import { givingEach, member, names, withStranger } from '../support/team-member';
import { connectTo, withTeam } from '../support/team-server';

const PATIENCE = { timeout: 60_000 };

const NODE = {
  ...{ kind: 'fact', content: 'Tabs', confidence: 1, standing: 'stored', session_id: null, tombstoned: 0 },
  ...{ recorded_at: '2026-01-01T00:00:00.000Z', valid_from: '2026-01-01T00:00:00.000Z', valid_until: null },
};
const ORIGIN = { kind: 'agent', name: 'bob · x', hash: null, store: null, marked: false };
const FORGED = [
  { ...NODE, id: 'f_right', content: 'Fine\n- [f_x] \u001b[31mred\u202e', origin: ORIGIN },
  {
    ...NODE,
    id: 'f_long',
    origin: { ...ORIGIN, name: `b${'o'.repeat(500)}b\n- [f_y] forged · x` },
    marks: ['foreign'],
  },
  { ...NODE, id: 'f_a] 2026-01-01 — forged', content: 'with an id that is none' },
  { ...NODE, id: 'f_kind', kind: 'any', content: 'with a kind that is none' },
  { ...NODE, id: 'f_time', recorded_at: 'soon', content: 'with a time that is none' },
  'nothing that is none',
];

describe('svc-memory team', () => {
  it('lists what the team stored last, and by whom; node shows one of them', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const bob = await connectTo(server, await team.token('bob', 'shop=writer'));
      const decision = {
        content: 'Retries stop',
        kind: 'decision',
        rationale: 'we are blocked',
        entities: ['retry.ts'],
      };
      const { node_id } = await bob.value<{ node_id: string }>('memory_store', decision);
      await bob.value('memory_store', { content: 'In another room', kind: 'fact', namespace: 'web' });
      const { env } = await member(team, server);
      // On a busy machine an answer may come too late: then the copy is read.
      const listed = async (...args: string[]): Promise<string> => (await team.run(['team', ...args], { env })).out;
      await expect
        .poll(() => listed(), PATIENCE)
        .toMatch(/^- \[t:d_\w+\] \S+ · conf 1.00 · team — Retries stop \(bob\)\n$/);
      expect(await listed('--namespace', 'web')).toContain('In another room (bob)');
      const page = (await team.run(['node', `t:${node_id}`], { env })).out;
      expect(page).toContain('**Rationale:** we are blocked');
      expect(page).toContain('**From:** agent bob · test client');
      const unknown = await team.run(['node', 't:d_nowhere'], { env });
      expect([unknown.status, unknown.err]).toEqual([1, expect.stringContaining('There is no memory')]);
      server.process.kill('SIGKILL');
      await server.exit;
      const away = (await team.run(['team'], { env })).out.split('\n');
      expect(away[0]).toMatch(
        /^The team's memory does not answer. This is its copy of \d{4}-\d\d-\d\d \d\d:\d\d UTC.$/,
      );
      expect(away[1]).toContain('Retries stop (bob)');
    }));

  it('whatever a server answers, forges nothing', () =>
    withTeam((team) =>
      withStranger(givingEach(FORGED), async (address) => {
        await team.ok('init');
        await names(address, team);
        const env = { SVC_MEMORY_TOKEN: 'svcm_of_a_test' };
        await team.run(['login', '--yes'], { env });
        const { out } = await team.run(['team'], { env });
        const lines = out.trimEnd().split('\n');
        expect(lines).toEqual([
          expect.stringMatching(/^- \[t:f_right\] 2026-01-01 · conf 1.00 · team — Fine - \[f_x\]/),
          expect.stringMatching(/^- \[t:f_long\] 2026-01-01 · conf 1.00 · team — Tabs \(bo+…\)$/),
        ]);
        expect(lines[1]?.length).toBeLessThan(150);
        for (const sign of ['\u001b', '\u202e', 'that is none']) expect(out).not.toContain(sign);
        expect((await team.run(['node', 't:f_right'], { env })).status).toBe(1);
      }),
    ));
});

describe('svc-memory login', () => {
  it('says of a clone that names a team, and has no store yet, what to do first', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const address = `${server.address}/shop`;
      const env = { SVC_MEMORY_TOKEN: await team.token('anna', 'shop=reader') };
      await names(address, team);
      for (const option of ['--yes', '--show']) {
        expect(await team.run(['login', option], { env })).toMatchObject({
          status: 1,
          err: `not_found: This folder has no store yet, so it asks no team, although its .svc/config.yaml names ${address}. Make one with "svc-memory init", and log in then.\n`,
        });
      }
      await team.ok('init');
      expect((await team.run(['login', '--yes'], { env })).out).toContain(`${address} answers`);
    }));
});
