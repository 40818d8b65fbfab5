import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import type { Review } from '../../src/protocol/tool-values';
import { SVC_FILE } from '../support/code-project';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { type EditorClient, startEditor } from '../support/editor-client';
import { gitIn } from '../support/git-in';
import { type ConnectedServer, connectServer, type Place } from '../support/stdio-client';

const TREES = ['one', 'two', 'three', 'four'] as const;
/** By each agent, while the other ones store theirs. */
const STORES = 25;

const sourceOf = (name: string, table = 'main'): string =>
  `export function ${name}(key: string) {\n  return connect("${table}", key, 1, 2, 3, 4, 5);\n}\n`;
const SOURCES = Object.fromEntries(TREES.map((name) => [`src/${name}.ts`, sourceOf(name)]));

interface Tree {
  /** Of the branch, the function that this tree changes, and the folder; the first one is the main work tree. */
  readonly name: string;
  readonly place: Place;
  readonly editor: EditorClient;
  readonly agent: ConnectedServer;
}

interface Staleness {
  readonly checked: number;
  readonly stale_nodes: readonly { readonly node_id: string; readonly verdict: string }[];
  readonly missing: number;
}

async function withTrees(work: (trees: readonly Tree[], line: CommandLine) => Promise<void>): Promise<void> {
  await withCommandLine(
    async (line) => {
      const git = gitIn(line.folder);
      git('init', '--initial-branch=one');
      git('add', '-A');
      git('commit', '-m', 'first');
      await line.ok('init');
      const trees: Tree[] = [];
      try {
        for (const name of TREES) {
          if (trees.length > 0) git('worktree', 'add', `trees/${name}`, '-b', name);
          const place = { home: line.home, folder: trees.length > 0 ? line.path('trees', name) : line.folder };
          trees.push({ name, place, editor: await startEditor(place), agent: await connectServer(place) });
        }
        await work(trees, line);
      } finally {
        await Promise.all(trees.flatMap(({ editor, agent }) => [editor.end(), agent.close()]));
      }
    },
    { files: { ...SOURCES, '.gitignore': '.svc/\ntrees/\n' } },
  );
}

it('four work trees with an editor and an agent each write one store at once, and none sees the doubts of another', () =>
  withTrees(async (trees, line) => {
    const known = new Map<string, string>();
    const work = async ({ name, place, editor, agent }: Tree): Promise<void> => {
      const path = `src/${name}.ts`;
      const build = line.run(['build'], { cwd: relative(line.folder, place.folder), program: SVC_FILE });
      for (let i = 0; i < STORES; i++) {
        const input = { content: `${name} has rule ${i}`, kind: 'fact', entities: [`${path}#${name}`] };
        known.set((await agent.value<{ node_id: string }>('memory_store', input)).node_id, name);
      }
      await editor.call('memory_store', { content: `${name} is looked at`, kind: 'fact', entities: ['people'] });
      expect((await build).status).toBe(0);
      const changed = sourceOf(name, `of_${name}`);
      await editor.open(path, SOURCES[path] ?? '');
      await editor.edit(path, changed);
      await writeFile(join(place.folder, path), changed);
      await editor.save(path);
    };
    await Promise.all(trees.map(work));

    expect(known.size).toBe(TREES.length * STORES);
    const stats = await line.json<{ kind_counts: object }>('stats');
    expect(stats.kind_counts).toMatchObject({ fact: TREES.length * (STORES + 1) });
    for (const { name, editor, agent } of trees) {
      const own = [...known].filter(([, tree]) => tree === name).map(([id]) => id);
      for (const door of [agent.value, editor.call]) {
        const { checked, stale_nodes, missing } = await door<Staleness>('memory_verify_staleness', {});
        expect({ name, checked, missing }).toEqual({ name, checked: known.size, missing: 0 });
        expect(stale_nodes.map(({ node_id, verdict }) => `${node_id} ${verdict}`).sort()).toEqual(
          own.map((id) => `${id} changed`).sort(),
        );
      }
      for (const other of TREES) {
        const [title = ''] = await editor.titles(`src/${other}.ts`);
        expect([other, title.includes('may be out of date')]).toEqual([other, other === name]);
      }
      const { entries } = await editor.call<Review>('review', { limit: 100 });
      expect(entries.map(({ node }) => node.id).sort()).toEqual(own.sort());
    }

    // What a person accepts in one of them is accepted there, and takes nothing from the others.
    const [first, second] = trees as [Tree, Tree];
    for (const [id, name] of known) {
      if (name === first.name) await first.editor.call('memory_verify', { node_id: id, status: 'confirm' });
    }
    const left = async ({ editor }: Tree) => (await editor.call<Review>('review', { limit: 100 })).entries.length;
    expect([await left(first), await left(second)]).toEqual([0, STORES]);
  }));
