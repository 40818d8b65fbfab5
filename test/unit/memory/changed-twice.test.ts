import { expect, test } from 'vitest';
import { closeSupersededNodes } from '../../../src/server/memory/close-superseded-nodes';
import { insertEdges } from '../../../src/server/memory/edges';
import { recorded } from '../../../src/server/memory/history/operations';
import { applySideEffects, bothEffects, type SideEffects } from '../../../src/server/memory/history/side-effects';
import type { WritableMemory } from '../../../src/server/memory/memory';
import { withMemory } from '../../support/memory';

interface Row {
  readonly seq: number;
  readonly id: string;
  readonly valid_from: string;
}

const NS = 1;

test('all that one operation does to a memory, in however many steps, is taken back and done again', () =>
  withMemory(async (memory) => {
    const store = async (content: string, ...entities: string[]): Promise<Row> => {
      const { node_id: id } = await memory.ok<{ node_id: string }>('memory_store', { content, kind: 'fact', entities });
      memory.later(1000);
      const row = await memory.memory.sql.get<Row>('SELECT seq, id, valid_from FROM mem_nodes WHERE id = $id', { id });
      return row ?? { seq: 0, id, valid_from: '' };
    };
    const one = await store('The parser is slow', 'parser');
    const newer = await store('The lexer is quick', 'lexer', 'tokens');
    const state = async () => [
      await memory.ok('node', { id: one.id }),
      await memory.memory.sql.all('SELECT type, src, dst FROM mem_edges ORDER BY type, src, dst'),
      await memory.memory.sql.all('SELECT one, other FROM mem_kept_pairs'),
    ];
    const entities = await memory.ok<{ entities: { id: string }[] }>('node', { id: newer.id });
    const [first = '', second = ''] = entities.entities.map(({ id }) => id);
    const before = await state();
    const step = (all: WritableMemory, action: 'fill' | 'link' | 'keep' | 'confirm', side: SideEffects) =>
      recorded(all, NS, action, [{ seq: one.seq, side }], () => applySideEffects(all, NS, one, side));
    const operation = await memory.project.write(async (all) => {
      await step(all, 'fill', { filled: { rationale: 'It copies' } });
      await step(all, 'link', { about: first });
      await step(all, 'link', { about: [second], linked: [['a.ts', 'function', 'f', 'h', '2026-03-01', null]] });
      await step(all, 'keep', { kept_beside: newer.id, filled: { alternatives_rejected: '["None"]' } });
      await insertEdges(all.sql, [{ type: 'SUPERSEDES', src: newer.seq, dst: one.seq }]);
      await closeSupersededNodes(all, NS, [{ seq: one.seq, by: newer.seq, validFrom: newer.valid_from }]);
      await step(all, 'confirm', {});
      return all.call.operations.get(NS);
    }, 'settle');
    const after = await state();
    expect(after).not.toEqual(before);
    const undone = await memory.ok<{ operation: number }>('undo', { operation });
    expect(await state()).toEqual(before);
    await memory.ok('undo', { operation: undone.operation });
    expect(await state()).toEqual(after);
  }));

test('what cannot be taken back together is refused, and nothing of it is stored', () =>
  withMemory(async (memory) => {
    const { node_id: id } = await memory.ok<{ node_id: string }>('memory_store', {
      content: 'It is slow',
      kind: 'fact',
    });
    const row = await memory.memory.sql.get<Row>('SELECT seq FROM mem_nodes WHERE id = $id', { id });
    const seq = row?.seq ?? 0;
    const twice = memory.project.write(async (all) => {
      await recorded(all, NS, 'keep', [{ seq, side: { kept_beside: 'f_one' } }], async () => undefined);
      await recorded(all, NS, 'keep', [{ seq, side: { kept_beside: 'f_other' } }], async () => undefined);
    }, 'settle');
    await expect(twice).rejects.toThrow('one operation changed "kept_beside" of a node twice');
    expect(await memory.memory.sql.all('SELECT action FROM mem_history')).toEqual([]);
  }));

test.each<[SideEffects, SideEffects, SideEffects]>([
  [{ about: 'e_one' }, { about: ['e_one', 'e_two'] }, { about: ['e_one', 'e_two'] }],
  [{ settled: [1, 2] }, { settled: [2, 3], noted: [['a.ts', 'h']] }, { settled: [1, 2, 3], noted: [['a.ts', 'h']] }],
  [{ filled: { rationale: 'So' } }, { filled: { rationale: 'So' } }, { filled: { rationale: 'So' } }],
  [{ superseded_by: undefined }, { superseded_by: 'f_one' }, { superseded_by: 'f_one' }],
  [{ superseded_by: 'f_one' }, { superseded_by: undefined }, { superseded_by: 'f_one' }],
])('%j and %j are %j', (one, other, both) => expect(bothEffects(one, other)).toEqual(both));
