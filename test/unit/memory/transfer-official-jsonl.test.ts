import { expect, test } from 'vitest';
import { convertOfficialJsonl, isOfficialJsonl } from '../../../src/server/memory/transfer/official-jsonl';
import { withMemory } from '../../support/memory';

const FILE = [
  '{"type":"entity","name":"Anna","entityType":" person ","observations":["Likes tea","Anna speaks Polish"]}',
  '{"type":"entity","name":"Acme","entityType":"","observations":[]}',
  '{"type":"relation","from":"Anna","to":"Acme","relationType":"works_at"}',
].join('\n');

test('entities, observations and relations become entities and facts', () => {
  expect(convertOfficialJsonl(FILE)).toEqual({
    nodes: [
      { kind: 'entity', content: 'Anna' },
      { kind: 'fact', content: 'Anna is of type person', entities: ['Anna'] },
      { kind: 'fact', content: 'Anna: Likes tea', entities: ['Anna'] },
      { kind: 'fact', content: 'Anna speaks Polish', entities: ['Anna'] },
      { kind: 'entity', content: 'Acme' },
      { kind: 'fact', content: 'Anna works_at Acme', entities: ['Anna', 'Acme'] },
    ],
    errors: [],
  });
});

test('what is blank is no statement', () => {
  const { nodes, errors } = convertOfficialJsonl(
    '{"type":"entity","name":"Anna","entityType":" \\t","observations":[" ",""]}',
  );
  expect([nodes, errors]).toEqual([[{ kind: 'entity', content: 'Anna' }], []]);
});

test('a bad line is an error with its number, and the others are kept', () => {
  const { nodes, errors } = convertOfficialJsonl(
    [
      '\uFEFF{"type":"entity","name":"Anna","entityType":"x","observations":["a"]}\r',
      '',
      '{"type":"entity","name":"Half"',
      '[]',
      '{"type":"note","name":"Anna"}',
      '{"type":"entity","name":" ","observations":[]}',
      '{"type":"entity","name":"Bo","observations":"one"}',
      '{"type":"relation","from":"Anna","relationType":"knows"}',
      '{"type":"relation","from":"Anna","to":"Anna","relationType":"knows"}',
    ].join('\n'),
  );
  expect(errors.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8]);
  expect(errors[2]?.message).toBe('invalid_input: "type" is "note". Every line is an "entity" or a "relation".');
  expect(nodes.at(-1)).toEqual({ kind: 'fact', content: 'Anna knows Anna', entities: ['Anna'] });
});

test.each([
  [FILE, true],
  ['\uFEFF{"type":"relation","from":"a","to":"b","relationType":"c"}', true],
  ['{"nodes":[],"edges":[]}', false],
  ['{\n"type":"entity"}', false],
  ['', false],
  ['null', false],
])('tells the file from other JSON: %#', (text, official) => {
  expect(isOfficialJsonl(text)).toBe(official);
});

test('what was converted can be imported and found', () =>
  withMemory(async (memory) => {
    const { nodes } = convertOfficialJsonl(FILE);
    expect(await memory.ok('memory_import', { nodes })).toMatchObject({
      imported: 6,
      created_entity_ids: [],
      errors: [],
    });
    const dossier = await memory.text('memory_about', { entity: 'anna' });
    for (const text of ['Likes tea', 'speaks Polish', 'works_at Acme', 'of type person'])
      expect(dossier).toContain(text);
  }));
