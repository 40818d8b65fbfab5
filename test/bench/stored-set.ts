import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { openProject, type Project } from '../../src/server/project/open';
import type { TokenCounter } from '../../src/server/render/tokens';
import { callTool } from '../../src/server/tools/call-tool';
import { MEMORY_TOOLS } from '../../src/server/tools/registry';
import { urlOf } from '../../src/store-place/store-place';
import { testHolder } from '../support/holder';
import type { SetStore } from './quality-sets';
import { ROOT } from './servers';

const KEPT = join(ROOT, 'node_modules/.cache/bench/stores');
/** What the content of a store depends on, besides the memories. */
const WRITERS = join(ROOT, 'src/server/memory');
const READS_ONLY = /[\\/]recall[\\/]/;

/** The store of a set, opened in this process. */
export interface StoredSet {
  readonly project: Project;
  /** The id of each memory by its key. */
  readonly ids: ReadonlyMap<string, string>;
  /** A folder of its own, for a baseline. */
  readonly folder: string;
}

/**
 * Runs `work` on the memories of one store, imported by one `memory_import`. The store is kept in `node_modules/.cache`, so
 * that the next run does not import again, until the memories or the code that stores them change.
 */
export async function withStoredSet<Result>(
  store: SetStore,
  tokenizer: TokenCounter,
  work: (stored: StoredSet) => Promise<Result>,
): Promise<Result> {
  const folder = join(KEPT, createHash('sha1').update(codeHash()).update(JSON.stringify(store.memories)).digest('hex'));
  if (!existsSync(folder)) {
    mkdirSync(KEPT, { recursive: true });
    // Moved into place when it is whole: a run that is stopped leaves no half of it, and two runs may meet.
    const aside = mkdtempSync(join(KEPT, 'new-'));
    await withProject(aside, tokenizer, (project) => importInto(project, store, aside));
    try {
      renameSync(aside, folder);
    } catch (error) {
      rmSync(aside, { recursive: true });
      if (!existsSync(folder)) throw error;
    }
  }
  const ids = new Map(JSON.parse(readFileSync(join(folder, IDS), 'utf8')) as [string, string][]);
  return withProject(folder, tokenizer, (project) => work({ project, ids, folder }));
}

const IDS = 'ids.json';

async function importInto(project: Project, { memories }: SetStore, folder: string): Promise<void> {
  const nodes = memories.map(({ key: _, ...object }) => object);
  // A set of others holds what it holds: the keys of a test in a commit message are part of what is searched.
  const answer = await callTool(MEMORY_TOOLS, project, 'memory_import', { nodes }, { allowSecret: true });
  if (!answer.ok) throw new Error(answer.text);
  // The tool's own type is lost behind its name.
  const { node_ids, errors } = answer.value as { node_ids: string[]; errors: unknown[] };
  if (errors.length > 0) throw new Error(`memory_import: ${JSON.stringify(errors).slice(0, 1_000)}`);
  const ids = memories.flatMap(({ key }, i) => (key === undefined ? [] : [[key, node_ids[i] ?? '']]));
  writeFileSync(join(folder, IDS), JSON.stringify(ids));
}

export async function withProject<Result>(
  folder: string,
  tokenizer: TokenCounter,
  work: (project: Project) => Promise<Result>,
): Promise<Result> {
  const project = await openProject({
    place: { url: urlOf(join(folder, '.svc', 'memory.db')), kind: 'named', reason: 'benchmark', root: folder },
    home: join(folder, 'home'),
    holder: () => testHolder(),
    log: () => undefined,
    tokenizer: () => tokenizer,
  });
  try {
    return await work(project);
  } finally {
    await project.close();
  }
}

let hashed: string | undefined;

function codeHash(): string {
  if (hashed !== undefined) return hashed;
  const hash = createHash('sha1');
  const files = readdirSync(WRITERS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  for (const name of files.sort()) {
    if (!READS_ONLY.test(`/${name}`)) hash.update(readFileSync(join(WRITERS, name)));
  }
  hashed = hash.digest('hex');
  return hashed;
}
