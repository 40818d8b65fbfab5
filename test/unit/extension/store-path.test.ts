import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { namedStore } from '../../../src/extension/store-path';

let base: string;
let folder: string;
let home: string;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'svc-store-path-')));
  [folder, home] = [join(base, 'project'), join(base, 'home')];
  for (const each of [folder, home, join(base, 'other')]) mkdirSync(each);
  writeFileSync(join(base, 'other', 'memory.db'), '');
});

afterEach(() => rmSync(base, { recursive: true }));

const nothing = (refused: string) => ({ file: undefined, ofWorkspace: false, refused });

describe('a store path in the settings of a person', () => {
  it('counts wherever it leads, and is refused where it is an address', () => {
    for (const [path, file] of [
      ['~/notes.db', join(home, 'notes.db')],
      ['../other/memory.db', join(base, 'other', 'memory.db')],
      [join(base, 'other', 'memory.db'), join(base, 'other', 'memory.db')],
      [' kept/own.db ', join(folder, 'kept', 'own.db')],
    ] as const) {
      expect(namedStore({ globalValue: path }, folder, home)).toEqual({ file, ofWorkspace: false, refused: undefined });
    }
    const none = { file: undefined, ofWorkspace: false, refused: undefined };
    for (const address of ['postgres://host/memory', 'https://host/memory.db', 'file:///memory.db']) {
      expect(namedStore({ globalValue: address }, folder, home)).toEqual(nothing(address));
      expect(namedStore({ workspaceValue: address }, folder, home)).toEqual(nothing(address));
    }
    expect(namedStore({ globalValue: '' }, folder, home)).toEqual(none);
    expect(namedStore({}, folder, home)).toEqual(none);
  });
});

describe.each(['workspaceValue', 'workspaceFolderValue'])(
  'a store path in the settings of a workspace (%s)',
  (where) => {
    it('counts inside of the folder, before the one of the person, and is told from it', () => {
      const file = join(folder, 'kept', 'own.db');
      for (const path of ['kept/own.db', './x/../kept/own.db', file]) {
        expect(namedStore({ globalValue: '~/mine.db', [where]: path }, folder, home)).toEqual({
          file,
          ofWorkspace: true,
          refused: undefined,
        });
      }
    });

    it('that is empty takes the one of the person away', () => {
      expect(namedStore({ globalValue: '~/mine.db', [where]: '' }, folder, home).file).toBeUndefined();
    });

    it('is refused outside of the folder, and the one of the person counts', () => {
      const own = join(home, 'mine.db');
      for (const path of ['~/.svc/memory.db', '../other/memory.db', join(base, 'other', 'memory.db'), '..', '.', '/']) {
        expect(namedStore({ globalValue: '~/mine.db', [where]: path }, folder, home)).toEqual({
          file: own,
          ofWorkspace: false,
          refused: path,
        });
        expect(namedStore({ [where]: path }, folder, home)).toEqual(nothing(path));
      }
    });

    it('is refused where a link in the folder leads out of it, or nowhere', () => {
      symlinkSync(join(base, 'other'), join(folder, 'away'));
      symlinkSync(join(base, 'other', 'memory.db'), join(folder, 'away.db'));
      symlinkSync(join(base, 'other', 'new.db'), join(folder, 'dangling.db'));
      for (const path of ['away/memory.db', 'away/not/there.db', 'away.db', 'dangling.db']) {
        expect(namedStore({ [where]: path }, folder, home)).toEqual(nothing(path));
      }
    });

    it('counts in a folder that is reached by a link itself', () => {
      const link = join(base, 'link');
      symlinkSync(folder, link);
      expect(namedStore({ [where]: 'own.db' }, link, home).file).toBe(join(link, 'own.db'));
    });
  },
);

it('a workspace that names one for the folder and another for itself has the first that is inside', () => {
  const set = { workspaceFolderValue: '~/theirs.db', workspaceValue: 'own.db' };
  expect(namedStore(set, folder, home)).toEqual({
    file: join(folder, 'own.db'),
    ofWorkspace: true,
    refused: '~/theirs.db',
  });
});
