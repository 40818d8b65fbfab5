import { expect, it } from 'vitest';
import { type CodeProject, withCodeProject } from '../support/code-project';

const TEXT = `The store is one file ${'because of the backups '.repeat(10)}`.trim();

async function stored({ json }: CodeProject, content: string, ...more: string[]): Promise<string> {
  const { node_id } = await json<{ node_id: string }>('store', content, '--kind', 'fact', ...more);
  return node_id;
}

it('undo says what was taken back and what does it again, and then that it was done again', () =>
  withCodeProject({}, async (project) => {
    const id = await stored(project, TEXT);
    await project.ok('review', 'confirm', id);
    const back = await project.ok('undo');
    expect(back).toMatch(
      new RegExp(`^Taken back: still true\\. \\[${id}\\] The .*… \\(again: svc-memory undo 3\\)\n$`),
    );
    const again = await project.ok('undo', '3');
    expect(again).toMatch(new RegExp(`^Done again: still true\\. \\[${id}\\] The .*… \\(svc-memory undo 4\\)\n$`));
    expect(await project.ok('undo', '4')).toContain('Taken back: still true. ');
    expect(await project.ok('undo', '1')).toMatch(new RegExp(`^Taken back: stored\\. \\[${id}\\] The store`));
    expect(await project.json('undo', '6')).toMatchObject({ undone: 6, tool: 'undo', node_ids: [id] });
    for (const said of [back, again]) expect(said.trimEnd().length).toBeLessThanOrEqual(80);
  }));

it('undo says how many memories there are and the first of them, and counts a rewritten one once', () =>
  withCodeProject({}, async (project) => {
    const drafts = ['One of them', 'Another fact'].map((content) => ({ kind: 'fact', content, entities: ['CI'] }));
    await project.write('two.json', JSON.stringify(drafts));
    await project.ok('import', 'two.json');
    expect(await project.ok('undo')).toMatch(
      /^Taken back: stored\. 2 memories, first \[f_\w+\] One of them\n {2}\(again: svc-memory undo \d+\)\n$/,
    );
    const old = await stored(project, TEXT);
    await stored(project, 'The store is two files', '--supersedes', old);
    expect(await project.ok('undo')).toMatch(new RegExp(`^Taken back: replaced\\. \\[${old}\\] The store is one.*…`));
    await project.ok('start-session', 'Move the store');
    await project.ok('end-session', 'Moved');
    expect(await project.ok('undo')).toMatch(/^Taken back: session ended\. \[s_\w+\] cli session/);
  }));

it('undo names the memory that is there again, where the repository shares it', () =>
  withCodeProject({}, async (project) => {
    const old = await stored(project, 'The store is one file');
    await project.ok('share', old);
    expect(await project.ok('undo')).toContain(`Taken back: shared. [${old}] The store is`);
    expect(await project.ok('undo', '3')).toContain(`Done again: shared. [${old}] The store is`);
    const newer = await stored(project, 'The store is two files', '--supersedes', old);
    expect(await project.ok('undo')).toContain(`Taken back: replaced. [${old}] The store is`);
    expect(await project.ok('undo', '7')).toContain(`Done again: replaced. [${newer}] The store is`);
    expect(await project.ok('recall', 'store file')).not.toContain('is one file');
  }));

it('undo keeps its lines at 80 columns where the way to do it again is long', () =>
  withCodeProject({}, async (project) => {
    const elsewhere = ['--namespace', 'a-part-of-it-with-a-long-name'];
    await stored(project, TEXT, ...elsewhere);
    const lines = (await project.ok('undo', ...elsewhere)).trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^Taken back: stored\. \[f_\w+\] The store is one file .*…$/),
      `  (again: svc-memory undo 2 ${elsewhere.join(' ')})`,
    ]);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  }));
