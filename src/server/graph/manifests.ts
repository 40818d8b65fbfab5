/** Reads the names of modules and packages from their manifests. */
import { join, posix } from 'node:path';
import { readRegularFile } from '../base/regular-file';

/** What a folder says that it is called by others: the module of a `go.mod`, the name of a package. */
export interface Manifest {
  /** Relative to the root; empty for the root itself. */
  readonly folder: string;
  readonly name: string;
}

export interface Manifests {
  /** The nearest one above a file that gives a name. */
  above(file: string, kind: ManifestKind): Manifest | undefined;
}

export type ManifestKind = 'go.mod' | 'package.json' | 'Cargo.toml';

const NAMES: Readonly<Record<ManifestKind, RegExp>> = {
  'go.mod': /^module\s+"?([^\s"]+)/m,
  // At the start of a line, or of the object in it.
  'package.json': /^(?:\{[ \t]*|[ \t]*)"name"\s*:\s*"([^"]+)"/m,
  'Cargo.toml': /^\[package\][^[]*?^name\s*=\s*"([^"]+)"/m,
};

/** A longer one was not written by people, nor is it asked for more than its name. */
const MAX_MANIFEST_BYTES = 1_000_000;

/** Reads each file once, when it is first asked about. */
export function openManifests(root: string): Manifests {
  const known = new Map<string, Manifest | undefined>();
  const find = (folder: string, kind: ManifestKind): Manifest | undefined => {
    const key = `${kind} ${folder}`;
    if (known.has(key)) return known.get(key);
    const name = NAMES[kind].exec(textOf(root, join(folder, kind)))?.[1];
    const above = folder === '' ? undefined : find(folderOf(folder), kind);
    const found = name === undefined ? above : { folder, name };
    known.set(key, found);
    return found;
  };
  return { above: (file, kind) => find(folderOf(file), kind) };
}

/** Empty for the root. */
export function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === '.' ? '' : folder;
}

function textOf(root: string, file: string): string {
  const reading = { max: MAX_MANIFEST_BYTES, links: { inside: root } };
  return readRegularFile(join(root, file), reading).bytes?.toString('utf8') ?? '';
}
