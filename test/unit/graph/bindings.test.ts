import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Store } from '../../../src/server/db/store';
import { storedSections, writeDocument, writeJudgements } from '../../../src/server/graph/bindings';
import { openGraph } from '../../../src/server/graph/open-graph';
import { removeFolder } from '../../support/remove-folder';

/** Two runs at once, seen from the graph: each writes what it planned before the other wrote. */
async function withGraph(work: (graph: Store) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bindings-'));
  const graph = await openGraph(join(folder, 'graph.db'), true);
  try {
    await work(graph);
  } finally {
    await graph.close();
    await removeFolder(folder);
  }
}

const section = (hash: string) => ({
  ...{ stored: undefined, heading: hash, hash, start_line: 1, end_line: 2, headingTerms: '', textTerms: '' },
});
const guide = (content_hash: string) => ({ path: 'guide.md', content_hash });

it('keeps what another run judged of a document that both have planned as new', async () => {
  await withGraph(async (graph) => {
    const first = await writeDocument(graph, guide('1'), [section('a'), section('b')]);
    const judge = { provider: 'none', model: '', judged: [], bindings: [] };
    await writeJudgements(graph, [{ section: first.ids[0] ?? 0, hash: 'a', ...judge }]);
    expect(await writeDocument(graph, guide('1'), [section('a'), section('b')])).toEqual(first);
    expect((await storedSections(graph, 'guide.md')).map((one) => one.judged_hash)).toEqual(['a', '']);
  });
});

it('takes no row from another document that got it after this one had given it up', async () => {
  await withGraph(async (graph) => {
    await writeDocument(graph, guide('1'), [section('a'), section('b')]);
    const [a, b] = await storedSections(graph, 'guide.md');
    // A second run drops the section, and its row goes to a new document.
    await writeDocument(graph, guide('2'), [{ ...section('a'), stored: a }]);
    await writeDocument(graph, { path: 'other.md', content_hash: '1' }, [section('c')]);
    // The first one had planned with what it saw before.
    await writeDocument(graph, guide('3'), [
      { ...section('a'), stored: a },
      { ...section('d'), stored: b },
    ]);
    const hashesOf = async (path: string) => (await storedSections(graph, path)).map(({ hash }) => hash);
    expect([await hashesOf('guide.md'), await hashesOf('other.md')]).toEqual([['a', 'd'], ['c']]);
  });
});
