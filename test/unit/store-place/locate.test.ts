import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { locateStore, type Surroundings } from '../../../src/store-place/locate';
import { fileOf, storeExists, urlOf } from '../../../src/store-place/store-place';
import { removeFolder } from '../../support/remove-folder';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-memory-'));
  mkdirSync(join(folder, 'project', '.svc'), { recursive: true });
});

afterEach(() => removeFolder(folder));

const around = (own: Partial<Surroundings> = {}): Surroundings => ({
  cwd: join(folder, 'project'),
  home: join(folder, 'home'),
  storeFile: undefined,
  projectRoot: undefined,
  ...own,
});

describe('where a store is', () => {
  it('is told by one value: its URL, why it is this one, and the root of its code', () => {
    const path = join(folder, 'project', '.svc', 'memory.db');
    expect(locateStore(around())).toMatchObject({ kind: 'home', root: undefined });
    writeFileSync(path, '');
    expect(locateStore(around())).toMatchObject({
      url: `file://${path}`,
      kind: 'project',
      root: join(folder, 'project'),
    });
    expect(locateStore(around({ storeFile: 'other.db' }))).toMatchObject({ kind: 'named' });
    expect(locateStore(around({ storeFile: 'other.db', storeFileFromEditor: true }))).toMatchObject({
      kind: 'setting',
    });
  });

  it.each(['a b.db', '50%25.db', 'what?#.db', 'ünï\u0301.db', 'back\\slash.db', '[x]{y}.db'])(
    'is the very path that was given, %j too',
    (name) => {
      const place = locateStore(around({ storeFile: name }));
      expect(fileOf(place)).toBe(join(folder, 'project', name));
      expect(storeExists(place)).toBe(false);
      writeFileSync(fileOf(place), '');
      expect(storeExists(place)).toBe(true);
    },
  );

  it('is the folder itself where the first write makes one, unless a store is found or this is the home directory', () => {
    const makes = (own: Partial<Surroundings> = {}) => locateStore(around({ makesStore: true, ...own }));
    const own = {
      url: urlOf(join(folder, 'project', '.svc', 'memory.db')),
      kind: 'project',
      root: join(folder, 'project'),
    };
    expect(makes()).toMatchObject(own);
    mkdirSync(join(folder, 'project', 'inner'));
    expect(makes({ cwd: join(folder, 'project', 'inner') }).root).toBe(join(folder, 'project', 'inner'));
    writeFileSync(fileOf(makes()), '');
    expect(makes({ cwd: join(folder, 'project', 'inner') })).toMatchObject(own);
    expect(makes({ storeFile: 'other.db' }).kind).toBe('named');
    mkdirSync(join(folder, 'home'));
    symlinkSync(join(folder, 'home'), join(folder, 'link'));
    for (const cwd of ['home', 'link']) expect(makes({ cwd: join(folder, cwd) }).kind).toBe('home');
  });

  it('may be given as the URL of a file', () => {
    const path = join(folder, 'a b.db');
    expect(fileOf(locateStore(around({ storeFile: urlOf(path) })))).toBe(path);
  });

  it.each(['libsql://memory.example:8080', 'https://memory.example/a', 'file://elsewhere/a.db'])(
    'is never a folder that is called like the address %s: that is refused',
    (address) => {
      const place = locateStore(around({ storeFile: address, projectRoot: 'code' }));
      expect(place).toMatchObject({ url: address, kind: 'named', root: join(folder, 'project', 'code') });
      // So that nobody reads an empty store instead.
      expect(storeExists(place)).toBe(true);
      expect(() => fileOf(place)).toThrow(`unavailable: "${address}" is not a file on this machine`);
    },
  );
});
