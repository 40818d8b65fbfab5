import { statSync } from 'node:fs';
import { join } from 'node:path';
import { SvcError, unavailable } from '../base/errors';
import type { Log } from '../base/log';
import { shownPath } from '../base/text';
import type { StoreFile } from '../db/store-file';
import { GRAPH_NAME, openGraph } from '../graph/open-graph';
import { STORE_FOLDER } from './locate';

/** The graph of a root as it is at this moment: it may be built, built anew or deleted while the process runs. */
export interface CodeGraph {
  readonly root: string;
  /** The graph; undefined while none has been built, or when what is there cannot be read. */
  current(): Promise<StoreFile | undefined>;
  /** What is there cannot be used, as current() found. */
  damaged(): boolean;
  close(): Promise<void>;
}

export function graphFile(root: string): string {
  return join(root, STORE_FOLDER, GRAPH_NAME);
}

export function codeGraph(root: string, log: Log): CodeGraph {
  const path = graphFile(root);
  let identity: string | undefined;
  let opened: Promise<StoreFile | undefined> = Promise.resolve(undefined);
  let unusable: string | undefined;
  const close = async (): Promise<void> => {
    const before = opened;
    identity = undefined;
    opened = Promise.resolve(undefined);
    await (await before)?.close();
  };
  return {
    root,
    async current() {
      const now = identityOf(path);
      if (now !== identity) {
        const before = opened;
        identity = now;
        opened = before.then(async (old) => {
          await old?.close();
          if (now === undefined) return undefined;
          const graph = await open(path, log);
          unusable = graph ? undefined : now;
          return graph;
        });
      }
      return opened;
    },
    damaged: () => identity !== undefined && unusable === identity,
    close,
  };
}

/** A graph is derived: one that cannot be read is no reason to refuse what can be done without it. */
async function open(path: string, log: Log): Promise<StoreFile | undefined> {
  try {
    return await openGraph(path, false);
  } catch (error) {
    log(`the code graph is not used; delete it and run "svc build": ${error instanceof Error ? error.message : ''}`);
    return undefined;
  }
}

/** For what cannot be done without it. @throws SvcError unavailable with the remedy of a file that can be made anew */
export async function requireGraphFile(file: string, create: boolean): Promise<StoreFile> {
  try {
    return await openGraph(file, create);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw unusableGraph(file);
  }
}

export function unusableGraph(file: string): SvcError {
  return unavailable(
    `The code graph ${shownPath(file)} cannot be used: it is damaged, newer than this program, or may not be written`,
    'Delete it and run "svc build" again; it holds nothing that cannot be built anew',
  );
}

/** The number of a file that was deleted may be given out again at once, so the time of its making counts, too. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && stats.size > 0 ? `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` : undefined;
}
