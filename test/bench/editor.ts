import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../support/random';
import { type CorpusMemory, makeCorpus } from './corpus';
import { LspClient } from './lsp-client';
import { type CommandPlace, ended, program } from './programs';
import { ROOT, startMemoryServer, withPlace, withServer } from './servers';
import { best, type Timing, timed, timing } from './timing';

/** What an editor asks of the language server, in a project of this size, in milliseconds. */
export interface EditorSpeed {
  readonly size: number;
  /** Memories that are about a function or class of the sources, and how many of those there are. */
  readonly touching: { readonly memories: number; readonly symbols: number };
  /** An answer for a document that lies in no folder: what the way there and back costs. */
  readonly nothing: Timing;
  /** The lenses of a document that was just edited, with their words. */
  readonly lens: Timing;
  /** On a name that has memories, of a document whose lenses are shown. */
  readonly hover: Timing;
  /** `memory_for_code` of a file. */
  readonly forCode: Timing;
  /** The first page of the trees: the newest memories, the newest sessions. */
  readonly nodes: Timing;
  readonly sessions: Timing;
  /** From the answer to another process that stored something to the word of it in the window. */
  readonly noticed: Timing & { readonly longest: number };
  /** In bytes, after five seconds of rest: opened and asked once; after an import of everything through it. */
  readonly resident: { readonly fresh: number | undefined; readonly imported: number | undefined };
  /** From the spawn to the end of `svc-memory hook session-start`, and of a Node that does nothing. */
  readonly hook: Timing;
  readonly node: Timing;
}

export interface EditorOptions {
  readonly size: number;
  readonly runs: number;
  readonly calls: number;
  readonly spawns: number;
  /** Writes of another process that are waited for. */
  readonly notices: number;
  /** Before memory is looked at, in milliseconds. */
  readonly rest: number;
  readonly progress: (text: string) => void;
}

const SOURCES = 'src/server';
const IMPORT_CALL = 10_000;
/** One memory in this many is about code. */
const ABOUT_CODE = 5;
const DOCUMENTS = 40;
/** Of the side bar, and one more to tell whether there are others. */
const PAGE = 51;
const BETWEEN_NOTICES_MS = 700;
const SEED = 4;

interface ListedSymbol {
  readonly code_type: string;
  readonly name: string;
  readonly file_path: string;
  readonly start_line: number;
}

/** Our own sources, and memories of which one in five is about a function or class of them. */
export function measureEditor(options: EditorOptions): Promise<EditorSpeed> {
  return withPlace(async ({ folder }) => {
    const { size, runs, calls, progress } = options;
    const project = join(folder, 'project');
    mkdirSync(join(project, '.git'), { recursive: true });
    cpSync(join(ROOT, SOURCES), join(project, SOURCES), { recursive: true });
    progress(`editor: import of ${size}`);
    const environment = { HOME: folder };
    const place = { project, environment };
    await ended(place, [program('svc-memory'), 'init']);
    await ended(place, [program('svc'), 'build', '--json']);

    const symbols = await listSymbols(project, environment);
    const memories = aboutCode(makeCorpus(size).memories, symbols);
    const imported = await LspClient.with(project, environment, async (server) => {
      for (let at = 0; at < size; at += IMPORT_CALL) {
        await server.call('memory_import', { nodes: memories.slice(at, at + IMPORT_CALL) });
      }
      await rest(options.rest);
      return server.residentBytes();
    });

    const documents = [...new Set(symbols.map(({ file_path }) => file_path))].sort().slice(0, DOCUMENTS);
    const measured = await LspClient.with(project, environment, async (server) => {
      await server.call('nodes', { limit: PAGE });
      await rest(options.rest);
      const fresh = server.residentBytes();
      const texts = new Map(documents.map((path) => [path, readFileSync(join(project, path), 'utf8')]));
      for (const [path, text] of texts) server.open(path, text);
      const names = symbols.filter(({ file_path }) => texts.has(file_path));
      const at = <Item>(items: readonly Item[], i: number): Item => items[i % items.length] as Item;
      let edits = 0;
      const asked: Record<
        'nothing' | 'lens' | 'hover' | 'forCode' | 'nodes' | 'sessions',
        (i: number) => Promise<unknown>
      > = {
        nothing: () => server.lenses('untitled:Untitled-1'),
        lens: (i) => {
          const path = at(documents, i);
          edits += 1;
          server.edit(path, `${texts.get(path)}// ${edits}\n`);
          return server.lenses(server.uri(path));
        },
        hover: (i) => {
          const { file_path, name, start_line } = at(names, i);
          const line = texts.get(file_path)?.split('\n')[start_line - 1] ?? '';
          const character = line.indexOf(name.slice(name.lastIndexOf('.') + 1));
          return server.hover(file_path, start_line - 1, character + 1);
        },
        forCode: (i) => server.call('memory_for_code', { file_path: at(documents, i) }),
        nodes: () => server.call('nodes', { limit: PAGE }),
        sessions: () => server.call('sessions', { limit: PAGE }),
      };
      const timings = {} as Record<keyof typeof asked, Timing>;
      for (const name of Object.keys(asked) as (keyof typeof asked)[]) {
        progress(`editor: ${name}`);
        const all: Timing[] = [];
        for (let i = 0; i < Math.min(calls, DOCUMENTS); i++) await asked[name](i);
        for (let run = 0; run < runs; run++) {
          const times: number[] = [];
          for (let i = 0; i < calls; i++) times.push((await timed(() => asked[name](i))).ms);
          all.push(timing(times));
        }
        timings[name] = best(all);
      }
      progress('editor: another process');
      return { ...timings, fresh, noticed: await notices(server, project, options.notices) };
    });
    progress('editor: hook');
    const { fresh, ...timings } = measured;
    return {
      size,
      touching: { memories: Math.ceil(size / ABOUT_CODE), symbols: symbols.length },
      ...timings,
      resident: { fresh, imported },
      ...(await hooks(place, options.spawns)),
    };
  });
}

async function listSymbols(project: string, environment: Readonly<Record<string, string>>): Promise<ListedSymbol[]> {
  return LspClient.with(project, environment, async (server) => {
    const found: ListedSymbol[] = [];
    let cursor: string | null = null;
    do {
      const page: { entities: ListedSymbol[]; next_cursor: string | null } = await server.call('list_entities', {
        limit: 1_000,
        ...(cursor ? { cursor } : {}),
      });
      found.push(...page.entities);
      cursor = page.next_cursor;
    } while (cursor);
    return found.filter(({ code_type }) => ['function', 'class', 'method'].includes(code_type));
  });
}

function aboutCode(memories: readonly CorpusMemory[], symbols: readonly ListedSymbol[]): CorpusMemory[] {
  const random = seededRandom(SEED);
  return memories.map((memory, i) => {
    if (i % ABOUT_CODE > 0) return memory;
    const { file_path, name } = random.of(symbols);
    return { ...memory, entities: [...memory.entities, `${file_path}#${name}`] };
  });
}

async function notices(server: LspClient, project: string, count: number): Promise<Timing & { longest: number }> {
  return withServer(startMemoryServer({ folder: join(project, '.svc') }), async (other) => {
    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      const told = server.nextChange();
      await other.text('memory_store', { content: `Stored by another process, ${i}`, kind: 'fact' });
      const stored = performance.now();
      times.push(Math.max(0, (await told) - stored));
      // The word of it may be one of several.
      await rest(BETWEEN_NOTICES_MS);
    }
    return { ...timing(times), longest: Math.max(...times) };
  });
}

async function hooks(place: CommandPlace, spawns: number) {
  const input = JSON.stringify({ cwd: place.project, hook_event_name: 'SessionStart' });
  const times: Record<'node' | 'hook', number[]> = { node: [], hook: [] };
  // In turns, so that a load of the machine meets both. The first round fills the caches.
  for (let round = 0; round <= spawns; round++) {
    const node = await timed(() => ended(place, ['--eval', '0']));
    const hook = await timed(() => ended(place, [program('svc-memory'), 'hook', 'session-start'], input));
    if (round === 0) continue;
    times.node.push(node.ms);
    times.hook.push(hook.ms);
  }
  return { hook: timing(times.hook), node: timing(times.node) };
}

function rest(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
