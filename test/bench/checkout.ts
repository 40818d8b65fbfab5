import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LspClient } from './lsp-client';
import { ended, program } from './programs';
import { withPlace } from './servers';
import { timed } from './timing';

/** How long verdicts take when a checkout changed many files, in milliseconds. */
export interface CheckoutSpeed {
  /** As many links, one in each file. */
  readonly files: number;
  /** `git status` right after the checkout, in the same run. */
  readonly status: number;
  /** From the last file event until an editor that has been running has the verdicts. */
  readonly events: number;
  /** Of a server that has just started, over a code graph from before the checkout. */
  readonly unbuilt: number;
}

interface Staleness {
  readonly stale_nodes: readonly { readonly verdict: string }[];
}

const FILES = 1_000;
const FOLDERS = 25;
const FUNCTIONS = 4;
const LINES = 12;
const pathOf = (i: number): string => `src/part${i % FOLDERS}/module${i}.ts`;

/** Every second branch changes the linked function of each second file, and another function of the others. */
export function measureCheckout(options: { runs: number; progress: (text: string) => void }): Promise<CheckoutSpeed> {
  return withPlace(async ({ folder }) => {
    const project = join(folder, 'project');
    mkdirSync(project);
    const git = (...args: string[]): void => {
      execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], { cwd: project });
    };
    const environment = { HOME: folder };
    const paths = Array.from({ length: FILES }, (_, i) => pathOf(i));
    git('init', '--quiet', '--initial-branch=main');
    writeSources(project, 0);
    git('add', '-A');
    git('commit', '--quiet', '-m', 'start');
    await ended({ project, environment }, [program('svc-memory'), 'init']);
    await ended({ project, environment }, [program('svc'), 'build', '--json']);
    await LspClient.with(project, environment, (server) =>
      server.call('memory_import', { nodes: paths.map((path, i) => aboutFile(path, i)) }),
    );
    const best = { status: Infinity, events: Infinity, unbuilt: Infinity };
    const note = (what: keyof typeof best, ms: number): void => {
      best[what] = Math.min(best[what], ms);
    };
    for (let run = 1; run <= options.runs; run++) {
      options.progress(`checkout of ${FILES} files: ${run} of ${options.runs}`);
      for (const way of ['events', 'unbuilt'] as const) {
        const branch = `${way}-${run}`;
        git('checkout', '--quiet', '-b', branch, 'main');
        writeSources(project, run);
        git('commit', '--quiet', '-a', '-m', 'change');
        git('checkout', '--quiet', 'main');
        await ended({ project, environment }, [program('svc'), 'build', '--json']);
        const checkOut = async (): Promise<void> => {
          git('checkout', '--quiet', branch);
          note('status', (await timed(async () => git('status', '--porcelain'))).ms);
        };
        if (way === 'unbuilt') await checkOut();
        await LspClient.with(project, environment, async (server) => {
          if (way === 'events') {
            await changed(server);
            await checkOut();
            await server.fileEvents(paths);
          }
          const { ms, result } = await timed(() => changed(server));
          if (result !== FILES / 2) throw new Error(`${result} of ${FILES} have changed, not each second`);
          note(way, ms);
        });
      }
    }
    return { files: FILES, ...best };
  });
}

async function changed(server: LspClient): Promise<number> {
  const { stale_nodes } = await server.call<Staleness>('memory_verify_staleness', { queue: false });
  return stale_nodes.filter(({ verdict }) => verdict === 'changed').length;
}

function aboutFile(path: string, i: number): object {
  return { kind: 'fact', content: `What was found out about module ${i}`, entities: [`${path}#first${i}`] };
}

function writeSources(project: string, version: number): void {
  for (let i = 0; i < FILES; i++) {
    const changed = version === 0 ? -1 : i % 2 === 0 ? 0 : 1;
    const text = Array.from({ length: FUNCTIONS }, (_, at) => functionOf(i, at, at === changed ? version : 0));
    const path = join(project, pathOf(i));
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text.join('\n'));
  }
}

const NAMES = ['first', 'second', 'third', 'fourth'];

function functionOf(file: number, at: number, version: number): string {
  const body = Array.from({ length: LINES }, (_, line) => `  total += input.length * ${line + 1} - ${version};`);
  return [
    `export function ${NAMES[at]}${file}(input: readonly string[]): number {`,
    ...['  let total = 0;', ...body, '  return total;', '}', ''],
  ].join('\n');
}
