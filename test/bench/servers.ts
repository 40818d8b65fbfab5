import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { RpcClient } from './rpc-client';

/** The folder of the project: `npm run bench` and `npm test` both run there. */
export const ROOT = process.cwd();
const BUNDLES = join(ROOT, 'node_modules/.cache/bench');

/** Where one server keeps what it stores. */
export interface Place {
  readonly folder: string;
  /** Of all files in it, in bytes. Only right when the server has ended. */
  bytes(): number;
}

/** Runs `work` with an empty folder that is removed after it. */
export async function withPlace<Result>(work: (place: Place) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const bytes = () => readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  try {
    return await work({ folder, bytes });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Our server as it is built, on a store in the place. */
export function startMemoryServer(
  { folder }: Pick<Place, 'folder'>,
  more: Readonly<Record<string, string>> = {},
): RpcClient {
  const env = { SVC_MEMORY_DB: join(folder, 'memory.db'), HOME: folder, ...more };
  return new RpcClient(resolve(ROOT, 'dist/svc-memory-mcp.js'), folder, env);
}

/** The official memory server, as it is published. */
export function startOfficialServer({ folder }: Place): RpcClient {
  const manifest = createRequire(join(ROOT, 'package.json')).resolve(
    '@modelcontextprotocol/server-memory/package.json',
  );
  const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
  return new RpcClient(join(dirname(manifest), 'dist/index.js'), folder, env);
}

/** A server that does nothing: the least there can be, bundled like ours, or as the SDK's documentation has it. */
export function startDoNothingServer({ folder }: Place, bundled: 'alike' | 'plainly'): RpcClient {
  return new RpcClient(join(BUNDLES, bundled === 'alike' ? 'do-nothing.js' : 'do-nothing-plain.js'), folder, {});
}

/** Runs `work` with a server that has shaken hands, and ends it. */
export async function withServer<Result>(
  server: RpcClient,
  work: (server: RpcClient) => Promise<Result>,
): Promise<Result> {
  try {
    await server.handshake();
    return await work(server);
  } finally {
    await server.close();
  }
}
