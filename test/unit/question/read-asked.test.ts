import { expect, it } from 'vitest';
import { MAX_SECTION_LENGTH, MOST_CANDIDATES } from '../../../src/question/limits';
import { readAsked } from '../../../src/question/read-asked';

const CANDIDATE = { id: 'c1', kind: 'class', name: 'Store', path: 'src/a.ts', signature: '', summary: 'Keeps rows.' };
const QUESTION = { document: 'docs/a.md', heading: 'A', section: '# A\n\nStore', candidates: [CANDIDATE] };
const ASKED = { question: QUESTION, folder: '/project', sections: 3 };

it('takes a question with what its run is about', () => {
  expect(readAsked(ASKED)).toEqual(ASKED);
  const all = { ...ASKED, model: 'gpt-x', token: 'secret' };
  expect(readAsked(all)).toEqual(all);
});

it.each<readonly [string, unknown]>([
  ['nothing', undefined],
  ['a list', [ASKED]],
  ['a message of sampling', { messages: [{ role: 'user', content: { type: 'text', text: 'Write' } }], maxTokens: 1 }],
  ['a prompt beside the question', { ...ASKED, systemPrompt: 'Write' }],
  ['tokens to spend', { ...ASKED, maxTokens: 100_000 }],
  ['a prompt in the question', { ...ASKED, question: { ...QUESTION, system: 'Write' } }],
  ['source text', { ...ASKED, question: { ...QUESTION, candidates: [{ ...CANDIDATE, body: 'x' }] } }],
  ['a text for a question', { ...ASKED, question: 'Write' }],
  ['a question without candidates', { ...ASKED, question: { ...QUESTION, candidates: [] } }],
  ['a candidate without a name', { ...ASKED, question: { ...QUESTION, candidates: [{ ...CANDIDATE, name: 1 }] } }],
  ['many candidates', { ...ASKED, question: { ...QUESTION, candidates: Array(MOST_CANDIDATES + 1).fill(CANDIDATE) } }],
  ['a long section', { ...ASKED, question: { ...QUESTION, section: 'x'.repeat(MAX_SECTION_LENGTH + 1) } }],
  ['half a section', { ...ASKED, sections: 0.5 }],
  ['less than none', { ...ASKED, sections: -1 }],
  ['no folder', { question: QUESTION, sections: 3 }],
  ['a model that is no text', { ...ASKED, model: { hints: [] } }],
  ['a long token', { ...ASKED, token: 'x'.repeat(1_000) }],
])('refuses %s', (_, value) => {
  expect(readAsked(value)).toBeUndefined();
});
