import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CorpusMemory, makeCorpus } from './corpus';
import { RpcClient } from './rpc-client';
import { ROOT, withPlace, withServer } from './servers';
import { table } from './table';
import { timed, timing } from './timing';

/** Stored in both before anything is measured. */
const WARM_UP = 300;
/** Of Linux: hundredths of a second. */
const MS_PER_TICK = 10;

interface Measured {
  readonly ms: number[];
  cpu: number;
}

/**
 * Stores the same memories in the programs of another checkout and in ours, one after the other, the one that begins in turns: so a load
 * of the machine meets both. Of texts that state a value, which are compared with what is there, and of others.
 * @param folder a built checkout, such as one from before a change
 */
export async function compareStore(folder: string, calls: number): Promise<string> {
  const rows: string[][] = [];
  for (const [kind, text] of [
    ['no value', (content: string) => content],
    ['a value', (content: string, i: number) => `${content} takes ${i} steps`],
  ] as const) {
    const corpus = makeCorpus(1);
    const memories = corpus
      .more(WARM_UP + calls)
      .map((memory, i): CorpusMemory => ({ ...memory, kind: 'fact', content: text(memory.content, i) }));
    const [before, now] = await measureBoth([folder, ROOT], memories);
    const ratios = timing(now.ms.map((ms, i) => ms / (before.ms[i] ?? ms)));
    rows.push([
      kind,
      ...[timing(before.ms).p50, timing(now.ms).p50, ratios.p50].map((figure) => figure.toFixed(2)),
      ...[before.cpu / calls, now.cpu / calls, now.cpu / before.cpu].map((figure) => figure.toFixed(2)),
    ]);
  }
  return table(
    ['texts that state', 'before, ms p50', 'now', 'p50 of the ratios', 'processor before, ms', 'now', 'ratio'],
    rows,
  ).join('\n');
}

function measureBoth(
  roots: readonly [string, string],
  memories: readonly CorpusMemory[],
): Promise<[Measured, Measured]> {
  return withPlace(({ folder: one }) =>
    withPlace(({ folder: other }) =>
      withServer(serverOf(roots[0], one), (before) =>
        withServer(serverOf(roots[1], other), (now) => inTurns([before, now], memories)),
      ),
    ),
  );
}

async function inTurns(
  servers: readonly [RpcClient, RpcClient],
  memories: readonly CorpusMemory[],
): Promise<[Measured, Measured]> {
  const both: [Measured, Measured] = [
    { ms: [], cpu: 0 },
    { ms: [], cpu: 0 },
  ];
  for (const [i, memory] of memories.entries()) {
    if (i === WARM_UP) for (const at of [0, 1] as const) both[at].cpu = -processorMs(servers[at]);
    for (const at of i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { ms } = await timed(() => servers[at].text('memory_store', memory));
      if (i >= WARM_UP) both[at].ms.push(ms);
    }
  }
  for (const at of [0, 1] as const) both[at].cpu += processorMs(servers[at]);
  return both;
}

function serverOf(root: string, folder: string): RpcClient {
  const env = { SVC_MEMORY_DB: join(folder, 'memory.db'), HOME: folder };
  return new RpcClient(resolve(root, 'dist/svc-memory-mcp.js'), folder, env);
}

/** Of a server and its threads; not a number where the system has no /proc. */
function processorMs(server: RpcClient): number {
  try {
    const [, rest = ''] = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ');
    const fields = rest.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  } catch {
    return Number.NaN;
  }
}
