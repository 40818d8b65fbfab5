import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { SERVER_FILE, serverEnvironment, withPlace, withServer } from '../../support/stdio-client';
import { startBridge } from './bridge';

const PACKAGES = resolve(__dirname, '../../../node_modules/@modelcontextprotocol');
const SUITE = join(PACKAGES, 'conformance/dist/index.js');
const INSPECTOR = join(PACKAGES, 'inspector/clients/launcher/build/index.js');
const MINUTES = 60_000;

const HTTP_ONLY = 'About the event streams of HTTP, which the bridge has and the server does not';

/** Checks that do not pass, and why. One that passes after all must leave this list. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'server-sse-priming-event': HTTP_ONLY,
  'server-sse-retry-field': HTTP_ONLY,
};
/** So many checks the suite makes: fewer would mean that it broke off. */
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
    const bridge = await startBridge(place);
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

test('the fixtures of the suite are not there without its switch', () =>
  withServer(async ({ client }) => {
    const { tools } = await client.listTools();
    expect(tools.filter(({ name }) => !name.startsWith('memory_'))).toEqual([]);
    expect(client.getServerCapabilities()).toEqual({ tools: {}, prompts: {}, resources: {}, completions: {} });
    await expect(client.readResource({ uri: 'test://static-text' })).rejects.toThrow();
  }));
