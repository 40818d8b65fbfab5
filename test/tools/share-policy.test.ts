import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { acceptShared } from '../../src/server/project/trust-store';
import { type MemoryTest, withMemory } from '../support/memory';

const files = ({ folder }: MemoryTest): string[] => {
  const path = join(folder, '.svc/memories');
  return existsSync(path) ? readdirSync(path) : [];
};
const policy = ({ folder }: MemoryTest, word: string): void => {
  mkdirSync(join(folder, '.svc'), { recursive: true });
  writeFileSync(join(folder, '.svc/config.yaml'), `share: ${word}\n`);
};
const accept = ({ folder }: MemoryTest): void => acceptShared(folder, `${folder}-home`, 'accepted');
const DECISION = { content: 'Sessions are rows', kind: 'decision', rationale: 'One server less' };

interface Stored {
  readonly node_id: string;
  readonly path?: string;
}

it('shares the decisions that a person stores, and nothing else of the kinds', () =>
  withMemory(
    async (test) => {
      accept(test);
      policy(test, 'decisions');
      const { path, node_id } = await test.ok<Stored>('memory_store', DECISION);
      expect(path).toMatch(/^\.svc\/memories\/.*sessions-are-rows.*\.md$/);
      expect(files(test)).toHaveLength(1);
      expect(await test.ok('node', { id: node_id })).toMatchObject({ marks: ['shared'] });
      expect(await test.ok<Stored>('memory_store', { content: 'A fact', kind: 'fact' })).not.toHaveProperty('path');
      policy(test, 'all');
      await new Promise((later) => setTimeout(later, 5));
      expect(await test.ok<Stored>('memory_store', { content: 'One more', kind: 'fact' })).toHaveProperty('path');
      // It is an act of its own.
      await test.ok('undo', {});
      expect(files(test)).toHaveLength(1);
      expect(await test.text('memory_recall', { query: 'one more' })).toContain('One more');
    },
    { by: 'person' },
  ));

it('shares what an agent stored when a person confirms or keeps it, and not before', () =>
  withMemory(async (agent) => {
    accept(agent);
    policy(agent, 'decisions');
    const { node_id, path } = await agent.ok<Stored>('memory_store', DECISION);
    expect(path).toBeUndefined();
    expect(files(agent)).toEqual([]);
    const person = await agent.another({ by: 'person' });
    expect(await person.ok('memory_verify', { node_id, status: 'confirm' })).toHaveProperty('path');
    expect(files(agent)).toHaveLength(1);
    const proposing = await agent.another({ keeping: () => ({ proposed: true, marked: false }) });
    const proposed = await proposing.ok<Stored>('memory_store', { ...DECISION, content: 'Tokens last a day' });
    expect(files(agent)).toHaveLength(1);
    expect(await person.ok('settle', { action: 'keep', node_id: proposed.node_id })).toMatchObject({
      paths: [expect.stringContaining('tokens-last-a-day')],
    });
    expect(files(agent)).toHaveLength(2);
  }));

it('writes no file where nobody has shared or accepted anything, whatever came with the folder', () =>
  withMemory(
    async (test) => {
      policy(test, 'all');
      expect(await test.ok<Stored>('memory_store', DECISION)).not.toHaveProperty('path');
      expect(files(test)).toEqual([]);
    },
    { by: 'person' },
  ));

it('leaves in the store what cannot be shared, and goes on', () =>
  withMemory(
    async (test) => {
      accept(test);
      policy(test, 'all');
      const key = `AKIA${'Z7QX3LM9RT2VB8KD'}`;
      const content = `The test account is ${key}`;
      expect(
        await test.ok<Stored>('memory_store', { content, kind: 'fact' }, { allowSecret: true }),
      ).not.toHaveProperty('path');
      expect(files(test)).toEqual([]);
      policy(test, 'sometimes');
      expect(await test.ok<Stored>('memory_store', DECISION)).not.toHaveProperty('path');
    },
    { by: 'person' },
  ));
