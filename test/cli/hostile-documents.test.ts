import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type CodeProject, withCodeProject } from '../support/code-project';
import { DOCUMENT_SHAPES, openImages, repeatedText } from '../support/hostile-documents';
import { openSqlite } from '../support/sqlite';

const KILOBYTES = 300;

/** No parser is fast enough for these, or they have more sections than anybody reads. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'docs/deep.md': `# Deep\n\n${'> '.repeat(20_000)}x\n`,
  'docs/images.md': openImages(990),
  'docs/mixed.md': `# Mixed\n\n${'> - '.repeat(20)}x\n`,
  'docs/sections.md': repeatedText('# a\n\nb\n\n', 50),
};

/** These take long or not, as the machine is. */
const SLOW = Object.fromEntries(
  Object.entries(DOCUMENT_SHAPES).map(([name, shape]) => [`docs/${name}.md`, shape(KILOBYTES)]),
);

/** As much as is read of what people write, such as a log of changes, a reference, a table and another script. */
const LARGE: Readonly<Record<string, string>> = {
  'large/versions.md': repeatedText(readFileSync('node_modules/openai/CHANGELOG.md', 'utf8'), 500).slice(0, 990_000),
  'large/reference.md': repeatedText(
    '### `open(path, options)`\n\n- `path` {string} Where it is. **Default:** `null`\n  - `mode` {number}\n' +
      `\nDoes _that_, see [another](#another).\n\n\`\`\`js\nopen('a');\n\`\`\`\n\n${'Words. '.repeat(40)}\n\n`,
    980,
  ),
  'large/script.md': repeatedText(
    `## 数据库\n\n${'数据库迁移需要先备份，'.repeat(20)}\`Store\` 和 [链接](a.md)。\n\n`,
    300,
  ),
  'large/table.md': tableOf(980),
};

function tableOf(kilobytes: number): string {
  return `| a | b | c |\n|---|---|---|\n${repeatedText('| 1 | `name` | some **words** of [text](y.md) |\n', kilobytes)}`;
}

const FILES = {
  'src/store.ts': 'export class Store {}\n',
  'docs/guide.md': '# Ledger\n\nRows are kept by `Store`.\n',
};

interface Printed {
  readonly documents: { readonly read: number; readonly unchanged: number; readonly removed: number };
  readonly bindings: { readonly total: number };
  readonly skipped: Readonly<Record<string, number>>;
  readonly not_parsed: readonly { readonly path: string; readonly reason: string }[];
}

async function run({ svc }: CodeProject, ...args: string[]): Promise<Printed> {
  const { status, out, err } = await svc([...args, '--llm', 'none', '--json']);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  return JSON.parse(out) as Printed;
}

/** A wait has an end: ten seconds of a processor are lost first, on a machine that may have much to do. */
const PATIENCE_MS = 240_000;

it('a run ends, names the documents that take too long, and has all others', async () => {
  await withCodeProject({ ...FILES, ...LEFT_OUT, ...SLOW }, async (project) => {
    const { documents, bindings, skipped, not_parsed } = await run(project, 'ingest', 'docs');
    const named = not_parsed.map(({ path }) => path);
    expect(named).toEqual(expect.arrayContaining(Object.keys(LEFT_OUT)));
    expect(documents.read + named.length).toBe(1 + Object.keys(LEFT_OUT).length + Object.keys(SLOW).length);
    expect(named).not.toContain('docs/guide.md');
    expect(bindings.total).toBe(1);
    expect(Object.values(skipped).reduce((sum, count) => sum + count, 0)).toBe(named.length);

    const { out } = await project.svc(['sync', '--llm', 'none']);
    expect(out).toMatch(/\nLeft out: .*2 too deeply nested/);
    expect(out).toContain('\n  docs/deep.md: too deeply nested\n');
    expect(out).toContain('\n  docs/mixed.md: too deeply nested\n');
    expect(out).toContain('\n  docs/images.md: takes too long\n');
  });
});

it(
  'after much time lost a run has less patience, and reads what people write',
  async () => {
    const images = LEFT_OUT['docs/images.md'] ?? '';
    const names = Array.from({ length: 9 }, (_, i) => `docs/${i}.md`);
    const hostile = Object.fromEntries(names.map((name) => [name, images]));
    await withCodeProject({ ...FILES, ...hostile, 'docs/z.md': tableOf(100) }, async (project) => {
      const { documents, not_parsed } = await run(project, 'ingest', 'docs');
      const reasons = names.map((_, i) => (i < 7 ? 'takes too long' : 'takes too long after others'));
      expect({ read: documents.read, not_parsed }).toEqual({
        read: 2,
        not_parsed: names.map((path, i) => ({ path, reason: reasons[i] })),
      });
    });
  },
  PATIENCE_MS,
);

it('large documents are read', async () => {
  await withCodeProject({ ...FILES, ...LARGE }, async (project) => {
    const { documents, skipped, not_parsed } = await run(project, 'ingest', 'large');
    expect({ read: documents.read, skipped, not_parsed }).toEqual({ read: 4, skipped: {}, not_parsed: [] });
  });
});

it('what was left out is tried again when it or the program changes, and only then', async () => {
  await withCodeProject({ ...FILES, 'docs/late.md': '# Late\n\n`Store`\n' }, async (project) => {
    expect(await run(project, 'ingest', 'docs')).toMatchObject({ bindings: { total: 2 }, not_parsed: [] });
    const images = LEFT_OUT['docs/images.md'] ?? '';
    await project.write('docs/late.md', images);
    const left = { path: 'docs/late.md', reason: 'takes too long' };
    // What it said before is not true any more.
    expect(await run(project, 'sync')).toMatchObject({ bindings: { total: 1 }, not_parsed: [left] });

    const alter = async (change: string): Promise<void> => {
      const graph = await openSqlite(project.path('.svc', 'graph.db'));
      await graph.all(`UPDATE graph_left_out_documents SET ${change}`);
      await graph.close();
    };
    await alter("reason = 'cannot be parsed'");
    await project.write('docs/late.md', images);
    expect((await run(project, 'sync')).not_parsed).toEqual([{ ...left, reason: 'cannot be parsed' }]);
    await alter("program = 'older'");
    expect((await run(project, 'sync')).not_parsed).toEqual([left]);

    await project.write('docs/late.md', '# Late\n\n`Store`\n');
    expect(await run(project, 'sync')).toMatchObject({ bindings: { total: 2 }, not_parsed: [] });
    await project.write('docs/late.md', images);
    await run(project, 'sync');
    await project.remove('docs/late.md');
    expect(await run(project, 'sync')).toMatchObject({ bindings: { total: 1 }, not_parsed: [] });
    const graph = await openSqlite(project.path('.svc', 'graph.db'));
    expect(await graph.all('SELECT path FROM graph_left_out_documents')).toEqual([]);
    await graph.close();
  });
});
