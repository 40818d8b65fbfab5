import type { DriversSpeed } from './drivers';
import { count, pairOf, plain, ratio } from './goals';
import { table } from './table';
import type { Timing } from './timing';

export function driverFigures(drivers: DriversSpeed | undefined): string[] {
  if (!drivers) return [];
  const { size, native, node } = drivers;
  const row = (what: string, ours: Timing, nodes: Timing) => [
    ...[what, pairOf(ours), pairOf(nodes)],
    ratio(nodes.p50 / ours.p50),
  ];
  return [
    '## The two drivers of SQLite',
    '',
    ...table(
      [`${count(size)} memories: p50 / p95 ms`, 'compiled module', "Node's own, in a thread", 'ratio'],
      [
        row('spawn to statistics to end', native.start, node.start),
        row('recall', native.recall, node.recall),
        row('memory_store', native.store, node.store),
        ['import in one message', plain(native.import), plain(node.import), ratio(node.import / native.import)],
      ],
    ),
  ];
}
