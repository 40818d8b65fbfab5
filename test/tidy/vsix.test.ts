import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { binaryTarget } from '../../scripts/binary-target.mjs';
import { packageExtension } from '../../scripts/package.mjs';
import { ROOT, read } from './project-files';

/** As vsce reads a VSIX; it has no types for that. */
const { readZip }: { readZip(file: string, wanted: (name: string) => boolean): Promise<Map<string, Buffer>> } =
  createRequire(import.meta.url)('@vscode/vsce/out/zip.js');

const MEGABYTE = 1_000_000;
const NATIVE = join(ROOT, 'dist', 'vscode-sqlite3.node');

let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'svc-vsix-'));
});
afterAll(() => rmSync(scratch, { recursive: true }));

describe('the extension as a VSIX', () => {
  it('holds the programs with their native module, what agents are told, and nothing of the workshop', async () => {
    const files = await listFiles({ cwd: ROOT, packageManager: PackageManager.None });
    const { main } = JSON.parse(read('package.json')) as { readonly main: string };
    for (const path of [
      ...[main.replace(/^\.\//, ''), 'dist/svc-memory-mcp.js', 'dist/svc-mcp.js', 'dist/svc-language-server.js'],
      ...['dist/vscode-sqlite3.node', 'dist/o200k_base.bin', 'dist/webview/main.js', 'dist/THIRD-PARTY-LICENCES.txt'],
      ...['dist/anthropic-sdk.js', 'dist/openai-sdk.js', 'dist/terminal-bin/svc', 'dist/terminal-bin/svc-memory.cmd'],
      ...['media/icon.png', 'media/memory.svg', 'package.nls.json', 'README.md', 'LICENSE'],
    ]) {
      expect(files).toContain(path);
    }
    const allowed =
      /^(?:(?:dist|agent|media|l10n)\/|package(?:\.nls(?:\.\w+)?)?\.json$|(?:README|CHANGELOG)\.md$|LICENSE$)/;
    expect(files.filter((path) => !allowed.test(path))).toEqual([]);
  });

  it('has the editor load little before it waits for others, its API once, and the rest in pieces', () => {
    // What is required in an assignment is loaded at once, what is required in a call when it is called.
    const needed = (file: string): string[] => [
      file,
      ...[...read(file).matchAll(/=require\("(\.[^"]+)"\)/g)].flatMap(([, path = '']) =>
        needed(join(dirname(file), path)),
      ),
    ];
    const first = [...new Set(needed('dist/extension.js'))].map(read).join('');
    expect(first.match(/require\("vscode"\)/g)).toHaveLength(1);
    expect(first.length).toBeLessThan(40_000);
    const later = readdirSync(join(ROOT, 'dist/extension')).map((file) => join('dist/extension', file));
    for (const text of ['createTreeView', 'textDocument/didOpen']) {
      expect(first).not.toContain(text);
      expect(later.filter((file) => read(file).includes(text))).toHaveLength(1);
    }
  });

  it('holds every file that the manifest names', () => {
    const named = [
      ...read('package.json').matchAll(
        /"(?:path|icon|main|light|dark|markdown|image)": "([^"$]+\.(?:js|json|md|png|svg))"/g,
      ),
    ];
    const missing = named.map((match) => match[1] ?? '').filter((path) => !existsSync(join(ROOT, path)));
    expect(missing).toEqual([]);
    expect(named.length).toBeGreaterThan(6);
  });

  it('is made for the platform whose module was compiled, in less than 10 MB, and refused for any other', async () => {
    const here = binaryTarget(NATIVE) ?? '';
    expect(here).toMatch(/^(?:linux|alpine|darwin|win32)-(?:x64|arm64|armhf)$/);
    vi.stubEnv('GITHUB_SERVER_URL', 'https://git.example').stubEnv('GITHUB_REPOSITORY', 'some/where');
    const file = await packageExtension(here, join(scratch, 'here.vsix'));
    vi.unstubAllEnvs();
    // Links and pictures hold on the page of the Marketplace, which knows no folder.
    const page = (await readZip(file, (name) => name === 'extension/readme.md')).get('extension/readme.md');
    const links = [...String(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    expect(links).toContain('https://git.example/some/where/raw/HEAD/media/screenshots/editor.png');
    expect(links.filter((target) => !/^https:|^#/.test(target))).toEqual([]);
    expect(statSync(file).size).toBeLessThan(10 * MEGABYTE);
    const other = here === 'win32-arm64' ? 'darwin-x64' : 'win32-arm64';
    await expect(packageExtension(other, join(scratch, 'other.vsix'))).rejects.toThrow(
      `There is no SQLite module for ${other}: the one that was compiled here is for ${here}.`,
    );
    expect(existsSync(join(scratch, 'other.vsix'))).toBe(false);
  });

  it('is for no platform where Node cannot load the module', () => {
    const foreign = join(scratch, 'foreign.node');
    writeFileSync(foreign, 'no module of any kind');
    expect(binaryTarget(foreign)).toBeUndefined();
    expect(binaryTarget(join(scratch, 'missing.node'))).toBeUndefined();
    expect(binaryTarget(NATIVE)).toContain(`-${process.arch.replace(/^arm$/, 'armhf')}`);
  });
});
