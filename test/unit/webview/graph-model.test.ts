import { describe, expect, test } from 'vitest';
import type { GraphEdge, GraphNode, Neighbourhood } from '../../../src/protocol/explorer';
import {
  aroundOf,
  clustersOf,
  hiddenNeighbours,
  inOrder,
  MAX_DRAWN,
  modelOf,
  withNeighbourhood,
} from '../../../src/webview/graph-model';

const node = (key: string, hops: number, more: Partial<GraphNode> = {}): GraphNode => ({
  key,
  type: 'memory',
  kind: 'fact',
  label: key,
  hops,
  degree: 1,
  state: null,
  code: null,
  ...more,
});
const about = (from: string, to: string): GraphEdge => ({ type: 'ABOUT', from, to });
const found = (roots: string[], nodes: GraphNode[], edges: GraphEdge[]): Neighbourhood => ({
  roots,
  nodes,
  edges,
  truncated: false,
  nearest: [],
});

const store = modelOf(
  found(
    ['e'],
    [node('e', 0, { degree: 2 }), node('f1', 1, { degree: 3 }), node('f2', 1)],
    [about('f1', 'e'), about('f2', 'e')],
  ),
);

describe('the graph that is drawn', () => {
  test('grows around a node that is opened, and says what is hidden still', () => {
    const hidden = (model: typeof store, key: string): number =>
      hiddenNeighbours(model, model.nodes.get(key) ?? node(key, 0));
    expect([hidden(store, 'e'), hidden(store, 'f1'), hidden(store, 'f2')]).toEqual([0, 2, 0]);
    const more = withNeighbourhood(
      store,
      'f1',
      found(
        ['f1'],
        [node('f1', 0, { degree: 3 }), node('e', 1), node('e2', 1), node('e3', 1)],
        [about('f1', 'e'), about('f1', 'e2'), about('f1', 'e3')],
      ),
    );
    expect(hidden(more, 'f1')).toBe(0);
    expect(more.edges.size).toBe(4);
    expect(inOrder(more).map(({ key, hops }) => `${key}${hops}`)).toEqual(['e0', 'f11', 'f21', 'e22', 'e32']);
    expect(more.roots).toEqual(['e']);
  });

  test('is never larger than can be read, and says so', () => {
    const many = Array.from({ length: 400 }, (_, i) => node(`n${i}`, 1));
    const full = withNeighbourhood(
      store,
      'f1',
      found(
        ['f1'],
        many,
        many.map(({ key }) => about(key, 'f1')),
      ),
    );
    expect(full.nodes.size).toBe(MAX_DRAWN);
    expect(full.edges.size).toBe(2 + MAX_DRAWN - 3);
    expect(full.truncated).toBe(true);
    expect(store.truncated).toBe(false);
  });

  test('asks for symbols as entities name them', () => {
    const code = { file_path: 'src/b.ts', name: 'Store.open', verdict: 'moved' as const, start_line: 3, end_line: 9 };
    const symbol = node('src/a.ts#method:Store.open', 1, { type: 'symbol', kind: 'method', label: 'Store.open' });
    expect(aroundOf({ ...symbol, code })).toBe('src/b.ts#Store.open');
    expect(aroundOf(symbol)).toBe('src/a.ts#Store.open');
    expect(aroundOf({ ...symbol, kind: 'file', code: { ...code, name: 'src/b.ts' } })).toBe('src/b.ts');
    expect(aroundOf(node('d_one', 0))).toBe('d_one');
  });
});

test('what belongs to one file, or to one entity, is drawn together; the middle and sessions stand alone', () => {
  const symbol = (key: string, hops = 2): GraphNode => node(key, hops, { type: 'symbol', kind: 'function' });
  const entity = (key: string, hops: number): GraphNode => node(key, hops, { type: 'entity', kind: 'entity' });
  const nodes = [
    entity('storage', 0),
    ...['onOpen', 'onShut', 'locks', 'waits', 'alone'].map((key) => node(key, 1)),
    ...[
      symbol('src/store.ts#function:open'),
      symbol('src/store.ts#function:shut'),
      symbol('src/lock.ts#function:lock'),
    ],
    ...[
      entity('lock', 2),
      entity('other', 2),
      entity('src/lock.ts#lock', 2),
      node('s', 1, { type: 'session', kind: 'session' }),
    ],
  ];
  const edges = [
    ...['onOpen', 'onShut', 'locks', 'waits', 'alone'].map((key) => about(key, 'storage')),
    ...[about('onOpen', 'src/store.ts#function:open'), about('onShut', 'src/store.ts#function:shut')],
    // On a function of another file, too, but more often of this one.
    ...[about('onShut', 'src/store.ts#function:open'), about('onShut', 'src/lock.ts#function:lock')],
    ...[about('locks', 'lock'), about('waits', 'lock'), about('waits', 'other'), about('alone', 's')],
  ];
  const clusters = clustersOf(modelOf(found(['storage'], nodes, edges)));
  expect(Object.fromEntries([...clusters].map(([key, { label }]) => [key, label]))).toEqual({
    onOpen: 'src/store.ts',
    onShut: 'src/store.ts',
    'src/store.ts#function:open': 'src/store.ts',
    'src/store.ts#function:shut': 'src/store.ts',
    'src/lock.ts#function:lock': 'src/lock.ts',
    'src/lock.ts#lock': 'src/lock.ts',
    locks: 'lock',
    waits: 'lock',
    lock: 'lock',
  });
});
