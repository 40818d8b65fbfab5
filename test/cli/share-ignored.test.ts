import { expect, it } from 'vitest';
import { type Repository, withRepository } from '../support/check-repository';

const stored = async ({ json }: Repository, content: string): Promise<string> =>
  (await json<{ node_id: string }>('store', content, '--kind', 'fact')).node_id;

it('share says which rule keeps a file out of Git, and nothing where none does', () =>
  withRepository(async (repository) => {
    const { run, git, write } = repository;
    expect((await run(['share', await stored(repository, 'Sessions end after ten minutes')])).err).toBe('');
    await write('.gitignore', '# Tools\n.svc/\n');
    const { status, err } = await run(['share', await stored(repository, 'Tokens end after a day')]);
    expect(status).toBe(0);
    expect(err.replace(/\s+/g, ' ')).toContain(
      'Git leaves this out by ".gitignore:2: .svc/", so nobody else gets it. Take that rule out: .svc/.gitignore keeps the store out of Git by itself.',
    );
    expect(git('status', '--porcelain', '--untracked-files=all', '.svc')).toBe('');
    const doctor = await run(['doctor', '--json']);
    expect(JSON.parse(doctor.out).problems).toEqual([
      'Git leaves 2 of 2 shared memories out by ".gitignore:2: .svc/", so nobody else gets them; take that rule out, .svc/.gitignore keeps the store out of Git by itself',
    ]);
    await write('.gitignore', '# Tools\n');
    expect(JSON.parse((await run(['doctor', '--json'])).out).problems).toEqual([]);
    expect(git('status', '--porcelain', '--untracked-files=all', '.svc').match(/memories\/.*\.md/g)).toHaveLength(2);
    const answer = await repository.json('share', await stored(repository, 'Keys end after a year'));
    expect(answer).not.toHaveProperty('ignored_by');
  }));
