import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Reading,
  readBeginning,
  readIfThere,
  readRegularFile,
  whyUnread,
} from '../../../src/server/base/regular-file';
import { projectAndOutside } from '../../support/project-and-outside';
import { makeReleasedPipe } from '../../support/special-files';

const folders = projectAndOutside(({ base, root }) => {
  writeFileSync(join(base, 'outside.txt'), 'outside');
  writeFileSync(join(root, 'inside.txt'), 'inside');
});

const at = (...names: string[]): string => join(folders.root, ...names);

/** Its text, or why there is none. */
function read(path: string, links: Reading['links'] = { inside: folders.root }, max = 100): string {
  const found = readRegularFile(path, { max, links });
  return found.bytes ? found.bytes.toString() : found.why;
}

describe('a file that is read', () => {
  it('is read as a whole up to its bound, and not at all above it', () => {
    writeFileSync(at('a'), 'x'.repeat(100));
    writeFileSync(at('b'), 'x'.repeat(101));
    writeFileSync(at('empty'), '');
    expect(read(at('a'))).toBe('x'.repeat(100));
    expect(read(at('b'))).toBe('too large');
    expect(read(at('empty'))).toBe('');
    expect(read(at('gone'))).toBe('missing');
    expect(read(at('a', 'below'))).toBe('missing');
  });

  it.each(['refused', 'followed', 'inside'] as const)(
    'is no pipe, folder, device or socket, and none of them is waited for (links %s)',
    async (name) => {
      const links = name === 'inside' ? { inside: folders.root } : name;
      makeReleasedPipe(at('pipe'));
      const server = createServer();
      await new Promise<void>((listening) => server.listen(at('socket'), listening));
      try {
        for (const odd of ['pipe', 'socket', '.']) expect(read(at(odd), links)).toBe('no regular file');
        expect(read('/dev/zero', links)).toBe(name === 'inside' ? 'leads out' : 'no regular file');
      } finally {
        server.close();
      }
    },
  );

  it('may be a link where one is followed, and one that stays inside where it has to', () => {
    symlinkSync('inside.txt', at('to-inside'));
    symlinkSync('../outside.txt', at('to-outside'));
    symlinkSync('/dev/zero', at('to-zero'));
    symlinkSync('nowhere', at('to-nowhere'));
    symlinkSync('circle', at('circle'));
    symlinkSync('..', at('folder'));
    const all = ['to-inside', 'to-outside', 'to-zero', 'to-nowhere', 'circle'];
    expect(all.map((name) => read(at(name), 'refused'))).toEqual(['link', 'link', 'link', 'link', 'link']);
    expect(all.map((name) => read(at(name), 'followed'))).toEqual([
      ...['inside', 'outside', 'no regular file', 'missing', 'unreadable'],
    ]);
    expect(all.map((name) => read(at(name)))).toEqual([
      ...['inside', 'leads out', 'leads out', 'missing', 'unreadable'],
    ]);
    expect(read(at('folder', 'outside.txt'))).toBe('leads out');
    expect(read(at('folder', 'project', 'inside.txt'))).toBe('inside');
    expect(read(join(folders.root, '..', 'outside.txt'))).toBe('leads out');
  });

  it('may lie in a folder that is reached by a link, but not in one whose name only begins alike', () => {
    symlinkSync('project', join(folders.base, 'linked'));
    mkdirSync(join(folders.base, 'project-of-others'));
    writeFileSync(join(folders.base, 'project-of-others', 'x'), 'x');
    symlinkSync('../project-of-others/x', at('x'));
    expect(read(join(folders.base, 'linked', 'inside.txt'), { inside: join(folders.base, 'linked') })).toBe('inside');
    expect(read(at('inside.txt'), { inside: join(folders.base, 'linked') })).toBe('inside');
    expect(read(at('x'))).toBe('leads out');
    expect(read(at('inside.txt'), { inside: '/' })).toBe('inside');
  });

  it.runIf(process.platform === 'linux')('is bounded where its size is a lie', () => {
    expect(read('/proc/self/status', 'refused', 100_000)).toContain('Pid:');
    expect(read('/proc/self/status', 'refused', 10)).toBe('too large');
  });

  it('is told by a sentence that names it when it is refused, and by nothing when it is not there', () => {
    symlinkSync('../outside.txt', at('config'));
    makeReleasedPipe(at('pipe'));
    const reading = { max: 3, links: { inside: folders.root } };
    expect(() => readIfThere(at('config'), reading)).toThrow(
      `invalid_input: ${at('config')} leads out of the project, to ${join(folders.base, 'outside.txt')}. It was not read.`,
    );
    expect(() => readIfThere(at('pipe'), reading)).toThrow(
      `invalid_input: ${at('pipe')} is not a regular file. It was not read.`,
    );
    expect(() => readIfThere(at('inside.txt'), reading)).toThrow('is larger than 3 bytes. It was not read.');
    expect(readIfThere(at('gone'), reading)).toBeUndefined();
    const forged = whyUnread('a\nb\u001b[31m', { why: 'unreadable' });
    expect(forged).toBe('a b [31m cannot be read');
  });
});

describe('the beginning of a file', () => {
  it('is as long as the file at most, and none is read from a link or a pipe', () => {
    symlinkSync('inside.txt', at('link'));
    makeReleasedPipe(at('pipe'));
    expect(readBeginning(at('inside.txt'), 3).bytes?.toString()).toBe('ins');
    expect(readBeginning(at('inside.txt'), 99).bytes?.toString()).toBe('inside');
    expect([readBeginning(at('link'), 3), readBeginning(at('pipe'), 3)]).toEqual([
      { why: 'link' },
      { why: 'no regular file' },
    ]);
  });
});
