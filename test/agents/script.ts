/** What a scripted model does: it calls one tool after the other, and searches for those that it is not shown. */
import { CORE_TOOLS } from '../../src/server/guidance/sentences';
import { GRAPH_TOOLS } from '../../src/server/tools/graph-registry';
import { MEMORY_TOOLS } from '../../src/server/tools/registry';
import type { ModelRequest, OfferedTool, Reply } from './model-server';

/** What both servers offer. */
export const OUR_TOOLS = [...MEMORY_TOOLS.filter(({ audience }) => audience !== 'human'), ...GRAPH_TOOLS].map(
  ({ name }) => name,
);

/** What an agent has to have at hand, or one search away. */
export const NEEDED = ['memory_recall', 'memory_store', 'memory_for_code'] as const;

export interface Step {
  /** Our name of the tool, or the agent's own. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Looks at the request in which its result has come back. */
  readonly look?: (request: ModelRequest) => void;
}

export interface Script {
  readonly answer: (request: ModelRequest) => Reply;
  /** How often it searched for tools, and how often until it had all that are needed. */
  readonly searches: () => { readonly all: number; readonly untilNeeded: number };
  /** The tools that no search brought. */
  readonly missing: () => readonly string[];
  readonly isDone: () => boolean;
}

/** @param steps one after the other, each in a request of its own; then a last word */
export function followScript(steps: readonly Step[]): Script {
  const searched = new Set<string>();
  const missing: string[] = [];
  let at = 0;
  let searches = 0;
  let untilNeeded: number | undefined;
  let asked: Step | undefined;
  const answer = (request: ModelRequest): Reply => {
    asked?.look?.(request);
    asked = undefined;
    if (NEEDED.every((tool) => callable(tool, request, searched))) untilNeeded ??= searches;
    for (let step = steps[at]; step; step = steps[++at]) {
      const reply = callable(step.tool, request, searched)?.(step.input);
      if (reply) {
        at += 1;
        asked = step;
        return reply;
      }
      const search = searched.has(step.tool) ? undefined : searchFor(step.tool, request, searched);
      if (search) {
        searches += 1;
        return search;
      }
      missing.push(step.tool);
    }
    return { text: 'All of it is done.' };
  };
  return {
    answer,
    searches: () => ({ all: searches, untilNeeded: untilNeeded ?? Number.POSITIVE_INFINITY }),
    missing: () => missing,
    isDone: () => at >= steps.length && !asked,
  };
}

/** How a tool is called: by its name, where it is offered or a search brought it; else through a tool that calls others. */
function callable(
  wanted: string,
  { tools, found }: ModelRequest,
  searched: ReadonlySet<string>,
): ((input: Step['input']) => Reply) | undefined {
  const tool = [...tools, ...found].find(({ name }) => isCalled(name, wanted));
  if (tool) return (input) => ({ call: { tool, input } });
  const bridge = tools.find(({ name }) => name === 'tool_call');
  if (!bridge || !searched.has(wanted)) return undefined;
  return (input) => ({ call: { tool: bridge, input: { name: fullName(wanted), arguments: input } } });
}

/** Agents put the name of the server before that of the tool. */
export function isCalled(name: string, wanted: string): boolean {
  return name === wanted || (OUR_TOOLS.includes(wanted) && new RegExp(`[_-]${wanted}$`).test(name));
}

/** Where agents put names of servers before those of tools. */
function fullName(tool: string): string {
  return `mcp__${GRAPH_TOOLS.some(({ name }) => name === tool) ? 'svc' : 'svc-memory'}__${tool}`;
}

/** As each agent's own search takes it; and as the instructions say, what belongs together in one search. */
function searchFor(wanted: string, request: ModelRequest, searched: Set<string>): Reply | undefined {
  const tool = request.tools.find(({ name }) => /^tool_?search$/i.test(name));
  if (!tool || !OUR_TOOLS.includes(wanted)) return undefined;
  const together: readonly string[] = CORE_TOOLS.some((name) => name === wanted) ? CORE_TOOLS : [wanted];
  const names = together.filter((name) => !callable(name, request, searched));
  for (const name of names) searched.add(name);
  const query = isTextSearch(tool) ? names.join(' ') : `select:${names.map(fullName).join(',')}`;
  return { call: { tool, input: { query } } };
}

/** Codex searches texts; the others take names. */
function isTextSearch({ sent }: OfferedTool): boolean {
  return (sent as { type?: unknown }).type === 'tool_search';
}
