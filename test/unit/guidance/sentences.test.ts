import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CORE_TOOLS, RULES } from '../../../src/server/guidance/sentences';
import { INSTRUCTIONS } from '../../../src/server/mcp/instructions';
import { MEMORY_TOOLS } from '../../../src/server/tools/registry';
import { withCommandLine } from '../../support/command-line';

const plain = (text: string): string => text.replaceAll('`', '').replaceAll('"', '');
const agentFile = (path: string): string => readFileSync(`${__dirname}/../../../agent/${path}`, 'utf8');

async function agentsBlock(): Promise<string> {
  let text = '';
  await withCommandLine(async (place) => {
    await place.ok('agents-block', 'write');
    text = readFileSync(place.path('AGENTS.md'), 'utf8');
  });
  return text;
}

describe('every text for agents is enough by itself', () => {
  it.each<[string, () => string | Promise<string>]>([
    ['the instructions of the server', () => INSTRUCTIONS],
    ['the block in AGENTS.md', agentsBlock],
    ['the instructions of the editor', () => agentFile('agent-memory.instructions.md')],
    ['the skill', () => agentFile('skills/agent-memory/SKILL.md')],
  ])('%s has all the rules', async (_, text) => {
    const read = plain(await text());
    for (const rule of Object.values(RULES)) expect(read).toContain(plain(rule));
  });

  it('the descriptions of the tools say when, and what not to store', () => {
    const says = (name: string): string => MEMORY_TOOLS.find((tool) => tool.name === name)?.description ?? '';
    expect(says('memory_store')).toMatch(/Recall first.*No secrets/);
    expect(says('memory_end_session')).toContain('once, before the last answer');
    for (const name of ['memory_recall', 'memory_for_code', 'memory_why']) expect(says(name)).toMatch(/\b[Bb]efore /);
  });

  it('no text names a tool that is not offered', () => {
    const offered = MEMORY_TOOLS.filter(({ audience }) => audience !== 'human').map(({ name }) => name);
    const named = [...`${INSTRUCTIONS}${agentFile('skills/agent-memory/SKILL.md')}`.matchAll(/\bmemory_\w+/g)];
    expect(named.length).toBeGreaterThan(10);
    expect(named.map(([name]) => name).filter((name) => !offered.includes(name))).toEqual([]);
    expect(CORE_TOOLS.filter((name) => !offered.includes(name))).toEqual([]);
  });
});
