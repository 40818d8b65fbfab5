import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT, withPlace } from './servers';

/** The code graph, built from the TypeScript sources of installed packages. */
export interface GraphSpeed {
  readonly files: number;
  readonly lines: number;
  readonly bytes: number;
  readonly first: Cost;
  /** With nothing changed. */
  readonly again: Cost;
  /** universal-ctags on the same files right after; undefined where it is not installed. */
  readonly ctags: Cost | undefined;
  /** As many copies as make a million lines. */
  readonly million: { readonly lines: number; readonly first: Cost } | undefined;
}

/** Of one process: wall and processor time in seconds, the most memory it held in bytes. */
export interface Cost {
  readonly wall: number;
  readonly cpu: number;
  readonly resident: number | undefined;
}

const PACKAGES = ['openai', '@anthropic-ai/sdk', 'zod', '@azure/msal-browser', '@azure/msal-common'];
const MILLION = 1_000_000;
const WATCH_MS = 20;

/** @param runs the best of this many counts; ours and ctags take turns, so that both meet the same load */
export function measureGraph(options: { runs: number; large: boolean; progress: (text: string) => void }) {
  return withPlace(async ({ folder }): Promise<GraphSpeed> => {
    const { runs, large, progress } = options;
    const sources = join(folder, 'sources');
    mkdirSync(join(sources, '.git'), { recursive: true });
    for (const name of PACKAGES) copySources(join(ROOT, 'node_modules', name), join(sources, name));
    const files = filesBelow(sources);
    const lines = files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length, 0);
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    const first: Cost[] = [];
    const again: Cost[] = [];
    const ctags: Cost[] = [];
    for (let run = 1; run <= runs; run++) {
      progress(`code graph: ${run} of ${runs}`);
      rmSync(join(sources, '.svc'), { recursive: true, force: true });
      first.push(await build(sources));
      const tags = await runCtags(files, folder);
      if (tags) ctags.push(tags);
      // What was changed just before a build is read again by the next one.
      if (run === 1) await build(sources);
      again.push(await build(sources));
    }
    const million = large ? await measureMillion(sources, lines, progress) : undefined;
    return {
      ...{ files: files.length, lines, bytes, million },
      ...{ first: fastest(first), again: fastest(again), ctags: ctags.length > 0 ? fastest(ctags) : undefined },
    };
  });
}

async function measureMillion(sources: string, lines: number, progress: (text: string) => void) {
  const copies = Math.ceil(MILLION / lines);
  for (let copy = 2; copy <= copies; copy++) {
    for (const name of PACKAGES) copySources(join(ROOT, 'node_modules', name), join(sources, `copy${copy}`, name));
  }
  progress(`code graph: ${copies * lines} lines`);
  rmSync(join(sources, '.svc'), { recursive: true, force: true });
  return { lines: copies * lines, first: await build(sources) };
}

function fastest(costs: readonly Cost[]): Cost {
  return {
    wall: Math.min(...costs.map((one) => one.wall)),
    cpu: Math.min(...costs.map((one) => one.cpu)),
    resident: costs[0]?.resident,
  };
}

const isSource = (path: string): boolean => path.endsWith('.ts') && !path.endsWith('.d.ts');

function copySources(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    filter: (path) =>
      statSync(path).isDirectory() ? !path.slice(from.length).includes('node_modules') : isSource(path),
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(isSource)
    .map((path) => join(folder, path));
}

export function build(folder: string): Promise<Cost> {
  return cost(process.execPath, [resolve(ROOT, 'dist/svc.js'), 'build', '--json'], folder);
}

async function runCtags(files: readonly string[], folder: string): Promise<Cost | undefined> {
  if (spawnSync('ctags', ['--version']).status !== 0) return undefined;
  return cost('ctags', ['--options=NONE', '-L', '-', '-f', join(folder, 'tags')], folder, files.join('\n'));
}

/** Started by a shell that counts what it used; the peak of its memory is read where the system shows it. */
export function cost(command: string, args: readonly string[], cwd: string, input = ''): Promise<Cost> {
  return new Promise((done, reject) => {
    const child = spawn('bash', ['-c', 'TIMEFORMAT="took %R %U %S"; time "$@"', 'bash', command, ...args], {
      cwd,
      stdio: ['pipe', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH ?? '', HOME: join(cwd, '.home') },
    });
    let said = '';
    let resident = 0;
    const watch = setInterval(() => {
      resident = Math.max(resident, child.pid === undefined ? 0 : peakBelow(child.pid));
    }, WATCH_MS);
    child.stderr.on('data', (text) => {
      said += String(text);
    });
    child.on('error', reject);
    child.on('close', (status) => {
      clearInterval(watch);
      const [, wall, user, system] = /took ([\d.]+) ([\d.]+) ([\d.]+)/.exec(said) ?? [];
      if (status !== 0 || wall === undefined) return reject(new Error(`${command} ended with ${status}: ${said}`));
      done({ wall: Number(wall), cpu: Number(user) + Number(system), resident: resident || undefined });
    });
    child.stdin.end(input);
  });
}

/** The most that the shell's child has held, in bytes; 0 where the system does not tell. */
function peakBelow(shell: number): number {
  const children = `/proc/${shell}/task/${shell}/children`;
  if (!existsSync(children)) return 0;
  try {
    const [child] = readFileSync(children, 'utf8').trim().split(' ');
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1];
    return Number(peak ?? 0) * 1024;
  } catch {
    return 0; // It has just ended.
  }
}
