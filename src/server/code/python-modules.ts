/** Reads a name that begins with a module of Python: `http.client.HTTPConnection.request`. */
import type { Reader } from '../db/sql';
import { filesWithSymbol } from '../graph/find-symbols';

/** What such a name means: a symbol, by its qualified name, in each of these files. */
interface InModule {
  readonly symbol: string;
  readonly paths: readonly string[];
}

const OF_MODULE = /(?:\/__init__)?\.pyi?$/;
/** More parts have only names that are none. */
const MOST_PARTS = 12;

/**
 * @param names with separators as we write them
 * @returns those of them whose first parts are the path of a module, or its end, and whose other parts a symbol in it; of
 *   several ways to read one, that with the longest path
 */
export async function inPythonModules(sql: Reader, names: readonly string[]): Promise<Map<string, InModule>> {
  const splits = names.flatMap((name) => {
    const parts = name.split('.');
    if (parts.length > MOST_PARTS || parts.includes('')) return [];
    return parts
      .slice(1)
      .map((_, i) => ({ name, module: parts.slice(0, i + 1).join('/'), symbol: parts.slice(i + 1).join('.') }))
      .reverse();
  });
  const found = new Map<string, InModule>();
  if (splits.length === 0) return found;
  const files = await filesWithSymbol(sql, [...new Set(splits.map(({ symbol }) => symbol))]);
  for (const { name, module, symbol } of splits) {
    if (found.has(name)) continue;
    const paths = files.filter((file) => file.name === symbol && isModule(file.path, module)).map(({ path }) => path);
    if (paths.length > 0) found.set(name, { symbol, paths });
  }
  return found;
}

function isModule(path: string, module: string): boolean {
  const stem = path.replace(OF_MODULE, '');
  return stem !== path && (stem === module || stem.endsWith(`/${module}`));
}
