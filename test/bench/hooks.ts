import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCorpus } from './corpus';
import { count, type Goal } from './goals';
import { ended, program } from './programs';
import { startMemoryServer, withPlace, withServer } from './servers';
import { table } from './table';
import { type Timing, timed, timing } from './timing';

/** From the spawn of a process to its end, in milliseconds. */
export interface HookSpeed {
  readonly size: number;
  /** Node with an empty program. */
  readonly nothing: Timing;
  /** Before an edit of a function that has a decision. */
  readonly told: Timing;
  /** Before an edit of a file without memories. */
  readonly silent: Timing;
  /** A prompt that names code. */
  readonly prompt: Timing;
}

const IMPORT_CALL = 10_000;
const TO_NOTHING = 3.5;
const SOURCE = 'export function openStore(path) {\n  return path;\n}\n';

/** Hooks as hosts run them, and Node that does nothing, in turns, on a store of a given size. */
export function measureHooks(size: number, spawns: number): Promise<HookSpeed> {
  return withPlace(async ({ folder }) => {
    const project = join(folder, 'project');
    for (const path of ['.git', '.svc', 'src']) mkdirSync(join(project, path), { recursive: true });
    writeFileSync(join(project, '.git/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(project, 'src/store.js'), SOURCE);
    writeFileSync(join(project, 'src/other.js'), SOURCE.replace('openStore', 'shutStore'));
    const environment = { HOME: folder, SVC_MEMORY_DB: join(project, '.svc/memory.db') };
    const place = { project, environment };
    const { memories } = makeCorpus(size);
    await withServer(startMemoryServer({ folder: join(project, '.svc') }), async (server) => {
      for (let at = 0; at < memories.length; at += IMPORT_CALL) {
        await server.text('memory_import', { nodes: memories.slice(at, at + IMPORT_CALL) });
      }
    });
    await ended(place, [program('svc'), 'build']);
    await ended(place, [
      ...[program('svc-memory'), 'store', 'openStore waits for a lock', '--kind', 'decision'],
      ...['--entities', 'src/store.js#openStore'],
    ]);
    let conversation = 0;
    const asked = (more: object): string => JSON.stringify({ cwd: project, session_id: `c${conversation++}`, ...more });
    const edit = (file: string) => ({
      tool_name: 'Edit',
      tool_input: { file_path: join(project, file), old_string: 'return path;' },
    });
    const hook = (event: string, input: object) => ended(place, [program('svc-memory'), 'hook', event], asked(input));
    const runs: Record<Exclude<keyof HookSpeed, 'size'>, () => Promise<void>> = {
      nothing: () => ended(place, ['-e', '']),
      told: () => hook('pre-tool-use', edit('src/store.js')),
      silent: () => hook('pre-tool-use', edit('src/other.js')),
      prompt: () => hook('user-prompt-submit', { prompt: 'What about openStore() here?' }),
    };
    const names = Object.keys(runs) as (keyof typeof runs)[];
    const times = new Map(names.map((name) => [name, [] as number[]]));
    // In turns, so that a load of the machine meets all of them. The first round fills the caches.
    for (let round = 0; round <= spawns; round++) {
      for (const name of names) {
        const { ms } = await timed(runs[name]);
        if (round > 0) times.get(name)?.push(ms);
      }
    }
    const of = (name: keyof typeof runs) => timing(times.get(name) ?? []);
    return { size, nothing: of('nothing'), told: of('told'), silent: of('silent'), prompt: of('prompt') };
  });
}

export function hookGoals(hooks: HookSpeed | undefined): Goal[] {
  if (!hooks) return [];
  const slowest = Math.max(hooks.told.p50, hooks.silent.p50, hooks.prompt.p50) / hooks.nothing.p50;
  return [
    {
      what: `a hook among ${count(hooks.size)} memories, the slowest, against Node that does nothing`,
      goal: `≤ ${TO_NOTHING}`,
      measured: slowest.toFixed(2),
      reached: slowest <= TO_NOTHING,
    },
  ];
}

export function hookFigures(hooks: HookSpeed | undefined): string[] {
  if (!hooks) return [];
  const row = (what: string, { p50, p95 }: Timing): string[] => [
    what,
    ...[p50, p95].map((ms) => ms.toFixed(0)),
    (p50 / hooks.nothing.p50).toFixed(2),
  ];
  return [
    '## Hooks of agents',
    '',
    ...table(
      [`spawn to end among ${count(hooks.size)} memories, in ms`, 'p50', 'p95', 'to Node that does nothing'],
      [
        row('before an edit of a function that has a decision', hooks.told),
        row('before an edit of a file without memories', hooks.silent),
        row('a prompt that names code', hooks.prompt),
        row('Node with an empty program', hooks.nothing),
      ],
    ),
  ];
}
