import { atMost, count, type Goal, milliseconds, pairOf, plain } from './goals';
import type { Served, ServeSpeed } from './serve';
import { table } from './table';

/** Of what one process stores in a second. */
const STORES = 0.6;
/** More than without a way in between, in milliseconds, where a round trip takes 20. */
const FAR_MS = 25;
const FAR = 20;
/** From the stop of the replica until the next write, with the script of docs/team.md. */
const FAIL_OVER_S = 60;

export function serveGoals(serve: ServeSpeed | undefined): Goal[] {
  if (!serve) return [];
  const { clients, local, onFile, onEngine, failOver } = serve;
  const share = onFile.stores / local.stores;
  return [
    {
      what: `stores a second of ${clients} clients, of those of one process`,
      ...{ goal: `≥ ${plain(STORES)}`, measured: plain(share), reached: share >= STORES },
    },
    ...servedGoals('', serve, onFile),
    ...(onEngine ? servedGoals(' on an engine', serve, onEngine) : []),
    ...(failOver
      ? atMost(
          'fail-over by the script, until the next write',
          failOver.ms / 1_000,
          FAIL_OVER_S,
          (s) => `${plain(s)} s`,
        )
      : []),
  ];
}

function servedGoals(where: string, { clients, local }: ServeSpeed, { refused, lost, distances }: Served): Goal[] {
  const far = distances.find(({ roundTrip }) => roundTrip === FAR);
  const none = (what: string, measured: number): Goal => {
    return {
      what: `stores of ${clients} clients${where} that were ${what}`,
      goal: '0',
      measured: count(measured),
      reached: measured === 0,
    };
  };
  return [
    ...[none('refused', refused), none('acknowledged and lost', lost)],
    ...(far
      ? [
          ...atMost(`store over ${FAR} ms${where}, p50`, far.store.p50, local.store.p50 + FAR_MS, milliseconds),
          ...atMost(`recall over ${FAR} ms${where}, p50`, far.recall.p50, local.recall.p50 + FAR_MS, milliseconds),
        ]
      : []),
  ];
}

export function serveFigures(serve: ServeSpeed | undefined): string[] {
  if (!serve) return [];
  const { clients, local, onFile, onEngine, failOver } = serve;
  const served = [{ where: 'on a file', of: onFile }, ...(onEngine ? [{ where: 'on an engine', of: onEngine }] : [])];
  const rowOf = (what: string, own: number, each: (one: Served) => number): string[] => [
    what,
    plain(own),
    ...served.flatMap(({ of }) => [plain(each(of)), plain(each(of) / own)]),
  ];
  return [
    '## A server for many',
    '',
    ...table(
      ['10,000 memories, ms (p50 / p95)', 'store', 'recall', 'requests a call'],
      [
        ['one process, over stdio', pairOf(local.store), pairOf(local.recall), '–'],
        ...served.flatMap(({ where, of }) =>
          of.distances.map(({ roundTrip, store, recall, requests }) => [
            `served ${where}, round trips of ${roundTrip} ms`,
            pairOf(store),
            pairOf(recall),
            plain(requests),
          ]),
        ),
      ],
    ),
    '',
    ...table(
      [`${clients} at once`, 'one process', ...served.flatMap(({ where }) => [`served ${where}`, 'of it'])],
      [
        rowOf('stores a second', local.stores, ({ stores }) => stores),
        rowOf('recalls a second, beside a writer', local.recalls, ({ recalls }) => recalls),
        ['a store, p95, ms', '–', ...served.flatMap(({ of }) => [plain(of.p95), '–'])],
      ],
    ),
    ...(failOver
      ? [
          '',
          `Fail-over: a store is acknowledged ${plain(failOver.ms / 1_000)} s after the replica was stopped, and ${failOver.lost} of ` +
            `${failOver.stored} stores that were acknowledged before are lost with the disk.`,
        ]
      : []),
  ];
}
