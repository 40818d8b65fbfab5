import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { slimSdk } from '../../../scripts/slim-sdk.mjs';

const ROOT = resolve(__dirname, '../../..');
/** In the project's folder, so that it finds the packages. */
const SERVER = join(ROOT, 'node_modules/.cache/conformance-server.cjs');
const FIXTURES = resolve(__dirname, 'fixtures.ts');

/** Builds `svc-memory-mcp` with the fixtures of the suite, which what ships does not hold. Gives its file. */
export async function buildServerWithFixtures(): Promise<string> {
  await build({
    entryPoints: [join(ROOT, 'src/server/main/memory-mcp.ts')],
    outfile: SERVER,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['@vscode/*', 'openai', '@anthropic-ai/sdk'],
    // What lies beside the built programs, it takes from there.
    define: { __dirname: JSON.stringify(join(ROOT, 'dist')) },
    logLevel: 'warning',
    plugins: [
      slimSdk(),
      {
        name: 'fixtures',
        setup({ onResolve }) {
          onResolve({ filter: /^\.\.\/mcp\/memory-server$/ }, () => ({ path: FIXTURES }));
        },
      },
    ],
  });
  return SERVER;
}
