import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { SERVER_FILE, serverEnvironment, withPlace, withServer } from '../../support/stdio-client';
import { startBridge } from './bridge';
import { buildServerWithFixtures } from './server';

const PACKAGES = resolve(__dirname, '../../../node_modules/@modelcontextprotocol');
const SUITE = join(PACKAGES, 'conformance/dist/index.js');
const INSPECTOR = join(PACKAGES, 'inspector/clients/launcher/build/index.js');
const MINUTES = 60_000;
const FIXTURES = /test_simple_text|test:\/\//;

const HTTP_ONLY = 'About the event streams of HTTP, which the bridge has and the server does not';

/** Checks that do not pass, and why. One that passes after all must leave this list. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'server-sse-priming-event': HTTP_ONLY,
  'server-sse-retry-field': HTTP_ONLY,
};
/** How many checks the suite makes: fewer would mean that it broke off. */
const CHECKS = 51;

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

function runSuite(url: string, folder: string): Promise<string> {
  return new Promise((done) => {
    const args = [SUITE, 'server', '--url', url, '--suite', 'all', '--output-dir', folder];
    execFile(process.execPath, args, { cwd: folder, timeout: 2 * MINUTES }, (_, stdout, stderr) =>
      done(stdout + stderr),
    );
  });
}

test('the official conformance suite passes, apart from named exceptions', { timeout: 3 * MINUTES }, () =>
  withPlace({}, async (place) => {
    const bridge = await startBridge(place, await buildServerWithFixtures());
    const output = await runSuite(bridge.url, place.folder);
    await bridge.close();
    const files = (await readdir(place.folder, { recursive: true })).filter((file) => file.endsWith('checks.json'));
    const checks: Check[] = [];
    for (const file of files) checks.push(...(JSON.parse(await readFile(join(place.folder, file), 'utf8')) as Check[]));
    const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
    expect(checks.length, output.slice(-2_000)).toBeGreaterThanOrEqual(CHECKS);
    expect(failed.map(({ id }) => id).sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  }),
);

test('the inspector finds no tool whose schemas a host could not use', () =>
  withPlace({}, async (place) => {
    const args = [INSPECTOR, '--cli', process.execPath, SERVER_FILE, '--method', 'tools/list', '--strict'];
    const options = { cwd: place.folder, env: serverEnvironment(place) };
    const { status, output } = await new Promise<{ status: unknown; output: string }>((done) => {
      execFile(process.execPath, args, options, (error, stdout, stderr) =>
        done({ status: error?.code ?? 0, output: stdout + stderr }),
      );
    });
    expect(output).toContain('"memory_recall"');
    expect(status, output.slice(-2_000)).toBe(0);
  }));

test('what ships offers nothing of the fixtures', async () => {
  const shipped = SERVER_FILE.replace(/\.js$/, '.bundle.js');
  const holds = async (file: string): Promise<boolean> => FIXTURES.test(await readFile(file, 'utf8'));
  expect(await holds(await buildServerWithFixtures())).toBe(true);
  expect(await holds(shipped)).toBe(false);
  await withServer(async ({ client }) => {
    expect(client.getServerCapabilities()).toEqual({ tools: {}, prompts: {}, resources: {}, completions: {} });
  });
});
