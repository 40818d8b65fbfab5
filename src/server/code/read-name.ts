/** Reads a name as the code that it may stand for. */
import { posix } from 'node:path';
import { readValueName } from '../memory/code/values-named';

/** How an entity's name may stand for code. */
export interface Asked {
  readonly name: string;
  /** Without `()`, separators as we write them. */
  readonly symbol: string;
  readonly path: string | undefined;
  /** It means a constant or a variable, or nothing. */
  readonly isValue: boolean;
}

/** `path#name`, `name()`, `Class::method`, `./path` */
export function readName(asked: string): Asked {
  const { name, isValue } = readValueName(asked);
  const hash = name.indexOf('#');
  const path = hash > 0 && hash < name.length - 1 ? asPath(name.slice(0, hash)) : undefined;
  const rest = path === undefined ? name : name.slice(hash + 1);
  const symbol = rest.trim().replace(/\(\)$/, '');
  return { name: asked, path, isValue, symbol: /[\\/]/.test(symbol) ? symbol : symbol.replaceAll('::', '.') };
}

/** Relative to the root; undefined for a path outside of it. */
export function asPath(text: string): string | undefined {
  if (!/[./]/.test(text) || text.length > 1_000) return undefined;
  const path = posix.normalize(text.trim().replaceAll('\\', '/'));
  return path.startsWith('../') || path.startsWith('/') || path === '..' || path === '.' ? undefined : path;
}
