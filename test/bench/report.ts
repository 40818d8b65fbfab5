import type { AgentDay } from '../agents/results';
import { agentFigures } from './agents-report';
import type { Asking } from './asking';
import { askingFigures, askingGoals } from './asking-report';
import { type BringSpeed, bringFigures, bringGoals } from './bring';
import type { CheckoutSpeed } from './checkout';
import { checkoutFigures, checkoutGoals } from './checkout-report';
import { QUERY_CLASSES, type QueryClass } from './corpus';
import { days } from './data/agents.json';
import type { DriversSpeed } from './drivers';
import { driverFigures } from './drivers-report';
import type { EditorSpeed } from './editor';
import {
  count,
  editorGoals,
  type Goal,
  graphGoals,
  ingestGoals,
  mebibytes,
  milliseconds,
  pairOf,
  percent,
  plain,
  qualityGoals,
  ratio,
  speedGoals,
  startGoals,
} from './goals';
import type { Cost, GraphSpeed } from './graph';
import type { HistoryQuality } from './histories/measure';
import { historyFigures, historyGoals } from './history-report';
import { type HookSpeed, hookFigures, hookGoals } from './hooks';
import { HOW_MEASURED } from './how-measured';
import type { CandidateQuality } from './ingest';
import { candidateFigures } from './ingest-report';
import { type LeftOut, leftOutFigures } from './leave-one-out';
import { limitFigures, limitGoals } from './limit-report';
import type { Limits } from './limits';
import type { Machine } from './machine';
import type { PoisonFigures } from './poison';
import { poisonFigures, poisonGoals } from './poison-report';
import type { SetQuality } from './quality';
import { qualityFigures } from './quality-report';
import type { ServeSpeed } from './serve';
import { serveFigures, serveGoals } from './serve-report';
import { type SharedQuality, sharedQualityFigures } from './shared-quality';
import { type SharedSpeed, sharedFigures, sharedGoals } from './shared-speed';
import type { SimilarQuality } from './similar';
import { similarFigures, similarGoals } from './similar-report';
import type { Recall, SizeSpeed } from './speed';
import type { Startup } from './startup';
import { table } from './table';
import type { Timing } from './timing';
import { whyNotReached } from './why-not-reached';
import { type WindowSpeed, windowFigures, windowGoals } from './window';

export interface Results {
  machine: Machine;
  quality: SetQuality[];
  /** Files of sets that were looked for in vain. */
  missingSets?: readonly string[];
  leftOut?: readonly LeftOut[];
  similar?: SimilarQuality[] | undefined;
  poison?: PoisonFigures[];
  ingest?: CandidateQuality;
  histories?: HistoryQuality[];
  startup?: Startup;
  hooks?: HookSpeed;
  speed: SizeSpeed[];
  asking?: Asking;
  drivers?: DriversSpeed;
  graph?: GraphSpeed;
  limits?: Limits;
  editor?: EditorSpeed;
  checkout?: CheckoutSpeed;
  serve?: ServeSpeed;
  window?: WindowSpeed | undefined;
  shared?: SharedSpeed;
  sharedQuality?: SharedQuality[];
  bring?: BringSpeed;
}

export interface ReportOptions {
  /** With the styles of the questions. */
  readonly verbose: boolean;
  /** Everything was measured, not only a part or quickly. */
  readonly complete: boolean;
}

const CLASS_NAMES: Readonly<Record<QueryClass, string>> = {
  words: '3, 4 or 6 telling words',
  question: 'the same as a question',
  common: 'among as many common words',
};

/** The results as Markdown: goals, then ratios, then milliseconds. */
export function report(results: Results, { verbose, complete }: ReportOptions): string {
  const { quality, similar, poison, ingest, histories, startup, speed, asking } = results;
  const { drivers, graph, limits, editor, checkout, bring, serve } = results;
  const goals = [
    ...qualityGoals(quality),
    ...similarGoals(similar),
    ...poisonGoals(poison),
    ...ingestGoals(ingest),
    ...historyGoals(histories),
    ...startGoals(startup),
    ...hookGoals(results.hooks),
    ...speedGoals(speed),
    ...askingGoals(asking),
    ...graphGoals(graph),
    ...limitGoals(limits),
    ...editorGoals(editor),
    ...checkoutGoals(checkout),
    ...bringGoals(bring),
    ...serveGoals(serve),
    ...windowGoals(results.window),
    ...sharedGoals(results.shared),
  ];
  return [
    ...introduction(results.machine, complete),
    ...goalTable(goals),
    ...whyNotReached(goals),
    ...qualityFigures(quality, results.missingSets ?? [], verbose),
    ...(results.leftOut ? leftOutFigures(results.leftOut) : []),
    ...similarFigures(similar),
    ...poisonFigures(poison),
    ...candidateFigures(ingest, verbose),
    ...historyFigures(histories, verbose),
    ...(startup || speed.length > 0 ? ['## Speed: ratios', ''] : []),
    ...startRatios(startup),
    ...speedRatios(speed),
    ...(startup || speed.length > 0 ? ['## Speed: figures', ''] : []),
    ...startFigures(startup),
    ...speedFigures(speed),
    ...askingFigures(asking),
    ...driverFigures(drivers),
    ...hookFigures(results.hooks),
    ...(complete ? agentFigures(days as AgentDay[]) : []),
    ...graphFigures(graph),
    ...limitFigures(limits),
    ...editorFigures(editor),
    ...checkoutFigures(checkout),
    ...bringFigures(bring),
    ...serveFigures(serve),
    ...windowFigures(results.window),
    ...sharedFigures(results.shared),
    ...sharedQualityFigures(results.sharedQuality),
    ...HOW_MEASURED,
  ].join('\n');
}

function introduction(machine: Machine, complete: boolean): string[] {
  const load = [machine.load, ...(machine.loadAfter === undefined ? [] : [machine.loadAfter])];
  return [
    '# Benchmarks',
    '',
    complete
      ? 'Written by `npm run bench`; do not edit. `npm run bench -- --quick` measures less, in two minutes, and only prints.'
      : 'A part of the benchmark, or a quick one: not to be quoted.',
    '',
    `${machine.date.slice(0, 10)} · Node ${machine.node} · ${machine.cores} cores (${machine.processor}) · ` +
      `${mebibytes(machine.memoryBytes)} of memory · load before and after ${load.map((each) => each.toFixed(2)).join(' and ')}`,
    '',
    'Ratios mean more than milliseconds: whatever is compared was measured in the same run, on the same machine.',
    '',
  ];
}

function goalTable(goals: readonly Goal[]): string[] {
  if (goals.length === 0) return [];
  return [
    '## Goals',
    '',
    ...table(
      ['', 'goal', 'here', ''],
      goals.map(({ what, goal, measured, reached }) => [what, goal, measured, reached ? 'reached' : '**not reached**']),
    ),
  ];
}

function startRatios(startup: Startup | undefined): string[] {
  if (!startup) return [];
  const { recall, stats, doNothing, doNothingPlain, official } = startup;
  const row = (what: string, timing: Timing) => [
    what,
    ...[doNothing, doNothingPlain, official].map((other) => (timing.p50 / other.p50).toFixed(2)),
  ];
  return table(
    [
      'spawn to first answer, p50',
      'to do-nothing, bundled alike',
      'to do-nothing as documented, minified',
      'to official server',
    ],
    [row('first answer a recall', recall), row('first answer the statistics', stats)],
  );
}

function speedRatios(sizes: readonly SizeSpeed[]): string[] {
  if (sizes.length === 0) return [];
  const pair = (ours: number, other: number) => ratio(ours / other);
  const rows = sizes.flatMap(({ size, recall, store, import: imported, disk }) => [
    ...QUERY_CLASSES.map((kind) => {
      const { ours, raw, official, officialOnce } = recall[kind];
      return [
        `recall at ${count(size)}, ${CLASS_NAMES[kind]}, p50`,
        pair(ours.p50, raw.p50),
        `${pair(ours.p50, official.p50)} (one search: ${pair(ours.p50, officialOnce.p50)})`,
      ];
    }),
    [`one write at ${count(size)}, p50`, pair(store.ours.p50, store.raw.p50), pair(store.ours.p50, store.official.p50)],
    [`import of ${count(size)}`, pair(imported.ours, imported.raw), pair(imported.ours, imported.official)],
    [`size on disk at ${count(size)}`, pair(disk.ours, disk.raw), pair(disk.ours, disk.official)],
  ]);
  return table(['svc-memory against', 'raw FTS5 in the process', 'official server'], rows);
}

function startFigures(startup: Startup | undefined): string[] {
  if (!startup) return [];
  const row = (what: string, { p50, p95 }: Timing) => [what, plain(p50), plain(p95)];
  return table(
    ['spawn to first answer, ms', 'p50', 'p95'],
    [
      row('svc-memory-mcp, a recall among 1,000 memories', startup.recall),
      row('svc-memory-mcp, the statistics', startup.stats),
      row('do-nothing server, bundled alike', startup.doNothing),
      row('do-nothing server as documented, one minified bundle', startup.doNothingPlain),
      row('official server, a search among 1,000 memories', startup.official),
    ],
  );
}

function speedFigures(sizes: readonly SizeSpeed[]): string[] {
  if (sizes.length === 0) return [];
  const recallRows = sizes.flatMap(({ size, recall }) =>
    QUERY_CLASSES.map((kind) => {
      const { ours, raw, official, officialOnce } = recall[kind];
      return [`${count(size)}, ${CLASS_NAMES[kind]}`, ...[ours, raw, official, officialOnce].map(recallCell)];
    }),
  );
  const memory = (bytes: number | undefined) => (bytes === undefined ? '–' : mebibytes(bytes));
  return [
    ...table(
      [
        'recall: p50 / p95 ms (target found)',
        'svc-memory',
        'raw FTS5',
        'official, a search per word',
        'official, one search',
      ],
      recallRows,
    ),
    ...table(
      ['one write: p50 / p95 ms', 'svc-memory', 'raw FTS5', 'official server'],
      sizes.map(({ size, store }) => [count(size), pairOf(store.ours), pairOf(store.raw), pairOf(store.official)]),
    ),
    ...table(
      ['import, calls of 10,000', 'svc-memory', 'in one message', 'raw FTS5', 'official server'],
      sizes.map(({ size, import: { ours, oneMessage, raw, official } }) => [
        count(size),
        milliseconds(ours),
        oneMessage === undefined ? '–' : milliseconds(oneMessage),
        milliseconds(raw),
        milliseconds(official),
      ]),
    ),
    ...table(
      ['resident memory after 5 s of rest', 'after one recall', 'after 200', 'after all calls', 'official server'],
      sizes.map(({ size, resident }) => [
        count(size),
        memory(resident.fresh),
        memory(resident.recalled),
        memory(resident.everything),
        memory(resident.official),
      ]),
    ),
    ...table(
      ['size on disk', 'svc-memory', 'raw FTS5', 'official server'],
      sizes.map(({ size, disk }) => [count(size), mebibytes(disk.ours), mebibytes(disk.raw), mebibytes(disk.official)]),
    ),
  ];
}

function graphFigures(graph: GraphSpeed | undefined): string[] {
  if (!graph) return [];
  const { files, lines, bytes, first, again, ctags, million } = graph;
  const row = (what: string, cost: Cost | undefined) =>
    cost
      ? [[what, plain(cost.wall), plain(cost.cpu), cost.resident === undefined ? '–' : mebibytes(cost.resident)]]
      : [];
  return [
    '## Code graph',
    '',
    ...table(
      [
        `${count(files)} files, ${count(lines)} lines, ${mebibytes(bytes)} of TypeScript`,
        'wall s',
        'processor s',
        'memory',
      ],
      [
        ...row('svc build, the first', first),
        ...row('svc build, nothing changed', again),
        ...row('universal-ctags, definitions only', ctags),
        ...row(`svc build, ${count(million?.lines ?? 0)} lines`, million?.first),
      ],
    ),
  ];
}

function editorFigures(editor: EditorSpeed | undefined): string[] {
  if (!editor) return [];
  const { size, touching, nothing, lens, hover, forCode, nodes, sessions, noticed, resident, hook, node } = editor;
  const row = (what: string, { p50, p95 }: Timing) => [what, plain(p50), plain(p95)];
  return [
    '## In the editor',
    '',
    ...table(
      [
        `${count(size)} memories, ${count(touching.memories)} of them about ${count(touching.symbols)} functions and classes: ms`,
        'p50',
        'p95',
      ],
      [
        row('a request that has nothing to do', nothing),
        row('lenses of a file after an edit, with their words', lens),
        row('hover', hover),
        row('memory_for_code', forCode),
        row('first page of the memories', nodes),
        row('first page of the sessions', sessions),
        row("another process's write, until the window knows", noticed),
        row('svc-memory hook session-start, spawn to end', hook),
        row('a Node that does nothing, spawn to end', node),
      ],
    ),
    ...(resident.fresh === undefined || resident.imported === undefined
      ? []
      : [
          `The language server holds ${mebibytes(resident.fresh)} when it rests, ${mebibytes(resident.imported)} after ` +
            `${count(size)} memories were imported through it.`,
          '',
        ]),
  ];
}

const recallCell = (recall: Recall): string => `${pairOf(recall)} (${percent(recall.found)})`;
