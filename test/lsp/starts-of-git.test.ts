import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { findGit } from '../../src/server/git/run-git';
import { SVC_FILE } from '../support/code-project';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { type EditorClient, startEditor } from '../support/editor-client';
import { gitIn } from '../support/git-in';

const NAMES = ['open', 'close', 'read', 'write'];
const sourceOf = (table: string): string =>
  NAMES.map((name) => `export function ${name}(key: string) {\n  return connect("${table}", key, ${name.length});\n}\n`)
    // Enough that is the same for Git to see the file in its copy.
    .join('// The next one begins here.\n'.repeat(5));

/** Longer than a server goes on to read what was changed. */
const QUIET_MS = 3_000;
const KEPT = 'export function keep(key: string) {\n  return connect("kept", key, 1, 2, 3, 4, 5, 6, 7);\n}\n';

interface Compared {
  readonly symbols: readonly { readonly verdict: string; readonly now: { readonly name: string } | null }[];
}

interface Changed {
  readonly editor: EditorClient;
  /** Of memories on functions that have all changed. */
  readonly ids: readonly string[];
  /** How often Git was started so far. */
  readonly starts: () => number;
  readonly git: (...args: string[]) => void;
  readonly line: CommandLine;
}

function tellChanged(editor: EditorClient, path: string): Promise<void> {
  const changes = [{ uri: editor.uri(path), type: 2 }];
  return editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
}

function withChangedCode(work: (changed: Changed) => Promise<void>): Promise<void> {
  return withCommandLine(
    async (line) => {
      const git = gitIn(line.folder);
      git('init', '--initial-branch=main');
      git('add', '-A');
      git('commit', '-m', 'first');
      await line.ok('init');
      await line.run(['build'], { program: SVC_FILE });
      const ids: string[] = [];
      for (const name of NAMES) {
        const args = ['store', `It may ${name}`, '--kind', 'fact', '--entities', `src/store.ts#${name}`];
        ids.push((await line.json<{ node_id: string }>(...args)).node_id);
      }
      writeFileSync(line.path('src', 'store.ts'), sourceOf('other'));
      // A Git that writes down its starts.
      const bin = join(line.home, 'bin');
      const log = join(line.home, 'starts');
      const { PATH = '' } = process.env;
      mkdirSync(bin);
      writeFileSync(log, '');
      const real = findGit(PATH.split(delimiter), line.folder);
      writeFileSync(join(bin, 'git'), `#!/bin/sh\necho "$*" >>'${log}'\nexec '${real}' "$@"\n`);
      chmodSync(join(bin, 'git'), 0o755);
      const editor = await startEditor(line, { env: { PATH: `${bin}:${PATH}` } });
      try {
        await work({ editor, ids, git, line, starts: () => readFileSync(log, 'utf8').split('\n').length - 1 });
      } finally {
        await editor.end();
      }
    },
    { files: { 'src/store.ts': sourceOf('main'), 'src/kept.ts': KEPT, '.gitignore': '.svc/\n' } },
  );
}

it('Git is not started for each question about code that stays as it is', () =>
  withChangedCode(async ({ editor, ids, starts }) => {
    await editor.call('compare', { node_id: ids[0] });
    const before = starts();
    expect(before).toBeGreaterThan(0);
    const questions = Array.from({ length: 6 }, () => ids).flat();
    for (const node_id of questions) {
      const { symbols } = await editor.call<Compared>('compare', { node_id });
      expect(symbols.map(({ verdict }) => verdict)).toEqual(['changed']);
    }
    // To look once into the past of a project takes eight.
    expect(starts() - before).toBeLessThan(2 * questions.length);
  }));

it('Git is not started for each of many questions that come at once, and each is answered by the code as it is then', () =>
  withChangedCode(async ({ editor, git, line, starts }) => {
    interface Found {
      readonly symbols: readonly { readonly memories: readonly { readonly verdict: string }[] }[];
    }
    const ask = async (): Promise<string[]> =>
      (await editor.call<Found>('memory_for_code', { file_path: 'src/shop.ts' })).symbols.flatMap(({ memories }) =>
        memories.map(({ verdict }) => verdict),
      );
    const review = () => editor.call('memory_verify_staleness', { queue: false });
    // Where the code of the memories went, Git knows.
    git('mv', 'src/store.ts', 'src/shop.ts');
    git('commit', '-a', '-m', 'second');
    await tellChanged(editor, 'src/shop.ts');
    expect(await ask()).toEqual(NAMES.map(() => 'changed'));
    const before = starts();
    const early = Array.from({ length: 12 }, () => [ask(), review()]).flat();
    // The first function is as it was.
    writeFileSync(line.path('src', 'shop.ts'), sourceOf('other').replace('other', 'main'));
    expect(await ask()).toEqual(['moved', 'changed', 'changed', 'changed']);
    await Promise.all(early);
    expect(starts() - before).toBeLessThan(2 * early.length);
  }));

it('Git is asked together about the commits of memories that were asked about one by one', () =>
  withChangedCode(async ({ editor, ids: [first], git, line, starts }) => {
    git('commit', '-a', '-m', 'second');
    const kept = ['store', 'Kept', '--kind', 'fact', '--entities', 'src/kept.ts#keep'];
    const second = (await line.json<{ node_id: string }>(...kept)).node_id;
    writeFileSync(line.path('src', 'kept.ts'), KEPT.replace('1', '0'));
    const askBoth = async (): Promise<number> => {
      const before = starts();
      for (const node_id of [first, second]) {
        const { symbols } = await editor.call<Compared>('compare', { node_id });
        expect(symbols.map(({ verdict }) => verdict)).toEqual(['changed']);
      }
      return starts() - before;
    };
    await askBoth();
    await delay(QUIET_MS + 500);
    const again = await askBoth();
    expect(again).toBeGreaterThan(0);
    expect(again).toBeLessThan(8);
  }));

it('Git is not started for each file that a function may have gone to', () =>
  withChangedCode(async ({ editor, line, starts }) => {
    for (let i = 0; i < 15; i++) writeFileSync(line.path('src', `new${i}.ts`), sourceOf(`other ${i}`));
    writeFileSync(line.path('src', 'store.ts'), 'export const nothing = 1;\n');
    const before = starts();
    const { stale_nodes } = await editor.call<{ stale_nodes: readonly { verdict: string }[] }>(
      'memory_verify_staleness',
      { queue: false },
    );
    expect(stale_nodes.map(({ verdict }) => verdict)).toEqual(NAMES.map(() => 'gone'));
    expect(starts() - before).toBeLessThan(30);
  }));

it('what changes in a file is seen at once, though nobody tells of it', () =>
  withChangedCode(async ({ editor, ids: [node_id], line }) => {
    const kept = await line.json<{ node_id: string }>(
      'store',
      'Kept',
      '--kind',
      'fact',
      '--entities',
      'src/kept.ts#keep',
    );
    const now = async (id: string | undefined): Promise<string | undefined> =>
      (await editor.call<Compared>('compare', { node_id: id })).symbols[0]?.now?.name;
    expect([await now(node_id), await now(kept.node_id)]).toEqual(['open', 'keep']);
    writeFileSync(line.path('src', 'kept.ts'), KEPT.replace('keep', 'retain'));
    expect(await now(kept.node_id)).toBe('retain');
  }));

it('another commit at HEAD is seen, though no file changes', () =>
  withChangedCode(async ({ editor, line, git }) => {
    writeFileSync(line.path('src', 'kept.ts'), KEPT.replace('1', '0'));
    git('commit', '-a', '-m', 'second');
    await line.ok('store', 'Of the second', '--kind', 'fact', '--entities', 'src/kept.ts#keep');
    writeFileSync(line.path('src', 'kept.ts'), KEPT.replace('1', '2'));
    await tellChanged(editor, 'src/kept.ts');
    const verdicts = async (): Promise<unknown> =>
      (
        await editor.call<{ symbols: readonly { memories: readonly { verdict: string }[] }[] }>('memory_for_code', {
          file_path: 'src/kept.ts',
        })
      ).symbols.flatMap(({ memories }) => memories.map(({ verdict }) => verdict));
    expect(await verdicts()).toEqual(['changed']);
    git('branch', 'beside');
    git('reset', '--soft', 'HEAD~1');
    // It is edited on either branch.
    expect(await verdicts()).toEqual(['changed']);
    writeFileSync(line.path('src', 'kept.ts'), KEPT);
    await tellChanged(editor, 'src/kept.ts');
    expect(await verdicts()).toEqual(['other version']);
  }));

it('a commit ends a doubt that was about an edit alone, though no file changes', () =>
  withChangedCode(async ({ editor, line, git }) => {
    git('checkout', '--quiet', '-b', 'beside');
    writeFileSync(line.path('src', 'kept.ts'), KEPT.replace('1', '0'));
    git('commit', '-a', '-m', 'second');
    await line.ok('store', 'Of the second', '--kind', 'fact', '--entities', 'src/kept.ts#keep');
    git('checkout', '--quiet', 'main');
    const doubts = (count: number) =>
      editor.until(`${count} in doubt`, async () => {
        const { stale } = await editor.request('svc/folderState', { folder: editor.uri('.') });
        return stale === count || undefined;
      });
    writeFileSync(line.path('src', 'kept.ts'), KEPT.replace('1', '2'));
    await tellChanged(editor, 'src/kept.ts');
    await doubts(1);
    // Until all is read that was changed: that it is judged again then is no help.
    await delay(QUIET_MS);
    const told = editor.changes.length;
    git('commit', '-a', '-m', 'third');
    await doubts(0);
    await editor.until(
      'the window is told',
      () => editor.changes.slice(told).some(({ what }) => what.includes('review')) || undefined,
    );
  }));

const SHUT = 'export function shut(key: string) {\n  return disconnect("main", key, 1, 2, 3, 4, 5, 6, 7);\n}\n';

/** In the folder where the repository is, the editor tells of what Git writes; in a work tree beside it, nobody does. */
it.each([true, false])(
  'a branch that goes, and one that comes, is seen though no file changes: told by the editor: %s',
  (isTold) =>
    withChangedCode(async ({ editor: first, line, git }) => {
      writeFileSync(line.path('src', 'store.ts'), sourceOf('main'));
      git('checkout', '--quiet', '-b', 'beside');
      writeFileSync(line.path('src', 'shut.ts'), SHUT);
      git('add', 'src/shut.ts');
      git('commit', '-m', 'second');
      await line.ok('store', 'Of the second', '--kind', 'fact', '--entities', 'src/shut.ts#shut');
      git('checkout', '--quiet', 'main');
      const tree = line.path('trees', 'other');
      if (!isTold) {
        git('worktree', 'add', '--quiet', '-b', 'other', tree, 'main');
        await line.run(['build'], { cwd: join('trees', 'other'), program: SVC_FILE });
      }
      const editor = isTold ? first : await startEditor({ home: line.home, folder: tree });
      try {
        const folder = editor.uri('.');
        const tell = async (...files: readonly string[]): Promise<void> => {
          if (!isTold) return;
          const changes = files.map((file) => ({ uri: editor.uri(`.git/${file}`), type: 3 }));
          await editor.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
        };
        const state = () => editor.request('svc/folderState', { folder });
        /** Ends when so many memories are in doubt, and the window was told. */
        const doubts = async (count: number, change: () => void, ...files: readonly string[]): Promise<void> => {
          const told = editor.changes.length;
          change();
          await tell(...files);
          await editor.until(`${count} in doubt`, async () => (await state()).stale === count || undefined);
          const isNews = () => editor.changes.slice(told).some(({ what }) => what.includes('review')) || undefined;
          await editor.until('the window is told', isNews);
        };
        await editor.until('nothing in doubt', async () => (await state()).stale === 0 || undefined);
        await delay(QUIET_MS);
        git('branch', 'kept', 'beside');
        git('branch', '-D', 'beside');
        await tell('refs/heads/kept', 'refs/heads/beside');
        await delay(QUIET_MS);
        expect(await state()).toMatchObject({ stale: 0 });
        await doubts(1, () => git('branch', '-D', 'kept'), 'refs/heads/kept');
        const bringBack = (): void => {
          git('branch', 'again', 'HEAD@{1}');
          git('pack-refs', '--all');
        };
        await doubts(0, bringBack, 'refs/heads/again', 'packed-refs');
        await doubts(1, () => git('branch', '-D', 'again'), 'packed-refs');
      } finally {
        if (editor !== first) await editor.end();
      }
    }),
);
