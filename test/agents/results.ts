/** What the working days showed, for docs/benchmarks.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { agentFigures } from '../bench/agents-report';

/** The working day of one agent. */
export interface AgentDay {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** Our tools in the first request. */
  readonly firstTools: number;
  /** Of these, as they were sent. */
  readonly firstTokens: number;
  /** Of recall, store and for_code: in the first request. */
  readonly needed: number;
  /** For tools, in the whole day. */
  readonly searches: number;
  /** Until recall, store and for_code were at hand. */
  readonly untilNeeded: number;
  readonly requests: number;
  /** How much of what the memory says of itself is in the first request. */
  readonly instructions: 'all' | 'first line' | 'none';
  readonly hooks: Readonly<Record<string, number>>;
  readonly whole: number;
  readonly wholeOf: number;
  /** Edits of functions whose decision the model had read by the next request. */
  readonly inContext: number;
  readonly edits: number;
  /** It has no hooks: its model asked before each edit. */
  readonly asked: boolean;
  readonly outside: readonly string[];
}

const FILE = resolve(__dirname, '../bench/data/agents.json');
const PAGE = resolve(__dirname, '../../docs/benchmarks.md');
const SECTION = /^## Agents of others\n[\s\S]*?(?=^## )/m;

/** Keeps what was measured, beside what earlier runs measured of other agents; and its table in docs/benchmarks.md. */
export function writeDays(measured: readonly AgentDay[], order: readonly string[]): void {
  const { days: known } = JSON.parse(readFileSync(FILE, 'utf8')) as { days: AgentDay[] };
  const days = order.flatMap((id) => [...measured, ...known].find((day) => day.id === id) ?? []);
  writeFileSync(FILE, `${JSON.stringify({ days }, null, 2)}\n`);
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(SECTION, () => `${agentFigures(days).join('\n')}\n`),
  );
}
