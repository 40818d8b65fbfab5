// Installing the packed tarball as a user does, and seeing that its four programs work.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'vitest';
import { removeFolder } from './remove-folder';

const ROOT = resolve(__dirname, '../..');
/** What other machines have; the Node that a test runs on is there already. */
export const PACKAGES = {
  npm11: 'npm:npm@11.21.2',
  npm12: 'npm:npm@12.2.0',
  pnpm: 'npm:pnpm@10.34.9',
  node20: 'npm:node@20.20.2',
  node22: 'npm:node@22.23.3',
} as const;
const ENTRY = { npm11: 'bin/npm-cli.js', npm12: 'bin/npm-cli.js', pnpm: 'bin/pnpm.cjs' } as const;

export type Manager = keyof typeof ENTRY;
export type NodeName = 'node20' | 'node22' | 'node24';

/** A folder with the tarball, the package managers and the versions of Node. */
export interface Workshop {
  /** An empty project, and the command of a package manager in it, on this Node. */
  project(manager: Manager, node: NodeName): Promise<Installation>;
  remove(): Promise<void>;
}

export interface Installation {
  readonly folder: string;
  /** @throws Error with what it printed, when it ends with another status than 0 */
  manage(...args: string[]): Promise<string>;
  /** Installs the tarball. */
  install(...options: string[]): Promise<string>;
  run(program: string, ...args: string[]): Promise<{ status: number; out: string; err: string }>;
  /** Sees all four programs at work, on the SQLite that is named. */
  expectToWork(driver: 'native' | 'node'): Promise<void>;
}

export async function openWorkshop(...packages: (keyof typeof PACKAGES)[]): Promise<Workshop> {
  const base = await mkdtemp(join(tmpdir(), 'svc-installations-'));
  const tools = join(base, 'tools');
  const fetched = Object.fromEntries(packages.map((name) => [name, PACKAGES[name]]));
  await writeProject(tools, { dependencies: fetched, allowScripts: { node: true } });
  // The packages of Node fetch their binary in a script; the others have none.
  await execute('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], tools, process.env);
  const packed = ['pack', '--ignore-scripts', '--json', '--pack-destination', base];
  const [{ filename }] = JSON.parse(await execute('npm', packed, ROOT, process.env)) as [{ filename: string }];
  let made = 0;
  return {
    async project(manager, node) {
      const folder = join(base, `project-${made++}`);
      await writeProject(folder, {});
      const bin = node === 'node24' ? dirname(process.execPath) : join(tools, 'node_modules', node, 'bin');
      const cli = join(tools, 'node_modules', manager, ENTRY[manager]);
      return installation(folder, join(base, filename), bin, cli, manager);
    },
    remove: () => removeFolder(base),
  };
}

async function writeProject(folder: string, manifest: object): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'somebody', private: true, ...manifest }));
}

function installation(folder: string, tarball: string, bin: string, cli: string, manager: Manager): Installation {
  const home = `${folder}-home`;
  const PATH = [join(folder, 'node_modules', '.bin'), bin, process.env.PATH ?? ''].join(delimiter);
  // Without `npm test`, whose settings reach its children as variables.
  const outside = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(?!config_(?:registry|cafile|proxy|https_proxy)$)/i.test(name),
    ),
  );
  const manage: Installation['manage'] = (...args) =>
    execute(join(bin, 'node'), [cli, ...args], folder, { ...outside, PATH, JOBS: 'max', ...headers() });
  const environment = { PATH, HOME: home };
  const run: Installation['run'] = async (program, ...args) => {
    await mkdir(home, { recursive: true });
    return attempt(join(folder, 'node_modules', '.bin', program), args, folder, environment);
  };
  return {
    folder,
    manage,
    install: (...options) => manage(manager === 'pnpm' ? 'add' : 'install', ...options, tarball),
    run,
    async expectToWork(driver) {
      const ok = async (program: string, ...args: string[]): Promise<string> => {
        const { status, out, err } = await run(program, ...args);
        expect({ status, err }, `${program} ${args.join(' ')}`).toEqual({ status: 0, err: '' });
        return out;
      };
      for (const program of ['svc', 'svc-memory', 'svc-mcp', 'svc-memory-mcp']) {
        expect(await ok(program, '--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
        expect(await ok(program, '--help')).toContain(`Usage: ${program}`);
      }
      await ok('svc-memory', 'init');
      const { versions } = JSON.parse(await ok('svc-memory', 'doctor', '--json')) as { versions: object };
      expect(versions).toMatchObject({ sqlite_driver: driver });
      await writeFile(join(folder, 'a.ts'), 'export function openStore() {}\n');
      expect(await ok('svc', 'build')).toMatch(/1 definitions?/);
      const content = 'It runs wherever it was installed';
      const memory = { command: join(folder, 'node_modules', '.bin', 'svc-memory-mcp'), environment, folder };
      await ask(memory, 'memory_store', { content, kind: 'fact', entities: ['a.ts#openStore'] });
      expect(await ask(memory, 'memory_recall', { query: 'installed wherever' })).toContain(content);
      expect(await ok('svc-memory', 'for-code', 'a.ts')).toContain(content);
      const graph = { ...memory, command: join(folder, 'node_modules', '.bin', 'svc-mcp') };
      expect(await ask(graph, 'query_codebase', { query: 'openStore' })).toContain('openStore');
    },
  };
}

/** What one tool of a server of its own answers. */
async function ask(
  server: { readonly command: string; readonly environment: Record<string, string>; readonly folder: string },
  tool: string,
  input: Record<string, unknown>,
): Promise<string> {
  const client = new Client({ name: 'a user', version: '1.0.0' });
  const { command, environment: env, folder: cwd } = server;
  await client.connect(new StdioClientTransport({ command, args: [], cwd, env }));
  try {
    return JSON.stringify(await client.callTool({ name: tool, arguments: input }));
  } finally {
    await client.close();
  }
}

/** Where the Node of this system brought its C headers along, none are downloaded. */
function headers(): Record<string, string> {
  const prefix = dirname(dirname(process.env.SYSTEM_NODE ?? process.execPath));
  return existsSync(join(prefix, 'include', 'node', 'node_api.h')) ? { npm_config_nodedir: prefix } : {};
}

async function execute(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { status, out, err } = await attempt(command, args, cwd, env);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${out}${err}`);
  return out;
}

async function attempt(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv) {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 1 << 26 });
    return { status: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { status: code, out: stdout, err: stderr };
  }
}
