// A working day with the memory, for real: `npm start [-- <folder>]` runs this on the built server.
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { heading, paragraph } from './layout.mts';
import { type Server, startServer } from './server.mts';

const NAMESPACE = 'working-day';
const DAY_MS = 86_400_000;

const folder = resolve(process.argv[2] ?? process.cwd());
const node = process.env.SVC_DEMO_NODE ?? process.execPath;
const dist = resolve(import.meta.dirname, '..', '..', 'dist');
const program = join(dist, 'svc-memory-mcp.js');
const commandLine = join(dist, 'svc-memory.js');

try {
  await workingDay();
} catch (error) {
  process.stderr.write(`\nThe working day ended early: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function workingDay(): Promise<void> {
  heading('A store for the project');
  paragraph(`$ svc-memory init        (in ${folder})`);
  process.stdout.write(
    execFileSync(node, [commandLine, 'init'], { cwd: folder, encoding: 'utf8', env: withoutStore() }),
  );
  paragraph(
    `What follows are real calls to the built server, over stdio, with the official MCP client. They live in the namespace "${NAMESPACE}" of that store, apart from your own memories.`,
  );
  const decision = await firstProcess();
  await secondProcess(decision);
  registration();
}

async function firstProcess(): Promise<string> {
  const server = await startServer({ node, program, folder });
  heading('Before the day: an empty namespace, and what the team knew');
  await server.call('memory_switch_namespace', { namespace: NAMESPACE });
  await server.call('memory_forget', { before: '9999-12-31', purge: true });
  await server.call('memory_import', { nodes: earlierMemories() });

  heading('Morning: a session, and the briefing');
  await server.call('memory_start_session', { name: 'Choose how memories are searched', namespace: NAMESPACE });
  await server.call('memory_recall', { query: 'project context' });

  heading('During work: a fact, a decision, a change of mind, an outcome');
  const decision = await changeOfMind(server);

  heading('Questions: what, why, and how it came about');
  await server.call('memory_recall', { query: 'how do we search memories?', budget_tokens: 300 });
  await server.call('memory_why', { decision_ref: decision });
  await server.call('memory_timeline', { topic: 'search' });
  await server.call('memory_verify', { node_id: decision, status: 'confirm' });

  heading('Evening: the end of the session');
  await server.call('memory_end_session', {
    summary: 'Search is decided: full text inside SQLite. Next: let names of functions and files match in parts.',
  });
  await server.close();
  return decision;
}

/** @returns the id of the decision that stands in the end */
async function changeOfMind(server: Server): Promise<string> {
  await server.call('memory_store', {
    content: 'Most questions of agents name a function, a file or a person.',
    kind: 'fact',
    entities: ['search', 'agents'],
    confidence: 0.9,
  });
  const first = await server.call('memory_store', {
    content: 'Search memories with a local vector index.',
    kind: 'decision',
    entities: ['search'],
    rationale: 'It finds what is said in other words.',
    alternatives_rejected: ['plain LIKE queries'],
  });
  await server.call('memory_store', {
    content: 'Tried the vector index: it brings a model file along and misses the names of functions.',
    kind: 'action',
    entities: ['search'],
  });
  const second = await server.call('memory_store', {
    content: 'Search memories with the full-text index of SQLite, ranked by BM25.',
    kind: 'decision',
    entities: ['search', 'SQLite'],
    rationale: 'Names have to match exactly, and one file on disk is all there is to install.',
    alternatives_rejected: ['a local vector index', 'a search server'],
    supersedes: idOf(first),
  });
  await server.call('memory_store', {
    content: 'Full-text search finds functions and files by name, without a model and without network.',
    kind: 'outcome',
    entities: ['search'],
  });
  return idOf(second);
}

async function secondProcess(decision: string): Promise<void> {
  heading('The next day: another process remembers');
  const server = await startServer({ node, program, folder, namespace: NAMESPACE });
  const briefing = await server.call('memory_recall', { query: 'project context' });
  await server.call('memory_about', { entity: 'search', budget_tokens: 300 });
  await server.call('memory_list_sessions', { limit: 1 });
  await server.call('memory_stats', {});
  await server.close();
  if (!briefing.includes(decision)) throw new Error(`The briefing does not tell the decision ${decision}`);
}

function registration(): void {
  heading('Use it: register the server with your MCP client');
  const entry = {
    command: node,
    args: [program],
    description: 'Memory across sessions: facts, decisions, outcomes',
  };
  paragraph('Put this into the .mcp.json of a project:\n');
  process.stdout.write(`${JSON.stringify({ mcpServers: { 'svc-memory': entry } }, undefined, 2)}\n\n`);
  paragraph('or let the command line make the store and the entry, in the folder of the project:\n');
  process.stdout.write(`  node ${commandLine} init --register\n\n`);
}

function earlierMemories(): readonly Record<string, unknown>[] {
  const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
  return [
    {
      content: 'The server speaks MCP over stdio and opens no port.',
      kind: 'decision',
      entities: ['svc-memory-mcp'],
      valid_from: daysAgo(6),
      rationale: 'The client starts and ends it; there is nothing to secure.',
      alternatives_rejected: ['an HTTP daemon'],
    },
    {
      content: 'Before a release, run npm run check and npm test in a fresh clone.',
      kind: 'procedure',
      entities: ['release'],
      valid_from: daysAgo(4),
    },
    {
      content: 'An error says what is wrong and what to do next.',
      kind: 'preference',
      entities: ['errors'],
      valid_from: daysAgo(3),
    },
  ];
}

function idOf(stored: string): string {
  return (JSON.parse(stored) as { readonly node_id: string }).node_id;
}

/** The demo's store is the folder's, whatever this terminal is set to. */
function withoutStore(): NodeJS.ProcessEnv {
  const { SVC_MEMORY_DB: _store, SVC_NAMESPACE: _namespace, ...rest } = process.env;
  return rest;
}
