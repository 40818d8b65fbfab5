import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { type BuildSummary, type CodeProject, SVC_FILE, withCodeProject } from '../support/code-project';
import { withFollowedRepository } from '../support/followed-repository';
import { HOSTILE_SOURCES, repeated, STRANGE_SOURCES } from '../support/hostile-sources';
import { openSqlite } from '../support/sqlite';

const SOURCE = 'export function fine() {\n  return 1;\n}\n';
const LEFT_OUT = /^(?:takes too long|needs too much memory)$/;

interface Summary extends BuildSummary {
  readonly not_parsed: readonly { readonly path: string; readonly reason: string }[];
}

const build = async (project: CodeProject): Promise<Summary> => (await project.build()) as Summary;

/** When each file that is left out was looked at last. */
async function looked({ path }: CodeProject): Promise<Record<string, number>> {
  const graph = await openSqlite(path('.svc', 'graph.db'));
  const rows = await graph.all<{ path: string; looked_ms: number }>('SELECT path, looked_ms FROM graph_left_out');
  await graph.close();
  return Object.fromEntries(rows.map((row) => [row.path, row.looked_ms]));
}

/** A wait has an end: ten seconds of a processor are lost first, on a machine that may have much to do. */
const PATIENCE_MS = 240_000;

it('a build ends, names the sources that take too long, and has all others', async () => {
  await withCodeProject({ ...HOSTILE_SOURCES, ...STRANGE_SOURCES, 'src/a.ts': SOURCE }, async (project) => {
    const built = await build(project);
    const paths = Object.keys(HOSTILE_SOURCES);
    expect(built.not_parsed.map((one) => one.path)).toEqual(paths);
    expect(built.not_parsed.map((one) => one.reason)).toEqual(paths.map(() => expect.stringMatching(LEFT_OUT)));
    expect(built.skipped_files).toEqual(built.not_parsed);
    // The JSON is no source.
    expect([built.indexed, built.files]).toEqual([Object.keys(STRANGE_SOURCES).length, built.indexed]);

    const { out } = await project.svc(['build']);
    expect(out).toMatch(/\nLeft out: .*\d takes too long/);
    expect(out).toContain('\n  hostile/brackets.ts: takes too long\n');
  });
});

it('what was left out is tried again when it or the program changes, and only then', async () => {
  await withCodeProject({ 'a.ts': SOURCE, 'b.ts': repeated('['), 'made.ts': SOURCE }, async (project) => {
    await project.write('b.ts', repeated('['));
    await project.write('made.ts', `// @generated\n${SOURCE}`);
    const built = await build(project);
    expect(built.skipped_files).toEqual([
      { path: 'b.ts', reason: 'takes too long' },
      { path: 'made.ts', reason: 'generated or minified' },
    ]);
    const before = await looked(project);
    expect(Object.keys(before)).toEqual(['b.ts', 'made.ts']);

    // Its time alone tells nothing: the bytes are compared, and nothing is parsed.
    await project.write('b.ts', repeated('['));
    const again = await build(project);
    expect([again.indexed, again.skipped_files]).toEqual([0, built.skipped_files]);

    const graph = await openSqlite(project.path('.svc', 'graph.db'));
    await graph.all("UPDATE graph_left_out SET program = 'older', reason = 'binary'");
    await graph.close();
    expect((await build(project)).skipped_files).toEqual(built.skipped_files);

    await project.write('b.ts', SOURCE);
    const mended = await build(project);
    expect([mended.indexed, mended.not_parsed]).toEqual([1, []]);
    expect(Object.keys(await looked(project))).toEqual(['made.ts']);
    await project.remove('made.ts');
    await build(project);
    expect(await looked(project)).toEqual({});
  });
});

it(
  'after much time lost a build has less patience, and has all that people write',
  async () => {
    const functions = Array.from(
      { length: 6_000 },
      (_, i) => `export function f${i}(a: number) {\n  return f${i + 1}(a);\n}\n`,
    );
    // The largest come first: what people write comes before what is hostile, among it and after it.
    const written = {
      'a.ts': SOURCE,
      'large.ts': functions.join(''),
      'middle.ts': functions.slice(0, 1_250).join(''),
      'small.ts': functions.slice(0, 900).join(''),
    };
    const names = Array.from({ length: 16 }, (_, i) => `hostile/${String(i).padStart(2, '0')}.ts`);
    const hostile = Object.fromEntries(names.map((name, i) => [name, repeated('[', 60 + i)]));
    await withCodeProject({ ...written, ...hostile }, async (project) => {
      const built = await build(project);
      expect([built.indexed, built.not_parsed.map(({ path }) => path)]).toEqual([Object.keys(written).length, names]);
      const reasons = built.not_parsed.map(({ reason }) => reason);
      const hasty = 'takes too long after others';
      expect(reasons).toEqual([
        hasty,
        ...names.slice(2).map(() => expect.stringMatching('takes too long')),
        'takes too long',
      ]);

      // They are known like any other that is left out.
      const [first = '', second = ''] = names;
      await project.write(first, SOURCE);
      await project.write(second, hostile[second] ?? '');
      const again = await build(project);
      expect([again.indexed, again.not_parsed]).toEqual([1, built.not_parsed.slice(1)]);
    });
  },
  PATIENCE_MS,
);

it('a file that was in the graph goes when it takes too long, and comes back when it no longer does', async () => {
  await withFollowedRepository({ 'a.ts': SOURCE, 'b.ts': SOURCE }, async ({ build, write, refresh, project }) => {
    await build();
    const graph = await project.graph?.current();
    const known = async () =>
      (await graph?.all<{ path: string }>('SELECT path FROM graph_files'))?.map((one) => one.path);
    const left = () => graph?.all('SELECT path, reason FROM graph_left_out');
    await write('b.ts', repeated('['));
    expect(await refresh('b.ts')).toMatchObject({ indexed: 0, removed: 1 });
    expect(await known()).toEqual(['a.ts']);
    expect(await left()).toEqual([{ path: 'b.ts', reason: 'takes too long' }]);
    await write('b.ts', SOURCE);
    expect(await refresh('b.ts')).toMatchObject({ indexed: 1, removed: 0 });
    expect(await known()).toEqual(['a.ts', 'b.ts']);
    expect(await left()).toEqual([]);
  });
});

const STUCK = `const fs = require('node:fs');
const open = fs.openSync;
fs.openSync = (path, ...rest) => {
  if (String(path).endsWith('stuck.ts')) for (;;);
  return open(path, ...rest);
};
require('./reader.js');
`;

it('a thread that does not answer is ended, and the rest of its files goes to another', async () => {
  const files = { 'a.ts': SOURCE, 'much/stuck.ts': SOURCE.repeat(100), 'z.ts': SOURCE };
  await withCodeProject(files, async (project) => {
    // No source is known that does this: the program is one whose thread stops for ever at a name.
    const programs = project.path('.git', 'programs');
    cpSync(dirname(SVC_FILE), programs, { recursive: true });
    renameSync(join(programs, 'svc-index-worker.bundle.js'), join(programs, 'reader.js'));
    writeFileSync(join(programs, 'svc-index-worker.bundle.js'), STUCK);
    const { status, out, err } = await project.run(['build', '--json'], { program: join(programs, 'svc.js') });
    expect([status, err]).toEqual([0, '']);
    const built = JSON.parse(out) as Summary;
    expect(built.not_parsed).toEqual([{ path: 'much/stuck.ts', reason: 'takes too long' }]);
    expect([built.files, built.indexed]).toEqual([2, 2]);
    expect(readFileSync(project.path('z.ts'), 'utf8')).toBe(SOURCE);
    // It is known by its bytes: the program that is whole does not look into it either.
    expect((await build(project)).not_parsed).toEqual(built.not_parsed);
  });
});
