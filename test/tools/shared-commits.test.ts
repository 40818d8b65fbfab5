import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import type { GitHost } from '../../src/server/git/run-git';
import type { NodeHistory } from '../../src/server/memory/history/node-history';
import type { MemoryTest } from '../support/memory';
import { FOLDER, note, withShared, write } from '../support/shared';

const HOST: GitHost = { searchPath: (process.env.PATH ?? '').split(delimiter), environment: process.env };
const PATH = `${FOLDER}/x.md`;

type Git = (...args: readonly string[]) => string;

const gitOf = ({ folder }: MemoryTest): Git => {
  const git: Git = (...args) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: folder,
      stdio: 'pipe',
    }).toString();
  git('init', '--quiet', '--initial-branch=main');
  return git;
};

/** Writes the file with this text and commits it. @returns how the commit is called */
function change(test: MemoryTest, git: Git, text: string, author: string, day: string): string {
  write(test, 'x.md', note('d_x', 'decision', text));
  git('add', '--force', PATH);
  const message = ['-m', text, `--author=${author} <a@example.org>`, `--date=${day}T09:00:00Z`];
  git('commit', '--quiet', ...message);
  return git('rev-parse', '--short=8', 'HEAD').trim();
}

const node = (test: MemoryTest): Promise<string> => test.text('node', { id: 'd_x', with_commit: true });
const history = (test: MemoryTest): Promise<string> => test.text('history', { id: 'd_x', with_commits: true });
const fileLine = async (test: MemoryTest): Promise<string | undefined> => /^\*\*File:.*/m.exec(await node(test))?.[0];

it('says where a shared memory stands, and who changed its file last, when and in which commit', () =>
  withShared(
    async (test) => {
      const git = gitOf(test);
      const brought = change(test, git, 'A session ends after a day', 'Ann Lee', '2026-11-01');
      expect(await fileLine(test)).toBe(`**File:** ${PATH} · last changed by Ann Lee on 2026-11-01 (${brought})`);
      // Nothing was changed in it since it is there.
      expect(await history(test)).not.toContain('changed in its file');
      const changed = change(test, git, 'A session ends after an hour', 'Mara Toth', '2026-11-30');
      expect(await fileLine(test)).toBe(`**File:** ${PATH} · last changed by Mara Toth on 2026-11-30 (${changed})`);
      expect(await history(test)).toMatch(
        new RegExp(`\\n- 2026-11-30 09:00:00 changed in its file · Mara Toth, ${changed}$`),
      );
      expect(await test.ok('node', { id: 'd_x', with_commit: true })).toMatchObject({
        file: { path: PATH, committed: true, last: { author: 'Mara Toth', at: '2026-11-30T09:00:00.000Z' } },
      });
    },
    { git: HOST },
  ));

it('says what is not committed', () =>
  withShared(
    async (test) => {
      const git = gitOf(test);
      write(test, 'x.md', note('d_x', 'decision', 'A session ends after a day'));
      expect(await fileLine(test)).toBe(`**File:** ${PATH} · not committed`);
      const brought = change(test, git, 'A session ends after an hour', 'Ann Lee', '2026-11-01');
      write(test, 'x.md', note('d_x', 'decision', 'A session ends after a week'));
      const last = `last changed by Ann Lee on 2026-11-01 (${brought})`;
      expect(await fileLine(test)).toBe(`**File:** ${PATH} · ${last} · changed since, not committed`);
      write(test, 'x.md', note('d_x', 'decision', 'A session ends after an hour'));
      // Its time alone is another one.
      expect(await fileLine(test)).toBe(`**File:** ${PATH} · ${last}`);
      git('rm', '--quiet', '--cached', PATH);
      git('commit', '--quiet', '-m', 'gone');
      expect(await fileLine(test)).toBe(`**File:** ${PATH} · not committed`);
    },
    { git: HOST },
  ));

it('does not say that a file was changed which a filter keeps in another form', () =>
  withShared(
    async (test) => {
      const git = gitOf(test);
      writeFileSync(join(test.folder, '.gitattributes'), '*.md filter=turned\n');
      git('config', 'filter.turned.clean', 'tr a-z b-za');
      git('config', 'filter.turned.smudge', 'tr b-za a-z');
      const brought = change(test, git, 'A session ends after a day', 'Ann Lee', '2026-11-01');
      expect(await fileLine(test)).toBe(`**File:** ${PATH} · last changed by Ann Lee on 2026-11-01 (${brought})`);
    },
    { git: HOST },
  ));

it('lists the newest ten changes since the file was there, and a merge that made a text of its own', () =>
  withShared(
    async (test) => {
      const git = gitOf(test);
      change(test, git, 'first', 'Ann Lee', '2026-10-01');
      git('rm', '--quiet', PATH);
      git('commit', '--quiet', '-m', 'gone');
      change(test, git, 'again', 'Ben Roe', '2026-10-02');
      git('checkout', '--quiet', '-b', 'other');
      change(test, git, 'theirs', 'Cleo Fox', '2026-10-03');
      git('checkout', '--quiet', 'main');
      change(test, git, 'ours', 'Dan Poe', '2026-10-04');
      expect(() => git('merge', '--quiet', 'other')).toThrow();
      write(test, 'x.md', note('d_x', 'decision', 'of both'));
      git('commit', '--quiet', '-a', '-m', 'merged');
      const events = async (): Promise<(string | undefined)[]> =>
        (await test.ok<NodeHistory>('history', { id: 'd_x', with_commits: true })).events
          .filter(({ action }) => action === 'commit')
          .map(({ commit }) => commit?.author);
      expect((await events()).sort()).toEqual(['Cleo Fox', 'Dan Poe', 'Test']);
      for (let n = 1; n <= 12; n++) change(test, git, `text ${n}`, `Writer ${n}`, '2026-12-01');
      expect(await events()).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => `Writer ${n}`));
    },
    { git: HOST },
  ));

it('asks Git for what is shared alone, where it is wanted, and where the folder is trusted', () =>
  withShared(
    async (test) => {
      const git = gitOf(test);
      change(test, git, 'A session ends after a day', 'Ann Lee', '2026-11-01');
      change(test, git, 'A session ends after an hour', 'Mara Toth', '2026-11-30');
      expect(await test.text('node', { id: 'd_x' })).toMatch(new RegExp(`\\*\\*File:\\*\\* ${PATH}$`, 'm'));
      expect(await test.text('history', { id: 'd_x' })).not.toContain('Mara');
      expect(await test.text('memory_recall', { query: 'session' })).not.toContain('Mara');
      const untrusted = await test.another({ git: HOST, trusted: false });
      expect(await fileLine(untrusted)).toBe(`**File:** ${PATH}`);
      expect(await history(untrusted)).not.toContain('Mara');
      const { node_id } = await test.ok<{ readonly node_id: string }>('memory_store', { content: 'A', kind: 'fact' });
      expect(await test.text('node', { id: node_id, with_commit: true })).not.toContain('**File:**');
    },
    { git: HOST },
  ));

it('says nothing of commits where there is no Git, no repository, or one that does not answer', () =>
  withShared(async (test) => {
    write(test, 'x.md', note('d_x', 'decision', 'A session ends after a day'));
    const bin = `${test.folder}-bin`;
    mkdirSync(bin);
    writeFileSync(join(bin, 'git'), '#!/bin/sh\nexec sleep 600\n');
    chmodSync(join(bin, 'git'), 0o755);
    try {
      const silent = await test.another({ git: { ...HOST, searchPath: [bin] } });
      for (const one of [test, await test.another({ git: HOST }), silent]) {
        expect(await fileLine(one)).toBe(`**File:** ${PATH}`);
        expect(await history(one)).toMatch(/^## History of d_x\n- \S+ \S+ stored$/);
      }
    } finally {
      rmSync(bin, { recursive: true });
    }
  }));

it('shows what Git says as text on one line, with an end', () =>
  withShared(
    async (test) => {
      const git = gitOf(test);
      change(test, git, 'A session ends after a day', 'Ann Lee', '2026-11-01');
      const name = `Mara\u202e**x**\u001b[31m ${'long '.repeat(60)}`;
      change(test, git, 'A session ends after an hour', name, '2026-11-30');
      const line = await fileLine(test);
      expect(line).toMatch(/ by Mara.*… on 2026-11-30 \(\w{8}\)$/);
      for (const sign of ['\u202e', '\u001b']) expect(line).not.toContain(sign);
      expect(line?.length).toBeLessThan(250);
    },
    { git: HOST },
  ));
