import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withRepository } from '../support/check-repository';

it('node and history say who changed the file of a shared memory, without being asked to', () =>
  withRepository(async ({ folder, ok, json, git, write }) => {
    const { node_id } = await json<{ node_id: string }>('store', 'Sessions last a day', '--kind', 'decision');
    await ok('share', node_id);
    const { file } = await json<{ file: { path: string } }>('node', node_id);
    expect(file).toEqual({ path: file.path, committed: false, last: null });
    expect(await ok('node', node_id)).toContain(`**File:** ${file.path} · not committed\n`);
    git('add', file.path);
    git('commit', '--quiet', '-m', 'shared');
    const text = readFileSync(join(folder, file.path), 'utf8');
    await write(file.path, text.replace('last a day', 'last an hour'));
    git('commit', '--quiet', '-a', '-m', 'shorter', '--author=Mara Toth <m@example.org>');
    const commit = git('rev-parse', '--short=8', 'HEAD').trim();
    expect(await ok('node', node_id)).toMatch(
      new RegExp(
        `\\*\\*Sessions last an hour\\*\\*[^]* · last changed by Mara Toth on \\d{4}-\\d\\d-\\d\\d \\(${commit}\\)\\n`,
      ),
    );
    expect(await ok('history', node_id)).toMatch(
      new RegExp(`shared with the repository[^]* changed in its file · Mara Toth, ${commit}\n$`),
    );
    expect(await ok('history', '--help')).not.toContain('with-commits');
  }));
