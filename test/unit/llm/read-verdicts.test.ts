import { expect, it } from 'vitest';
import { NoAnswer } from '../../../src/server/llm/provider';
import { readVerdicts } from '../../../src/server/llm/read-verdicts';

const candidate = (id: string) => ({ id, kind: 'function', name: id, path: 'a.ts', signature: '', summary: '' });
const question = { document: 'a.md', heading: 'A', section: 'a', candidates: [candidate('c1'), candidate('c2')] };
const one = { id: 'c1', confidence: 0.5, reason: 'because' };

it.each([
  ['plain', JSON.stringify({ bindings: [one] })],
  ['as a list', JSON.stringify([one])],
  ['in a fence', `Sure!\n\`\`\`json\n${JSON.stringify({ bindings: [one] }, null, 2)}\n\`\`\`\nDone.`],
  ['after a sentence', `The answer is ${JSON.stringify({ bindings: [one] })}.`],
])('reads an answer %s', (_, text) => {
  expect(readVerdicts(text, question)).toEqual([one]);
});

it.each([
  '',
  'no',
  '[]',
  '{"bindings": [{"id": "c99", "confidence": 1, "reason": "x"}]}',
  '{"bindings": [{"id": "__proto__", "confidence": 1, "reason": "x"}]}',
  '{"bindings": {}}',
  '{"bindings": [7]}',
  '{"bindings": [{"id": "c1", "confidence": 2}]}',
  '{"bindings": [{"id": "c1", "confidence": "high"}]}',
])('takes %j for malformed', (text) => {
  expect(() => readVerdicts(text, question)).toThrow(NoAnswer);
});

it('keeps no key that a server says, and says so where a reason is missing', () => {
  const bindings = [
    { id: 'c1', confidence: 1, reason: 'by sk-ant-api03-0123456789 and more' },
    { id: 'c2', confidence: 1, reason: '' },
  ];
  expect(readVerdicts(JSON.stringify({ bindings }), question).map(({ reason }) => reason)).toEqual([
    'by [key removed] and more',
    'no reason given',
  ]);
});
