// Agents beside each other, agents that are killed, the plugin, and hosts that npm does not have: `npm run test:agents`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codeProjectOnce, withCodeProject } from '../support/code-project';
import { processesIn } from '../workbench/support/processes';
import { type Machine, withMachine } from './agent-place';
import { AGENTS, type Agent } from './agents';
import type { ModelRequest, Reply } from './model-server';
import { followScript, isCalled, type Step } from './script';

const ENDED_WITHIN_MS = 10_000;
const STORED = 10;
const EDITS = 10;
const PLUGIN = resolve(__dirname, '../../plugin');

const named = (id: string): Agent => {
  const agent = AGENTS.find((one) => one.id === id);
  if (!agent) throw new Error(`There is no agent ${id}`);
  return agent;
};

/** The folder of a project with a function, and its store. */
function prepare({ folder, ours }: Machine): void {
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/a.ts'), 'export function a() {\n  return 1;\n}\n');
  ours(['init']);
  ours(['build'], 'svc');
}

describe('two agents at once', () => {
  it('store into one memory, each in a session of its own, and nothing is lost', async () => {
    const agents = [named('claude'), named('gemini')];
    const facts = ({ name }: Agent): Step[] =>
      Array.from({ length: STORED }, (_, at) => ({
        tool: 'memory_store',
        input: { content: `${name} found out about the number ${at * 7919}`, kind: 'fact' },
      }));
    const [claude, gemini] = agents.map((agent) => followScript(facts(agent)));
    const isClaude = ({ path }: ModelRequest): boolean => path.endsWith('/messages');
    const answer = (request: ModelRequest): Reply =>
      (isClaude(request) ? claude : gemini)?.answer(request) ?? { text: '' };
    await withMachine(answer, async (machine) => {
      prepare(machine);
      for (const agent of agents) agent.configure(machine);
      machine.ours(['setup', ...agents.map(({ id }) => id), '--yes']);
      const ended = await Promise.all(agents.map((agent) => machine.run(agent).ended));
      expect(ended.map(({ status }) => status)).toEqual([0, 0]);
      const { kind_counts: kinds } = JSON.parse(machine.ours(['stats', '--json'])) as {
        kind_counts: Record<string, number>;
      };
      expect(kinds).toMatchObject({ fact: agents.length * STORED, session: agents.length });
      const sessions = JSON.parse(machine.ours(['list-sessions', '--json'])) as { node_count: number }[];
      expect(sessions.map(({ node_count: count }) => count)).toEqual([STORED, STORED]);
    });
  });
});

describe.each(AGENTS)('$name, killed in the middle of its work', (agent) => {
  it('leaves no process behind, and its memory whole', async () => {
    const script = followScript([{ tool: 'memory_store', input: { content: 'Kept all the same', kind: 'fact' } }]);
    let waits = (): void => {};
    const isWaiting = new Promise<void>((done) => {
      waits = done;
    });
    const answer = (request: ModelRequest): Reply | Promise<Reply> => {
      if (!script.isDone() && !isStored(request)) return script.answer(request);
      waits();
      return new Promise(() => {});
    };
    await withMachine(answer, async (machine) => {
      prepare(machine);
      agent.configure(machine);
      machine.ours(['setup', agent.id, '--yes']);
      const running = machine.run(agent);
      await Promise.race([isWaiting, running.ended.then(({ said }) => Promise.reject(new Error(said)))]);
      expect(processesIn(machine.home).length).toBeGreaterThan(1);
      running.kill();
      // Some agents go on in a process of their own.
      for (const { pid, commandLine } of processesIn(machine.home)) {
        if (!commandLine.some((word) => /\bsvc-(?:memory-)?mcp\b/.test(word))) process.kill(pid, 'SIGKILL');
      }
      await expect.poll(() => processesIn(machine.home), { timeout: ENDED_WITHIN_MS }).toEqual([]);
      expect(machine.ours(['recall', 'kept'])).toContain('Kept all the same');
    });
  });
});

/** The result of memory_store has come back. */
function isStored({ body }: ModelRequest): boolean {
  return body.includes('linked_entity_ids');
}

describe.each([named('claude'), named('copilot')])('the plugin in $name', (agent) => {
  it('brings the memory of the project in which the agent was started', async () => {
    let seen = '';
    const script = followScript([
      {
        tool: 'memory_recall',
        input: { query: 'slow disk' },
        look: ({ body }) => {
          seen = body;
        },
      },
    ]);
    await withMachine(script.answer, async (machine) => {
      prepare(machine);
      machine.ours(['store', 'Waits because of a slow disk', '--kind', 'decision', '--entities', 'src/a.ts#a']);
      agent.configure(machine);
      const start: Agent['start'] = (place, prompt) => {
        const { command, env } = agent.start(place, prompt);
        return { command: [...command, '--plugin-dir', PLUGIN], env };
      };
      const { said, status } = await machine.run({ ...agent, start }).ended;
      expect([status, script.missing()], said).toEqual([0, []]);
      expect(seen).toContain('Waits because of a slow disk');
      const [first] = machine.model.requests;
      expect(first?.tools.some(({ name }) => isCalled(name, 'memory_recall'))).toBe(true);
      expect(machine.hooks().includes('session-start')).toBe(agent.id === 'claude');
    });
  });
});

const decided = codeProjectOnce(
  Object.fromEntries(
    Array.from({ length: EDITS }, (_, at) => [
      `src/part${at}.js`,
      `export function part${at}() {\n  return ${at};\n}\n`,
    ]),
  ),
  async (project) => {
    await project.build();
    for (let at = 0; at < EDITS; at++) {
      const on = ['--kind', 'decision', '--entities', `src/part${at}.js#part${at}`];
      await project.ok('store', `The customer ${at} wants it`, ...on);
    }
  },
);

/** What these hosts tell a hook of an edit, as they document it. */
const HOSTS: Readonly<Record<string, (path: string, old: string) => readonly [event: string, input: object]>> = {
  vscode: (filePath, oldString) => [
    'pre-tool-use',
    { tool_name: 'replace_string_in_file', tool_input: { filePath, oldString, newString: '' } },
  ],
  cursor: (path, old_string) => [
    'post-tool-use',
    { tool_name: 'Write', tool_input: { file_path: path, old_string, new_string: '' } },
  ],
};

describe.each(Object.entries(HOSTS))('an edit in the form of %s', (host, call) => {
  it(`is told its decision, in ${EDITS} of ${EDITS}`, () =>
    withCodeProject(
      {},
      async (project) => {
        let told = 0;
        for (let at = 0; at < EDITS; at++) {
          const [event, input] = call(project.path('src', `part${at}.js`), `  return ${at};`);
          const { out } = await project.run(['hook', event, '--host', host], {
            input: JSON.stringify({ cwd: project.folder, session_id: 'one', conversation_id: 'one', ...input }),
          });
          if (out.includes(`The customer ${at} wants it`)) told += 1;
        }
        expect(told).toBe(EDITS);
      },
      decided,
    ));
});
