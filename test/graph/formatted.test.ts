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

async function hashesIn({ project, read }: FollowedRepository): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const path of Object.keys(SOURCES)) {
    const symbols = await project.memory.code.inFile(path, await read(path));
    for (const [i, { name, hash }] of symbols.entries()) found.set(`${path}#${name} ${i}`, hash);
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
    const before = await hashesIn(repository);
    expect(before.size).toBeGreaterThan(900);
    for (const name of LINKED) await remember(name);
    for (const [style, formatter, javascript] of STYLES) {
      await format(repository, formatter, javascript);
      expect(await hashesIn(repository), style).toEqual(before);
      const { doubts } = await checkStaleness(project.memory);
      expect(
        doubts.filter(({ verdict }) => verdict !== 'unchanged'),
        style,
      ).toEqual([]);
    }
  }));
