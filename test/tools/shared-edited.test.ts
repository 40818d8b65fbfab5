/** What people change in the files of shared memories by hand. */
import { expect, it } from 'vitest';
import { note, remove, withShared, write } from '../support/shared';

const decision = (id: string, content: string, more: string): string =>
  `---\nstatus: accepted\ndate: 2026-03-02\nid: ${id}\n${more}---\n\n# ${content}\n\n## Decision Outcome\n\nChosen option: "${content}"\n`;

it('memories are there exactly while their file is, and say what it says', () =>
  withShared(async (test) => {
    write(test, 'cache.md', note('f_cache', 'fact', 'The cache is cold'));
    const recalled = () => test.text('memory_recall', { query: 'cache' });
    expect(await recalled()).toContain('[f_cache] 2026-03-01 · conf 1.00 · shared — The cache is cold');
    write(test, 'cache.md', note('f_cache', 'fact', 'The cache is warm', 'confidence: 0.5\nabout: Cache\n'));
    expect(await recalled()).toContain('[f_cache] 2026-03-01 · conf 0.50 · shared — The cache is warm');
    write(test, 'more/hot.md', note('f_hot', 'fact', 'The cache is hot', 'supersedes: [f_cache]\n'));
    expect(await recalled()).not.toContain('warm');
    expect(await test.text('memory_timeline', { topic: 'warm' })).toContain('f_hot');
    remove(test, 'more/hot.md');
    expect(await recalled()).toContain('warm');
    // Another process has made the same of the files already.
    const other = await test.another();
    expect(await other.text('memory_recall', { query: 'cache' })).toBe(await recalled());
    remove(test, 'cache.md');
    expect(await recalled()).toContain('Nothing is remembered');
    expect(await other.text('memory_recall', { query: 'cache' })).toContain('Nothing is remembered');
    expect(await test.ok('entities', {})).toEqual([]);
  }));

it('a decision that is turned down closes nothing any more', () =>
  withShared(async (test) => {
    write(test, 'files.md', decision('d_files', 'The cache is a file', ''));
    const newer = decision('d_redis', 'The cache is in Redis', 'supersedes: [d_files]\n');
    write(test, 'redis.md', newer);
    const recalled = () => test.text('memory_recall', { query: 'cache' });
    expect(await recalled()).not.toContain('d_files');
    write(test, 'redis.md', newer.replace('status: accepted', 'status: rejected'));
    const both = await recalled();
    expect(both).toContain('d_files');
    expect(both).toContain('Rejected: The cache is in Redis');
    const outcome = 'The cache is in Redis: Rejected: a server has to run';
    write(test, 'redis.md', decision('d_redis', outcome, '').replace('status: accepted', 'status: rejected'));
    expect(await recalled()).toContain('Rejected: The cache is in Redis: a server has to run');
  }));

it('what people add to a note in sections of their own is part of its text', () =>
  withShared(async (test) => {
    const read = async (text: string) => {
      write(test, 'cache.md', note('f_cache', 'fact', text));
      return test.ok('node', { id: 'f_cache' });
    };
    const why = '## Why\n\nIt is fast.\n\n### Measured\n\nIn May.';
    expect(await read(`The cache is cold\n\n${why}\n\n## Example\n\n\`\`\`\nget()\n\`\`\``)).toMatchObject({
      content: 'The cache is cold\n\n## Example\n\n```\nget()\n```',
      rationale: 'It is fast.\n\n### Measured\n\nIn May.',
    });
    expect(await read('The cache is cold\n\n## Rejected\n\nRedis, a server.\n\n## Example\n\nget()')).toMatchObject({
      content: 'The cache is cold\n\n## Example\n\nget()',
      rationale: 'Rejected: Redis, a server.',
      alternatives_rejected: [],
    });
  }));

it('a memory without a date is from when its file was first read, whatever is edited in it', () =>
  withShared(async (test) => {
    const text = note('f_cache', 'fact', 'The cache is cold').replace('date: 2026-03-01\n', '');
    write(test, 'cache.md', text);
    const from = async () => (await test.ok<{ valid_from: string }>('node', { id: 'f_cache' })).valid_from;
    const first = await from();
    test.later(86_400_000);
    write(test, 'cache.md', text.replace('cold', 'warm'));
    expect(await from()).toBe(first);
    await test.ok('memory_verify', { node_id: 'f_cache', status: 'confirm' });
    expect(await from()).toBe(first);
  }));

it('a decision that is given up in its file was true until then', () =>
  withShared(async (test) => {
    const open = decision('d_files', 'The cache is a file', '');
    write(test, 'files.md', open);
    expect(await test.text('memory_recall', { query: 'cache' })).toContain('d_files');
    for (const status of ['deprecated', 'superseded']) {
      write(test, 'files.md', open.replace('accepted', status));
      expect(await test.text('memory_recall', { query: 'cache' })).not.toContain('d_files');
      expect(await test.text('memory_recall', { query: 'cache', as_of: '2026-03-20' })).toContain('d_files');
    }
    // It says itself until when.
    write(test, 'files.md', open.replace('accepted', 'deprecated\nvalid-until: 2026-03-10'));
    expect(await test.text('memory_recall', { query: 'cache', as_of: '2026-03-20' })).not.toContain('d_files');
  }));
