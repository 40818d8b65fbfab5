import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { type Repository, withRepository } from '../support/check-repository';
import { withCodeProject } from '../support/code-project';
import type { CommandLine } from '../support/command-line';
import { removeFolder } from '../support/remove-folder';
import { openSqlite } from '../support/sqlite';

const HIDDEN = 'export function hidden() {\n  return "secret";\n}\n';
const OPEN = 'export function open() {\n  return connect("main");\n}\n';

/** Puts files outside of the project, and links to them in it. */
async function secretsAround({ folder, path }: CommandLine): Promise<() => Promise<void>> {
  const outside = join(dirname(folder), 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'secret.ts'), HIDDEN);
  await symlink(outside, path('away'));
  await symlink(join(outside, 'secret.ts'), path('away.ts'));
  return () => removeFolder(outside);
}

/** Links the memory to what lies outside as no tool would, but a store that somebody else made might. */
async function linkOutside({ folder, path }: CommandLine, node: string, textOf = 'nothing'): Promise<void> {
  const outside = join(dirname(folder), 'outside', 'secret.ts');
  const store = await openSqlite(path('.svc', 'memory.db'));
  for (const file of ['../outside/secret.ts', 'src/../../outside/secret.ts', outside, 'away/secret.ts', 'away.ts']) {
    await store.all(
      `INSERT INTO mem_links (node, file_path, code_type, name, hash, linked_at)
       SELECT seq, '${file}', 'function', 'hidden', coalesce((SELECT hash FROM mem_links WHERE name = '${textOf}'), ''),
              recorded_at FROM mem_nodes WHERE id = '${node}'`,
    );
  }
  await store.close();
}

it('links of a store that lead out of the project are passed over: no answer tells what is there', async () => {
  await withCodeProject({ 'src/open.ts': OPEN }, async (project) => {
    const away = await secretsAround(project);
    await project.build();
    const server = await project.memoryServer();
    const { node_id } = await server.value<{ node_id: string }>('memory_store', {
      ...{ content: 'opens slowly', kind: 'fact', entities: ['open()', 'away/secret.ts', 'away.ts', 'hidden'] },
    });
    await linkOutside(project, node_id);
    const answers = async () => ({
      code: await server.value('memory_to_code', { memory_id: node_id }),
      staleness: await server.value('memory_verify_staleness'),
      forCode: [await server.text('memory_for_code', { file_path: 'away/secret.ts' })],
      node: await project.json('node', node_id),
      graph: await project.json('graph', '--around', node_id),
      review: await project.json('review'),
    });
    const before = await answers();
    expect(before.code).toMatchObject([{ file_path: 'src/open.ts' }]);
    expect(before.staleness).toMatchObject({ checked: 1, missing: 0, stale_nodes: [], clean: 1 });
    expect(JSON.stringify(before)).not.toContain('outside');
    expect(before.node).not.toMatchObject({ code: expect.arrayContaining([{ name: 'hidden' }]) });
    await away();
    expect(await answers()).toEqual(before);
  });
});

it('a check of a diff passes them over, too', async () => {
  await withRepository(async (repository: Repository) => {
    const away = await secretsAround(repository);
    const { node_id } = await repository.json<{ node_id: string }>('store', 'opens nothing', '--kind', 'fact');
    await linkOutside(repository, node_id, 'open');
    await repository.remove('src/open.ts');
    const found = await repository.found();
    expect(found).toEqual(['opens slowly: gone']);
    await away();
    expect(await repository.found()).toEqual(found);
  });
});
