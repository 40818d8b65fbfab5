import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { binaryTarget } from '../../../scripts/binary-target.mjs';
import { packageExtension } from '../../../scripts/package.mjs';
import { EDITOR_BUILT_IN } from '../../../scripts/setup-workbench.mjs';
import { ROOT, runEditor } from './editor-server';
import { until } from './until';

const CACHE = join(ROOT, 'node_modules', '.cache', 'workbench');
const PROBE = join(ROOT, 'test', 'workbench', 'model-extension');
/** What the VSIX is made of. */
const PARTS = ['dist', 'agent', 'media', 'l10n', 'package.json', 'package.nls.json', 'README.md', '.vscodeignore'];

/** What another one makes is waited for so long. */
const MADE_WITHIN_MS = 120_000;
/** Longer than any run. */
const KEPT_MS = 30 * 60_000;

let prepared: Promise<string> | undefined;

export interface Extensions {
  /** The folder of installed extensions: ours, from its VSIX, and the probe. */
  readonly installed: string;
  /** That of those that come with the editor, without those that no window needs. */
  readonly builtIn: string;
}

/** Made once for each state of what is built, and shared by all runs. */
export async function extensionsForTests(): Promise<Extensions> {
  prepared ??= prepare();
  const folder = await prepared;
  return { installed: join(folder, 'extensions'), builtIn: join(folder, 'built-in') };
}

async function prepare(): Promise<string> {
  const target = binaryTarget(join(ROOT, 'dist', 'vscode-sqlite3.node'));
  if (target === undefined) throw new Error('dist/ has no SQLite module of a known platform: npm run build');
  const newest = Math.max(...[...PARTS.map((part) => join(ROOT, part)), PROBE].map(newestIn));
  const folder = join(CACHE, `${Math.round(newest)}`);
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return folder;
  forgetOld();
  mkdirSync(CACHE, { recursive: true });
  // What a run left that was ended in the midst of it.
  if (existsSync(folder) && Date.now() - statSync(folder).mtimeMs > MADE_WITHIN_MS) rmSync(folder, { recursive: true });
  let own = folder;
  if (!makeFolder(folder)) {
    // Another file of this run is at it.
    const isMade = until('the extensions are installed', MADE_WITHIN_MS, () => existsSync(complete));
    if (await isMade.catch(() => false)) return folder;
    // Aside: where it is installed is part of what is installed.
    own = mkdtempSync(`${folder}-`);
  }

  const ours = await packageExtension(target, join(own, 'svc-memory.vsix'));
  const probe = join(own, 'probe.vsix');
  await createVSIX({
    cwd: PROBE,
    packagePath: probe,
    dependencies: false,
    allowMissingRepository: true,
    skipLicense: true,
  });
  await runEditor([
    ...['--user-data-dir', join(own, 'data'), '--extensions-dir', join(own, 'extensions')],
    ...[ours, probe].flatMap((file) => ['--install-extension', file]),
  ]);
  linkBuiltIn(join(own, 'built-in'));
  writeFileSync(join(own, 'complete'), '');
  return own;
}

/** Of the extensions that come with the editor. What they do is not what is tested, and takes a third of a window's time. */
const LEFT_OUT =
  /^(?:copilot|typescript-language-features|ms-vscode\..*|github.*|microsoft-authentication|git|emmet|npm|grunt|gulp|jake|debug-.*|(?:php|css|html)-language-features|terminal-suggest|tunnel-forwarding)$/;

/** Links to those that every window has. */
function linkBuiltIn(folder: string): void {
  mkdirSync(folder);
  for (const name of readdirSync(EDITOR_BUILT_IN)) {
    if (!LEFT_OUT.test(name)) symlinkSync(join(EDITOR_BUILT_IN, name), join(folder, name));
  }
}

/** @returns false when it is there already */
function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}

/** What other builds have left, unless a run may still be using it. */
function forgetOld(): void {
  if (!existsSync(CACHE)) return;
  for (const name of readdirSync(CACHE)) {
    const old = join(CACHE, name);
    // Another file's tests may be deleting it as well.
    const made = statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > KEPT_MS) rmSync(old, { recursive: true, force: true });
  }
}

function newestIn(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}
