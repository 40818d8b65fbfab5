// npm run package [-- --target <platform> --release]: the extension as a VSIX for this platform, with the SQLite module that was
// compiled here. The command of vsce takes any module for that of the platform that it is told. A module of another platform cannot be made here, so its VSIX is made there.
// @ts-check
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { binaryTarget } from './binary-target.mjs';
import { missingAddress } from './release-address.mjs';
import { ROOT, setUp, stop } from './setup.mjs';

/** @param {string} target such as `linux-x64` @param {string} [out] its file @returns {Promise<string>} its file */
export async function packageExtension(target, out) {
  const native = join(ROOT, 'dist', 'vscode-sqlite3.node');
  const built = binaryTarget(native);
  if (built !== target) {
    throw new Error(
      `There is no SQLite module for ${target}: the one that was compiled here is for ${built ?? 'another platform than this Node'}.\n` +
        `Run "npm run package" on a machine of the platform ${target}; .github/workflows/package.yml does so for all of them.`,
    );
  }
  const { name, version, repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env;
  const hosted = GITHUB_SERVER_URL && GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : undefined;
  const packagePath = out ?? join(ROOT, `${name}-${target}-${version}.vsix`);
  // Only now is it certain that there are packages.
  const { createVSIX } = await import('@vscode/vsce');
  await createVSIX({
    cwd: ROOT,
    target,
    packagePath,
    dependencies: false,
    // The Marketplace shows README.md with addresses of the repository, which package.json or a runner of GitHub names.
    rewriteRelativeLinks: hosted !== undefined || hasKnownForm(repository),
    ...(hosted && { baseContentUrl: `${hosted}/blob/HEAD`, baseImagesUrl: `${hosted}/raw/HEAD` }),
    allowMissingRepository: true,
    skipLicense: true,
  });
  return packagePath;
}

/** vsce knows how files are addressed on these two. @param {{ url?: string } | undefined} repository */
function hasKnownForm(repository) {
  return /^(?:git\+)?https:\/\/git(?:hub|lab)\.com\//.test(repository?.url ?? '');
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const { values } = parseArgs({
      options: { target: { type: 'string' }, out: { type: 'string' }, release: { type: 'boolean' } },
    });
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const missing = values.release ? missingAddress(manifest) : undefined;
    if (missing !== undefined) throw new Error(missing);
    if (values.release && !hasKnownForm(manifest.repository)) {
      console.error(
        'Links and pictures of README.md stay relative: only addresses of GitHub and GitLab are known to vsce.',
      );
    }
    await setUp();
    const here = binaryTarget(join(ROOT, 'dist', 'vscode-sqlite3.node'));
    const file = await packageExtension(values.target ?? here ?? 'this platform', values.out && resolve(values.out));
    console.log(`${file}: ${(statSync(file).size / 1e6).toFixed(1)} MB`);
  } catch (error) {
    stop(error instanceof Error ? error.message : String(error));
  }
}
