import { atMost, count, type Goal, milliseconds, pairOf, plain } from './goals';
import type { ServeSpeed } from './serve';
import { table } from './table';

/** Of what one process stores in a second. */
const STORES = 0.6;
/** More than without a way in between, in milliseconds, where a round trip takes 20. */
const FAR_MS = 25;
const FAR = 20;

export function serveGoals(serve: ServeSpeed | undefined): Goal[] {
  if (!serve) return [];
  const { clients, stores, refused, lost, distances, local } = serve;
  const far = distances.find(({ roundTrip }) => roundTrip === FAR);
  const share = stores.served / stores.local;
  const none = (what: string, measured: number): Goal => {
    return {
      what: `stores of ${clients} clients that were ${what}`,
      goal: '0',
      measured: count(measured),
      reached: measured === 0,
    };
  };
  return [
    {
      what: `stores a second of ${clients} clients, of those of one process`,
      ...{ goal: `≥ ${plain(STORES)}`, measured: plain(share), reached: share >= STORES },
    },
    ...[none('refused', refused), none('acknowledged and lost', lost)],
    ...(far
      ? [
          ...atMost(`store over ${FAR} ms, p50`, far.store.p50, local.store.p50 + FAR_MS, milliseconds),
          ...atMost(`recall over ${FAR} ms, p50`, far.recall.p50, local.recall.p50 + FAR_MS, milliseconds),
        ]
      : []),
  ];
}

export function serveFigures(serve: ServeSpeed | undefined): string[] {
  if (!serve) return [];
  const { clients, stores, p95, recalls, distances, local } = serve;
  const ms = (one: number): string => plain(one);
  return [
    '## A server for many',
    '',
    ...table(
      ['10,000 memories, ms (p50 / p95)', 'store', 'recall', 'requests a call'],
      [
        ['one process, over stdio', pairOf(local.store), pairOf(local.recall), '–'],
        ...distances.map(({ roundTrip, store, recall, requests }) => [
          `served, round trips of ${roundTrip} ms`,
          pairOf(store),
          pairOf(recall),
          ms(requests),
        ]),
      ],
    ),
    '',
    ...table(
      [`${clients} at once`, 'one process', 'served', 'of it'],
      [
        ['stores a second', ms(stores.local), ms(stores.served), plain(stores.served / stores.local)],
        [
          'recalls a second, beside a writer',
          ms(recalls.local),
          ms(recalls.served),
          plain(recalls.served / recalls.local),
        ],
        ['a store, p95, ms', '–', ms(p95), '–'],
      ],
    ),
  ];
}
