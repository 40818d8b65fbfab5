/** Decides whether paths stay inside a root. */
import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join, posix, relative, sep } from 'node:path';
import { leadsOut } from '../base/project-path';

/**
 * Decides whether paths relative to a root stay inside it, links on the way included. A missing file counts as inside.
 * Nothing behind a link that leads out is looked at, so that callers learn nothing about it. Use one function for one
 * question with many paths: it looks at each folder once.
 */
export function insideRoot(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>([['.', true]]);
  let real: string | undefined;
  const staysInside = (path: string): boolean => {
    try {
      real ??= realpathSync.native(root);
      const way = relative(real, realpathSync.native(join(root, path)));
      return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
    } catch {
      // It leads nowhere, or in a circle.
      return false;
    }
  };
  const isInside = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const inside = isInside(posix.dirname(path)) && (!isLink(join(root, path)) || staysInside(path));
    known.set(path, inside);
    return inside;
  };
  return (path) => !leadsOut(path) && isInside(posix.normalize(path));
}

/** In milliseconds: a store's files are asked about one by one, thousands of them in a row. */
const KEPT_MS = 1_000;

/** The same for questions that come one by one: what was seen of a folder is good for a moment. */
export function insideRootForAMoment(root: string): (path: string) => boolean {
  let isInside = insideRoot(root);
  let until = 0;
  return (path) => {
    const now = performance.now();
    if (now > until) {
      isInside = insideRoot(root);
      until = now + KEPT_MS;
    }
    return isInside(path);
  };
}

/** Junctions are links, too. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}
