import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../base/clock';
import { unavailable } from '../base/errors';
import { type IdSource, randomSuffix } from '../base/ids';
import type { Log } from '../base/log';
import { quoted } from '../base/text';
import { StoreFile } from '../db/store-file';
import { openParser, type SourceParser } from '../graph/parser';
import { DEFAULT_NAMESPACE } from '../memory/limits';
import type { Holder, Memory, Scope } from '../memory/memory';
import { MEMORY_MIGRATIONS } from '../memory/migrations/index';
import { checkNamespace } from '../memory/namespaces';
import { newVocabulary } from '../memory/recall/vocabulary';
import type { CodeIndex } from '../memory/touches';
import type { TokenCounter } from '../render/tokens';
import { type CodeGraph, codeGraph } from './code-graph';
import { codeIndex } from './code-index';
import { documentIndex } from './document-index';
import { emptyCodeIndex } from './empty-code-index';
import { finishErase } from './erase';
import { STORE_FOLDER, type StorePlace } from './locate';
import { UseCounter } from './use-counter';
import { type Write, writeWith } from './write';

export interface OpenProject {
  readonly place: StorePlace;
  readonly holder: () => Holder;
  readonly log: Log;
  /** Loaded on first use: the tokenizer's table is 4 MB. */
  readonly tokenizer: () => TokenCounter;
  readonly namespace?: string | undefined;
  readonly clock?: Clock;
  readonly newSuffix?: IdSource;
  readonly code?: CodeIndex;
  /** The folder of the built programs, with the grammars beside them; without it there is no code index. */
  readonly assets?: string;
  /** The root of the code graph where it is not that of the store. */
  readonly graphRoot?: string;
}

/** One opened project: its store, the state of this process in it, and what belongs to closing it. */
export interface Project {
  readonly place: StorePlace;
  readonly store: StoreFile;
  readonly memory: Memory;
  /** The code graph; undefined where code has no root. */
  readonly graph: CodeGraph | undefined;
  /** Reads sources; it loads itself on first use. Undefined where the grammars are not at hand. */
  readonly parser: SourceParser | undefined;
  readonly log: Log;
  readonly tokenizer: () => TokenCounter;
  readonly uses: Pick<UseCounter, 'note' | 'flush'>;
  /** Runs `work` in one transaction, on a copy of the process's scope that is kept when it succeeds. */
  readonly write: Write;
  close(): Promise<void>;
}

/** @throws SvcError unavailable when the store cannot be opened, invalid_input for a namespace that is no name */
export async function openProject(options: OpenProject): Promise<Project> {
  const { place, log } = options;
  const scope: Scope = {
    namespace: checkNamespace(options.namespace ?? DEFAULT_NAMESPACE, '"namespace" (SVC_NAMESPACE or --namespace)'),
    session: undefined,
  };
  await makeFolder(place.path);
  const store = await openStore(place.path);
  const root = options.graphRoot ?? place.root;
  const graph = root === undefined ? undefined : codeGraph(root, log);
  const parser = options.assets === undefined ? undefined : openParser(options.assets);
  const code = graph && parser ? codeIndex(graph, parser) : emptyCodeIndex(place.root);
  const memory: Memory = {
    sql: store,
    scope,
    clock: options.clock ?? Date.now,
    newSuffix: options.newSuffix ?? randomSuffix,
    holder: options.holder,
    code: options.code ?? code,
    vocabulary: newVocabulary(),
    documents: graph && documentIndex(graph),
  };
  const uses = new UseCounter(store, log);
  let closing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    try {
      await uses.flush();
      // Whatever a purge could not wait for (decisions.md: "finished by every later open or close").
      await finishErase(store, 0);
    } finally {
      await graph?.close();
      await store.close();
    }
  };
  return {
    place,
    store,
    memory,
    graph,
    parser,
    log,
    tokenizer: options.tokenizer,
    uses,
    write: writeWith(store, memory, scope),
    async close() {
      closing ??= closeAll();
      await closing;
    },
  };
}

async function openStore(path: string): Promise<StoreFile> {
  const store = await StoreFile.open({ path, migrations: MEMORY_MIGRATIONS, create: true });
  try {
    await finishErase(store, 0);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Makes the store's folder, and keeps a `.svc/` out of version control. */
export async function makeFolder(path: string): Promise<void> {
  const folder = dirname(path);
  try {
    for (const missing of missingFolders(folder)) {
      await mkdir(missing).catch((error: unknown) => {
        // Another process that starts just now may have been faster.
        if (!existsSync(missing)) throw error;
      });
    }
    const ignore = join(folder, '.gitignore');
    if (basename(folder) === STORE_FOLDER) await ignoreDatabases(ignore);
  } catch {
    throw unavailable(
      `The folder ${quoted(folder)} for the store cannot be made or written`,
      'Give this user the right to write there, or set SVC_MEMORY_DB to another file',
    );
  }
}

/** A `.gitignore` that people wrote keeps its lines and gets ours. */
async function ignoreDatabases(file: string): Promise<void> {
  const lines = existsSync(file) ? await readFile(file, 'utf8') : '';
  if (lines.split(/\r?\n/).includes(IGNORED)) return;
  await writeFile(file, `${lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`}${IGNORED}\n`);
}

const IGNORED = '*.db*';

/** Outermost first. Made one by one: mkdir's own `recursive` never ends below some folders of the system (/proc). */
function missingFolders(folder: string): string[] {
  if (existsSync(folder) || dirname(folder) === folder) return [];
  return [...missingFolders(dirname(folder)), folder];
}
