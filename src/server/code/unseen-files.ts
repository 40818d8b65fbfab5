/** Finds the files that the code graph has not seen yet. */
import type { Reader } from '../db/sql';
import { sourceFiles } from '../graph/source-files';

/** Files that the graph does not know, or knows as they were: newest first. */
export type UnseenFiles = (graph: Reader) => Promise<readonly string[]>;

/** After a checkout of another branch hundreds may be new; each costs a millisecond to read. */
const MOST_FILES = 300;
const MOST_BYTES = 5_000_000;
/** Questions come in bursts: what was found is good for this many times as long as it took to find. */
const KEPT_TIMES = 3;

export function unseenFiles(root: string): UnseenFiles {
  let until = 0;
  let found: Promise<readonly string[]> = Promise.resolve([]);
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

async function find(graph: Reader, root: string): Promise<string[]> {
  const { files } = sourceFiles(root);
  const rows = await graph.all<{ i: number }>(
    `SELECT now.key AS i FROM json_each($files) AS now
     WHERE NOT EXISTS (SELECT 1 FROM graph_files AS f WHERE f.path = now.value ->> 0 AND f.size = now.value ->> 1
                         AND f.modified_ms = now.value ->> 2)
       AND NOT EXISTS (SELECT 1 FROM graph_left_out AS l WHERE l.path = now.value ->> 0 AND l.size = now.value ->> 1
                         AND l.modified_ms = now.value ->> 2)`,
    { files: JSON.stringify(files.map(({ path, size, modified_ms }) => [path, size, modified_ms])) },
  );
  const unseen = rows.flatMap(({ i }) => files[i] ?? []).sort((a, b) => b.modified_ms - a.modified_ms);
  const paths: string[] = [];
  let bytes = 0;
  for (const { path, size } of unseen.slice(0, MOST_FILES)) {
    bytes += size;
    if (bytes > MOST_BYTES) break;
    paths.push(path);
  }
  return paths;
}
