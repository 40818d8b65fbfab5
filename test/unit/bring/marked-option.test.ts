import { describe, expect, test } from 'vitest';
import { readAdr } from '../../../src/server/bring/adr/read-adr';

interface Given {
  readonly title?: string;
  readonly status?: string;
  readonly heading?: string;
  readonly more?: string;
}

function read(options: string, { title = 'Where notes are', status = 'accepted', heading, more = '' }: Given = {}) {
  return readAdr(`# ${title}\n\n* Status: ${status}\n\n## ${heading ?? 'Options'}\n\n${options}\n\n${more}`);
}

const THREE =
  '### SQLite (chosen)\n\n* Good, because one file\n\n### Postgres\n\n* Bad, because a server\n\n### Files\n';
const LIST = '* SQLite (chosen)\n* Postgres\n* Files\n';

describe('the one option that is marked in an accepted record is the decision', () => {
  test.each([
    [THREE, {}, ['Postgres: a server', 'Files']],
    [THREE.replace('(chosen)', '✅'), {}, ['Postgres: a server', 'Files']],
    [THREE.replace('(chosen)', '**(Selected)**'), {}, ['Postgres: a server', 'Files']],
    [THREE.replace('(chosen)', '(accepted)'), {}, ['Postgres: a server', 'Files']],
    [THREE, { heading: 'Considered Options' }, ['Postgres: a server', 'Files']],
    [THREE, { heading: 'Alternatives considered' }, ['Postgres: a server', 'Files']],
    [THREE, { status: 'Accepted (2024-05-06)' }, ['Postgres: a server', 'Files']],
    [THREE, { status: '**accepted**, 2024-05-06.' }, ['Postgres: a server', 'Files']],
    [LIST, {}, ['Postgres', 'Files']],
    [LIST, { more: '## Context\n\nNotes get lost.\n' }, ['Postgres', 'Files']],
    ['* SQLite\n* Postgres\n', { more: '## Pros and Cons\n\n### SQLite (chosen)\n' }, ['Postgres']],
  ])('%s %o', (options, given, rejected) => {
    expect(read(options, given)).toMatchObject({
      content: 'Where notes are: SQLite',
      alternatives_rejected: rejected,
      status: { is: 'accepted' },
    });
  });

  test('with what the record says for it', () => {
    expect(read(THREE, { more: '## Context\n\nNotes get lost.\n\n## Consequences\n\nOne writer.\n' })?.rationale).toBe(
      '* Good, because one file\n\nContext: Notes get lost.\n\nConsequences: One writer.',
    );
    expect(read('* SQLite (chosen)\n  * one file\n* Postgres')?.rationale).toBe('* one file');
  });
});

describe('what is not certain is not decided', () => {
  test.each([
    [THREE, { status: 'proposed' }],
    [THREE, { status: '' }],
    [THREE, { status: 'accepted?' }],
    [THREE, { status: 'accepted for tests only' }],
    [THREE, { status: 'not accepted' }],
    [THREE, { status: 'rejected' }],
    [THREE, { status: 'superseded by [2](0002-x.md)' }],
    [THREE, { status: '[proposed | accepted]' }],
    [THREE.replace(' (chosen)', ''), {}],
    [THREE.replace('Postgres', 'Postgres (chosen)'), {}],
    [THREE.replace('Postgres', 'Postgres ✅'), {}],
    [THREE.replace('(chosen)', '(not chosen)'), {}],
    [THREE.replace('(chosen)', '(chosen?)'), {}],
    [THREE.replace('(chosen)', '(chosen at first)'), {}],
    [THREE.replace('(chosen)', '(taken from Postgres)'), {}],
    [THREE.replace('###', '####'), {}],
    [THREE, { heading: 'History' }],
    [THREE, { title: 'Keep notes in Postgres' }],
    [THREE, { more: '## Conclusion\n\nPostgres it is.\n' }],
    [THREE, { more: '## Update\n\nWe went back to files.\n' }],
    [THREE, { more: '## Pros and Cons\n\n### Postgres (chosen)\n' }],
    [`${LIST}\n### Postgres (chosen)\n`, {}],
    // Of a name it says that somebody else has it.
    ['### memory (taken)\n\n### svc-memory\n', { title: 'Name of the package' }],
  ])('%s %o', (options, given) => {
    expect(read(options, given)).toBeUndefined();
  });
});
