import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { NodeHistory } from '../../src/server/memory/history/node-history';
import { OPEN, type Repository, withRepository } from '../support/check-repository';

const FOLDER = '.svc/memories';
const FIRST = 1_000_000_001;

interface Shared extends Repository {
  /** Of a memory on `open` that is shared and committed. */
  readonly id: string;
  readonly file: string;
  /** What its file says; undefined where it is not there. */
  text(): string | undefined;
  /** What was done to it after it was shared, with its number and what took it back. */
  history(): Promise<unknown[]>;
}

async function stored({ json }: Repository, content: string, ...more: string[]): Promise<string> {
  const { node_id } = await json<{ node_id: string }>('store', content, '--kind', 'decision', ...more);
  return node_id;
}

function withShared(work: (shared: Shared) => Promise<void>): Promise<void> {
  return withRepository(async (repository) => {
    const { ok, git, json, path } = repository;
    const id = await stored(repository, 'One file', '--entities', 'src/open.ts#open');
    await ok('share', id);
    git('add', '.');
    git('commit', '--quiet', '-m', 'shared');
    const [name = ''] = readdirSync(path(FOLDER));
    await work({
      ...{ ...repository, id, file: path(FOLDER, name) },
      text: () => (readdirSync(path(FOLDER)).includes(name) ? readFileSync(path(FOLDER, name), 'utf8') : undefined),
      history: async () => {
        const { events } = await json<NodeHistory>('history', id);
        return events.slice(2).map(({ action, of, operation, undone_by }) => [action, of, operation, undone_by]);
      },
    });
  });
}

it('undo takes back what a command did last in a file, and what brings it again does so', () =>
  withShared(async (shared) => {
    const { ok, id, git, text, write } = shared;
    // Older, and of the store.
    const other = await stored(shared, 'CI runs on Node 24');
    const before = text();
    await write('src/open.ts', OPEN.replace('main', 'other'));
    await ok('verify-staleness');
    const entry = /^(\d+) {2}changed {2}.*\n.*\n {3}\[(\w+)\]/gm;
    const numbers = new Map([...(await ok('review')).matchAll(entry)].map(([, number = '', of]) => [of, number]));
    const number = numbers.get(id) ?? '';
    const done: [words: string, undo: string[], command: string[]][] = [
      ['no longer true', ['undo'], ['verify', id, 'refute']],
      ['still true', ['review', 'undo'], ['review', 'confirm', number]],
      ['no longer true', ['review', 'undo'], ['review', 'refute', number]],
      ['change ignored', ['undo'], ['review', 'dismiss', number]],
      ['put on code', ['undo'], ['link', id, 'src/store.ts#Store.get']],
      ['forgotten', ['undo'], ['review', 'forget', id]],
      ['forgotten', ['undo'], ['forget', id]],
    ];
    let last = FIRST;
    for (const [words, undo, command] of done) {
      await ok(...command);
      const after = text();
      expect(after).not.toBe(before);
      const said = (await ok(...undo)).replace(/\s+/g, ' ');
      expect(said).toBe(`Taken back: ${words}. [${id}] One file (again: svc-memory undo ${last + 1}) `);
      expect(text()).toBe(before);
      expect(await ok('undo', `${last + 1}`)).toBe(
        `Done again: ${words}. [${id}] One file (svc-memory undo ${last + 2})\n`,
      );
      expect(text()).toBe(after);
      // Without a number as well.
      expect(await shared.json('undo')).toMatchObject({ undone: last, node_ids: [id] });
      expect(text()).toBe(before);
      last += 4;
    }
    expect(git('status', '--porcelain', FOLDER)).toBe('');
    expect(await ok('undo')).toContain(`Taken back: stored. [${other}]`);
  }));

it('undo goes further back over the store and files, in the order of what was done', () =>
  withShared(async (shared) => {
    const { ok, id, text, run } = shared;
    const texts = [text()];
    const said: string[] = [];
    for (const content of ['Two', 'Three']) {
      said.push(await stored(shared, content));
      await ok('verify', id, 'confirm');
      await ok('link', id, content === 'Two' ? 'src/store.ts#Store.get' : 'src/store.ts#Store.put');
      texts.push(text());
    }
    const [two = '', three = ''] = said;
    for (const words of ['put on code', 'still true'])
      expect(await ok('undo')).toContain(`Taken back: ${words}. [${id}]`);
    expect(text()).toBe(texts[1]);
    expect(await ok('undo')).toContain(`Taken back: stored. [${three}]`);
    expect(await ok('undo')).toContain(`Taken back: put on code. [${id}]`);
    // In another namespace nothing of this was done.
    expect((await run(['undo', '--namespace', 'other'])).err).toContain('There is no ');
    expect((await run(['undo', `${FIRST}`, '--namespace', 'other'])).err).toContain(`There is no operation ${FIRST}`);
    expect(await ok('undo')).toContain(`Taken back: still true. [${id}]`);
    expect(text()).toBe(texts[0]);
    expect(await ok('undo')).toContain(`Taken back: stored. [${two}]`);
    expect(await ok('undo')).toContain(`Taken back: shared. [${id}]`);
    expect(text()).toBeUndefined();
  }));

it('history lists what commands did in a file, with the numbers that undo takes', () =>
  withShared(async ({ ok, id, history, run }) => {
    await ok('verify', id, 'refute');
    await ok('undo');
    await ok('undo', `${FIRST + 1}`);
    expect(await history()).toEqual([
      ['refute', null, FIRST, null],
      ['undo', 'refute', FIRST + 1, FIRST + 2],
      ['redo', 'refute', FIRST + 2, null],
    ]);
    expect(await ok('history', id)).toMatch(
      new RegExp(`refuted \\(conf 1\\.00 → 0\\.50, closed .*\\) · cli \\(.*\\), memory_verify · operation ${FIRST}\n`),
    );
    expect(await ok('undo')).toContain('Taken back: no longer true.');
    expect((await run(['undo', `${FIRST}`])).err).toContain(
      `was already undone. To redo it, undo operation ${FIRST + 3}`,
    );
  }));

it('undo refuses what was edited since, and takes back nothing else', () =>
  withShared(async (shared) => {
    const { ok, id, run, text, file, git } = shared;
    const other = await stored(shared, 'CI runs on Node 24');
    await ok('verify', id, 'refute');
    writeFileSync(file, `${text()}\nAnd one log.\n`);
    const edited = text();
    for (let time = 0; time < 2; time++) {
      const { status, err } = await run(['undo']);
      expect([status, err]).toEqual([
        1,
        expect.stringMatching(/^conflict: .*memories.*\.md was changed since\. Nothing was/),
      ]);
      expect(text()).toBe(edited);
    }
    expect(await ok('recall', 'Node')).toContain(other);
    // What Git took back is no longer as it was left, either.
    git('checkout', '--quiet', FOLDER);
    expect((await run(['review', 'undo'])).err).toContain('was changed since');
    await ok('forget', id);
    rmSync(shared.path(FOLDER), { recursive: true });
    expect(await ok('undo')).toContain(`Taken back: forgotten. [${id}] One file`);
    expect(git('status', '--porcelain', FOLDER)).toBe('');
  }));

it('undo writes no file for an agent, nor in a folder that nobody accepts any more', () =>
  withShared(async (shared) => {
    const { ok, id, run, text } = shared;
    const other = await stored(shared, 'CI runs on Node 24');
    await ok('verify', id, 'refute');
    const after = text();
    for (const args of [['undo'], ['review', 'undo'], ['undo', `${FIRST}`]]) {
      const { status, err } = await run(args, { env: { CLAUDECODE: '1' } });
      expect([status, err]).toEqual([
        1,
        expect.stringMatching(/^unavailable: Only a person can take back .* an agent runs/),
      ]);
    }
    expect(text()).toBe(after);
    await ok('trust', '--revoke');
    await run(['undo', `${FIRST}`]);
    expect(text()).toBe(after);
    expect(await ok('recall', 'Node')).toContain(other);
  }));

it('undo takes back a merging and a keeping in files', () =>
  withShared(async (shared) => {
    const { ok, id, git, json } = shared;
    const newer = await stored(shared, 'One file and one log');
    await ok('share', newer);
    git('add', '.');
    git('commit', '--quiet', '-m', 'two');
    const actions = async () => {
      const { events } = await json<NodeHistory>('history', id);
      return events.slice(2).map(({ action, other_id, undone_by }) => [action, other_id, undone_by]);
    };
    await ok('review', 'keep', id, newer);
    expect(await ok('undo')).toContain('Taken back: kept beside another. 2 memories, first');
    await ok('review', 'merge', id, newer);
    expect(await actions()).toHaveLength(3);
    expect(await ok('undo')).toContain(`Taken back: replaced. [${id}] One file (again`);
    expect(git('status', '--porcelain', FOLDER)).toBe('');
    expect(await actions()).toEqual([
      ['keep', newer, FIRST + 1],
      ['undo', newer, null],
      ['supersede', newer, FIRST + 3],
      ['undo', newer, null],
    ]);
    expect(await ok('history', id)).toMatch(/a change was undone, no longer superseded by/);
  }));

it('commands that run at once each keep what they did, and undo takes back all of it', () =>
  withShared(async (shared) => {
    const { ok, id, git } = shared;
    const ids = [id, await stored(shared, 'Two logs'), await stored(shared, 'Three locks')];
    await ok('share', ...ids.slice(1));
    git('add', '.');
    git('commit', '--quiet', '-m', 'three');
    await Promise.all(ids.map((one) => ok('verify', one, 'refute')));
    const back = [await ok('undo'), await ok('undo'), await ok('undo')].map((said) => /\[(\w+)\]/.exec(said)?.[1]);
    expect(back.sort()).toEqual(ids.sort());
    expect(git('status', '--porcelain', FOLDER)).toBe('');
    expect(await ok('undo')).toContain('Taken back: shared.');
  }));

it('undo takes back no sharing in another working tree, whose shared memories nobody has accepted', () =>
  withShared(async (shared) => {
    const { git, id, path, run, text } = shared;
    const before = text();
    git('worktree', 'add', '--quiet', path('second'), '-b', 'second');
    const { status, err } = await run(['undo'], { cwd: 'second' });
    expect(err).toMatch(/^conflict: Nobody has accepted the shared memories of this folder\. Nothing was changed\./m);
    expect(status).not.toBe(0);
    expect(readdirSync(path('second', FOLDER))).toHaveLength(1);
    expect(text()).toBe(before);
    expect(await shared.ok('undo')).toContain(`Taken back: shared. [${id}]`);
  }));

it.each([
  ['no longer true', 'refute', ['verify', 'ID', 'refute']],
  ['no longer true', 'refute', ['review', 'refute', 'ID']],
  ['forgotten', 'forget', ['review', 'forget', 'ID']],
  ['forgotten', 'forget', ['forget', 'ID', '--entity', 'Cache']],
])(
  'undo takes back in one step what was done in a file and in the store beside it: %s, %s, %j',
  (words, action, command) =>
    withShared(async (shared) => {
      const { ok, path, json, run } = shared;
      const id = await stored(shared, 'It is cold', '--entities', 'Cache');
      const { shared: files } = await json<{ shared: { path: string }[] }>('share', id);
      const [file, away] = [path(files[0]?.path ?? ''), path('away.md')];
      renameSync(file, away);
      const { operation } = await json<{ operation: number }>('restore', id);
      renameSync(away, file);
      const read = () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
      const before = read();
      const done = async () => {
        const { events } = await json<NodeHistory>('history', id);
        return events.slice(3).map((one) => [one.action, one.of, one.operation, one.undone_by]);
      };
      /** How it is in the store, where its file is away. */
      const inStore = async () => {
        const isThere = existsSync(file);
        if (isThere) renameSync(file, away);
        const { tombstoned, valid_until } = await json<{ tombstoned: 0 | 1; valid_until: string | null }>('node', id);
        if (isThere) renameSync(away, file);
        return tombstoned === 0 && valid_until === null;
      };
      await ok(...command.map((word) => (word === 'ID' ? id : word)));
      const after = read();
      expect([after === before, await inStore()]).toEqual([false, false]);
      expect(await done()).toEqual([[action, null, FIRST, null]]);
      // By the number that it has in the store as well; none of it is an agent's to take back.
      const asked = words === 'forgotten' ? ['undo'] : ['undo', `${operation + 1}`];
      expect((await run(asked, { env: { CLAUDECODE: '1' } })).err).toMatch(/^unavailable: Only a person/);
      expect(await ok(...asked)).toContain(`Taken back: ${words}. [${id}] It is cold`);
      expect([read(), await inStore()]).toEqual([before, true]);
      expect(await ok('undo', `${FIRST + 1}`)).toContain(`Done again: ${words}. [${id}] It is cold`);
      expect([read(), await inStore()]).toEqual([after, false]);
      expect(await ok('undo', `${FIRST + 2}`)).toContain(`Taken back: ${words}. [${id}] It is cold`);
      expect([read(), await inStore()]).toEqual([before, true]);
      expect(await done()).toEqual([
        [action, null, FIRST, FIRST + 1],
        ['undo', action, FIRST + 1, null],
        ['redo', action, FIRST + 2, FIRST + 3],
        ['undo', action, FIRST + 3, null],
      ]);
      // What was done before it is next.
      expect(await ok('undo')).toContain(`Taken back: restored. [${id}]`);
    }),
);
