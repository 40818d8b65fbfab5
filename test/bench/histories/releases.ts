/** Released versions of a package as commits of a repository. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { ROOT } from '../servers';

const CACHE = join(ROOT, 'node_modules/.cache/releases');
const SOURCE = /(?<!\.d)\.[mc]?[jt]sx?$/;

/** A line of `data/histories.json`. */
export interface PackageHistory {
  readonly package: string;
  /** Files, and folders with a slash behind them; what is built or not readable is left out. */
  readonly sources: readonly string[];
  /** The oldest first. */
  readonly versions: readonly string[];
}

/** A release in a folder of its own: fetched once, and the sources alone. */
export function releaseFolder({ package: name, sources }: PackageHistory, version: string): string {
  const folder = join(CACHE, `${name.replaceAll('/', '+')}@${version}`);
  if (!existsSync(folder)) {
    const fetched = `${folder}.new`;
    rmSync(fetched, { recursive: true, force: true });
    mkdirSync(fetched, { recursive: true });
    const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', fetched, `${name}@${version}`];
    const file = execFileSync('npm', args, { cwd: CACHE, stdio: ['ignore', 'pipe', 'ignore'] });
    const tarball = join(fetched, basename(file.toString().trim()));
    mkdirSync(folder);
    execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1', '--no-same-owner']);
    rmSync(fetched, { recursive: true });
  }
  const kept = join(CACHE, 'sources', basename(folder));
  rmSync(kept, { recursive: true, force: true });
  for (const path of filesBelow(folder)) {
    const isWanted = sources.some((one) => (one.endsWith('/') ? path.startsWith(one) : path === one));
    if (isWanted && SOURCE.test(path) && !path.endsWith('.min.js')) cpSync(join(folder, path), join(kept, path));
  }
  if (!existsSync(kept)) throw new Error(`${name}@${version} has none of the sources ${sources.join(', ')}.`);
  return kept;
}

/** Paths relative to the folder, in order. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

export function git(folder: string, ...args: string[]): string {
  const settings = ['user.name=bench', 'user.email=bench@localhost', 'advice.detachedHead=false', 'gc.auto=0'];
  const options = settings.flatMap((setting) => ['-c', setting]);
  return execFileSync('git', [...options, ...args], { cwd: folder, stdio: 'pipe' })
    .toString()
    .trim();
}

/** One commit for each folder. @returns the commits */
export function commitReleases(repository: string, folders: readonly string[]): string[] {
  git(repository, 'init', '--quiet', '--initial-branch=main');
  return folders.map((folder) => {
    for (const name of readdirSync(repository)) {
      if (name !== '.git') rmSync(join(repository, name), { recursive: true });
    }
    cpSync(folder, repository, { recursive: true });
    writeFileSync(join(repository, '.gitignore'), '.svc/\n');
    git(repository, 'add', '--all');
    git(repository, 'commit', '--quiet', '--allow-empty', '--message', basename(folder));
    return git(repository, 'rev-parse', 'HEAD');
  });
}
