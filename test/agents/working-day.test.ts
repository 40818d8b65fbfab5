// One working day of each agent, with a scripted model: `npm run test:agents`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RULES } from '../../src/server/guidance/sentences';
import { folderSnapshot } from '../support/folder-snapshot';
import { connectServer } from '../support/stdio-client';
import { realTokenizer } from '../support/tokenizer';
import { processesIn } from '../workbench/support/processes';
import { type Machine, withMachine } from './agent-place';
import { AGENTS } from './agents';
import type { ModelRequest } from './model-server';
import { type AgentDay, writeDays } from './results';
import { followScript, isCalled, NEEDED, OUR_TOOLS, type Step } from './script';

const EDITS = 10;
/** More than fit into the answer to a question that sets no budget. */
const ON_ONE_FILE = 25;
const ENDED_WITHIN_MS = 10_000;

const days: AgentDay[] = [];
afterAll(() =>
  writeDays(
    days,
    AGENTS.map(({ id }) => id),
  ),
);

const parts = Array.from({ length: EDITS }, (_, at) => at);
const source = (at: number): string => `export function part${at}(value: number) {\n  return value + ${at};\n}\n`;
const decision = (at: number): string => `part${at} keeps its sum because of what customer number ${at} asked for`;
const onLong = (at: number): string => `long has its property number ${at} since the year ${1970 + at}`;

/** A project that others have worked in: a function for each edit, with a decision on it. */
async function prepare({ folder, home, ours }: Machine): Promise<void> {
  mkdirSync(join(folder, 'src'));
  ours(['init']);
  for (const at of parts) writeFileSync(join(folder, 'src', `part${at}.ts`), source(at));
  writeFileSync(join(folder, 'src/long.ts'), 'export function long() {}\n');
  ours(['build'], 'svc');
  const { text, close } = await connectServer({ folder, home });
  for (const at of parts) {
    await text('memory_store', {
      ...{ content: decision(at), kind: 'decision', entities: [`src/part${at}.ts#part${at}`] },
      rationale: `Customer ${at} pays for it`,
    });
  }
  for (let at = 0; at < ON_ONE_FILE; at++) {
    await text('memory_store', { content: onLong(at), kind: 'fact', entities: ['src/long.ts#long'] });
  }
  await close();
}

const holds = ({ body }: ModelRequest, text: string): boolean => body.includes(text);

describe.each(AGENTS)('$name', (agent) => {
  it('works through a day with the memory, and leaves nothing behind', async () => {
    const seen = { whole: 0, inContext: 0 };
    let steps: readonly Step[] = [];
    let follow = followScript([]);
    await withMachine(
      (request) => follow.answer(request),
      async (machine) => {
        const { folder, home, ours, model } = machine;
        await prepare(machine);
        agent.configure(machine);
        const contents = (): unknown => [folder, home].map(contentsOf);
        const untouched = contents();
        ours(['setup', agent.id, '--yes']);
        expect(contents()).not.toEqual(untouched);
        ours(['setup', '--remove', '--yes']);
        expect(contents()).toEqual(untouched);
        ours(['setup', agent.id, '--yes']);
        if (!agent.instructions) ours(['setup', 'agents-md', '--yes']);

        const whole = (...texts: string[]) => ({
          look: (request: ModelRequest) => {
            if (texts.every((text) => holds(request, text))) seen.whole += 1;
          },
        });
        const edits = Array.from({ length: EDITS }, (_, at) => {
          const path = join(folder, 'src', `part${at}.ts`);
          const asked = { tool: 'memory_for_code', input: { file_path: `src/part${at}.ts` } };
          const calls = agent.edit({ path, old: `  return value + ${at};`, now: `  return value - ${at};` });
          const [last, ...others] = [...calls].reverse();
          const told = {
            ...(last as Step),
            look: (request: ModelRequest) => {
              if (holds(request, decision(at))) seen.inContext += 1;
            },
          };
          return [...(agent.hooks ? [] : [asked]), ...others.reverse(), told];
        });
        steps = [
          { tool: 'memory_recall', input: { query: 'project context' }, ...whole('### Provenance') },
          { tool: 'memory_store', input: { content: `${agent.name} was here`, kind: 'fact' }, ...whole('node_id') },
          {
            tool: 'memory_for_code',
            input: { file_path: 'src/long.ts' },
            ...whole(...Array.from({ length: ON_ONE_FILE }, (_, at) => onLong(at))),
          },
          { tool: 'memory_why', input: { decision_ref: 'customer number 3' }, ...whole('Customer 3 pays for it') },
          ...edits.flat(),
          { tool: 'query_codebase', input: { query: 'part3' }, ...whole('src/part3.ts:1') },
          { tool: 'memory_end_session', input: { summary: 'The sums are differences' }, ...whole('session_id') },
        ];
        follow = followScript(steps);
        const { status, said } = await machine.run(agent).ended;
        expect(follow.missing(), said).toEqual([]);
        expect(follow.isDone(), said).toBe(true);
        expect(status, said).toBe(0);

        const [first] = model.requests;
        if (!first) throw new Error(`${agent.name} asked its model for nothing: ${said}`);
        const ourFirst = first.tools.filter(({ name }) => OUR_TOOLS.some((tool) => isCalled(name, tool)));
        const tokenizer = await realTokenizer();
        const shown = NEEDED.filter((tool) => ourFirst.some(({ name }) => isCalled(name, tool)));
        days.push({
          ...{ id: agent.id, name: agent.name, version: agent.version },
          firstTools: ourFirst.length,
          firstTokens: tokenizer.count(JSON.stringify(ourFirst.map(({ sent }) => sent))),
          needed: shown.length,
          ...{ searches: follow.searches().all, untilNeeded: follow.searches().untilNeeded },
          requests: model.requests.length,
          instructions: holds(first, RULES.about)
            ? 'all'
            : holds(first, 'Load first, together:')
              ? 'first line'
              : 'none',
          hooks: countsOf(machine.hooks()),
          ...{ whole: seen.whole, wholeOf: steps.filter((step) => step.look).length - EDITS },
          ...{ inContext: seen.inContext, edits: EDITS, asked: !agent.hooks },
          outside: [...machine.outside()],
        });
        expect(follow.searches().untilNeeded).toBeLessThanOrEqual(1);
        const { body = '' } = model.requests.at(-1) ?? {};
        const told = (at: number): number => body.split(`on src/part${at}.ts#part${at} `).length - 1;
        expect(parts.filter((at) => told(at) > (agent.hooks ? 1 : 0))).toEqual([]);
        expect(seen.inContext).toBe(EDITS);
        expect(seen.whole).toBe(steps.filter((step) => step.look).length - EDITS);
        for (let at = 0; at < EDITS; at++) {
          expect(readFileSync(join(folder, 'src', `part${at}.ts`), 'utf8')).toContain(`value - ${at}`);
        }
        expect(ours(['recall', `${agent.name} was here`])).toContain(`${agent.name} was here`);
        await expect.poll(() => processesIn(home), { timeout: ENDED_WITHIN_MS }).toEqual([]);
      },
    );
  });
});

function countsOf(events: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const event of events) counts[event] = (counts[event] ?? 0) + 1;
  return counts;
}

function contentsOf(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(folderSnapshot(folder))
      .filter(([path]) => !/^\.git\/|^\.svc|memory\.db/.test(path) && path !== '.')
      .map(([path, what]) => [path, what.split(' ').slice(0, 2).join(' ')]),
  );
}
