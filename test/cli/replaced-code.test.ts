import { expect, it } from 'vitest';
import { type CodeProject, withCodeProjectHere } from '../support/code-project';

const OPEN = 'export function open() {\n  return connect("main", { wait: true });\n}\n';
const RENAMED = OPEN.replace('open()', 'connectTo()');

interface Place {
  readonly file_path: string;
  readonly graph_node_id: string;
}

async function placesOf({ run }: CodeProject, id: string): Promise<string[]> {
  const { out } = await run(['to-code', id, '--json']);
  return (JSON.parse(out) as Place[]).map(({ graph_node_id }) => graph_node_id);
}

/** What the editor does for F2, and an agent that keeps the names. */
async function replace(project: CodeProject, id: string, content: string, ...entities: string[]): Promise<string> {
  const about = entities.flatMap((name) => ['--entities', name]);
  const { out, err } = await project.run(['store', content, '--kind', 'fact', '--supersedes', id, ...about, '--json']);
  expect(err).not.toContain('means no code');
  return (JSON.parse(out) as { node_id: string }).node_id;
}

/** With a memory about `open`, by this name. */
function withMemoryOn(name: string, work: (project: CodeProject, id: string) => Promise<void>): Promise<void> {
  return withCodeProjectHere({ 'src/open.ts': OPEN }, async (project) => {
    await project.build();
    const stored = ['store', 'Opening waits for the lock', '--kind', 'fact', '--entities', name];
    const { node_id } = await project.json<{ node_id: string }>(...stored);
    expect(await placesOf(project, node_id)).toEqual(['function:src/open.ts:open:1']);
    await work(project, node_id);
  });
}

it.each(['open()', 'src/open.ts#open'])(
  'what replaces a memory is about the same code, which %s no longer names',
  (name) =>
    withMemoryOn(name, async (project, first) => {
      await project.write('src/open.ts', RENAMED);
      const second = await replace(project, first, 'Opening waits for the lock, a second at most', name);
      expect(await placesOf(project, second)).toEqual(['function:src/open.ts:connectTo:1']);
      await project.remove('src/open.ts');
      await project.write('src/db.ts', RENAMED);
      const third = await replace(project, second, 'Opening waits for the lock, two seconds at most', name);
      expect(await placesOf(project, third)).toEqual(['function:src/db.ts:connectTo:1']);
      await project.build();
      expect(await placesOf(project, third)).toEqual(['function:src/db.ts:connectTo:1']);
      expect(await project.ok('for-code', 'src/db.ts')).toContain('two seconds at most');
      // Its text is known as it was then, too.
      await project.write('src/db.ts', RENAMED.replace('main', 'other'));
      expect(await project.ok('compare', third)).toContain('-   return connect("main", { wait: true });');
    }),
);

it('what replaces a memory in a file of another name is not put on what an older branch has under the old one', () =>
  withMemoryOn('src/open.ts#open', async (project, first) => {
    const mine = OPEN.replace('main', 'mine');
    const toMine = async () => {
      await project.remove('src/open.ts');
      await project.write('src/db.ts', mine);
      await project.build();
    };
    await toMine();
    await replace(project, first, 'Opening waits for the lock, a second at most', 'src/open.ts#open');
    await project.remove('src/db.ts');
    await project.write('src/open.ts', OPEN.replace('true', 'false'));
    await project.build();
    await toMine();
    expect(await project.ok('for-code', 'src/db.ts')).toContain('a second at most');
    expect(await project.ok('for-code', 'src/db.ts')).not.toContain('changed since');
  }));

it('what is called so meanwhile is another thing', () =>
  withMemoryOn('open()', async (project, first) => {
    await project.write('src/open.ts', RENAMED);
    await project.write('src/other.ts', 'export function open() {\n  return null;\n}\n');
    await project.build();
    const second = await replace(
      project,
      first,
      'Opening waits for the lock, a second at most',
      'open()',
      'src/other.ts',
    );
    expect(await placesOf(project, second)).toEqual([
      'function:src/open.ts:connectTo:1',
      'file:src/other.ts:other.ts:1',
    ]);
  }));

it('one that gives other names is about what they name', () =>
  withMemoryOn('open()', async (project, first) => {
    await project.write('src/other.ts', 'export function shut() {\n  return null;\n}\n');
    await project.build();
    const second = await replace(project, first, 'Shutting waits for the lock', 'shut()');
    expect(await placesOf(project, second)).toEqual(['function:src/other.ts:shut:1']);
  }));

it('one that gives no names is about the same code, where that is now, and is in doubt when it changes', () =>
  withMemoryOn('open()', async (project, first) => {
    await project.write('src/open.ts', RENAMED);
    const second = await replace(project, first, 'Opening waits for the lock, a second at most');
    expect(await placesOf(project, second)).toEqual(['function:src/open.ts:connectTo:1']);
    await project.write('src/open.ts', RENAMED.replace('main', 'other'));
    await project.build();
    expect(await project.ok('review')).toContain('a second at most');
  }));

it('the graph around a function shows what is known of it, whatever it was called before', () =>
  withMemoryOn('open()', async (project, id) => {
    await project.write('src/open.ts', RENAMED);
    await project.build();
    const { nodes, edges } = await project.json<{ nodes: { key: string; label: string }[]; edges: { from: string }[] }>(
      ...['graph', 'src/open.ts#connectTo'],
    );
    expect(nodes.map(({ label }) => label)).toEqual(['Opening waits for the lock', 'connectTo']);
    expect(edges.map(({ from }) => from)).toEqual([id]);
  }));

it('code that is gone is not kept', () =>
  withMemoryOn('open()', async (project, first) => {
    await project.write('src/open.ts', 'export const LEFT = 1;\n');
    expect(await placesOf(project, await replace(project, first, 'Nothing is opened', 'open()'))).toEqual([]);
  }));

it('what replaces a shared memory is about the same code as well', () =>
  withMemoryOn('open()', async (project, first) => {
    await project.ok('share', first);
    await project.write('src/open.ts', RENAMED);
    const second = await replace(project, first, 'Opening waits for the lock, a second at most', 'open()');
    expect(await project.ok('for-code', 'src/open.ts')).toContain(`[${second}]`);
  }));
