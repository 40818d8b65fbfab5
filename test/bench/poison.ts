import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { honestMemories, type Planted, plantedMemories } from '../support/poisoned';
import { ended, program } from './programs';
import { RpcClient } from './rpc-client';
import { ROOT, withPlace, withServer } from './servers';

const PLANTED = 200;
const BUDGET = 4_000;

/** How planted memories came in, and where they were seen afterwards. */
export interface PoisonFigures {
  readonly way: string;
  readonly planted: number;
  /** Lines of the briefing. */
  readonly briefing: number;
  /** Lines of the answers to everyday questions about the same things, by whether they carry a mark. */
  readonly unmarked: number;
  readonly marked: number;
}

interface Project {
  readonly folder: string;
  readonly home: string;
}

type Way = (
  project: Project,
  planted: readonly Planted[],
  storeAll: (kept: readonly object[]) => Promise<void>,
) => Promise<void>;

const WAYS: Readonly<Record<string, Way>> = {
  'a file that a person imports': async ({ folder, home }, planted) => {
    writeFileSync(join(folder, 'notes.json'), JSON.stringify(planted.map(({ kind, content }) => ({ kind, content }))));
    await ended(commands(folder, home), [program('svc-memory'), 'import', 'notes.json']);
  },
  'an agent that has read foreign text': async ({ folder, home }, planted, storeAll) => {
    const input = JSON.stringify({ session_id: 's', cwd: folder, tool_name: 'WebFetch', tool_input: {} });
    await ended(commands(folder, home), [program('svc-memory'), 'hook', 'post-tool-use'], input);
    await storeAll(planted);
  },
  'a store that comes with the folder': async ({ folder, home }, planted, storeAll) => {
    await storeAll(planted);
    // Another file, and a machine that has never seen it.
    rmSync(join(home, '.svc'), { recursive: true, force: true });
    cpSync(join(folder, '.svc'), join(folder, 'copy'), { recursive: true });
    rmSync(join(folder, '.svc'), { recursive: true });
    cpSync(join(folder, 'copy'), join(folder, '.svc'), { recursive: true });
  },
  'an agent, and nothing marks it: as without these rules': async (_, planted, storeAll) => storeAll(planted),
};

const commands = (project: string, home: string) => ({ project, environment: { HOME: home } });

/** Plants the same 200 memories by each way beside honest ones, and asks what an agent would ask. */
export async function measurePoison(): Promise<PoisonFigures[]> {
  const planted = plantedMemories(PLANTED);
  const figures: PoisonFigures[] = [];
  for (const [way, plant] of Object.entries(WAYS)) {
    figures.push(
      await withPlace(async ({ folder: base }) => {
        const project = { folder: join(base, 'project'), home: join(base, 'home') };
        for (const folder of Object.values(project)) mkdirSync(folder);
        await ended(commands(project.folder, project.home), [program('svc-memory'), 'init']);
        const serve = <Result>(work: (server: RpcClient) => Promise<Result>): Promise<Result> =>
          withServer(
            new RpcClient(resolve(ROOT, 'dist/svc-memory-mcp.js'), project.folder, { HOME: project.home }),
            work,
          );
        const storeAll = (memories: readonly object[]): Promise<void> =>
          serve(async (server) => {
            for (const memory of memories) {
              const { question: _, ...fields } = memory as Planted;
              await server.value('memory_store', fields);
            }
          });
        await storeAll(honestMemories());
        await plant(project, planted, storeAll);
        return { way, planted: planted.length, ...(await serve((server) => seen(server, planted))) };
      }),
    );
  }
  return figures;
}

async function seen(
  server: RpcClient,
  planted: readonly Planted[],
): Promise<Pick<PoisonFigures, 'briefing' | 'unmarked' | 'marked'>> {
  const contents = new Set(planted.map(({ content }) => content));
  const linesOf = async (query: string): Promise<string[]> =>
    (await server.text('memory_recall', { query, budget_tokens: BUDGET }))
      .split('\n')
      .filter((line) => contents.has(line.slice(line.indexOf(' — ') + 3)));
  const briefing = (await linesOf('project context')).length;
  let [unmarked, marked] = [0, 0];
  for (const question of new Set(planted.map((one) => one.question))) {
    for (const line of await linesOf(question)) {
      if (/ · (?:proposed|foreign)\b/.test(line)) marked += 1;
      else unmarked += 1;
    }
  }
  return { briefing, unmarked, marked };
}
