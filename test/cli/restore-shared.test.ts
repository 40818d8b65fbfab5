import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Repository, withRepositoryHere } from '../support/check-repository';

const FOLDER = '.svc/memories';
const OLD = 'The cache is cold';
const NEW = 'The cache is warm since the deploy';

interface Node {
  readonly content: string;
  readonly tombstoned: 0 | 1;
  readonly marks?: readonly string[];
}

/** A memory whose file is committed, and whose text a teammate has edited since. */
async function shared({ json, git, folder }: Repository): Promise<{ readonly id: string; readonly path: string }> {
  const { node_id: id } = await json<{ node_id: string }>('store', OLD, '--kind', 'fact');
  const { shared: files } = await json<{ shared: readonly { readonly path: string }[] }>('share', id);
  const path = files[0]?.path ?? '';
  const text = await readFile(join(folder, path), 'utf8');
  await writeFile(join(folder, path), text.replace(OLD, NEW));
  git('add', FOLDER);
  git('commit', '--quiet', '-m', 'shared');
  return { id, path };
}

it('restore brings the file of a shared memory back as Git has it, and it is shared again', () =>
  withRepositoryHere(async (repository) => {
    const { json, ok, git, folder } = repository;
    const { id, path } = await shared(repository);
    const text = await readFile(join(folder, path), 'utf8');
    await ok('forget', id);
    expect(git('status', '--short', FOLDER)).toBe(` D ${path}\n`);
    expect(await ok('restore', id)).toBe(`Restored: [${id}] ${NEW}\n  in ${path}, so it is shared again\n`);
    expect(await readFile(join(folder, path), 'utf8')).toBe(text);
    expect(git('status', '--short', FOLDER)).toBe('');
    expect(await json<Node>('node', id)).toMatchObject({ content: NEW, marks: ['shared'], tombstoned: 0 });
    // It is there.
    expect((await repository.run(['restore', id])).err).toContain('is shared: it stands in a file of the repository');
  }));

it('restore brings a file back as it was when it was removed, not as it was committed, unless it was back since', () =>
  withRepositoryHere(async (repository) => {
    const { json, ok, git, folder } = repository;
    const { id, path } = await shared(repository);
    const file = join(folder, path);
    const text = await readFile(file, 'utf8');
    const newest = text.replace(NEW, 'The cache is hot');
    const restored = async () => {
      await ok('restore', id);
      return readFile(file, 'utf8');
    };
    await ok('verify', id, 'refute');
    const refuted = await readFile(file, 'utf8');
    await ok('forget', id);
    expect(await restored()).toBe(refuted);
    expect(await json('node', id)).not.toMatchObject({ valid_until: null });
    await ok('forget', id);
    git('checkout', '--', path);
    await ok('node', id);
    await writeFile(file, newest);
    git('commit', '--quiet', '-a', '-m', 'newer');
    await rm(file);
    expect(await restored()).toBe(newest);
    git('rm', '--quiet', '-f', path);
    git('commit', '--quiet', '-m', 'removed');
    expect(await restored()).toBe(newest);
  }));

it('restore brings back what stood in a file alone, by its id or by its place', () =>
  withRepositoryHere(async (repository) => {
    const { json, ok, git, folder, write } = repository;
    await shared(repository);
    const note = (id: string, content: string) => `---\nkind: fact\n${id}---\n\n${content}\n`;
    await write(`${FOLDER}/queue.md`, note('id: f_queue\n', 'The queue is full'));
    await write(`${FOLDER}/more/öl.md`, note('', 'The pump needs oil'));
    const found = await json<readonly { id: string; content: string }[]>('nodes', '--kinds', 'fact');
    const oil = found.find(({ content }) => content.includes('oil'))?.id ?? '';
    git('add', FOLDER);
    git('commit', '--quiet', '-m', 'more');
    for (const [id, path] of [
      ['f_queue', 'queue.md'],
      [oil, 'more/öl.md'],
    ] as const) {
      await ok('forget', id);
      expect(git('-c', 'core.quotePath=false', 'status', '--short', FOLDER)).toBe(` D ${FOLDER}/${path}\n`);
      expect(await json('restore', id)).toEqual({
        ...{ node_id: id, valid_until: null, operation: null, path: `${FOLDER}/${path}` },
      });
      expect(git('status', '--short', FOLDER)).toBe('');
    }
    // One that never was anywhere, and one that Git does not know.
    await write(`${FOLDER}/new.md`, note('id: f_new\n', 'New here'));
    await rm(join(folder, FOLDER, 'new.md'));
    for (const id of ['f_new', 'f_nowhere']) {
      expect((await repository.run(['restore', id])).err).toContain(`There is no memory "${id}"`);
    }
  }));

it('restore brings a file back that a commit has removed, and brings one from another branch', () =>
  withRepositoryHere(async (repository) => {
    const { json, ok, git } = repository;
    git('checkout', '--quiet', '-b', 'topic');
    const { id, path } = await shared(repository);
    await ok('forget', id);
    git('commit', '--quiet', '-a', '-m', 'forgotten');
    const said = `Restored: [${id}] ${NEW}\n  in ${path}, so it is shared again\n`;
    expect(await ok('restore', id)).toBe(said);
    git('add', FOLDER);
    git('commit', '--quiet', '-m', 'restored');
    git('checkout', '--quiet', 'main');
    expect(await ok('restore', id)).toBe(said);
    expect(git('status', '--short', FOLDER)).toContain('?? .svc/memories/');
    expect(await json<Node>('node', id)).toMatchObject({ content: NEW, marks: ['shared'], tombstoned: 0 });
    await ok('undo');
    expect(await json<Node>('node', id)).toMatchObject({ tombstoned: 1, away: true });
  }));

it('restore says that a memory is in the store alone where Git never had its file, and is shared again when that is undone', () =>
  withRepositoryHere(async (repository) => {
    const { json, ok, folder } = repository;
    const { node_id: id } = await json<{ node_id: string }>('store', OLD, '--kind', 'fact');
    const { shared: files } = await json<{ shared: readonly { readonly path: string }[] }>('share', id);
    await rm(join(folder, files[0]?.path ?? ''));
    expect(await ok('restore', id)).toMatch(
      new RegExp(
        `^Restored: \\[${id}\\] ${OLD} \\(svc-memory undo \\d+\\)\n {2}It is back in this store alone, with the text of the store\\. Its file was not found here, so it is not shared any more\\.\n$`,
      ),
    );
    expect((await json<Node>('node', id)).marks ?? []).toEqual([]);
    await ok('undo');
    expect(await json<Node>('node', id)).toMatchObject({ tombstoned: 1, away: true });
    expect((await repository.run(['forget', id])).err).toContain('is shared, and its file is not here');
  }));

it('restore makes no other memory of one whose file cannot be read', () =>
  withRepositoryHere(async (repository) => {
    const { json, folder } = repository;
    const { id, path } = await shared(repository);
    const text = await readFile(join(folder, path), 'utf8');
    await writeFile(join(folder, path), text.replace('---\n', '---\n<<<<<<< HEAD\n'));
    expect((await repository.run(['restore', id])).err).toContain(`${path} is there already. Look at it`);
    expect(await repository.ok('node', id)).toContain(` · shared, ${path} cannot be read · `);
    await writeFile(join(folder, path), text);
    expect(await json<Node>('node', id)).toMatchObject({ content: NEW, marks: ['shared'] });
  }));

it('restore writes nothing into a folder that nobody has accepted', () =>
  withRepositoryHere(async (repository) => {
    const { ok, git, folder } = repository;
    const { id, path } = await shared(repository);
    await ok('trust', '--revoke', FOLDER);
    await rm(join(folder, path));
    expect(await ok('restore', id)).toContain('It is back in this store alone');
    expect(git('status', '--short', FOLDER)).toBe(` D ${path}\n`);
  }));

it('restore brings a file back that a command removed before it was committed; a purge leaves no text of it', () =>
  withRepositoryHere(async (repository) => {
    const { json, ok, folder, home } = repository;
    const said = 'The quokka service is started by hand';
    const { node_id: id } = await json<{ node_id: string }>('store', said, '--kind', 'fact');
    const { shared: files } = await json<{ shared: readonly { readonly path: string }[] }>('share', id);
    const path = files[0]?.path ?? '';
    const text = await readFile(join(folder, path), 'utf8');
    await ok('forget', id);
    expect(await ok('restore', id)).toContain(`in ${path}, so it is shared again`);
    expect(await readFile(join(folder, path), 'utf8')).toBe(text);
    await ok('verify', id, 'refute');
    await rm(join(folder, path));
    const holds = async () => {
      const at = join(home, '.svc', 'shared');
      const all = await Promise.all((await readdir(at)).map((name) => readFile(join(at, name), 'latin1')));
      return all.some((bytes) => bytes.includes('quokka'));
    };
    expect(await holds()).toBe(true);
    await ok('forget', id, '--purge');
    expect(await holds()).toBe(false);
  }));

it('forget says of shared memories that it leaves how they are forgotten, and where, if their file is not here', () =>
  withRepositoryHere(async ({ json, run, folder }) => {
    const share = async (content: string) => {
      const { node_id: id } = await json<{ node_id: string }>(
        'store',
        content,
        '--kind',
        'fact',
        '--entities',
        'Cache',
      );
      const { shared: files } = await json<{ shared: readonly { readonly path: string }[] }>('share', id);
      return { id, file: join(folder, files[0]?.path ?? '') };
    };
    const [one, two] = [await share('The cache is cold'), await share('It has two levels')];
    const said = async () => (await run(['forget', '--entity', 'Cache'])).err;
    const left = `not_found: Nothing was forgotten. Shared and left as they are: 2 memories (${one.id}, ${two.id}).`;
    expect(await said()).toBe(`${left} Forget by id what you mean.\n`);
    await rm(two.file);
    const away = `The file of ${two.id} is not here, as on another branch: forget by id where that is.`;
    expect(await said()).toBe(`${left} Forget by id what you mean. ${away}\n`);
    await rm(one.file);
    const both = `The files of ${one.id}, ${two.id} are not here, as on another branch: forget by id where they are.`;
    expect(await said()).toBe(`${left} ${both}\n`);
  }));

it('clear-session says that a session with shared memories is not deleted', () =>
  withRepositoryHere(async ({ ok, json }) => {
    const { session_id } = await json<{ session_id: string }>('start-session', 'Caches');
    const { node_id: id } = await json<{ node_id: string }>('store', 'The cache is cold', '--kind', 'fact');
    await ok('share', id);
    const left = `Shared and left as it is: 1 memory (${id}). Forget by id what you mean.`;
    expect(await ok('clear-session', session_id, '--purge')).toContain(
      `Forgotten, not deleted: ${session_id}, which has shared memories. ${left}`,
    );
    await ok('restore', session_id);
    expect(await ok('list-sessions')).toContain(session_id);
  }));
