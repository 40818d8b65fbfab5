import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MemoryKind } from '../../src/kinds/kinds';
import { fileNameOf, writeMemory } from '../../src/server/shared/write-memory';
import { type CorpusMemory, makeCorpus } from './corpus';
import { atMost, count, type Goal, milliseconds, pairOf, plain } from './goals';
import { ended, program } from './programs';
import { RpcClient } from './rpc-client';
import { withPlace, withServer } from './servers';
import { table } from './table';
import { type Timing, timed, timing } from './timing';

/** Memories in files of the repository, beside as many in one store, in one run. Times in milliseconds. */
export interface SharedSpeed {
  readonly files: number;
  /** The first answer of a server that has not seen the files before; of one that has. */
  readonly first: number;
  readonly again: number;
  /** The first answer after 100 files were rewritten, as by a pull; an answer without. */
  readonly pulled: number;
  readonly unchanged: number;
  /** Recalls: all in one store; half of them shared. */
  readonly one: Timing;
  readonly half: Timing;
}

const FILES = 10_000;
const PULLED = 100;
const FIRST_MS = 3_000;
const PULLED_MS = 300;
const RECALL = 1.2;

export async function measureShared(calls: number, progress: (text: string) => void): Promise<SharedSpeed> {
  const corpus = makeCorpus(FILES);
  const texts = corpus.queries('question', calls).map(({ text }) => text);
  progress(`shared memories: ${FILES} in files`);
  const shared = await withProject(corpus.memories, [], async (open, write) => {
    const stats = (server: RpcClient) => timed(() => server.text('memory_stats', {}));
    const first = await withServer(open(), async (server) => (await stats(server)).ms);
    return withServer(open(), async (server) => {
      const again = (await stats(server)).ms;
      const unchanged = (await stats(server)).ms;
      write(corpus.memories.slice(0, PULLED), ' Since then it has changed.');
      return { first, again, unchanged, pulled: (await stats(server)).ms };
    });
  });
  progress('shared memories: one store, and half of it');
  const middle = FILES / 2;
  const [one, half] = await withProject([], corpus.memories, (openOne) =>
    withServer(openOne(), (whole) =>
      withProject(corpus.memories.slice(0, middle), corpus.memories.slice(middle), (openHalf) =>
        withServer(openHalf(), (split) => recallInTurns(whole, split, texts)),
      ),
    ),
  );
  return { files: FILES, ...shared, one, half };
}

const WARM_UP = 20;

/** The same questions to both servers, each beginning in turns, so that a load of the machine meets both. */
async function recallInTurns(
  whole: RpcClient,
  split: RpcClient,
  texts: readonly string[],
): Promise<readonly [Timing, Timing]> {
  const durations: readonly [number[], number[]] = [[], []];
  for (const [i, query] of [...texts.slice(0, WARM_UP), ...texts].entries()) {
    const turns = [
      { server: whole, times: durations[0] },
      { server: split, times: durations[1] },
    ];
    for (const { server, times } of i % 2 === 0 ? turns : turns.reverse()) {
      times.push((await timed(() => server.text('memory_recall', { query, budget_tokens: 2_000 }))).ms);
    }
  }
  return [timing(durations[0].slice(WARM_UP)), timing(durations[1].slice(WARM_UP))];
}

type Open = () => RpcClient;
type Write = (memories: readonly CorpusMemory[], more?: string) => void;

/** Runs `work` in a project with some memories in files and others in its store. */
function withProject<Result>(
  inFiles: readonly CorpusMemory[],
  inStore: readonly CorpusMemory[],
  work: (open: Open, write: Write) => Promise<Result>,
): Promise<Result> {
  return withPlace(async ({ folder }) => {
    const project = join(folder, 'project');
    const environment = { HOME: folder };
    mkdirSync(join(project, '.svc/memories'), { recursive: true });
    const write: Write = (memories, more = '') => {
      for (const [i, memory] of memories.entries()) {
        const written = writtenOf(memory, i);
        const text = writeMemory({ ...written, content: written.content + more });
        writeFileSync(join(project, '.svc/memories', fileNameOf(written)), text);
      }
    };
    const run = (...args: string[]) => ended({ project, environment }, [program('svc-memory'), ...args]);
    await run('init');
    write(inFiles);
    if (inFiles.length > 0) await run('trust', '--yes');
    const open: Open = () => new RpcClient(program('svc-memory-mcp'), project, environment);
    if (inStore.length > 0) await withServer(open(), (server) => server.value('memory_import', { nodes: inStore }));
    return work(open, write);
  });
}

const LETTERS = 'abcdefghij';

function writtenOf({ content, kind, entities }: CorpusMemory, i: number): Parameters<typeof writeMemory>[0] {
  const suffix = String(i)
    .padStart(8, '0')
    .replace(/\d/g, (digit) => LETTERS[Number(digit)] ?? 'a');
  return {
    // The corpus draws from these alone.
    ...{ id: `${kind.charAt(0)}_${suffix}`, kind: kind as MemoryKind, content, about: entities, confidence: 1 },
    ...{ valid_from: '2026-01-01T00:00:00.000Z', valid_until: undefined, recorded_at: undefined, standing: 'stored' },
    ...{
      rationale: undefined,
      alternatives_rejected: [],
      links: [],
      supersedes: [],
      superseded_by: [],
      beside: [],
      origin: undefined,
    },
  };
}

export function sharedGoals(shared: SharedSpeed | undefined): Goal[] {
  if (!shared) return [];
  const { files, first, pulled, unchanged, one, half } = shared;
  const ratio = half.p50 / one.p50;
  return [
    ...atMost(`${count(files)} shared memories, first answer`, first, FIRST_MS, milliseconds),
    ...atMost(`a pull of ${PULLED} files, more than an answer without`, pulled - unchanged, PULLED_MS, milliseconds),
    ...atMost('recall, half of the memories shared, of one store', ratio, RECALL, plain),
  ];
}

export function sharedFigures(shared: SharedSpeed | undefined): string[] {
  if (!shared) return [];
  const { files, first, again, pulled, unchanged, one, half } = shared;
  return [
    '## Shared memories',
    '',
    ...table(
      [`${count(files)} memories in files`, 'ms'],
      [
        ['first answer of a server, files never seen', plain(first)],
        ['first answer of the next server', plain(again)],
        ['an answer', plain(unchanged)],
        [`the answer after a pull of ${PULLED} files`, plain(pulled)],
      ],
    ),
    ...table(
      ['recall, p50 / p95 ms', 'one store', 'half of it shared', 'of it'],
      [[`${count(files)} memories`, pairOf(one), pairOf(half), plain(half.p50 / one.p50)]],
    ),
  ];
}
