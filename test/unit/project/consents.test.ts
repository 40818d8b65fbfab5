import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { consentsOf } from '../../../src/server/project/consents';

let base: string;
let home: string;
const folder = (...names: string[]): string => join(base, ...names);
const kept = (): string => join(home, '.svc', 'consent');

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'svc-consents-'));
  home = folder('home');
  for (const name of ['home', 'mine', 'other']) mkdirSync(folder(name));
});
afterEach(() => rmSync(base, { recursive: true }));

it('keeps each consent in a file of its own that only its user may read', () => {
  const consents = consentsOf(home, folder('mine'), () => Date.UTC(2026, 10, 23));
  expect(consents.given('anthropic', 'api.anthropic.com')).toBe(false);
  consents.remember('anthropic', 'api.anthropic.com');
  consents.remember('openai', 'api.openai.com');
  const names = readdirSync(kept());
  expect(names).toHaveLength(2);
  expect(names.every((name) => /^[0-9a-f]{32}\.json$/.test(name))).toBe(true);
  expect(statSync(kept()).mode & 0o777).toBe(0o700);
  for (const name of names) expect(statSync(join(kept(), name)).mode & 0o777).toBe(0o600);
  const told = names.map((name) => JSON.parse(readFileSync(join(kept(), name), 'utf8')) as object);
  expect(told).toContainEqual({
    path: folder('mine'),
    provider: 'anthropic',
    host: 'api.anthropic.com',
    given_at: '2026-11-23T00:00:00.000Z',
  });
  expect(consents.given('anthropic', 'api.anthropic.com')).toBe(true);
  expect(consents.given('anthropic', 'proxy.example.com')).toBe(false);
  expect(consents.given('openai', 'api.anthropic.com')).toBe(false);
  consents.remember('anthropic', 'api.anthropic.com');
  expect(readdirSync(kept())).toHaveLength(2);
});

it('is about the folder itself: by whatever link one comes there, and not about where a link leads later', () => {
  symlinkSync(folder('mine'), folder('link'));
  consentsOf(home, folder('link')).remember('anthropic', 'a');
  expect(consentsOf(home, folder('mine')).given('anthropic', 'a')).toBe(true);
  expect(consentsOf(home, folder('other')).given('anthropic', 'a')).toBe(false);
  rmSync(folder('link'));
  symlinkSync(folder('other'), folder('link'));
  expect(consentsOf(home, folder('link')).given('anthropic', 'a')).toBe(false);
});

it('believes no file that says something else, that is a link, or that others may have put there', () => {
  const mine = consentsOf(home, folder('mine'));
  mine.remember('anthropic', 'a');
  const [name = ''] = readdirSync(kept());
  const file = join(kept(), name);
  expect(mine.given('anthropic', 'a')).toBe(true);
  // As a checkout into the home folder would leave them.
  chmodSync(file, 0o644);
  expect(mine.given('anthropic', 'a')).toBe(false);
  chmodSync(file, 0o600);
  chmodSync(kept(), 0o755);
  expect(mine.given('anthropic', 'a')).toBe(false);
  chmodSync(kept(), 0o700);
  expect(mine.given('anthropic', 'a')).toBe(true);
  // The consent of another folder under this name.
  const other = consentsOf(folder('other'), folder('other'));
  other.remember('anthropic', 'a');
  const [foreign = ''] = readdirSync(folder('other', '.svc', 'consent'));
  rmSync(file);
  symlinkSync(folder('other', '.svc', 'consent', foreign), file);
  expect(mine.given('anthropic', 'a')).toBe(false);
});

it('says what to do where an answer cannot be kept', () => {
  mkdirSync(join(home, '.svc', 'consent'), { recursive: true });
  rmSync(join(home, '.svc', 'consent'), { recursive: true });
  symlinkSync(folder('nowhere', 'at-all'), join(home, '.svc', 'consent'));
  expect(() => consentsOf(home, folder('mine')).remember('anthropic', 'a')).toThrow(
    /^unavailable: Your answer cannot be stored in .*consent, so nothing was sent\. Give this user the right to write there, or pass --yes\.$/,
  );
});
