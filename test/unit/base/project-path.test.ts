import { expect, test } from 'vitest';
import { leadsOut } from '../../../src/server/base/project-path';

test.each([
  '../x.ts',
  '..',
  'a/../../x.ts',
  'a/..',
  '/etc/passwd',
  '//server/share/x.ts',
  '\\\\server\\share\\x.ts',
  '..\\x.ts',
  'a\\..\\..\\x.ts',
  '\\x.ts',
  'C:\\x.ts',
  'c:/x.ts',
  'C:x.ts',
  'a.ts\0.png',
  '',
])('%j leads out of the project', (path) => expect(leadsOut(path)).toBe(true));

test.each(['a.ts', 'src/a.ts', 'src\\a.ts', '.hidden/a.ts', 'a..b/c...ts', '~/a.ts', 'src/c:d.ts', 'ab:c.ts'])(
  '%j stays inside',
  (path) => expect(leadsOut(path)).toBe(false),
);
