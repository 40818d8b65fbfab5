import { expect, it } from 'vitest';
import { withCommandLine } from '../support/command-line';
import { beforeLeases } from '../support/older-store';

it('what is stored again is said to be there, with its id', () =>
  withCommandLine(async (line) => {
    await line.ok('init');
    const { node_id } = await line.json<{ node_id: string }>('store', 'CI runs on Node 24', '--kind', 'fact');
    const again = await line.run(['store', 'ci runs on node 24.', '--kind', 'fact']);
    expect(again).toMatchObject({ status: 0, out: expect.stringContaining(node_id) });
    expect(again.err).toContain(`It was there already, as ${node_id}: nothing new was stored.`);
    expect(await line.json('nodes', '--kinds', 'fact')).toHaveLength(1);
  }));

it('what a decision may replace is said in words', () =>
  withCommandLine(async (line) => {
    await line.ok('init');
    const about = ['--kind', 'decision', '--entities', 'store'];
    const before = ['store', 'Notes lie in SQLite', ...about, '--alternatives-rejected', 'Postgres'];
    const { node_id } = await line.json<{ node_id: string }>(...before);
    const { err } = await line.run(['store', 'We move to Postgres', ...about]);
    expect(err).toContain(`${node_id} chose what this decision rejects, or rejected what it chooses: supersedes?`);
    await line.ok('store', 'CI runs on Node 22 only', '--kind', 'fact');
    expect((await line.run(['store', 'CI runs on Node 24 only', '--kind', 'fact'])).err).toContain(
      'says something like it. If it holds no longer',
    );
    // Several are told in one sentence.
    const several = await line.run(['store', 'CI runs on Node 26 only', '--kind', 'fact']);
    expect(several.err).toMatch(
      /^f_\w+ and f_\w+ say something like it\. If one holds no longer, refute it; [^.]*\.$/m,
    );
  }));

it('what an older program stored is found, too', () =>
  withCommandLine(async (line) => {
    await line.ok('init');
    const { node_id } = await line.json<{ node_id: string }>('store', 'CI runs on Node 24', '--kind', 'fact');
    await beforeLeases(line.path('.svc', 'memory.db'));
    expect(await line.json('store', 'ci runs on node 24', '--kind', 'fact')).toMatchObject({ node_id });
  }));
