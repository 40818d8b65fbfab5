import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { removeFile, replaceFile } from '../../../src/server/base/replace-file';
import { projectAndOutside } from '../../support/project-and-outside';
import { makeReleasedPipe } from '../../support/special-files';

const folders = projectAndOutside(({ base }) => {
  mkdirSync(join(base, 'outside'));
  writeFileSync(join(base, 'outside', 'file'), 'outside');
});

const at = (...names: string[]): string => join(folders.root, ...names);

describe('a file that is written', () => {
  it('has all of the new text and its old rights, and leaves nothing beside it', () => {
    replaceFile(folders.root, at('a'), 'one');
    chmodSync(at('a'), 0o640);
    replaceFile(folders.root, at('a'), 'two');
    replaceFile(folders.root, at('made', 'for', 'it'), 'three');
    expect([readFileSync(at('a'), 'utf8'), statSync(at('a')).mode & 0o777]).toEqual(['two', 0o640]);
    expect(readFileSync(at('made', 'for', 'it'), 'utf8')).toBe('three');
    expect(readdirSync(folders.root)).toEqual(['a', 'made']);
  });

  it.each([
    ['file', '../outside/file'],
    ['file', '../outside/new'],
    ['file', 'real'],
    ['folder', '../outside'],
    ['folder', 'real-folder'],
  ])('is refused when the %s is a link to %s', (name, target) => {
    writeFileSync(at('real'), 'real');
    mkdirSync(at('real-folder'));
    symlinkSync(target, at(name));
    const path = name === 'file' ? at(name) : at(name, 'file');
    const refusal = `invalid_input: ${at(name)} is a link to ${target}, and svc-memory never writes through links. Replace the link`;
    expect(() => replaceFile(folders.root, path, 'mine')).toThrow(refusal);
    expect(() => removeFile(folders.root, path)).toThrow(refusal);
    expect(readlinkSync(at(name))).toBe(target);
    expect(readdirSync(join(folders.base, 'outside'))).toEqual(['file']);
    expect(readFileSync(join(folders.base, 'outside', 'file'), 'utf8')).toBe('outside');
    expect(readFileSync(at('real'), 'utf8')).toBe('real');
    expect(readdirSync(at('real-folder'))).toEqual([]);
  });

  it('may lie in a folders.root that is reached by a link, which is for the user to say', () => {
    symlinkSync('project', join(folders.base, 'linked'));
    replaceFile(join(folders.base, 'linked'), join(folders.base, 'linked', 'a'), 'mine');
    expect(readFileSync(at('a'), 'utf8')).toBe('mine');
  });

  it('takes the place of no pipe and no folder', () => {
    makeReleasedPipe(at('pipe'));
    mkdirSync(at('folder'));
    for (const name of ['pipe', 'folder']) {
      expect(() => replaceFile(folders.root, at(name), 'mine')).toThrow(
        `${at(name)} is not a regular file. It was left`,
      );
    }
    expect(statSync(at('pipe')).isFIFO()).toBe(true);
  });

  it('can be taken away, also when it is not there', () => {
    writeFileSync(at('a'), 'mine');
    removeFile(folders.root, at('a'));
    removeFile(folders.root, at('a'));
    expect(readdirSync(folders.root)).toEqual([]);
  });
});
