import { CANDIDATES } from '../../src/server/ingest/candidates';
import { QUERY_CLASSES } from './corpus';
import type { EditorSpeed } from './editor';
import type { GraphSpeed } from './graph';
import type { CandidateQuality } from './ingest';
import { BUDGETS } from './judged-reply';
import type { SetQuality } from './quality';
import type { SizeSpeed } from './speed';
import type { Startup } from './startup';
import type { Timing } from './timing';

/** One promise of the project beside what was measured. */
export interface Goal {
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  readonly reached: boolean;
}

export const MIB = 2 ** 20;

/** In milliseconds, in the slowest class of questions. */
const RECALL: Readonly<Record<number, readonly [p50: number, p95: number]>> = {
  1000: [3, 6],
  10000: [6, 14],
  100000: [20, 45],
};
const FOUND = 0.98;
/** Of the median of raw FTS5, for questions in which common words stand, as in most of them. */
const RECALL_TO_RAW: Readonly<Record<number, number>> = { 1000: 4, 10000: 1, 100000: 0.25 };
const STORE = [1.5, 5] as const;
/** In milliseconds, and of the store that it is a part of. */
const SECRETS = 0.3;
const SECRETS_TO_STORE = 0.05;
/** Of a text that states a value, so that near memories are looked for, to one that states none. */
const NEAR = 1.05;
const IMPORT: Readonly<Record<number, number>> = { 10000: 600, 100000: 6_000 };
const IMPORT_IN_ONE_MESSAGE = 10_000;
/** Of another process, in milliseconds. */
const WAIT_BESIDE_IMPORT = 2_000;
const IDLE_BYTES: Readonly<Record<number, number>> = { 1000: 100 * MIB, 10000: 100 * MIB, 100000: 200 * MIB };
const START_TO_DO_NOTHING = 1.5;
/** Within 500, 1000 and 2000 tokens; a set without a figure for a budget has no goal there. */
const EVIDENCE: Readonly<Record<string, readonly number[]>> = {
  dialogues: [0.74, 0.82, 0.87],
  conventions: [0.74, 0.89, 0.96],
  beliefs: [0.93],
};
/** More than plain search finds in the same run: as a difference, and as a factor. */
const MORE_THAN_PLAIN: Readonly<Record<string, number>> = { devmem: 0.01 };
const TIMES_PLAIN: Readonly<Record<string, number>> = { 'long messages': 1.05, commits: 1.2 };
/** At 500 tokens. */
const ANSWER_WORDS: Readonly<Record<string, number>> = { devmem: 0.79 };
const OUTDATED_FIRST: Readonly<Record<string, number>> = { conventions: 0.4 };

export function qualityGoals(sets: readonly SetQuality[]): Goal[] {
  const answers = sets.reduce((sum, set) => sum + set.answers, 0);
  if (answers === 0) return [];
  const over = sets.reduce((sum, set) => sum + set.overBudget, 0);
  const below = sets.flatMap(({ set, difference }) =>
    difference.flatMap(({ high }, i) => (high < 0 ? [`${set} at ${BUDGETS[i]}`] : [])),
  );
  return [
    ...sets.flatMap(setGoals),
    {
      ...{ what: 'sets and budgets below plain search, by more than the interval', goal: 'none' },
      ...{ measured: below.join(', ') || 'none', reached: below.length === 0 },
    },
    { what: 'answers over their budget', goal: '0', measured: `${over} of ${answers}`, reached: over === 0 },
  ];
}

function setGoals({ set, systems }: SetQuality): Goal[] {
  const { 'svc-memory': ours, 'raw FTS5': plain } = systems;
  const atLeast = (what: string, measured: number, goal: number): Goal => {
    return { what: `${set}: ${what}`, goal: percent(goal), measured: percent(measured), reached: measured >= goal };
  };
  const words = ANSWER_WORDS[set];
  const outdated = OUTDATED_FIRST[set];
  return [
    ...BUDGETS.flatMap((budget, i) => {
      const [found = 0, theirs = 0] = [ours.evidence[i], plain.evidence[i]];
      const [goal, more, times] = [EVIDENCE[set]?.[i], MORE_THAN_PLAIN[set], TIMES_PLAIN[set]];
      const what = `evidence within ${budget} tokens`;
      return [
        ...(goal === undefined ? [] : [atLeast(what, found, goal)]),
        ...(more === undefined ? [] : [atLeast(`${what}, a point above FTS5`, found, theirs + more)]),
        ...(times === undefined ? [] : [atLeast(`${what}, ${times} times FTS5`, found, theirs * times)]),
      ];
    }),
    ...(words === undefined
      ? []
      : [atLeast('words of the answer within 500 tokens', ours.answerWords?.[0] ?? 0, words)]),
    ...atMost(`${set}: an outdated one before the current one`, ours.outdatedFirst, outdated, percent),
  ];
}

/** The share of labelled symbols that have to be among the candidates. */
const CANDIDATE_RECALL = 0.95;

export function ingestGoals(ingest: CandidateQuality | undefined): Goal[] {
  if (!ingest) return [];
  const share = ingest.found / ingest.labels;
  return [
    {
      what: `ingestion: labelled symbols among ${CANDIDATES} candidates`,
      goal: percent(CANDIDATE_RECALL),
      measured: percent(share),
      reached: share >= CANDIDATE_RECALL,
    },
  ];
}

export function speedGoals(sizes: readonly SizeSpeed[]): Goal[] {
  return sizes.flatMap((speed) => {
    const at = `at ${count(speed.size)}`;
    const { ours, oneMessage, waitBeside } = speed.import;
    const classes = QUERY_CLASSES.map((kind) => speed.recall[kind]);
    const [p50, p95] = RECALL[speed.size] ?? [];
    const slowest50 = Math.max(...classes.map((each) => each.ours.p50));
    const slowest95 = Math.max(...classes.map((each) => each.ours.p95));
    const found = Math.min(...classes.map((each) => each.ours.found));
    const { common } = speed.recall;
    return [
      ...atMost(`recall ${at}, p50`, slowest50, p50, milliseconds),
      ...atMost(`recall ${at}, p95`, slowest95, p95, milliseconds),
      ...atMost(
        `recall ${at}, p50 against raw FTS5, with common words`,
        common.ours.p50 / common.raw.p50,
        RECALL_TO_RAW[speed.size],
        (ratio) => ratio.toFixed(2),
      ),
      { what: `recall ${at}, target found`, goal: percent(FOUND), measured: percent(found), reached: found >= FOUND },
      ...atMost(`memory_store ${at}, p50`, speed.store.ours.p50, STORE[0], milliseconds),
      ...atMost(`memory_store ${at}, p95`, speed.store.ours.p95, STORE[1], milliseconds),
      ...atMost(`look for secrets in it, p50`, speed.store.secrets.p50, SECRETS, milliseconds),
      ...atMost(
        `look for secrets against memory_store ${at}, p50`,
        speed.store.secrets.p50 / speed.store.ours.p50,
        SECRETS_TO_STORE,
        (ratio) => ratio.toFixed(3),
      ),
      ...atMost(
        `memory_store ${at}, p50 of a text with a value to one without`,
        speed.near.valued.p50 / speed.near.plain.p50,
        NEAR,
        (ratio) => ratio.toFixed(2),
      ),
      ...atMost(`import of ${count(speed.size)}, calls of 10,000`, ours, IMPORT[speed.size], seconds),
      ...atMost(`import of ${count(speed.size)}, one message`, oneMessage, IMPORT_IN_ONE_MESSAGE, seconds),
      ...atMost(`another process's store beside it, longest wait`, waitBeside, WAIT_BESIDE_IMPORT, seconds),
      ...atMost(
        `resident memory ${at}, 5 s after 200 recalls`,
        speed.resident.recalled,
        IDLE_BYTES[speed.size],
        mebibytes,
      ),
    ];
  });
}

export function startGoals(startup: Startup | undefined): Goal[] {
  if (!startup) return [];
  const against = (what: string, other: number): Goal[] =>
    atMost(
      `spawn to first answer, a recall, against ${what}`,
      startup.recall.p50 / other,
      START_TO_DO_NOTHING,
      (ratio) => ratio.toFixed(2),
    );
  return [
    ...against('the least do-nothing server, bundled alike', startup.doNothing.p50),
    ...against('a do-nothing server as documented, minified', startup.doNothingPlain.p50),
  ];
}

/** Processor time for each megabyte of source, in milliseconds. */
const GRAPH_CPU = 350;
const GRAPH_TO_CTAGS = 1.5;
const GRAPH_AGAIN = 0.05;
const GRAPH_BYTES = 350 * MIB;

export function graphGoals(graph: GraphSpeed | undefined): Goal[] {
  if (!graph) return [];
  const { first, again, ctags, million, bytes } = graph;
  return [
    ...atMost(
      'svc build: processor time for a megabyte of TypeScript',
      (first.cpu * 1e9) / bytes,
      GRAPH_CPU,
      milliseconds,
    ),
    ...atMost(
      'svc build against universal-ctags, wall time',
      ctags && first.wall / ctags.wall,
      GRAPH_TO_CTAGS,
      (ratio) => ratio.toFixed(2),
    ),
    ...atMost('svc build with nothing changed, of the first', again.wall / first.wall, GRAPH_AGAIN, percent),
    ...atMost('svc build, memory for a million lines', million?.first.resident, GRAPH_BYTES, mebibytes),
  ];
}

/** In milliseconds; its p95 is for files that hold hundreds of memories. */
const FOR_CODE_P50 = 5;
/** In milliseconds; a frame of a screen is drawn every 16. */
const EDITOR_P95 = { lens: 16, hover: 16, page: 100, notice: 1_000 };
const EDITOR_IDLE = 150 * MIB;
const HOOK = 200;

export function editorGoals(editor: EditorSpeed | undefined): Goal[] {
  if (!editor) return [];
  const { size, lens, hover, forCode, nodes, sessions, noticed, resident, hook } = editor;
  const at = `at ${count(size)}`;
  return [
    ...atMost(`lenses of a file after an edit ${at}, p95`, lens.p95, EDITOR_P95.lens, milliseconds),
    ...atMost(`hover ${at}, p95`, hover.p95, EDITOR_P95.hover, milliseconds),
    ...atMost(`memory_for_code ${at}, p50`, forCode.p50, FOR_CODE_P50, milliseconds),
    ...atMost(`tree of memories ${at}, first page, p95`, nodes.p95, EDITOR_P95.page, milliseconds),
    ...atMost(`tree of sessions ${at}, first page, p95`, sessions.p95, EDITOR_P95.page, milliseconds),
    ...atMost(
      `another process's write told in the window ${at}, longest`,
      noticed.longest,
      EDITOR_P95.notice,
      milliseconds,
    ),
    ...atMost(`language server ${at}, resident after 5 s of rest`, resident.fresh, EDITOR_IDLE, mebibytes),
    ...atMost(`language server, the same after importing ${count(size)}`, resident.imported, EDITOR_IDLE, mebibytes),
    ...atMost(`svc-memory hook session-start ${at}, p50`, hook.p50, HOOK, milliseconds),
  ];
}

/** No row without a figure or without a goal for it. */
export function atMost(
  what: string,
  measured: number | undefined,
  goal: number | undefined,
  show: (value: number) => string,
): Goal[] {
  if (measured === undefined || goal === undefined) return [];
  return [{ what, goal: `≤ ${show(goal)}`, measured: show(measured), reached: measured <= goal }];
}

export const count = (value: number): string => value.toLocaleString('en-US');
export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
export const milliseconds = (ms: number): string => `${plain(ms)} ms`;
export const mebibytes = (bytes: number): string => `${plain(bytes / MIB)} MiB`;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;

/** Three digits or so, whatever the size. */
export function plain(value: number): string {
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}

export const pairOf = ({ p50, p95 }: Timing): string => `${plain(p50)} / ${plain(p95)}`;
export const ratio = (value: number): string => (value >= 0.1 ? value.toFixed(2) : value.toPrecision(2));
