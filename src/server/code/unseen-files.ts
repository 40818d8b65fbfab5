/** Finds the files that the code graph has not seen yet. */
import type { Reader } from '../db/sql';
import { type SourceFile, sourceFiles } from '../graph/source-files';

/** Files that the graph does not know, or knows as they were. */
export interface Unseen {
  /** So few that all of them can be taken apart. */
  readonly newest: readonly string[];
  /** After a checkout of another branch: only those that may hold what is looked for are worth it. */
  readonly others: readonly string[];
}

export type UnseenFiles = (graph: Reader) => Promise<Unseen>;

/** In place of a code graph that is not there: it has seen no file, so that all of them are looked into. */
export const NOTHING_SEEN: Reader = { all: async () => [], get: async () => undefined };

/** Each costs a millisecond to take apart. */
const NEWEST = { files: 300, bytes: 5_000_000 };
/** To look for a word in one costs a tenth of that. */
const OTHERS = { files: 10_000, bytes: 100_000_000 };
/** Questions come in bursts: what was found is good for this many times as long as it took to find. */
const KEPT_TIMES = 3;

export function unseenFiles(root: string): UnseenFiles {
  let until = 0;
  let found: Promise<Unseen> = Promise.resolve({ newest: [], others: [] });
  return (graph) => {
    const started = performance.now();
    if (started < until) return found;
    until = Number.POSITIVE_INFINITY;
    found = find(graph, root).finally(() => {
      const ended = performance.now();
      until = ended + KEPT_TIMES * (ended - started);
    });
    return found;
  };
}

async function find(graph: Reader, root: string): Promise<Unseen> {
  const { files } = sourceFiles(root);
  const unseen = (graph === NOTHING_SEEN ? [...files] : await notIn(graph, files)).sort(
    (a, b) => b.modified_ms - a.modified_ms,
  );
  const newest = within(unseen, NEWEST);
  return { newest, others: within(unseen.slice(newest.length), OTHERS) };
}

/** The files that the graph does not know as they are. */
async function notIn(graph: Reader, files: readonly SourceFile[]): Promise<SourceFile[]> {
  const rows = await graph.all<{ i: number }>(
    `SELECT now.key AS i FROM json_each($files) AS now
     WHERE NOT EXISTS (SELECT 1 FROM graph_files AS f WHERE f.path = now.value ->> 0 AND f.size = now.value ->> 1
                         AND f.modified_ms = now.value ->> 2)
       AND NOT EXISTS (SELECT 1 FROM graph_left_out AS l WHERE l.path = now.value ->> 0 AND l.size = now.value ->> 1
                         AND l.modified_ms = now.value ->> 2)`,
    { files: JSON.stringify(files.map(({ path, size, modified_ms }) => [path, size, modified_ms])) },
  );
  return rows.flatMap(({ i }) => files[i] ?? []);
}

function within(found: readonly SourceFile[], most: typeof NEWEST): string[] {
  const paths: string[] = [];
  let bytes = 0;
  for (const { path, size } of found.slice(0, most.files)) {
    bytes += size;
    if (bytes > most.bytes) break;
    paths.push(path);
  }
  return paths;
}
