import { expect, test } from 'vitest';
import { OBEYED, runInShell, withCommandLine } from '../support/command-line';

interface Stored {
  readonly node_id: string;
  readonly linked_entity_ids: string[];
}
interface Session {
  readonly id: string;
  readonly content: string;
  readonly node_count: number;
  readonly valid_until: string | null;
}

test('what is stored is recalled, explained and listed; lists are given by repeating their option', async () => {
  await withCommandLine(async ({ ok, json, run }) => {
    const { node_id, linked_entity_ids } = await json<Stored>(
      ...['store', 'The store is one SQLite file', '--kind', 'decision', '--rationale', 'no server to run'],
      ...['--entities', 'SQLite', '--entities', 'storage'],
      ...['--alternatives-rejected', 'Postgres', '--alternatives-rejected', 'flat files'],
    );
    expect(linked_entity_ids).toHaveLength(2);
    expect(await ok('recall', 'why sqlite', '--budget-tokens', '300')).toContain(`- [${node_id}]`);
    expect(await run(['recall', '--query', 'why sqlite', '--kinds', 'fact', '--kinds', 'action'])).toMatchObject({
      ...{ status: 1, out: expect.stringContaining('0 items') },
    });
    expect(await ok('about', 'sqlite')).toContain(node_id);
    expect(await ok('why', node_id)).toContain('**Rejected alternatives:** Postgres, flat files');
    expect(await ok('timeline', 'sqlite')).toContain(node_id);
    expect(await ok('verify', node_id, 'refute')).toBe(
      `node_id     ${node_id}\nconfidence  0.5\nstatus      refuted\n`,
    );
    // The backup of today, too: it was made before the verification.
    const purged = { count: 1, mode: 'purge', ids: [node_id], removed_backups: 1 };
    expect(await json('forget', '--node-id', node_id, '--purge')).toEqual(purged);
  });
});

test('--json prints the value: of a recall, of an object, of a list', async () => {
  await withCommandLine(async ({ json, run }) => {
    const nothing = await run(['recall', 'anything', '--json']);
    expect([nothing.status, JSON.parse(nothing.out)]).toMatchObject([1, { query: 'anything', budget: 500, items: [] }]);
    expect(await json('stats')).toMatchObject({ kind_counts: { fact: 0 }, namespaces: ['default'] });
    expect(await json('list-sessions')).toEqual([]);
    const { node_id } = await json<{ node_id: string }>('store', 'x is small', '--kind', 'fact', '--entities', 'x');
    const items = [{ id: node_id, kind: 'fact', content: 'x is small' }];
    expect(await json('recall', 'small', '--kinds', 'fact')).toMatchObject({ items });
    expect(await json('about', 'x')).toMatchObject({ entity: 'x', items });
    expect(await json('timeline', 'small')).toMatchObject({ topic: 'small', items, omitted: 0 });
    const chosen = await json<{ node_id: string }>(
      ...['store', 'y is large', '--kind', 'decision', '--rationale', 'room', '--alternatives-rejected', 'z'],
    );
    const decision = { id: chosen.node_id, kind: 'decision', rationale: 'room', alternatives_rejected: ['z'] };
    expect(await json('why', 'large')).toMatchObject({ items: [decision], nearest: [] });
  });
});

test('objects and lists are aligned for 80 columns', async () => {
  await withCommandLine(async ({ ok }) => {
    await ok('start-session', `A session whose name goes on and on ${'and on '.repeat(20)}`);
    const list = await ok('list-sessions');
    const [head, row] = list.split('\n');
    expect(head).toBe('id          started_at        ended_at  stored  name');
    expect(row).toMatch(/^s_[a-z2-7]{8} {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}– {14}0 {2}A session whose name .*…$/);
    expect((await ok('stats')).split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});

test('commands go on with the session that the command line opened, until it is ended', async () => {
  await withCommandLine(async ({ ok, json, run }) => {
    await ok('store', 'one', '--kind', 'fact');
    await ok('store', 'two', '--kind', 'fact');
    expect(await json<Session[]>('list-sessions')).toMatchObject([{ node_count: 2, valid_until: null }]);
    const again = await run(['start-session', 'another']);
    expect(again.out).toContain('created     no');
    expect(again.err).toContain('"svc-memory end-session" ends it');
    await ok('end-session', 'done');
    await ok('start-session', 'the next');
    await ok('store', 'three', '--kind', 'fact');
    expect((await json<Session[]>('list-sessions')).map(({ content, node_count }) => [content, node_count])).toEqual([
      ['the next', 1],
      [expect.stringMatching(/^cli session of /), 3],
    ]);
  });
});

test('--session writes into the session it names, and refuses one that is closed or unknown', async () => {
  await withCommandLine(async ({ ok, json, run }) => {
    const first = await json<{ session_id: string }>('start-session', 'first');
    await ok('end-session', 'over');
    const second = await json<{ session_id: string }>('start-session', 'second');
    await ok('store', 'into the second', '--kind', 'fact', '--session', second.session_id);
    expect((await json<Session[]>('list-sessions'))[0]).toMatchObject({ id: second.session_id, node_count: 1 });
    expect(await run(['store', 'x', '--kind', 'fact', '--session', first.session_id])).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^conflict: The session s_\w+ was closed at /),
    });
    expect(await run(['recall', 'x', '--session', 's_nothere'])).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^not_found: There is no session "s_nothere" in the namespace "default"/),
    });
  });
});

test('--namespace, before or after the command, and SVC_NAMESPACE keep namespaces apart', async () => {
  await withCommandLine(async ({ ok, run, json }) => {
    await ok('--namespace', 'other', 'store', 'only in other', '--kind', 'fact');
    await ok('store', 'in other, too', '--kind', 'fact', '--namespace', 'other');
    expect((await run(['recall', 'other'])).out).toContain('0 items');
    expect(await ok('recall', 'other', '--namespace', 'other')).toContain('2 items');
    expect(await json<Session[]>('list-sessions', '--namespace', 'other')).toMatchObject([{ node_count: 2 }]);
    expect((await run(['recall', 'other'], { env: { SVC_NAMESPACE: 'other' } })).out).toContain('2 items');
    expect(await run(['stats', '--namespace', ' '])).toMatchObject({
      status: 1,
      err: expect.stringContaining('not a valid name'),
    });
  });
});

test('switch-namespace says that each command takes --namespace', async () => {
  await withCommandLine(async ({ run }) => {
    const { status, out, err } = await run(['switch-namespace', 'other']);
    expect([status, out]).toEqual([0, 'previous_namespace  default\nactive_namespace    other\n']);
    expect(err).toContain('Give each command --namespace <name>');
  });
});

test('flags are plain, and --no- turns off what is on by default', async () => {
  await withCommandLine(async ({ ok, json, run }) => {
    await ok('init');
    expect(await json('verify-staleness', '--no-queue')).toMatchObject({ checked: 0, queued: false });
    expect(await json('verify-staleness', '--queue')).toMatchObject({ checked: 0 });
    const { status, out } = await run(['forget', '--before', '2001-01-01', '--json']);
    expect([status, JSON.parse(out)]).toMatchObject([1, { count: 0, mode: 'tombstone' }]);
  });
});

const HOSTILE = [
  '-- DROP TABLE mem_nodes; --',
  '"; \'; `$(reboot)` \\ %s %n {{x}} $HOME',
  '🦆 дом 家 "NEAR(" AND OR NOT *',
  'constructor',
  '__proto__',
  'x'.repeat(100_000),
];

test.each(HOSTILE.map((text) => [text.slice(0, 30), text]))(
  'text like %s is stored and found as it is',
  async (_, text) => {
    await withCommandLine(async ({ json, run }) => {
      const { status, out } = await run(['store', '--kind', 'fact', '--entities', 'e', '--json', '--', text]);
      expect(status).toBe(0);
      const { node_id } = JSON.parse(out) as Stored;
      expect((await run(['recall', '--', text])).status).toBe(0);
      const items = [{ id: node_id, content: text }];
      expect(await json('about', 'e', '--budget-tokens', '200')).toMatchObject({ items });
    });
  },
);

test('blank and malformed values are refused in one sentence, and nothing is written', async () => {
  await withCommandLine(async ({ run, json }) => {
    for (const args of [
      ['store', ' ', '--kind', 'fact'],
      ['store', 'x', '--kind', 'fact', '--confidence', '2'],
      ['store', 'x', '--kind', 'fact', '--confidence', '1e999'],
      ['store', 'x', '--kind', 'fact', '--valid-from', 'yesterday'],
      ['store', 'x', '--kind', 'fact', '--supersedes', 'd_nothere'],
      ['list-sessions', '--limit', '0'],
      ['list-sessions', '--limit', '1.5'],
      ['forget'],
    ]) {
      const { status, out, err } = await run(args);
      expect([args, status, out]).toEqual([args, err.startsWith('not_found') ? 1 : 2, '']);
      expect(err).toMatch(/^(invalid_input|not_found): .+\.\n$/);
    }
    expect(await json('stats')).toMatchObject({ kind_counts: { fact: 0, session: 0 } });
  });
});

test('control characters in stored text do not reach the terminal, and JSON escapes them', async () => {
  await withCommandLine(async ({ run, ok, json }) => {
    const evil = 'evil \u001b[2J\u001b]0;owned\u0007 \u009b31m \u202egnp.exe';
    await ok('start-session', evil);
    await ok('store', evil, '--kind', 'fact', '--entities', evil);
    for (const args of [
      ['recall', 'evil'],
      ['stats'],
      ['list-sessions'],
      ['list-sessions', '--json'],
      ['timeline', 'evil'],
    ]) {
      const { out } = await run(args);
      expect(out).toContain('evil');
      expect(out).not.toMatch(OBEYED);
    }
    expect(await json<Session[]>('list-sessions')).toMatchObject([{ content: evil.replace('\u202e', '') }]);
  });
});

test('two command lines at once lose nothing', async () => {
  await withCommandLine(async ({ ok, run, json }) => {
    await ok('init');
    // Unlike enough that none is told to be like another.
    const words = ['ants', 'bees', 'cats', 'dogs', 'eels', 'foxes', 'goats', 'hares'];
    const runs = words.map((word) => run(['store', `${word} are here`, '--kind', 'fact']));
    expect((await Promise.all(runs)).map(({ status, err }) => [status, err])).toEqual(runs.map(() => [0, '']));
    expect(await json('stats')).toMatchObject({ kind_counts: { fact: 8 } });
  });
});

test('a reader that goes away is no error', async () => {
  await withCommandLine(async (place) => {
    for (let i = 0; i < 3; i++) await place.ok('store', `${'long '.repeat(19_000)} ${i}`, '--kind', 'fact');
    const { err } = await runInShell(place, '("$0" "$1" timeline long; echo "status $?" >&2) | head -c 1');
    expect(err).toBe('status 0\n');
  });
});

test('a full disk under the output is told', async () => {
  await withCommandLine(async (place) => {
    const { status, err } = await runInShell(place, '"$0" "$1" stats > /dev/full');
    expect(status).toBe(1);
    expect(err).toMatch(/^unavailable: Cannot write to standard output\. /);
  });
});
