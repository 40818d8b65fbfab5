import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingEntries } from '../../scripts/complete-lockfile.mjs';
import { ROOT, read } from './project-files';

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly contributes: {
    readonly commands: readonly { readonly title: string }[];
    readonly configuration: {
      readonly properties: Readonly<
        Record<string, { readonly description?: string; readonly markdownDescription?: string }>
      >;
    };
  };
}

interface Lockfile {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly hasInstallScript?: boolean; readonly resolved?: string }>
  >;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const lockfile = JSON.parse(read('package-lock.json')) as Lockfile;

/** Paths in the package that `npm publish` would send, with their sizes in bytes. */
function packed(): ReadonlyMap<string, number> {
  // Built already, by `npm test`; the scripts of packing would build a second time.
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const [report] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })) as [
    { readonly files: readonly { readonly path: string; readonly size: number }[] },
  ];
  return new Map(report.files.map(({ path, size }) => [path, size]));
}

describe('the npm package', () => {
  it('holds the executables with what they need, and nothing of the workshop', () => {
    const files = packed();
    const texts = ['README.md', 'LICENSE', 'dist/THIRD-PARTY-LICENCES.txt'];
    const bundles = Object.values(manifest.bin).map((path) => path.replace(/\.js$/, '.bundle.js'));
    for (const path of [...Object.values(manifest.bin), ...bundles, 'dist/o200k_base.bin', 'package.json', ...texts]) {
      expect(files.get(path), path).toBeGreaterThan(0);
    }
    // It would fit the publisher's platform; npm compiles the dependency for everybody else's.
    expect([...files.keys()].filter((path) => path.endsWith('.node'))).toEqual([]);
    // The extension is in the VSIX. Some versions of npm take what "main" names along.
    expect(
      [...files.keys()].filter((path) =>
        /language-server|webview|terminal-bin|-sdk\.js$|^(?:agent|media)\//.test(path),
      ),
    ).toEqual([]);
    const allowed = /^(?:(?:dist|plugin)\/|(?:README|CHANGELOG)\.md$|LICENSE$|package\.json$)/;
    expect([...files.keys()].filter((path) => !allowed.test(path))).toEqual([]);
  });

  it('is no library: "main" is the editor’s, and Node says that there is nothing to import', () => {
    const script = `try { require('svc-memory') } catch ({ code }) { console.log(code) }`;
    const said = execFileSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8' });
    expect(said.trim()).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });

  it('stays small enough to be fetched while one waits', () => {
    const MEGABYTE = 1 << 20;
    expect([...packed().values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(12 * MEGABYTE);
  });

  it('has executables that a shell can start', () => {
    for (const path of Object.values(manifest.bin)) {
      const file = join(ROOT, path);
      expect(readFileSync(file, 'utf8').startsWith('#!/usr/bin/env node\n'), path).toBe(true);
      expect(statSync(file).mode & 0o111, path).toBe(0o111);
    }
  });
});

describe('the manifest', () => {
  it('says for every package with an install script whether it may run', () => {
    const scripted = Object.entries(lockfile.packages).filter(([, entry]) => entry.hasInstallScript === true);
    const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(Object.keys(manifest.allowScripts).sort()).toEqual([...new Set(names)].sort());
  });

  it('is locked without the address of any registry', () => {
    expect(Object.entries(lockfile.packages).filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
    expect(read('package-lock.json')).not.toMatch(/https?:\/\/[^"]*\.tgz/);
    expect(read('.npmrc')).not.toMatch(/registry=|\/\//);
  });

  it('locks the editor of the workbench tests in the same way', () => {
    const editor = JSON.parse(read('test/workbench/editor/package-lock.json')) as Lockfile;
    expect(Object.values(editor.packages).filter((entry) => entry.resolved !== undefined)).toEqual([]);
    expect(missingEntries(editor)).toEqual({});
    expect(read('test/workbench/editor/.npmrc')).toBe(read('.npmrc'));
  });

  it('gives every command, view and setting a text that can be translated', () => {
    const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;
    const used = new Set([...read('package.json').matchAll(/"%([\w.-]+)%"/g)].map((match) => match[1] ?? ''));
    expect([...used].filter((key) => texts[key] === undefined)).toEqual([]);
    expect(Object.keys(texts).filter((key) => !used.has(key))).toEqual([]);
    const { contributes } = manifest;
    const shown = [
      ...contributes.commands.map(({ title }) => title),
      ...Object.values(contributes.configuration.properties).map(
        (each) => each.markdownDescription ?? each.description,
      ),
    ];
    expect(shown.filter((text) => !/^%.+%$/.test(text ?? ''))).toEqual([]);
  });

  it('is locked for all platforms; "npm run lockfile" adds what is missing', () => {
    expect(missingEntries(lockfile)).toEqual({});
  });

  it('knows the platform of a package that no lockfile names yet', () => {
    const packages = {
      'node_modules/a': {
        dev: true,
        optionalDependencies: { '@a/b-linux-arm-musleabihf': '1.2.3', fsevents: '~2.3.3' },
      },
      'node_modules/c': { optionalDependencies: { '@c/darwin-arm64': '2.0.0', '@c/win32-x64-msvc': '2.0.0' } },
      'node_modules/c/node_modules/@c/win32-x64-msvc': { version: '2.0.0' },
    };
    expect(missingEntries({ packages })).toEqual({
      'node_modules/@a/b-linux-arm-musleabihf': {
        version: '1.2.3',
        dev: true,
        optional: true,
        cpu: ['arm'],
        os: ['linux'],
        libc: ['musl'],
      },
      'node_modules/@c/darwin-arm64': { version: '2.0.0', optional: true, cpu: ['arm64'], os: ['darwin'] },
    });
  });

  it('promises the oldest Node that the bundles are built for', () => {
    const major = /^>=(\d+)$/.exec(manifest.engines.node)?.[1];
    expect(read('esbuild.mjs')).toContain(`target: 'node${major}'`);
  });
});
