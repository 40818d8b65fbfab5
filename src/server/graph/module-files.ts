/** Finds the files that an import means. */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { familyOf, languageOf } from './language-of';
import { ALL_LANGUAGES } from './languages';
import { folderOf, type Manifests } from './manifests';

/** Which files a module means, as an import writes it. */

/** Files that stand for the folder they lie in, and folders that stand for the one around them. */
const FOLDER_FILES = new Set(['index', '__init__', 'mod', 'lib', 'main']);
const TRANSPARENT = new Set(['src', 'lib', 'dist']);
/** Below the root and below a project in it, modules of Python may lie in one of these. */
const SOURCE_ROOTS = new Set(['', 'src', 'lib', 'python']);
const EXTENSION = new RegExp(
  `(?:${ALL_LANGUAGES.flatMap((one) => one.writtenEndings).join('|')})$`.replaceAll('.', '\\.'),
);
const STANDARD_CRATES = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);

/** How well a file fits a module: the higher the better; below CERTAIN it may be another one of that name. */
export const CERTAIN = 1;
const NEARER = 2;
const UNCERTAIN = 0.5;
const NONE = 0;

/** The path without extension that a module relative to its file means; undefined for other modules. */
export function relativePath(module: string, from: string): string | undefined {
  const folder = posix.dirname(from);
  const { modules } = familyOf(from);
  if (modules === 'python') {
    const dots = /^\.+/.exec(module)?.[0].length ?? 0;
    if (dots === 0) return undefined;
    return posix.join(folder, '../'.repeat(dots - 1), module.slice(dots).replaceAll('.', '/'));
  }
  if (modules === 'script root') {
    const path = ofScriptRoot(module);
    return path.startsWith('.') ? posix.join(folder, path.replace(EXTENSION, '')) : undefined;
  }
  if (modules === 'crate') return pathInCrate(module, from);
  return /^\.\.?(?:\/|$)/.test(module) ? posix.join(folder, module.replace(EXTENSION, '')) : undefined;
}

/** `"$PSScriptRoot\\db.ps1"` as `./db.ps1` */
function ofScriptRoot(module: string): string {
  return module
    .replace(/^["']|["']$/g, '')
    .replaceAll('\\', '/')
    .replace(/^\$PSScriptRoot(?=\/)/i, '.');
}

function pathInCrate(module: string, from: string): string | undefined {
  const [start = '', ...rest] = module.split(/::|\./);
  const own = modulePaths(from).at(-1) ?? '';
  if (start === 'self') return posix.join(own, ...rest);
  if (start === 'super') {
    const up = rest.findIndex((part) => part !== 'super');
    const ups = up < 0 ? rest.length : up;
    return posix.join(own, ...Array<string>(ups + 1).fill('..'), ...rest.slice(ups));
  }
  if (start !== 'crate') return undefined;
  const root = /^(?:.*\/)?src(?=\/)/.exec(from)?.[0] ?? posix.dirname(from);
  return posix.join(root, ...rest);
}

/** A file as the path without extension that imports of it mean: that of its folder for `index` and the like. */
export function modulePaths(file: string): readonly string[] {
  const stem = posix.join(posix.dirname(file), stemOf(file));
  return FOLDER_FILES.has(stemOf(file)) ? [stem, posix.dirname(file)] : [stem];
}

/** `require 'lib/db.php'`, where other modules are namespaces. */
export function isWrittenPath(module: string, from: string): boolean {
  return module.includes('/') || (languageOf(from)?.writtenEndings ?? []).some((one) => module.endsWith(one));
}

/** How well a file fits a module that is not relative, and not a namespace. */
export function fit(module: string, from: string, file: string, manifests: Manifests): number {
  const { modules } = familyOf(from);
  switch (modules) {
    case 'package':
      return fitScript(module, from, file, manifests);
    case 'python':
      return fitPython(module, from, file);
    case 'go':
      return fitGo(module, file, manifests);
    case 'crate':
      return fitRust(module, from, file, manifests);
    case 'include':
      return fitInclude(module, from, file);
    case 'script root':
      return fitPath(ofScriptRoot(module), from, file);
    case 'path':
      return fitPath(module, from, file);
  }
}

/** A bare name is a package; with a slash or behind `@`, `~`, `#` it may be a path of a tsconfig. */
function fitScript(module: string, from: string, file: string, manifests: Manifests): number {
  if (/^\w+:/.test(module) || isBuiltin(module)) return NONE;
  const own = manifests.above(file, 'package.json');
  if (own && (module === own.name || module.startsWith(`${own.name}/`))) {
    const rest = partsOf(module.slice(own.name.length));
    const inside = partsOf(file.slice(own.folder === '' ? 0 : own.folder.length + 1));
    return inPackage(rest, inside) ? CERTAIN : NONE;
  }
  const scoped = /^@\w/.test(module);
  const parts = partsOf(module.replace(/^[@~#]/, ''));
  if (parts.length < 2 && !/^[@~#]/.test(module)) return NONE;
  const whole = fitEnd(parts, from, file);
  // `@app/db`: an alias, or a package from elsewhere.
  return whole === NONE && scoped && fitEnd(parts.slice(1), from, file) > NONE ? UNCERTAIN : whole;
}

function inPackage(rest: readonly string[], path: readonly string[]): boolean {
  const inner = path[0] !== undefined && path.length > 1 && TRANSPARENT.has(path[0]) ? path.slice(1) : path;
  const stem = [...inner.slice(0, -1), stemOf(inner.at(-1) ?? '')];
  if (FOLDER_FILES.has(stem.at(-1) ?? '') && stem.length === rest.length + 1) stem.pop();
  return stem.length === rest.length && stem.every((part, i) => part === rest[i]);
}

function fitPython(module: string, from: string, file: string): number {
  const parts = module.split('.');
  const found = fitEnd(parts, from, file, SOURCE_ROOTS);
  if (found === NONE || parts.length > 1) return found;
  // One name alone is a standard module or a package, unless it lies where programs look for modules.
  const [stem = '', folder = stem] = modulePaths(file);
  const before = folderOf(stem.endsWith(`/${module}`) || stem === module ? stem : folder);
  if (SOURCE_ROOTS.has(before)) return CERTAIN;
  return before === folderOf(from) ? UNCERTAIN : NONE;
}

function fitGo(module: string, file: string, manifests: Manifests): number {
  const folder = folderOf(file);
  const own = manifests.above(file, 'go.mod');
  if (own) {
    const inside = folder.slice(own.folder === '' ? 0 : own.folder.length + 1);
    return module === (inside === '' ? own.name : `${own.name}/${inside}`) ? CERTAIN : NONE;
  }
  const parts = partsOf(module);
  // Packages whose name begins without a dot are the standard ones.
  if (!parts[0]?.includes('.')) return NONE;
  const path = partsOf(folder);
  const count = agreeing(parts, path);
  return count >= 2 || (count > 0 && count === path.length) ? count : NONE;
}

function fitRust(module: string, from: string, file: string, manifests: Manifests): number {
  const parts = module.split(/::|\./);
  const [crate = '', ...rest] = parts;
  if (STANDARD_CRATES.has(crate)) return NONE;
  const child = posix.join(modulePaths(from).at(-1) ?? '', ...parts);
  if (modulePaths(file).includes(child)) return NEARER;
  const own = manifests.above(file, 'Cargo.toml');
  if (own?.name.replaceAll('-', '_') !== crate) return NONE;
  return modulePaths(file).includes(posix.join(own.folder, 'src', ...rest)) ? CERTAIN : NONE;
}

/** `"db.h"` lies beside its file, or at the end of a path; `<db.h>` is the system's, `<acme/db.h>` may be here. */
function fitInclude(module: string, from: string, file: string): number {
  const system = module.startsWith('<');
  const path = module.replace(/^<|>$/g, '').replace(EXTENSION, '');
  const stem = posix.join(posix.dirname(file), stemOf(file));
  if (!system && posix.join(posix.dirname(from), path) === stem) return NEARER;
  const parts = partsOf(path);
  if (system && parts.length < 2) return NONE;
  return agreeing(parts, partsOf(stem)) === parts.length ? CERTAIN : NONE;
}

function fitPath(module: string, from: string, file: string): number {
  return fitEnd(partsOf(module.replace(EXTENSION, '')), from, file, undefined);
}

/** All of the module at the end of the file's path, certainly where what stands before is around the file that asks. */
function fitEnd(
  parts: readonly string[],
  from: string,
  file: string,
  roots: ReadonlySet<string> = TRANSPARENT,
): number {
  const plain = parts.map((part, i) => (i === parts.length - 1 ? part.replace(EXTENSION, '') : part));
  let best = NONE;
  for (const path of modulePaths(file)) {
    const all = partsOf(path);
    // `store/src/index`
    const pathsMeant = TRANSPARENT.has(all.at(-1) ?? '') ? [all, all.slice(0, -1)] : [all];
    for (const meant of pathsMeant) {
      if (agreeing(plain, meant) !== plain.length || plain.length === 0) continue;
      best = Math.max(best, isRoot(meant.slice(0, -plain.length), from, roots) ? CERTAIN : UNCERTAIN);
    }
  }
  return best;
}

function isRoot(before: readonly string[], from: string, roots: ReadonlySet<string>): boolean {
  const folder = roots.has(before.at(-1) ?? '') ? before.slice(0, -1) : before;
  const around = partsOf(folderOf(from));
  return [folder, before].some((one) => one.every((part, i) => part === around[i]));
}

function agreeing(parts: readonly string[], path: readonly string[]): number {
  let count = 0;
  while (count < parts.length && count < path.length && parts.at(-1 - count) === path.at(-1 - count)) count += 1;
  return count;
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

function stemOf(file: string): string {
  return posix.basename(file).replace(/\.[^.]+$/, '');
}
