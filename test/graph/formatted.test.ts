import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { checkStaleness } from '../../src/server/memory/code/staleness';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';

const ROOT = resolve(__dirname, '../..');
const BIOME = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
const STYLE = { formatter: { indentStyle: 'space', lineWidth: 120 }, javascript: { formatter: {} } };

/** The real sources of this project. */
const SOURCES = Object.fromEntries(
  ['graph', 'base', 'code'].flatMap((folder) =>
    readdirSync(join(ROOT, 'src/server', folder))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [`${folder}/${name}`, readFileSync(join(ROOT, 'src/server', folder, name), 'utf8')]),
  ),
);

async function format({ folder, write }: FollowedRepository, formatter: object, javascript: object): Promise<void> {
  const style = { formatter: { ...STYLE.formatter, ...formatter }, javascript: { formatter: javascript } };
  await write('biome.json', JSON.stringify({ root: true, ...style }));
  execFileSync(process.execPath, [BIOME, 'format', '--write', '.'], { cwd: folder, stdio: 'pipe' });
}

interface Text {
  readonly hash: string;
  /** Those behind `return` and `=>`, and how many in all: formatters put them around what they break, and they count. */
  readonly brackets: string;
}

async function textsIn({ project, read }: FollowedRepository): Promise<Map<string, Text>> {
  const found = new Map<string, Text>();
  for (const path of Object.keys(SOURCES)) {
    const text = await read(path);
    const lines = text.split('\n');
    for (const [i, one] of (await project.memory.code.inFile(path, text)).entries()) {
      const own = lines.slice(one.start_line - 1, one.end_line).join('\n');
      const put = own.match(/(?:return|=>)\s*\(/g)?.map((word) => word.slice(0, 2));
      found.set(`${path}#${one.name} ${i}`, { hash: one.hash, brackets: `${own.split('(').length} ${put}` });
    }
  }
  return found;
}

const STYLES = [
  ['tabs', { indentStyle: 'tab' }, {}],
  ['wide lines', { lineWidth: 160 }, {}],
  ['narrow lines', { lineWidth: 60 }, {}],
  ['brackets without spaces', {}, { trailingCommas: 'es5', bracketSpacing: false }],
] as const;

const LINKED = ['graph/language.ts', 'graph/bindings.ts#writeJudgements', 'base/text.ts#cut'];

it('a formatter with another style brings no doubt on real code', () =>
  withFollowedRepository(SOURCES, async (repository) => {
    const { project, remember } = repository;
    await format(repository, {}, {});
    await repository.build();
    const before = await textsIn(repository);
    for (const name of LINKED) await remember(name);
    for (const [style, formatter, javascript] of STYLES) {
      await format(repository, formatter, javascript);
      const after = await textsIn(repository);
      const alike = [...before].filter(([key, one]) => after.get(key)?.brackets === one.brackets);
      expect(alike.length, style).toBeGreaterThan(before.size * 0.85);
      expect(
        alike.flatMap(([key, one]) => (after.get(key)?.hash === one.hash ? [] : [key])),
        style,
      ).toEqual([]);
      const { doubts } = await checkStaleness(project.memory);
      expect(
        doubts.filter(({ verdict }) => verdict !== 'unchanged'),
        style,
      ).toEqual([]);
    }
  }));
