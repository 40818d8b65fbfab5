/** What is killed at any moment leaves nothing half, and nothing that was acknowledged is lost. */
import { cp, readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { SVC_FILE } from '../support/code-project';
import { type CommandLine, type RunOptions, withCommandLine } from '../support/command-line';
import { beforeLeases } from '../support/older-store';
import { seededRandom } from '../support/random';
import { openSqlite } from '../support/sqlite';

/** Of each operation; `npm run test:long` asks for more. */
const KILLS = Number(process.env.KILLS ?? 1);
const SEED = Number(process.env.SEED ?? Date.now() % 100_000);
const random = seededRandom(SEED);
const MINUTES = 3 * 60_000 * Math.max(1, KILLS);

const SECRET = 'quetzalcoatl';
const COUNT = 3_000;

interface Operation {
  /** What is there before; each kill begins with a copy of it. */
  readonly prepare: (line: CommandLine) => Promise<void>;
  readonly args: readonly string[];
  readonly options?: RunOptions;
  /** What must hold afterwards, and what the same operation makes of it when it is done again. */
  readonly check: (line: CommandLine, kept: CommandLine) => Promise<void>;
}

const facts = async (line: CommandLine): Promise<number> =>
  (await line.json<{ kind_counts: Record<string, number> }>('stats')).kind_counts.fact ?? 0;

const memories = (count: number, more: object = {}): object[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: 'fact',
    content: `number ${i} of many`,
    entities: [`e${i % 40}`],
    ...more,
  }));

const importing = async (line: CommandLine, nodes: readonly object[]): Promise<void> => {
  const { status, err } = await line.run(['import', '-'], { input: JSON.stringify(nodes) });
  if (status !== 0) throw new Error(err);
};

const sources = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [
    `src/part${i}.ts`,
    Array.from({ length: 30 }, (_, j) => `export function work${i}x${j}() {\n  return other${j}(${i});\n}\n`).join(
      '\n',
    ),
  ]),
);
const documents = Object.fromEntries(
  Array.from({ length: 20 }, (_, i) => [`docs/${i}.md`, `# Part ${i}\n\nCalls \`work${i}x1\` and \`work${i}x2\`.\n`]),
);

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'a long import': {
    prepare: async (line) => void (await line.ok('init')),
    args: ['import', '-'],
    options: { input: JSON.stringify(memories(COUNT)) },
    check: async (line) => expect([0, COUNT]).toContain(await facts(line)),
  },
  'a short import': {
    prepare: async (line) => void (await line.ok('init')),
    args: ['import', '-'],
    options: { input: JSON.stringify(memories(300)) },
    check: async (line) => expect([0, 300]).toContain(await facts(line)),
  },
  'a purge': {
    prepare: async (line) => {
      await line.ok('init');
      await importing(line, [...memories(500), ...memories(500, { content: SECRET, entities: ['vault'] })]);
    },
    args: ['forget', '--entity', 'vault', '--purge'],
    check: async (line) => {
      const left = await facts(line);
      expect([500, 1_000]).toContain(left);
      if (left === 1_000) return;
      for (const name of await readdir(line.path('.svc'))) {
        expect((await readFile(line.path('.svc', name))).includes(SECRET), name).toBe(false);
      }
    },
  },
  'a consolidation': {
    prepare: async (line) => {
      await line.ok('init');
      await importing(line, [...memories(400), ...memories(400)]);
    },
    args: ['consolidate'],
    check: async (line) => {
      await line.ok('consolidate');
      expect(await line.ok('recall', 'number 17 of many')).toContain('number 17 of many');
    },
  },
  'a migration': {
    prepare: async (line) => {
      await line.ok('init');
      await importing(line, memories(COUNT));
      await beforeLeases(line.path('.svc', 'memory.db'));
    },
    args: ['stats'],
    check: async (line) => expect(await facts(line)).toBe(COUNT),
  },
  'a build': {
    prepare: async (line) => {
      await line.ok('init');
      await line.run(['store', 'works', '--kind', 'fact', '--entities', 'work3x4']);
    },
    args: ['build'],
    options: { program: SVC_FILE },
    check: async (line, kept) => {
      const again = async (one: CommandLine): Promise<object> => {
        const { out, err } = await one.run(['build', '--json'], { program: SVC_FILE });
        if (err !== '') throw new Error(err);
        const { files, symbols } = JSON.parse(out) as { files: number; symbols: number };
        return { files, symbols };
      };
      expect(await again(line)).toEqual(await again(kept));
    },
  },
  'an ingestion': {
    prepare: async (line) => {
      await line.ok('init');
      await line.run(['build'], { program: SVC_FILE });
    },
    args: ['ingest', 'docs', '--llm', 'none'],
    options: { program: SVC_FILE },
    check: async (line) => {
      const { status, out, err } = await line.run(['ingest', 'docs', '--llm', 'none'], { program: SVC_FILE });
      expect(status, out + err).toBe(0);
      const graph = await openSqlite(line.path('.svc', 'graph.db'));
      expect(await graph.all('SELECT count(*) AS bindings FROM graph_bindings')).toEqual([
        { bindings: 2 * Object.keys(documents).length },
      ]);
      await graph.close();
    },
  },
};

/** The file is sound, search finds what is there and nothing else, and nothing waits to be shown. */
async function isWhole(line: CommandLine): Promise<void> {
  const store = await openSqlite(line.path('.svc', 'memory.db'));
  try {
    expect(await store.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    const [row] = await store.all(
      `SELECT (SELECT count(*) FROM mem_fts) - (SELECT count(*) FROM mem_nodes) AS terms,
              (SELECT count(*) FROM mem_flags WHERE name LIKE 'reserved:%' OR name = 'erase_pending') AS pending,
              (SELECT count(*) FROM mem_edges AS e LEFT JOIN mem_nodes AS n ON n.seq = e.src WHERE n.seq IS NULL) AS edges`,
    );
    expect(row).toEqual({ terms: 0, pending: 0, edges: 0 });
  } finally {
    await store.close();
  }
}

test.each(Object.entries(OPERATIONS))(`%s (seed ${SEED})`, { timeout: MINUTES }, (_, operation) =>
  withCommandLine(
    async (kept) => {
      await operation.prepare(kept);
      const once = async (afterMs: number | undefined): Promise<number> => {
        let took = 0;
        await withCommandLine(async (line) => {
          await cp(kept.folder, line.folder, { recursive: true });
          await cp(kept.home, line.home, { recursive: true });
          await line.ok('trust', '--yes');
          const start = performance.now();
          const signal = afterMs === undefined ? {} : { signal: { name: 'SIGKILL', afterMs } as const };
          const { status } = await line.run(operation.args, { ...operation.options, ...signal });
          took = performance.now() - start;
          if (afterMs === undefined) expect(status).toBe(0);
          // The next command finishes what the killed one left.
          await line.ok('stats');
          await operation.check(line, kept);
          await isWhole(line);
        });
        return took;
      };
      const whole = await once(undefined);
      for (let i = 0; i < KILLS; i++) await once((whole * (20 + random.below(80))) / 100);
    },
    { files: { ...sources, ...documents } },
  ),
);

test(`what is stored and acknowledged is there after a kill (seed ${SEED})`, { timeout: MINUTES }, () =>
  withCommandLine(async (line) => {
    await line.ok('init');
    const acknowledged: string[] = [];
    for (let i = 0; i < KILLS; i++) {
      const end = performance.now() + 500 + random.below(1_500);
      while (performance.now() < end) {
        const left = end - performance.now();
        const content = `stored ${i} ${acknowledged.length}`;
        const ran = await line.run(['store', content, '--kind', 'fact'], {
          signal: { name: 'SIGKILL', afterMs: left },
        });
        if (ran.status === 0) acknowledged.push(content);
      }
      const { nodes } = JSON.parse(await line.ok('export')) as { nodes: { content: string }[] };
      const there = new Set(nodes.map(({ content }) => content));
      expect(acknowledged.filter((content) => !there.has(content))).toEqual([]);
    }
    await isWhole(line);
  }),
);
